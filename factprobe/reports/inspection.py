"""Statistics of a graph's relations, in a terminal and as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import fill, indent

from factprobe.metrics.graphs.inspection import Degrees, InspectedRelation, InspectionTable, warnings
from factprobe.records import Question
from factprobe.reports.sheet import Line, Section, Sheet, write_sheet
from factprobe.reports.terminal import fitted, line_width

_HEADS = ("facts", "subjects", "objects", "type", "one object", "one subject", "in the name", "namesakes", "unnamed")
_SHORT = {
    "subjects": "subj.",
    "objects": "obj.",
    "one object": "1 obj.",
    "one subject": "1 subj.",
    "in the name": "name",
}
_SHORT |= {"a subject: median": "subj. 50%", "an object: median": "obj. 50%"}
_DEGREES = ("a subject: median", "90%", "most", "an object: median", "90%", "most")
_DEGREE_NOTE = "How many facts of the relation one entity has: the median, what nine in ten do not pass, and the most."
_MOST = 50
"""Most relations whose warnings the terminal shows."""


def inspection_text(kg: str, rows: Sequence[InspectedRelation], questions: Sequence[Question]) -> str:
    """Format the statistics as text no wider than the terminal."""
    figures = [[[row.name, *_figures(row)] for row in rows]]
    degrees = [[[row.name, *_degrees(row)] for row in rows]]
    told = [(row, text) for row in rows for text in warnings(row)]
    named = dict.fromkeys(row.relation for row, _ in told)
    first = {*list(named)[:_MOST]}
    lines = [_wrap(f"{_title(row)}: {text}") for row, text in told if row.relation in first]
    if len(named) > len(first):
        lines.append(f"… and of {len(named) - len(first):,} more relations, on the page and in inspect.json")
    return "\n\n".join(
        filter(
            None,
            [
                fitted(f"{kg}: what the facts say (rates in %)", "", _HEADS, figures, _SHORT),
                fitted("facts of each relation that one entity has", "", _DEGREES, degrees, _SHORT),
                "\n".join(lines),
                _questions_text(questions),
            ],
        )
    )


def write_inspection(
    path: Path, kg: str, rows: Sequence[InspectedRelation], questions: Sequence[Question], told: Sequence[str]
) -> None:
    """Write the statistics as a page.

    Args:
        path: where it goes.
        kg: the name of the graph.
        rows: its relations.
        questions: some that are asked.
        told: what the run has warned of.
    """
    tables = [
        Sheet("What the facts say", InspectionTable.note, "Relation", _heads(_HEADS[1:]), [*_lines(rows)], "Facts"),
        Sheet(
            "Degrees",
            _DEGREE_NOTE,
            "Relation",
            _heads(_DEGREES),
            [Line(_title(row), f"{row.facts:,}", _degrees(row)) for row in rows],
            "Facts",
        ),
    ]
    notes = [Line(_title(row), "", [text]) for row in rows for text in warnings(row)]
    asked = [
        Line(_shown(question), question.relation, [question.question_type, _right(question)]) for question in questions
    ]
    parts = [Section("Relations", "", tables)]
    if told:
        parts.append(Section("Warnings", "Of this run, as it read the graph.", remarks=told))
    if notes:
        parts.append(Section("To know", "", [Sheet("", "", "Relation", ["What"], notes, "", words=True)]))
    if asked:
        note = "As step=generate makes them; drawn by lot, about as many subjects as can be."
        table = Sheet("", "", "Question", ["Type", "Right"], asked, "Relation", words=True)
        parts.append(Section("Questions", note, [table], remarks=_instructions(questions)))
    counts = [("Relations", f"{len(rows):,}"), ("Facts", f"{sum(row.facts for row in rows):,}")]
    write_sheet(path, "What is in the graph", kg, counts, parts)


def _heads(names: Sequence[str]) -> list[str]:
    return [name.capitalize() for name in names]


def _title(row: InspectedRelation) -> str:
    return row.relation if row.name == row.relation else f"{row.label} ({row.relation})"


def _lines(rows: Sequence[InspectedRelation]) -> Iterator[Line]:
    for row in rows:
        facts, *figures = _figures(row)
        yield Line(_title(row), facts, figures)


def _figures(row: InspectedRelation) -> list[str]:
    differs = f" ({row.declared})" if row.declared not in ("", row.type) else ""
    shares = (row.one_object, row.one_subject, row.given_away)
    return [
        *(f"{count:,}" for count in (row.facts, row.subjects, row.objects)),
        row.type + differs,
        *(f"{100 * share:.1f}" for share in shares),
        f"{row.namesakes:,}",
        f"{row.unnamed:,}",
    ]


def _degrees(row: InspectedRelation) -> list[str]:
    return [f"{count:,}" for of in (row.subject_degrees, row.object_degrees) for count in _of(of)]


def _of(degrees: Degrees) -> tuple[int, int, int]:
    return degrees.median, degrees.high, degrees.most


def _questions_text(questions: Sequence[Question]) -> str:
    if not questions:
        return ""
    shown = [
        f"{number}. {question.relation}, {question.question_type}\n{_frame(question)}"
        for number, question in enumerate(questions, 1)
    ]
    lines = [_wrap(f"Before each {line}") for line in _instructions(questions)]
    return "\n\n".join(["questions as step=generate makes them:", *lines, *shown])


def _frame(question: Question) -> str:
    wrapped = "\n".join(_wrap(line, 4) for line in _shown(question).splitlines())
    return f"{indent(wrapped, '    ')}\n{indent(_wrap(f'→ {_right(question)}', 4), '    ')}"


def _instructions(questions: Iterable[Question]) -> list[str]:
    """Return the messages before the questions of each type."""
    told = (
        f"{question.question_type}: {message.content}"
        for question in questions
        for message in question.prompts
        if message.role == "system"
    )
    return [*dict.fromkeys(told)]


def _shown(question: Question) -> str:
    """Return the messages that the model receives, without the instructions."""
    return "\n".join(message.content for message in question.prompts if message.role != "system")


def _right(question: Question) -> str:
    if isinstance(question.answers, str):
        return question.answers
    return "; ".join(answer.label for answer in question.answers)


def _wrap(text: str, less: int = 0) -> str:
    return fill(text, line_width() - less, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
