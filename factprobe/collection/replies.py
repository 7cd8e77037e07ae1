"""Collection of the data for a report on replies from files or Python, while they are graded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.collection.current import QuestionSets, unequal_questions
from factprobe.collection.graph_grades import GraphGrades, tally_notes
from factprobe.collection.report_data import DifferingReply, Sample
from factprobe.collection.vocabulary import of_replies
from factprobe.evaluators.answered_questions import answer_grade
from factprobe.inputs import AnsweredQuestion
from factprobe.inputs.labels import ReplyLabels
from factprobe.metrics import Tallies
from factprobe.metrics.agreement.people import People, judgment_on, side_of
from factprobe.metrics.breakdowns.base import Breakdowns
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.corrected import CorrectedScore, corrected_scores
from factprobe.metrics.paired_replies import PairedReplies
from factprobe.metrics.score_table import scores
from factprobe.metrics.statistics.reservoir import Reservoir
from factprobe.metrics.tallies import Cell
from factprobe.records import AnswerGrade, Grade, GraphSummary, Question, Relation, Response, Score
from factprobe.storage import Layout, Spool
from factprobe.text import format_count


class SampledReply(Struct, frozen=True, gc=False):
    """Reply that the report may show as an example."""

    number: int
    """Index of the reply among all replies, from 0."""
    sample: Sample


class MissingReplies(UnansweredQuestions):
    """Number of a system's records without a reply."""

    @property
    def hint(self) -> str:
        """Hint of the message about missing replies."""
        effect = "that counts as failed, and in no rate"
        return "see that columns.response names the column of the replies" if self.has_no_answers() else effect

    def __str__(self) -> str:
        if self.has_no_answers():
            return f"no record of {self.respondent} has a reply, of {self.total:,}"
        have = "has" if self.count == 1 else "have"
        return f"{self.count:,} of {format_count(self.total, 'record')} of {self.respondent} {have} no reply"


class GradedReplies:
    """Counts of graded replies, made in one pass.

    `name` is the title of the replies in tables, and the system of replies without one. Up to `samples` replies of each
    cell (system, relation and question type) are sampled into the temporary file `aside`. The accuracy is corrected by
    `labels`, or by default by the human judgments in the input.
    """

    def __init__(
        self,
        name: str,
        samples: int = 0,
        seed: int = 0,
        aside: Spool[SampledReply] | None = None,
        labels: ReplyLabels | None = None,
    ) -> None:
        self.name = name
        self.tallies = Tallies({})
        self.breakdowns = Breakdowns(name, of_facts=False)
        self.people = People()
        self.labels = labels
        self.pairs = PairedReplies()
        self._samples = samples if aside else 0
        self._seed = seed
        self._aside = aside
        self._drawn: dict[Cell, Reservoir[int]] = {}
        self._off_scale: float | None = None
        """First confidence outside [0, 1], or None. If there is one, the scale is unknown and all are ignored."""

    def count_while_iterating(self, graded: Iterable[tuple[AnsweredQuestion, Grade]]) -> Iterator[AnswerGrade]:
        """Yield the grades as records for their file, and count them on the way."""
        for number, (reply, grade) in enumerate(graded):
            cell, row = self._cell_of_reply(reply), answer_grade(reply, grade)
            if self._off_scale is None and not 0 <= (reply.response.confidence or 0) <= 1:
                self._off_scale = reply.response.confidence
            judgment = judgment_on(reply, self.labels)
            self.tallies.add(*cell[:3], grade, reply.question, judgment)
            self.breakdowns.add(cell.generator, cell.model, grade, reply.question)
            self.people.add(cell.model, reply.question.subject_uri, grade.verdict, reply.human)
            system = reply.system or self.name
            self.pairs.add(system, reply.question, grade.verdict, grade.probability, judgment)
            if cell not in self._drawn:
                self._drawn[cell] = Reservoir(self._samples, Random(f"{self._seed}:{':'.join(cell)}"))
            if self._drawn[cell].add(number) and self._aside:
                self._aside.add(self.name, SampledReply(number, self._make_sample(cell, reply, row)))
            yield row
        if self.people.scale and self.labels is None:
            for tally in self.tallies.scored:
                tally.forget_judgments()
            self.pairs.forget_judgments()
        for tally in self.tallies.scored if self._off_scale is not None else ():
            tally.forget_confidences()

    def corrected_scores(self) -> list[CorrectedScore]:
        """Return the accuracy of each system, corrected by human labels."""
        return corrected_scores(self.name, self.tallies.cells)

    def warnings(self) -> Iterator[str]:
        """Yield warnings about judgments, confidences and labels that are ignored, one line each."""
        yield from self.people.warnings()
        if self._off_scale is not None:
            what = f"confidences are numbers on a scale, such as {self._off_scale:g}, and 1 may be its lowest: none"
            yield f"{what} is counted; write a column from 0 to 1, and name it with columns.confidence"
        if self.labels is not None:
            yield from self.labels.warnings()

    def notes(self) -> Iterator[str]:
        """Yield notes on empty, missing, cut-off and filtered replies, and on systems with different questions."""
        yield from (f"{note.model}: {note.text}" for note in tally_notes(self.name, self.tallies, is_asked=False))
        sets = self._asked_questions()
        if unequal := unequal_questions(sets, {owner: owner[1] for owner in sets.counts}, of_replies()):
            yield unequal

    def scores(self) -> list[Score]:
        """Return the score table, in which the column `model` has the systems.

        Rows that would repeat others are omitted: those by relation type, and those by relation or number of right
        answers if there is only one.
        """
        relations = self._make_relations()
        rows = scores(self.tallies.cells, relations, self.name, self.tallies.strata)
        several = len(relations) > 1
        levels = {"cell", "question_type", "total", *(["relation"] if several else [])}
        if len({stratum.name for stratum in self.tallies.strata}) > 1:
            levels.add("answer_set_size")
        return [row for row in rows if row.level in levels and (row.average == "micro" or several)]

    def graded(self, layout: Layout) -> GraphGrades:
        """Return the counts in the form of a graph's counts."""
        relations = self._make_relations()
        summary = GraphSummary(self.name, len(relations), 0, 0, ())
        asked = self._asked_questions()
        return GraphGrades(self.name, layout, summary, relations, self.tallies, self.breakdowns, asked)

    def verdicts(self) -> Counter[str]:
        """Count the replies by verdict."""
        counts: Counter[str] = Counter()
        for tally in self.tallies.cells.values():
            counts.update(tally.verdicts)
        return counts

    def unanswered(self) -> list[MissingReplies]:
        """Return the number of missing replies of each system."""
        missing: dict[str, MissingReplies] = {}
        for cell, tally in self.tallies.cells.items():
            of_system = missing.setdefault(cell.model, MissingReplies(cell.model))
            of_system.total += len(tally)
            of_system.count += tally.verdicts["failed"]
        return list(missing.values())

    def select_samples(self, cells: Collection[Cell], share: int) -> Iterator[Sample]:
        """Yield up to `share` sampled replies of each of the cells, in the order of the input."""
        numbers = {number for cell in cells for number in self._drawn[cell].draw(share)}
        replies = self._aside.read(self.name) if self._aside else ()
        samples = (reply.sample for reply in replies if reply.number in numbers)
        return (replace(sample, compat=()) for sample in samples) if self.people.scale else samples

    def differing(
        self, graded: Iterable[tuple[AnsweredQuestion, AnswerGrade]], most: int
    ) -> tuple[int, list[tuple[DifferingReply, ...]]]:
        """Return how many questions only some systems answer correctly, and the replies to a sample of them.

        `graded` has the counted replies in the same order, and `most` is the maximum number of questions in the sample.
        """
        keys = list(self.pairs.differing())
        drawn = Random(self._seed).sample(range(len(keys)), min(most, len(keys)))
        found: dict[str, list[DifferingReply]] = {keys[at]: [] for at in sorted(drawn)}
        recounted, names = PairedReplies(), self.pairs.names()
        for reply, grade in graded if found else ():
            system = reply.system or self.name
            key = recounted.add(system, reply.question, grade.verdict)
            if (replies := found.get(names[system].get(key, key))) is not None:
                sample = self._make_sample(self._cell_of_reply(reply), reply, grade)
                of_question = sample.question, sample.expected, sample.model
                replies.append(DifferingReply(*of_question, sample.verdict, sample.reply, sample.why))
        return len(keys), [tuple(replies) for replies in found.values()]

    def comparisons(self, systems: Sequence[str] | None = None) -> list[Comparison]:
        """Return a comparison of each pair of systems, by default of all systems."""
        return self.pairs.comparisons(self._seed, systems)

    def _make_sample(self, cell: Cell, reply: AnsweredQuestion, grade: AnswerGrade) -> Sample:
        question, people = reply.question, side_of(reply.human)
        _, right, _ = reply_cells(reply.question, reply.response)
        return Sample(
            question_id=reply.id,
            kg=self.name,
            relation_label="",
            **cell._asdict(),
            question="\n".join([question.bare, *question.choices]),
            expected="\n".join(right),
            reply=reply.response.response if reply.response.response is not None else "(no reply)",
            verdict=grade.verdict,
            rule=grade.rule,
            compat=(("people", people),) if people else (),
            answer=grade.answer,
            why=grade.why,
        )

    def _asked_questions(self) -> QuestionSets:
        sets = QuestionSets()
        for system, verdicts in self.pairs.verdicts.items():
            for question in {key.partition(":")[0] for key in verdicts}:
                sets.add((self.name, system), question)
        return sets

    def _cell_of_reply(self, reply: AnsweredQuestion) -> Cell:
        question = reply.question
        return Cell(self.name, reply.system or self.name, question.relation or self.name, question.question_type)

    def _make_relations(self) -> dict[str, Relation]:
        return {cell.relation: Relation(cell.relation, "") for cell in self.tallies.cells}


def reply_cells(question: Question, response: Response) -> tuple[str, list[str], str | None]:
    """Return three cells for a reply: question (or prompt), names of the right answers, and response."""
    answers = question.answers
    names = [answers] if isinstance(answers, str) else [name for answer in answers for name in answer.names()]
    return question.bare or question.prompts[-1].content, list(dict.fromkeys(names)), response.response
