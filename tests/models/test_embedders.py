"""Embedders by name, and those of an endpoint: what is asked, what is kept, and what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from factprobe.asking.in_memory import ask_model
from factprobe.errors import ConfigError, ModelError
from factprobe.models.embedders import Embedder, embedders, get_embedder
from factprobe.models.hf.sentence_embedder import SentenceEmbedder
from factprobe.models.providers.embeddings import EmbeddingModel, EndpointEmbedder
from factprobe.models.providers.openai import OpenAISettings
from tests.extras import needs
from tests.models.server import Answer, endpoint, fault

VECTORS = {"a": [3.0, 4.0], "b": [4.0, -3.0], "c": [6.0, 8.0]}


def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, {"data": [{"embedding": VECTORS[body["input"]]}], "usage": {"prompt_tokens": 1}}


def embedded(answer: Answer, texts: list[str]) -> Any:
    with endpoint(answer) as server:
        settings = OpenAISettings(backend="openai", model="e", base_url=server.base_url, retry_wait=0.0, max_retries=1)
        model = EmbeddingModel(settings)
        found = EndpointEmbedder(lambda _, requests: ask_model(model, list(requests))).embed(texts)
        assert {body["model"] for body in server.requests} == {"e"}
        assert not any("temperature" in body for body in server.requests)
        return found


def test_rows_of_an_endpoint_are_of_length_1() -> None:
    assert embedded(says, ["a", "b", "c"]) == pytest.approx(np.array([[0.6, 0.8], [0.8, -0.6], [0.6, 0.8]]))


@pytest.mark.parametrize("usage", [{"total_tokens": 1}, {"prompt_tokens": "one"}, "much", [7]], ids=str)
def test_embedding_is_kept_where_its_tokens_cannot_be_counted(usage: Any) -> None:
    found = embedded(lambda body: (200, {**says(body)[1], "usage": usage}), ["a"])
    assert found == pytest.approx(np.array([[0.6, 0.8]]))


def test_transient_fault_is_retried() -> None:
    turns = iter([(503, fault("busy")), says({"input": "a"})])
    assert embedded(lambda _: next(turns), ["a"]).shape == (1, 2)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ((200, {"data": []}), "sent no embedding"),
        ((200, {"data": [{"embedding": [0.0, 0.0]}]}), "sent no embedding"),
        ((200, {"data": [{"embedding": [1.0]}, {"embedding": [1.0]}]}), "or several, of one text"),
        ((200, {"data": [{"embedding": ["x"]}]}), "sent no embedding"),
        ((200, {}), "sent no embedding"),
        ((400, fault("no such model")), "no such model"),
    ],
)
def test_invalid_embedding_is_an_error(answer: tuple[int, dict[str, Any]], what: str) -> None:
    with pytest.raises(ModelError, match=f"has no embedding of 1 of 2 texts.*{what}"):
        embedded(lambda body: says(body) if body["input"] == "a" else answer, ["a", "b"])


def test_embeddings_of_several_lengths_are_refused() -> None:
    lengths = iter([1, 2])
    with pytest.raises(ModelError, match="several lengths"):
        embedded(lambda _: (200, {"data": [{"embedding": [1.0] * next(lengths)}]}), ["a", "b"])


@needs("sentence_transformers")
def test_embedder_name_is_registered_or_a_model() -> None:
    assert embedders.names() == ["minilm", "openai", "sentence_transformers", "wordllama"]
    for name in ("minilm", "someone/some-model"):
        found = get_embedder(name)
        assert isinstance(found, SentenceEmbedder)
        assert found.name == name
    with pytest.raises(ConfigError, match=r"openai is an endpoint, and its model is not set"):
        get_embedder("openai")


def test_equal_texts_need_no_embedding() -> None:
    class Fixed(Embedder):
        def embed(self, texts: Any) -> Any:
            return np.array([VECTORS[text] for text in texts], np.float32) / 5

    assert Fixed().similarities([("x", "x")]) == [1.0]
    assert Fixed().similarities([("a", "b"), ("a", "a")]) == pytest.approx([0.0, 1.0])
