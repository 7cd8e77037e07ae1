"""Every text that a model or a user gives is read in time that grows with its length alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence

import pytest

from factprobe import periods, secrecy
from factprobe.calls import call_errors
from factprobe.checkers import verdicts
from factprobe.claims.by_model import reply_parsing as parsing
from factprobe.detectors.judge import read_verdict
from factprobe.detectors.spans.span_judge import read_spans
from factprobe.generators.passages import passages
from factprobe.generators.phrasing import checks
from factprobe.inputs import record_values as cells
from factprobe.kgs import default_labels
from factprobe.progress import printable
from factprobe.reading import verdict_replies
from factprobe.reading.structure import cleaning, latex, markup
from factprobe.reading.tokenisation import sentences, tags
from factprobe.reading.values import value_parsing as values
from factprobe.records import Entity
from factprobe.text import fold_with_offsets, normalise
from tests.command_line import ROOT
from tests.evaluators import worlds as w
from tests.evaluators.test_fuzz import ASKED, built
from tests.evaluators.worlds import Asked
from tests.growth import FEW, FRAGMENTS, slow_fragments

Read = Callable[[str], object]
EINSTEIN, ULM = Entity("u1", "Albert Einstein"), Entity("u2", "Ulm")


def statement_of(reply: str) -> object:
    try:
        return checks.read_statement(reply, EINSTEIN, ULM, [checks.NameIndex([EINSTEIN, ULM])])
    except checks.BrokenRuleError:
        return None


READERS: dict[str, Read] = {
    "a reply": cleaning.clean,
    "bullets": cleaning.with_bullets,
    "formulas": latex.without_latex,
    "a name": markup.plain_name,
    "values": values.values_in,
    "a value": values.value_of,
    "sentences": sentences.sentences,
    "pieces": lambda text: sentences.pieces(text, 200),
    "tags": tags.by_rules,
    "a judge's reply": lambda text: verdict_replies.read_judge(text, (text[:50],)),
    "a normalised text": normalise,
    "a folded text": fold_with_offsets,
    "a day": periods.parse_day,
    "secrets": secrecy.hide,
    "a printed text": printable,
    "a verdict on a claim": lambda text: verdicts.read_label(text, (text[:300],)),
    "verdicts on claims": lambda text: verdicts.read_labels(text, 3),
    "triplets": parsing.read_triplets,
    "statements": parsing.read_statements,
    "a verdict on a text": lambda text: read_verdict(text, (text[:100],)),
    "spans": lambda text: read_spans(text, "Ulm is a city. " * 20),
    "an output with spans": lambda text: read_spans('{"spans": ["a"]}', text),
    "a worded fact": statement_of,
    "words of a passage": passages.words_of,
    "a printed list": cells.parse_printed,
    "a list in a cell": cells.split_items,
    "a relation's label": default_labels.plain_template,
    "a page": call_errors.page_title,
}


def grader_of(name: str, at: int, asked: Asked) -> Read:
    return lambda text: built(name, at).grade(asked.question, w.response(asked, text))


GRADERS: dict[str, Read] = {
    f"{name} {at}": grader_of(name, at, asked) for name, several in ASKED.items() for at, asked in enumerate(several)
}
EVERY: Sequence[tuple[str, Read]] = [*READERS.items(), *GRADERS.items()]


@pytest.mark.parametrize(("name", "read"), EVERY, ids=[name for name, _ in EVERY])
@pytest.mark.slow
def test_the_time_of_a_text_grows_with_its_length(name: str, read: Read) -> None:
    assert slow_fragments(read, FEW, 600) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "read"), EVERY, ids=[name for name, _ in EVERY])
def test_the_time_of_any_text_grows_with_its_length(name: str, read: Read) -> None:
    assert slow_fragments(read, FRAGMENTS, 2_000) == []


def list_words() -> list[str]:
    """Return the first phrase of each list of the English pack, which replies may repeat."""
    words = []
    for file in sorted((ROOT / "factprobe/reading/language/en").glob("*.toml")):
        for phrases in tomllib.loads(file.read_text(encoding="utf-8")).values():
            first = re.split(r"[|\n]" if "|" in str(phrases) else r"\s", str(phrases).strip())[0].strip()
            if re.fullmatch(r"[a-z][a-z' ]*", first):
                words.append(first)
    return list(dict.fromkeys(words))


@pytest.mark.slow
@pytest.mark.parametrize("name", [f"{name} 0" for name in ASKED if not name.startswith(("llm_", "ranked"))])
def test_the_time_of_repeated_cues_grows_with_their_number(name: str) -> None:
    fragments = [f"{word}{mark}" for word in list_words() for mark in (" ", ", ")]
    assert slow_fragments(GRADERS[name], fragments, 2_000) == []
