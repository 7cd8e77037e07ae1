"""Judge of the steps that grade, which is called through the queue of all models and asked nothing twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from factprobe.asking.job import CallCounts, calls_left
from factprobe.asking.pending import PendingRequests
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.evaluators.judge import JUDGED, RULE, final_grades, open_requests, votes_of
from factprobe.factories import JUDGE, build_judges
from factprobe.models import Model
from factprobe.records import Grade, PlainRequest, Question, Response
from factprobe.steps.base import Run
from factprobe.steps.calls import ask_settings, make_calls, sum_unanswered
from factprobe.storage import write_lines

JUDGE_SETTINGS = ("judge", "judge_samples", "judge_rules")
"""Settings of a step whose open grades a judge decides."""


class Judge:
    """Requests to the model `judge` about grades that the evaluators leave open.

    `of` has the generator of the questions and the model whose responses are judged; it is empty for replies from
    files.
    """

    def __init__(self, run: Run, step: str, *of: str) -> None:
        self._run, self._step = run, step
        self._samples = build_judges(run.config)
        self.name = self._samples[0].name
        self._of = *of, self.name
        self._rules = JUDGED if run.config.judged_rules is None else run.config.judged_rules
        self._relations: list[str] = []
        self._asked: list[tuple[PendingRequests[PlainRequest], CallCounts]] = []
        self.open = self.judged = 0

    def prepare(self, relation: str, graded: Iterable[tuple[Question, Response, Grade]]) -> None:
        """Write the judge's requests about the replies to one relation's questions."""
        count = write_lines(self._run.layout.judged(self._of, relation), open_requests(graded, self._rules))
        self.open += count
        if count:
            self._relations.append(relation)

    def calls_left(self) -> str:
        """Return a line with the estimated calls left for each sample."""
        settings = ask_settings(self._run)
        return "; ".join(calls_left(sample, self._pending_requests(sample), settings) for sample in self._samples)

    def ask(self) -> None:
        """Ask the open requests, with the errors of `make_calls`."""
        for sample in self._samples:
            todo = self._pending_requests(sample)
            self._asked.append((todo, make_calls(self._run, self._step, sample, todo, role=JUDGE)))

    def unanswered(self) -> UnansweredQuestions:
        """Return the unanswered requests of all samples."""
        rounds = (counts for _, counts in self._asked)
        return sum_unanswered(f"the judge {self.name}", rounds, self._samples[0], JUDGE)

    def _pending_requests(self, sample: Model) -> PendingRequests[PlainRequest]:
        layout, repeat = self._run.layout, sample.settings.repeat
        files = {
            relation: (layout.judged(self._of, relation), layout.judgments(self._of, repeat, relation))
            for relation in self._relations
        }
        return PendingRequests(files, PlainRequest, sample.settings_hash)

    def decide(self, relation: str, graded: Iterable[tuple[Question, Response, Grade]]) -> Iterator[Grade]:
        """Yield the grades of one relation, in which the judge's decisions replace open grades."""
        asked = self._asked if relation in self._relations else []
        replies = ((request, said) for todo, _ in asked for request, said in todo.answers(relation))
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
            "samples": [counts.as_dict() for _, counts in self._asked],
        }

    def summary(self, grades: int) -> str:
        """Return a clause on the judge's decisions for the step's message, given the number of all grades."""
        share = 100 * self.judged / grades if grades else 0.0
        return f"{self.judged:,} ({share:.1f} %) by the judge {self.name}, asked about {self.open:,}"
