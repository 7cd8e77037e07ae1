"""What every registered model keeps to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from factprobe.api import ask_model, load_model
from factprobe.models import Model, models
from factprobe.models.providers.llama_cpp import LlamaCppSettings, SmolLM2
from factprobe.records import PlainRequest, Request
from factprobe.storage import write_lines
from tests.models.hf import tiny
from tests.models.questions import binary, question
from tests.models.server import completion, endpoint

ASKED: list[Request] = [question(1), binary(2), PlainRequest("3", question().prompts)]


@contextmanager
def scripted() -> Iterator[Model]:
    yield load_model("scripted", rule="gold")


@contextmanager
def smollm2() -> Iterator[Model]:
    yield load_model("smollm2", max_tokens=8)


@contextmanager
def llama() -> Iterator[Model]:
    path: Path = SmolLM2.file(LlamaCppSettings(backend="smollm2"))
    yield load_model("llama_cpp", path=str(path), max_tokens=8)


@contextmanager
def openai() -> Iterator[Model]:
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        yield load_model("openai", model="stub", base_url=server.base_url)


@contextmanager
def litellm() -> Iterator[Model]:
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        yield load_model("litellm", model="hosted_vllm/stub", api_base=server.base_url)


@contextmanager
def replay() -> Iterator[Model]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write_lines(path, [{"question_id": asked.question_id, "response": "Paris"} for asked in ASKED])
        yield load_model("replay", path=str(path))


@contextmanager
def transformers() -> Iterator[Model]:
    with TemporaryDirectory() as folder:
        yield load_model("transformers", model=tiny.save(Path(folder), "llama"), max_tokens=8)


CASES: dict[str, Callable[[], object]] = {
    "litellm": litellm,
    "llama_cpp": llama,
    "openai": openai,
    "replay": replay,
    "scripted": scripted,
    "smollm2": smollm2,
    "transformers": transformers,
}


def test_every_registered_model_has_a_case() -> None:
    assert set(CASES) == set(models.names())


@pytest.mark.parametrize("name", sorted(CASES))
def test_contract(name: str) -> None:
    with CASES[name]() as model:  # type: ignore[attr-defined]
        responses = ask_model(model, ASKED)
        assert [response.question_id for response in responses] == [asked.question_id for asked in ASKED]
        assert responses[0].prompts_hash == responses[2].prompts_hash != responses[1].prompts_hash
        for response in responses:
            assert response.response
            assert response.error is None
            assert response.settings_hash == model.settings_hash
        assert model.name
        assert isinstance(model.settings, type(model).settings_type)
