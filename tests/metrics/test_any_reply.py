"""Replies of any text, graded, counted by every metric and written into every report: none ends a run.

FACTPROBE_FUZZ=500 tries as many hundreds of them as it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from factprobe.collection.replies import GradedReplies, SampledReply
from factprobe.collection.vocabulary import of_replies
from factprobe.config import compose, from_omegaconf
from factprobe.evaluators import evaluators
from factprobe.inputs import AnsweredQuestion
from factprobe.metrics.breakdowns.base import Breakdowns
from factprobe.question_types import QUESTION_TYPES
from factprobe.reading.names.index import EntityIndex
from factprobe.records import VERDICTS, Grade
from factprobe.reports.report_files import report_data, write_report, write_scores
from factprobe.reports.table import score_table
from factprobe.storage import Layout, spool, write_lines
from tests.command_line import CommandLine
from tests.evaluators import worlds as w
from tests.evaluators.test_fuzz import ASKED, CHOICE, ROUNDS, mutated
from tests.evaluators.worlds import Asked
from tests.inputs.replies import csv_text

ODD = [*"İıſ\u212aßŉǅ²٣Ⅳ\u0301\u200d\0\ufeff𝐀aZ", "", "9" * 5000]
"""Characters whose case, value or length in another case is unusual, and numbers beyond every limit."""


def graded(asked: Asked, reply: str) -> tuple[AnsweredQuestion, Grade]:
    """A reply with its grade by the evaluator of its question's type."""
    question, response = asked.question, w.response(asked, reply)
    evaluator = evaluators.get(question.question_type)(EntityIndex(asked.world.summary()))
    return AnsweredQuestion(question.question_id, question, response), evaluator.grade(question, response)


def in_every_way(found: Iterable[tuple[AnsweredQuestion, Grade]]) -> Iterator[tuple[AnsweredQuestion, Grade]]:
    """The same with every verdict, and in a second wording, so that no branch of a metric goes without such a text."""
    for reply, grade in found:
        for verdict in VERDICTS:
            for wording in (reply.question.prompts, reply.question.prompts[-1:] * 2):
                asked = replace(reply.question, prompts=wording)
                yield (
                    replace(reply, question=asked),
                    replace(grade, verdict=verdict, answer=grade.answer or reply.response.response),
                )


def report(found: Iterable[tuple[AnsweredQuestion, Grade]], folder: Path) -> None:
    """Count grades and write their files, as `step=grade` does."""
    layout = Layout(folder)
    config = from_omegaconf(compose(["input=x.csv"]))
    of_graph = Breakdowns("kg")
    with spool(folder, SampledReply) as drawn:
        counted = GradedReplies("replies", 5, 0, drawn)
        count = 0
        for reply, grade in found:
            try:
                count += write_lines(layout.answer_grades, counted.count_while_iterating([(reply, grade)]))
                of_graph.add("template", "m", grade, reply.question)
            except Exception as error:
                error.add_note(f"{grade.verdict} for {reply.question.question_id}: {reply.response.response!r}")
                raise
        rows, words = counted.scores(), of_replies("relation")
        for breakdowns in (counted.breakdowns.tables(), of_graph.tables()):
            write_scores(layout, rows, breakdowns)
            assert score_table(rows, breakdowns, [], words)
            data = report_data([counted.graded(layout)], rows, breakdowns, config, [])
            shown = tuple(counted.select_samples(counted.tallies.cells, 5))
            write_report(layout, replace(data, samples=shown, words=words))
    assert layout.report.stat().st_size


@pytest.mark.parametrize("kind", QUESTION_TYPES)
@pytest.mark.slow
def test_an_odd_character_is_counted(kind: str, tmp_path: Path) -> None:
    texts = [form.format(odd) for odd in ODD for form in ("{}", "{}. İnönü", "Option {})", "({}) Ulm")]
    report(in_every_way(graded(ASKED[kind][0], text) for text in texts), tmp_path)


@pytest.mark.parametrize("round_number", range(ROUNDS))
@pytest.mark.slow
def test_a_mutated_reply_is_counted(round_number: int, data: Path, tmp_path: Path) -> None:
    replies = [(asked, reply.text) for reply in mutated(data, round_number) for asked in (reply.asked, CHOICE)]
    report(in_every_way(graded(asked, text) for asked, text in replies), tmp_path)


def test_a_turkish_name_is_graded(factprobe: CommandLine) -> None:
    row = {"question": "Who was the second president of Turkey?", "answers": "Kemal Atatürk", "response": "İ. İnönü"}
    (factprobe.folder / "answers.csv").write_text(csv_text([row, row, {**row, "response": "ı"}]), encoding="utf-8")
    assert "grade: 3 replies" in factprobe("step=grade", "input=answers.csv").out
