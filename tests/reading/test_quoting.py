"""A passage as the reply has it."""

from __future__ import annotations

from factprobe.reading.structure.quoting import as_written
from tests.tables import for_each_row


@for_each_row(
    ("reply", "passage", "written"),
    [
        ("No, he was born in Ulm.", "he was born in Ulm", "he was born in Ulm"),
        ("I say [B] Ulm", "B) Ulm", "B] Ulm"),
        ("T. S. Eliot wrote it", "T S Eliot", "T. S. Eliot"),
        ("The No of No Doubt is wrong", "The No of § is wrong", "The No of No Doubt is wrong"),
        ("No Doubt is wrong", "§ is wrong", "No Doubt is wrong"),
        ("She wrote it", "Emily Brontë", ""),
        ("Ulm\nMunich", "Ulm Munich", ""),
        ("✓", "true", ""),
        ("anything", "", ""),
    ],
)
def test_a_passage_is_quoted_as_it_stands(reply: str, passage: str, written: str) -> None:
    assert as_written(reply, passage) == written


def test_a_long_passage_that_is_not_there_is_not_looked_for() -> None:
    assert as_written("a " * 20_000, " ".join(f"w{i}" for i in range(10_000))) == ""
