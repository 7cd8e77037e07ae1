"""Judge of the steps that grade; it is asked like any model, with stored requests and responses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from factprobe.asking.job import CallCounts
from factprobe.asking.pending import PendingRequests
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.evaluators.judge import JUDGED, RULE, JudgePrompt, final_grades, open_requests, votes_of
from factprobe.factories import JUDGE, build_judges
from factprobe.models import Model
from factprobe.records import Grade, PlainRequest, Question, Response
from factprobe.steps.base import Run
from factprobe.steps.calls import describe_calls_left, make_calls, sum_unanswered
from factprobe.storage import Spool, write_lines

JUDGE_SETTINGS = ("judge", "judge_samples", "judge_rules", "judge_prompt")
"""Settings of a step in which a judge may decide grades."""


class Judge:
    """Judge that decides the grades which the evaluators leave open.

    The grades are kept in `grade_spool` while the judge is asked. `owner` has the names of the generator of the
    questions and of the model whose responses are judged; it is empty for replies from files.
    """

    def __init__(self, run: Run, step: str, grade_spool: Spool[Grade], *owner: str) -> None:
        self._run, self._step, self._grades = run, step, grade_spool
        self._samples = build_judges(run.config)
        self.name = self._samples[0].name
        self._owner = *owner, self.name
        self._rules = JUDGED if run.config.judged_rules is None else run.config.judged_rules
        self._prompt = JudgePrompt(run.config.judge_prompt)
        self._relations: list[str] = []
        self._rounds: list[tuple[PendingRequests[PlainRequest], CallCounts]] = []
        self.open = self.judged = 0

    def prepare(self, relation: str, graded: Iterable[tuple[Question, Response, Grade]]) -> None:
        """Keep the grades of the replies to the questions about a relation, and write the requests about them."""

        def kept() -> Iterator[tuple[Question, Response, Grade]]:
            for question, response, grade in graded:
                self._grades.add(relation, grade)
                yield question, response, grade

        requests = open_requests(kept(), self._prompt, self._rules)
        count = write_lines(self._run.layout.judge_requests(self._owner, relation), requests)
        self.open += count
        if count:
            self._relations.append(relation)

    def calls_left(self) -> str:
        """Return a line with the estimated number of calls that are left for each sample."""
        lines = (describe_calls_left(self._run, sample, self._pending_requests(sample)) for sample in self._samples)
        return "; ".join(lines)

    def ask(self) -> None:
        """Ask the pending requests; the errors are those of `make_calls`."""
        for sample in self._samples:
            todo = self._pending_requests(sample)
            self._rounds.append((todo, make_calls(self._run, self._step, sample, todo, role=JUDGE)))

    def unanswered(self) -> UnansweredQuestions:
        """Return the sum of the unanswered requests of all samples."""
        rounds = (counts for _, counts in self._rounds)
        return sum_unanswered(f"the judge {self.name}", rounds, self._samples[0], JUDGE)

    def _pending_requests(self, sample: Model) -> PendingRequests[PlainRequest]:
        layout, owner, repeat = self._run.layout, self._owner, sample.settings.repeat
        paths = (
            (layout.judge_requests(owner, of), layout.judge_responses(owner, repeat, of)) for of in self._relations
        )
        return PendingRequests(dict(zip(self._relations, paths, strict=True)), PlainRequest, sample.settings_hash)

    def decide(self, relation: str, answers: Iterable[tuple[Question, Response]]) -> Iterator[Grade]:
        """Yield the grades of a relation with the judge's decisions; `answers` are the replies given to `prepare`."""
        rounds = self._rounds if relation in self._relations else []
        replies = (pair for todo, _ in rounds for pair in todo.answers(relation))
        graded = ((*pair, grade) for pair, grade in zip(answers, self._grades.read(relation), strict=True))
        for final in final_grades(graded, votes_of(replies)):
            self.judged += final.rule == RULE
            yield final

    def counts(self, grades: int) -> dict[str, Any]:
        """Return the counts for the manifest, given the number of all grades."""
        return {
            "name": self.name,
            "open": self.open,
            "judged": self.judged,
            "share": self.judged / grades if grades else 0.0,
            "samples": [counts.as_dict() for _, counts in self._rounds],
        }

    def summary(self, grades: int) -> str:
        """Return a clause for the message of the step on the number of decisions, given the number of all grades."""
        share = 100 * self.judged / grades if grades else 0.0
        return f"{self.judged:,} ({share:.1f} %) by the judge {self.name}, asked about {self.open:,}"
