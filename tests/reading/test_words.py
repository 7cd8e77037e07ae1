"""A text as words: where each stands, and the source with other text in their place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.reading.tokenisation.tokenised_text import Text
from tests.tables import for_each_row

PACKAGE = Path(factprobe.__file__).parent


@for_each_row(
    "source",
    ["Born in Ulm.", "„Ulm“ (an der Donau)", "Neu-Ulm, Saint-Denis", "J. R. R. Tolkien", "it is O'Neil-Smith's"],
)
def test_a_span_is_the_word_as_it_came(source: str) -> None:
    text = Text(source)
    assert [text.source[text.starts[i] : text.ends[i]] for i in range(len(text))] == text.raw


@given(st.text("aB1é \n.,:-'()"))
def test_each_word_begins_within_the_source(source: str) -> None:
    text = Text(source)
    assert len(text.starts) == len(text)
    assert all(text.source[start].strip() for start in text.starts)


def test_spans_are_replaced_all_at_once() -> None:
    text = Text("Anne wrote it, not Emily.")
    spans = [(text.starts[i], text.ends[i], name) for i, name in ((0, "Anne Brontë"), (4, "§"))]
    assert text.replaced(spans) == text.replaced(reversed(spans)) == "Anne Brontë wrote it, not §."
    assert text.source == "Anne wrote it, not Emily."


@for_each_row(
    ("source", "count"),
    [
        ("Apple Inc. Chairman Cook said so.", 1),
        ("John D. Rockefeller left.", 1),
        ("Dr. No left with St. John, e.g. The Saint.", 1),
        ("He was born c. 1900 (d. The Hague).", 1),
        ("He joined Apple Inc.", 1),
    ],
)
def test_abbreviation_ends_no_sentence(source: str, count: int) -> None:
    assert len(set(Text(source).sentences)) == count


@for_each_row(
    ("source", "shouts"),
    [
        ("THE ANSWER IS ULM", False),
        ("PARIS AND ULM AND ROME", True),
        ("Ulm And Rome And Bonn", True),
        ("Ulm in Bonn", False),
    ],
)
def test_a_text_with_a_capital_at_every_word_shouts(source: str, shouts: bool) -> None:
    assert Text(source).shouts is shouts


ATTRIBUTES = vars(Text(""))
MAY_SET = re.compile(rf"\.(?:{'|'.join(ATTRIBUTES)})\b[^=\n]*(?:=|\bin\b)")
"""A line that may set an attribute of a text: most modules have none and need no parsing."""


def changed(code: str) -> Iterator[str]:
    """Yield the attributes of a text that code sets on another object than `self`."""
    for node in ast.walk(ast.parse(code)) if MAY_SET.search(code) else ():
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            if not isinstance(target, ast.Attribute) or ast.unparse(target.value) == "self":
                continue
            if target.attr in ATTRIBUTES:
                yield ast.unparse(target)


@for_each_row("path", sorted(PACKAGE.rglob("*.py")))
def test_no_module_changes_a_text(path: Path) -> None:
    assert list(changed(path.read_text(encoding="utf-8"))) == []


@for_each_row("code", ["text.source = ''", "text.source += 'x'", "other.words: list[str] = []"])
def test_a_change_of_a_text_is_seen(code: str) -> None:
    assert list(changed(code))
