"""The step `evaluate`: grades of the responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import tee
from pathlib import Path
from typing import Any, NamedTuple

from factprobe.asking.log import ResponseLog
from factprobe.asking.unanswered import Unanswered
from factprobe.config import EvaluatorConfig, plain
from factprobe.errors import DataError
from factprobe.evaluators import grade
from factprobe.evaluators.faults import Faults
from factprobe.progress import progress
from factprobe.records import Grade, Question, RelationSummary, Response
from factprobe.steps.base import ASK_AGAIN, Claim, Done, Lock, Run, Step, reading
from factprobe.steps.judging import Judge
from factprobe.storage import Lines, Problems, Spool, read_json, spool, write_lines
from factprobe.storage.locks import LOCK
from factprobe.workers import in_order

_BYTES_A_SECOND = 4e6
"""Of questions, responses and summaries that are graded on one core."""


class Answered:
    """The responses of a model to the questions of one relation.

    Args:
        this: the run.
        relation: its name.
        settings: a file with answers under each settings of the model; of the relations before too.

    Raises:
        MissingStepError: the questions were not made, or of other facts, or the model was not asked.
    """

    def __init__(self, this: Run, relation: str, settings: dict[str, str]) -> None:
        generator, model = _names(this)
        self.relation = relation
        self._questions = this.questions(relation)
        self._responses = ResponseLog(this.layout.responses(generator, model, relation))
        self.settings = settings
        self._summary = this.layout.summary(relation)
        if not self._responses.files():
            raise this.missing("answer", self._responses.path)
        self.files = [self._questions, *self._responses.files(), self._summary]
        self.grades_file = this.layout.grades(generator, model, relation)
        self.unanswered = Unanswered(model, again=ASK_AGAIN)
        """The questions without an answer, as far as they were read."""

    def grades(self, evaluator: EvaluatorConfig, faults: Faults) -> Iterator[Grade]:
        """The grades by some evaluators, in the order of the questions."""
        return self._grades(self._answers(), evaluator, faults)

    def graded(
        self, evaluator: EvaluatorConfig, faults: Faults, kept: Spool[Grade]
    ) -> Iterator[tuple[Question, Response, Grade]]:
        """The same with what is graded; the grades are kept for a second pass."""
        ours, theirs = tee(self._answers())
        return self._beside(ours, kept.through(self.relation, self._grades(theirs, evaluator, faults)))

    def kept(self, kept: Spool[Grade]) -> Iterator[tuple[Question, Response, Grade]]:
        """The second pass."""
        return self._beside(self._answers(), kept.read(self.relation))

    def _beside(
        self, answers: Iterable[tuple[Question, Response]], grades: Iterable[Grade]
    ) -> Iterator[tuple[Question, Response, Grade]]:
        return ((*pair, found) for pair, found in zip(answers, grades, strict=True))

    def _grades(
        self, answers: Iterable[tuple[Question, Response]], evaluator: EvaluatorConfig, faults: Faults
    ) -> Iterator[Grade]:
        summary = read_json(self._summary, RelationSummary)
        return grade(answers, summary, evaluator.by_type(), evaluator.settings, faults)

    def _answers(self) -> Iterator[tuple[Question, Response]]:
        self.unanswered = Unanswered(self.unanswered.whom, again=ASK_AGAIN)
        questions = Lines(self._questions, Question, Problems(True, "run step=generate again"))
        for question, response in self._responses.answers(questions):
            self.unanswered.of += 1
            if response is None:
                self.unanswered.add("not asked yet")
                continue
            if response.failed:
                self.unanswered.add(response.fault)
            self._note(response)
            yield question, response

    def _note(self, response: Response) -> None:
        """Notes under which settings a response was given; those from elsewhere do not tell theirs."""
        if not response.failed and response.settings_hash and response.settings_hash not in self.settings:
            self.assert_same({response.settings_hash: self._responses.path.name})

    def assert_same(self, found: Mapping[str, str]) -> None:
        """Refuses answers under other settings than the first.

        Raises:
            DataError: there are some.
        """
        for digest, file in found.items():
            self.settings.setdefault(digest, file)
        if len(self.settings) > 1:
            files = " and ".join(dict.fromkeys(self.settings.values()))
            mend = "run step=answer for all relations with one of them, or name them apart with model.name="
            what = f"holds answers under several settings of the model, in {files}"
            raise DataError(what, where=self._responses.path.parent, mend=mend)

    def seconds(self) -> float:
        """About how long it takes to grade them."""
        return sum(path.stat().st_size for path in self.files) / _BYTES_A_SECOND


def evaluate(this: Run) -> Done:
    """Grades the model's responses: by the rules, what they leave open by the judge, and with `compat` by other rules.

    Raises:
        DataError: answers were given under several settings of the model.
        NoAnswersError: no call to the judge succeeds, or none any more.
        CostLimitError: the next call to the judge could pass `max_cost_usd`.
    """
    config, folder = this.config, _folder(this)
    settings: dict[str, str] = {}
    relations = [Answered(this, found.relation, settings) for found in this.relations()]
    judge = None if config.judge is None else Judge(this, "evaluate", *_names(this))
    this.layout.record_names(*_names(this), config.compat.name if config.compat else None)
    own, beside = _Tally(config.debug), _Tally(config.debug)
    by_name = {answered.relation: answered for answered in relations}
    with spool(folder, Grade) as kept, own.faults, beside.faults:
        if judge is not None:
            for answered in progress(relations, "evaluate", "relation"):
                judge.prepare(answered.relation, answered.graded(config.evaluator, own.faults, kept))
            if config.dry_run:
                return Done(judge.calls_left(), [], None)
            judge.ask()

        def work(name: str) -> _Graded:
            answered, ours, others = by_name[name], _Tally(config.debug, own), _Tally(config.debug, beside)
            if judge is None:
                found = answered.grades(config.evaluator, ours.faults)
            else:
                found = judge.decide(name, answered.kept(kept))
            write_lines(answered.grades_file, ours.counted(found))
            if config.compat is not None:
                path = this.layout.compat(*_names(this), config.compat.name, name)
                write_lines(path, others.counted(answered.grades(config.compat, others.faults)))
            return _Graded(ours, others, answered.unanswered, answered.settings)

        workers = this.workers if judge is None else 1  # what it was asked about lies in one file
        with in_order(work, {name: answered.seconds() for name, answered in by_name.items()}, workers) as every:
            each = progress(every, "evaluate", "relation", len(relations))
            for answered, (ours, others, unanswered, found) in zip(relations, each, strict=True):
                own.join(ours)
                beside.join(others)
                answered.unanswered = unanswered
                answered.assert_same(found)
    return _done(this, relations, judge, own, beside)


class _Graded(NamedTuple):
    """What came of the grades of one relation."""

    own: _Tally
    beside: _Tally
    unanswered: Unanswered
    settings: dict[str, str]
    """The file with its answers, under each settings of the model."""


class _Tally:
    """What came of grading by some evaluators."""

    def __init__(self, debug: bool, before: _Tally | None = None) -> None:
        self.verdicts: Counter[str] = Counter()
        self.faults: Faults = Faults(debug=debug, told=before.faults.kinds if before else ())

    def counted(self, grades: Iterable[Grade]) -> Iterator[Grade]:
        """The grades, counted as they pass."""
        for found in grades:
            self.verdicts[found.verdict] += 1
            yield found

    def counts(self) -> dict[str, Any]:
        """For the manifest."""
        errors = {"rule_errors": dict(self.faults.kinds), "rule_errors_named": self.faults.named}
        return {"verdicts": dict(self.verdicts), **(errors if self.faults.kinds else {})}

    def join(self, others: _Tally) -> None:
        """Counts those of another relation too."""
        self.verdicts.update(others.verdicts)
        self.faults.join(others.faults)

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {verdict}" for verdict, count in self.verdicts.most_common()) or "nothing"


def _done(this: Run, relations: Sequence[Answered], judge: Judge | None, own: _Tally, beside: _Tally) -> Done:
    config = this.config
    unanswered = Unanswered(this.model.name, again=ASK_AGAIN)
    for answered in relations:
        unanswered.join(answered.unanswered)
    missing = [unanswered]
    graded = own.verdicts.total()
    counts: dict[str, Any] = {**own.counts(), "unanswered": unanswered.of - graded}
    parts = [str(own)]
    if judge is not None:
        counts["judge"] = judge.counts(graded)
        parts.append(judge.summary(graded))
        missing.append(judge.unanswered())
    if config.compat is not None:
        counts["compat"] = {"name": config.compat.name, **beside.counts()}
        parts.append(f"by {config.compat.name} {beside}")
    inputs = [file for answered in relations for file in answered.files]
    outputs = [answered.grades_file for answered in relations]
    if config.compat is not None:
        outputs += [this.layout.compat(*_names(this), config.compat.name, answered.relation) for answered in relations]
    return Done(f"{'; '.join(parts)} → {_folder(this)}", inputs, counts, outputs, missing)


def _names(this: Run) -> tuple[str, str]:
    """Whose questions and whose responses are graded."""
    return this.config.generator["name"], this.model.name


def _folder(this: Run) -> Path:
    return this.layout.grades(*_names(this), "").parent


def _claims(this: Run) -> list[Claim]:
    """Sees to it that no two jobs of a sweep write the same grades by different rules."""
    settings = plain(this.config)
    rules = {name: settings[name] for name in ("evaluator", "judge", "judge_samples", "judge_rules")}
    claims = [Claim(_folder(this), "grades", rules)]
    if this.config.compat is not None:
        folder = this.layout.compat(*_names(this), this.config.compat.name, "").parent
        claims.append(Claim(folder, "grades", {"compat": settings["compat"]}))
    return claims


def _locks(this: Run) -> list[Lock]:
    return [*reading(this), Lock(_folder(this) / LOCK, "write")]


STEP = Step(
    run=evaluate,
    needs=("extract", "generate", "answer"),
    makes=(
        "grades/<generator>/<model>/<relation>.jsonl",
        "grades/<generator>/<model>/compat/<compat>/<relation>.jsonl",
        "judgments/<generator>/<model>/<judge>/questions/<relation>.jsonl",
        "judgments/<generator>/<model>/<judge>/<repeat>/<relation>.jsonl",
    ),
    settings=(
        "generator",
        "model",
        "relations",
        "compose",
        "evaluator",
        "compat",
        "judge",
        "judge_samples",
        "judge_rules",
        "cache",
        "cache_dir",
        "dry_run",
        "max_cost_usd",
    ),
    locks=_locks,
    claims=_claims,
)
