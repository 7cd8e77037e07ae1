"""What every registered model keeps to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import msgspec
import pytest

from factprobe.api import ask_model, load_model
from factprobe.models import Model, ModelSettings, Reply, SameAnswers, models
from factprobe.models.base import Price, identifying_settings
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


LARGE = {"litellm", "llama_cpp", "smollm2", "transformers"}
"""Cases that take seconds: they load a large library, or a real model."""

CHANGED: dict[str, object] = {
    "model": "other",
    "name": "other",
    "rule": "wrong",
    "api": "completions",
    "reduction": "mean",
    "kind": "masked",
    "dtype": "float32",
    "device": "cpu",
    "revision": "other",
    "gguf_file": "other.gguf",
    "api_key_env": "OTHER_KEY",
    "base_url": "http://127.0.0.1:1/other",
    "api_base": "http://127.0.0.1:1/other",
    "json_schema": {"type": "string"},
    "extra_body": {"top_p": 0.9},
    "extra": {"top_p": 0.9},
    "price": Price(1, 2),
    "temperature": 0.5,
    "timeout": 1.5,
    "retry_wait": 1.5,
}
"""Another value of each setting that is no number and no switch."""
PLACES = {"backend", "path", "model", "gguf_file", "revision"}
"""Settings that cannot just be set to anything: they say where the model lies, which has tests of its own."""


def changed(name: str, value: object) -> object:
    if isinstance(value, bool):
        return not value
    if name in CHANGED:
        return CHANGED[name]
    assert value is None or isinstance(value, int), f"CHANGED lacks {name}"
    return (value or 0) + 7


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in ("litellm", "transformers"))) for name in sorted(CASES)],
)
def test_every_setting_counts_but_those_that_change_no_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_KEY", "k")
    with CASES[name]() as model:  # type: ignore[attr-defined]
        cls, settings = type(model), model.settings
        counting = identifying_settings(cls.settings_type)
        assert {"backend", "max_tokens", "temperature", "repeat"} <= set(counting)
        assert not {"name", "max_concurrency", "timeout", "price", "api_key_env"} & (set(counting) - MATTERS[name])
        for field in settings.__struct_fields__:
            if field in PLACES - OPEN[name]:
                continue
            other = cls(msgspec.structs.replace(settings, **{field: changed(field, getattr(settings, field))}))
            assert (other.settings_hash != model.settings_hash) == (field in counting), field


MATTERS = {name: {"max_concurrency"} if name in ("llama_cpp", "smollm2") else set() for name in CASES}
"""Settings that change some models' answers and not others'."""
OPEN = {name: {"model"} if name in ("openai", "litellm") else set() for name in CASES}
"""Places that need not exist."""


@pytest.mark.parametrize("name", ["replay", "llama_cpp"])
def test_what_lies_there_counts_and_not_where_it_lies(name: str, tmp_path: Path) -> None:
    with CASES[name]() as model:  # type: ignore[attr-defined]
        cls, settings = type(model), model.settings
        moved, other = tmp_path / "moved.gguf", tmp_path / "other.gguf"
        moved.symlink_to(settings.path)
        other.write_text('{"question_id": "q", "response": "other"}')
        same, changed = (cls(msgspec.structs.replace(settings, path=str(path))) for path in (moved, other))
        assert same.settings_hash == model.settings_hash != changed.settings_hash


def test_a_setting_of_ones_own_counts_without_being_told_so() -> None:
    class MoodSettings(ModelSettings, frozen=True, kw_only=True):
        moods: int = 2
        loud: SameAnswers[bool] = False

    class Moody(Model):
        settings_type: ClassVar[type[ModelSettings]] = MoodSettings

        async def reply(self, question: Request) -> Reply:
            return Reply("")

    plain, other, loud = (
        Moody(MoodSettings(backend="moody", **changes)) for changes in ({}, {"moods": 3}, {"loud": True})
    )
    assert plain.settings_hash != other.settings_hash
    assert plain.settings_hash == loud.settings_hash
    assert plain.identity()["moods"] == 2


def test_every_registered_model_has_a_case() -> None:
    assert set(CASES) == set(models.names())


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LARGE)) for name in sorted(CASES)]
)
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


def test_back_end_and_repeat_count_whatever_a_model_calls_its_identity() -> None:
    class Own(Model):
        def identity(self) -> dict[str, object]:
            return {"model": "same"}

        async def reply(self, request: Request) -> Reply:
            return Reply(request.question_id)

    settings = [ModelSettings(backend=backend, repeat=repeat) for backend in ("a", "b") for repeat in (0, 1)]
    assert len({Own(one).settings_hash for one in settings}) == 4
    assert Own(ModelSettings(backend="a")).settings_hash == Own(ModelSettings(backend="a")).settings_hash
