"""Report on the statistics of a graph's relations, for a terminal and as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import fill, indent

from msgspec.structs import astuple

from factprobe.metrics.graphs.inspection import InspectedRelation, InspectionTable, warnings
from factprobe.question_types import type_label
from factprobe.records import Question
from factprobe.reports.document import Block, Cell, Column, Document, Figure, Heading, Paragraph, Remark, Row, Table
from factprobe.reports.html import write_page
from factprobe.reports.terminal import line_width, plain_text

_HEADS = ("facts", "subjects", "objects", "type", "one object", "one subject", "in the name", "namesakes", "unnamed")
_SHORT_HEADS = {
    "subjects": "subj.",
    "objects": "obj.",
    "one object": "1 obj.",
    "one subject": "1 subj.",
    "in the name": "in name",
    "unnamed": "no name",
    "a subject: median": "subj. 50%",
    "an object: median": "obj. 50%",
}
_SHARES_NOTE = (
    "One object: subjects with a single object. One subject: objects with a single subject. In the name: facts whose "
    "object stands in the subject's name. Namesakes: subjects that share their name. No name: entities without a name."
)
_DEGREES = ("a subject: median", "90%", "most", "an object: median", "90%", "most")
_DEGREE_NOTE = "How many facts of the relation one entity has: the median, the 90th percentile and the largest number."
_MAX_WARNED = 50


def inspection_text(kg: str, rows: Sequence[InspectedRelation], questions: Sequence[Question]) -> str:
    """Format statistics, warnings and sample questions as text that is no wider than the terminal."""
    named = dict.fromkeys(row.relation for row in rows if any(warnings(row)))
    first = {*list(named)[:_MAX_WARNED]}
    messages = [f"{_relation_title(row)}: {text}" for row in rows if row.relation in first for text in warnings(row)]
    if len(named) > len(first):
        messages.append(f"… and of {len(named) - len(first):,} more relations, on the page and in inspect.json")
    figures, degrees = _statistics_tables(f"{kg}: what the facts say (rates in %)", rows)
    blocks = [figures, Paragraph(_wrap_text(_SHARES_NOTE)), degrees, *(Remark(_wrap_text(line)) for line in messages)]
    if questions:
        blocks.append(Paragraph("questions as step=generate makes them:"))
    blocks += [Paragraph(_wrap_text(f"Before each {line}")) for line in _list_instructions(questions)]
    for number, question in enumerate(questions, 1):
        lines = [*_format_messages(question).splitlines(), f"→ {_format_answers(question)}"]
        frame = "\n".join(indent(_wrap_text(line, 4), "    ") for line in lines)
        blocks.append(Paragraph(f"{number}. {question.relation}, {type_label(question.question_type)}\n{frame}"))
    return plain_text(blocks)


def write_inspection(
    path: Path, kg: str, rows: Sequence[InspectedRelation], questions: Sequence[Question], messages: Sequence[str]
) -> None:
    """Write statistics, warnings and sample questions as a web page; `messages` are the run's own warnings."""
    blocks: list[Block] = [Heading("Relations"), *_statistics_tables("what the facts say (rates in %)", rows)]
    if messages:
        of_run = Paragraph("Of this run, as it read the graph.", is_note=True)
        blocks += [Heading("Warnings"), of_run, *map(Remark, messages)]
    if notes := [Row([_relation_title(row)], [text]) for row in rows for text in warnings(row)]:
        table = Table("", ["relation"], [Column("what")], notes, is_words=True)
        blocks += [Heading("To know"), table]
    if questions:
        note = "As step=generate makes them; drawn by lot, about as many subjects as can be."
        questions_by_fact = [
            Row([_format_messages(item), item.relation], [type_label(item.question_type), _format_answers(item)])
            for item in questions
        ]
        table = Table("", ["question", "relation"], [Column("type"), Column("right")], questions_by_fact, is_words=True)
        remarks = map(Remark, _list_instructions(questions))
        blocks += [Heading("Questions"), Paragraph(note, is_note=True), *remarks, table]
    counts = [("Relations", len(rows)), ("Facts", sum(row.facts for row in rows))]
    write_page(path, Document("What is in the graph", kg, counts, blocks))


def _statistics_tables(title: str, rows: Sequence[InspectedRelation]) -> list[Block]:
    names = [[_relation_title(row)] for row in rows]
    degrees = ([*astuple(row.subject_degrees), *astuple(row.object_degrees)] for row in rows)
    columns, degree_columns = ([Column(head, _SHORT_HEADS.get(head, "")) for head in of] for of in (_HEADS, _DEGREES))
    degree_title, lines = "facts of each relation that one entity has", [*map(Row, names, degrees)]
    return [
        Table(title, ["relation"], columns, [*map(Row, names, map(_relation_figures, rows))], InspectionTable.note),
        Table(degree_title, ["relation"], degree_columns, lines, _DEGREE_NOTE),
    ]


def _relation_title(row: InspectedRelation) -> str:
    return row.relation if row.name == row.relation else f"{row.label} ({row.relation})"


def _relation_figures(row: InspectedRelation) -> list[Cell]:
    differs = f" ({row.declared})" if row.declared not in ("", row.type) else ""
    shares = map(Figure, (row.one_object, row.one_subject, row.given_away))
    return [row.facts, row.subjects, row.objects, row.type + differs, *shares, row.namesakes, row.unnamed]


def _list_instructions(questions: Iterable[Question]) -> list[str]:
    messages = (
        f"{type_label(question.question_type)}: {message.content}"
        for question in questions
        for message in question.prompts
        if message.role == "system"
    )
    return [*dict.fromkeys(messages)]


def _format_messages(question: Question) -> str:
    """Return the messages of a question's prompt, without system messages."""
    return "\n".join(message.content for message in question.prompts if message.role != "system")


def _format_answers(question: Question) -> str:
    if isinstance(question.answers, str):
        return question.answers
    return "; ".join(answer.label for answer in question.answers)


def _wrap_text(text: str, less: int = 0) -> str:
    return fill(text, line_width() - less, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
