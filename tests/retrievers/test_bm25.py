"""Passages of the user's own files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.json import encode

from factprobe.config import convert
from factprobe.errors import ConfigError, DataError
from factprobe.records import ClaimedText, Item
from factprobe.retrievers import Retriever, retrievers
from factprobe.retrievers.bm25 import Bm25Settings

Write = Callable[[str, str | bytes], Path]

FILMS = "Alien is a film that Ridley Scott directed."
PARIS = "Paris has been the capital of France for centuries."
RHINE = "The Rhine flows through Cologne."


def retriever(passages: object, **settings: object) -> Retriever:
    return retrievers.get("bm25")(convert({"name": "bm25", "passages": passages, **settings}, Bm25Settings))


def found(passages: object, response: str, question: str = "", **settings: object) -> tuple[str, ...]:
    [passages_found] = retriever(passages, **settings).retrieve([ClaimedText(Item("1", response, question))])
    return passages_found


@pytest.fixture
def texts(write: Write) -> str:
    return str(write("texts.txt", f"{FILMS}\r\n\r\n{PARIS}\n \n\n{RHINE}\n"))


def test_best_passage_is_first_and_words_are_compared_by_their_stems(texts: str) -> None:
    assert found(texts, "Capitals", "What is it of France?") == (PARIS,)
    assert found(texts, "He directed films near Cologne") == (FILMS, RHINE)


@pytest.mark.parametrize("response", ["", "!!", "quantum entanglement", "the of and is"])
def test_text_that_shares_no_word_has_no_passage(texts: str, response: str) -> None:
    assert found(texts, response) == ()


def test_no_more_passages_than_asked_for_and_equal_ones_in_their_order(write: Write) -> None:
    path = str(write("texts.txt", "\n\n".join(f"Paris {word}" for word in ("one-a", "two-b", "three-c", "four-d"))))
    assert found(path, "Paris", count=2) == ("Paris one-a", "Paris two-b")


def test_empty_and_duplicate_passages_are_dropped(write: Write) -> None:
    path = str(write("texts.txt", f"\n\n...\n\n{PARIS}\n\nthe of\n\n{PARIS}\n\n"))
    assert found(path, "Paris", count=9) == (PARIS,)


def test_long_text_is_split_between_sentences(write: Write) -> None:
    path = str(write("texts.txt", "Paris is big.\nIt lies there. But Paris has one more sentence, a long one."))
    parts = {"Paris is big. It lies there.", "But Paris has one more", "sentence, a long one."}
    assert set(found(path, "Paris, a long sentence", count=9, passage_length=30)) == parts


def test_records_of_several_files_by_a_pattern(write: Write) -> None:
    write("a/1.jsonl", encode({"body": PARIS}) + b'\n{"body": 3}\n{broken\n')
    write("a/2.json", encode([{"body": RHINE}, {"text": FILMS}]))
    path = write("a/3.txt", FILMS).parent
    asked = "Paris, Cologne and a film"
    assert set(found([f"{path}/*.json*"], asked, column="body")) == {PARIS, RHINE}
    assert set(found([f"{path}/*.jsonl", f"{path}/3.txt"], asked, column="body")) == {PARIS, FILMS}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.txt", b"\n\n", r"empty\.txt: holds no passages; give texts"),
        (
            "latin.txt",
            "Königsberg".encode("latin-1"),
            r"latin\.txt: is not UTF-8; save it as UTF-8, or convert it from its encoding",
        ),
        ("wide.txt", "Paris".encode("utf-16"), r"wide\.txt: is UTF-16"),
        ("list.json", b'["a"]', r"list\.json: holds no passages"),
        ("cut.json", b'[{"text": "a"', r"cut\.json: is broken"),
        ("other.jsonl", b'{"body": "Paris"}', r"other\.jsonl: holds no passages"),
    ],
)
def test_files_without_passages_are_one_line(write: Write, name: str, content: bytes, message: str) -> None:
    path = write(name, content)
    with pytest.raises(DataError, match=message) as error:
        found(str(path), "Paris")
    assert "\n" not in str(error.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file has a name like that"):
        found(str(tmp_path / "*.txt"), "Paris")
    with pytest.raises(DataError, match="cannot be read"):
        found(str(tmp_path / "a.txt"), "Paris")


def test_missing_setting_is_named() -> None:
    with pytest.raises(ConfigError, match="passages"):
        convert({"name": "bm25"}, Bm25Settings, "retriever")
