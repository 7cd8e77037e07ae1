"""What every registered retriever keeps to; one that has no case here fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from factprobe.asking.in_memory import ask_model
from factprobe.components.base import PartSettings
from factprobe.config import known_names
from factprobe.errors import ConfigError
from factprobe.factories import Dependencies, build_component, named_settings
from factprobe.records import ClaimedText
from factprobe.retrievers import Retriever, retrievers
from tests.contracts.texts import ITEMS, graph
from tests.models.server import endpoint

NAMES = retrievers.names()
PASSAGES = "Paris is the capital of France.\n\nMelbourne lies in Australia.\n\nNobody slept."
GOOGLE = {"organic": [{"title": "France", "snippet": "Paris is the capital of France."}]}
TEXTS = [ClaimedText(item) for item in ITEMS]

Settings = Callable[[str], dict[str, Any]]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """Settings under which each works without a network."""
    monkeypatch.setenv("SERPER_API_KEY", "not-a-real-key-0123456789")
    (tmp_path / "passages.txt").write_text(PASSAGES)
    with endpoint(lambda _: (200, GOOGLE)) as server:
        cases: dict[str, dict[str, Any]] = {
            "bm25": {"passages": str(tmp_path / "passages.txt")},
            "graph": {},
            "serper": {"base_url": server.base_url},
        }
        yield lambda name: {"name": name, **cases[name]}


def build(settings: dict[str, Any]) -> Retriever:
    means = Dependencies(graph, lambda model, *_: lambda what, requests: ask_model(model, list(requests)))
    built: Retriever = build_component("retriever", {**named_settings("retriever", settings), **settings}, means)
    return built


def test_every_retriever_has_a_config_file() -> None:
    assert known_names("retriever") == NAMES


@pytest.mark.parametrize("name", NAMES)
class TestRetriever:
    def test_is_a_retriever_with_settings_of_its_own(self, name: str) -> None:
        cls = retrievers.get(name)
        assert issubclass(cls, Retriever)
        assert issubclass(cls.settings_type, PartSettings)

    def test_each_text_has_its_passages(self, name: str, settings: Settings) -> None:
        found = list(build(settings(name)).retrieve(TEXTS))
        assert len(found) == len(TEXTS)
        assert found[0]
        assert all(passage.strip() for passages in found for passage in passages)
        assert found[0] == next(iter(build(settings(name)).retrieve(TEXTS[:1])))

    def test_it_finds_nothing_for_a_text_without_a_word(self, name: str, settings: Settings) -> None:
        found = list(build(settings(name)).retrieve(TEXTS))
        empty = [passages for text, passages in zip(TEXTS, found, strict=True) if not text.item.response.strip()]
        assert empty == [()] * len(empty)

    def test_no_texts_have_no_passages(self, name: str, settings: Settings) -> None:
        assert list(build(settings(name)).retrieve([])) == []

    def test_an_unknown_setting_is_named(self, name: str, settings: Settings) -> None:
        with pytest.raises(ConfigError, match="no_such_setting"):
            build({**settings(name), "no_such_setting": 1})
