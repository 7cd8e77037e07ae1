"""Paragraphs from text files and records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.perturbing.paragraphs import read_paragraphs
from factprobe.storage import Problems

Write = Callable[[str, str | bytes], Path]


def test_blank_lines_separate_paragraphs(write: Write) -> None:
    found = read_paragraphs(write("a.txt", "One\r\ntwo.\r\n \r\n\r\nThree.\n"), Problems())
    assert found == {"1": "One two.", "2": "Three."}


def test_every_record_has_a_paragraph(write: Write) -> None:
    problems = Problems()
    lines = '{"text": "One.", "id": "a"}\n{"text": 3}\n{"text": "Two."}\n{"text": "x", "id": "a"}'
    assert read_paragraphs(write("a.jsonl", lines), problems) == {"a": "One.", "3": "Two."}
    assert len(problems.messages) == 2


def test_null_is_no_id(write: Write) -> None:
    lines = '{"text": "One.", "id": null}\n{"text": "Two.", "id": null}'
    assert read_paragraphs(write("a.jsonl", lines), Problems(strict=True)) == {"1": "One.", "2": "Two."}


def test_ending_of_json_in_upper_case(write: Write) -> None:
    assert read_paragraphs(write("A.JSON", '[{"text": "One.", "id": "a"}]'), Problems()) == {"a": "One."}


def test_missing_paragraphs_are_an_error(write: Write) -> None:
    for path in (write("a.txt", " \n"), write("b.txt", b"\xff")):
        with pytest.raises(DataError, match=r"holds no paragraphs|is not UTF-8"):
            read_paragraphs(path, Problems())
