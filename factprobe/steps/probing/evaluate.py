"""The step `evaluate`: grades of the responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import tee
from operator import attrgetter
from pathlib import Path
from typing import Any

from factprobe.asking.log import ResponseLog
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.config import EvaluatorConfig
from factprobe.errors import DataError
from factprobe.evaluators import grade
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.progress import progress
from factprobe.records import Grade, Question, RelationSummary, Response
from factprobe.steps import CALLS, EXAM
from factprobe.steps.base import ASK_AGAIN, Run, Step, StepResult, SweepClaim, folder_lock
from factprobe.steps.calls import GENERATE_AGAIN
from factprobe.steps.judging import JUDGE_SETTINGS, Judge
from factprobe.storage import Problems, UniqueLines, read_summary, spool, write_lines
from factprobe.workers import map_names


def evaluate(run: Run) -> StepResult:
    """Grade the model's responses; a judge decides open grades, and `compat` adds evaluators with other rules."""
    config, folder = run.config, _grades_folder(run)
    settings: dict[str, str] = {}
    by_name = {relation.relation: RelationAnswers(run, relation.relation, settings) for relation in run.relations()}
    relations = [*by_name.values()]
    run.layout.record_names(*run.names, config.compat.name if config.compat else None)
    tally, compat_tally = _GradeTally(config.debug), _GradeTally(config.debug)
    with spool(folder, Grade) as grade_spool, tally.faults, compat_tally.faults:
        judge = None if config.judge is None else Judge(run, "evaluate", grade_spool, *run.names)
        if judge is not None:
            for answered in progress(relations, "evaluate", "relation"):
                judge.prepare(answered.relation, answered.graded(config.evaluator, tally.faults))
            if config.dry_run:
                return StepResult(judge.calls_left(), [], None, is_dry=True)
            judge.ask()

        def work(name: str) -> tuple[_GradeTally, _GradeTally, UnansweredQuestions, dict[str, str]]:
            answered = by_name[name]
            own, other = _GradeTally(config.debug, tally), _GradeTally(config.debug, compat_tally)
            graded = judge.decide(name, answered.answers()) if judge else answered.grades(config.evaluator, own.faults)
            write_lines(answered.grades_file, own.count_grades(graded))
            if config.compat is not None:
                path = run.layout.compat(*run.names, config.compat.name, name)
                write_lines(path, other.count_grades(answered.grades(config.compat, other.faults)))
            return own, other, answered.unanswered, answered.settings

        run.begin_replacement(_outputs(run, by_name))
        workers = run.workers if judge is None else 1  # its grades lie in one open file
        with map_names(work, {name: answered.seconds() for name, answered in by_name.items()}, workers) as results:
            graded = progress(results, "evaluate", "relation", len(relations))
            for answered, (own, other, unanswered, used) in zip(relations, graded, strict=True):
                tally.join(own)
                compat_tally.join(other)
                answered.unanswered = unanswered
                answered.check_same_settings(used)
    return _make_result(run, relations, judge, tally, compat_tally)


_BYTES_A_SECOND = 4e6
"""Number of bytes of questions, responses and summaries that one core grades in a second."""


class RelationAnswers:
    """Responses of a model to the questions about one relation.

    `settings` maps each hash of model settings that was found so far, also in earlier relations, to a file with it.

    Raises:
        MissingStepError: The questions are missing or stale, or the model was not asked.
    """

    def __init__(self, run: Run, relation: str, settings: dict[str, str]) -> None:
        generator, model = run.names
        self.relation = relation
        self._questions = run.questions(relation)
        self._responses = ResponseLog(run.layout.responses(generator, model, relation))
        self.settings = settings
        self._summary = run.layout.summary(relation)
        if not self._responses.files():
            raise run.missing("answer", self._responses.path)
        self.files = [self._questions, *self._responses.files(), self._summary]
        self.grades_file = run.layout.grades(generator, model, relation)
        self.unanswered = UnansweredQuestions(model, again=ASK_AGAIN)
        """Questions without an answer among those read so far."""

    def grades(
        self, evaluator: EvaluatorConfig, faults: RuleErrors, answers: Iterable[tuple[Question, Response]] | None = None
    ) -> Iterator[Grade]:
        """Return the grades of the responses in `answers`, in their order; by default of all responses."""
        summary = read_summary(self._summary, RelationSummary)
        return grade(answers or self.answers(), summary, evaluator.by_type(), evaluator.settings, faults)

    def graded(self, evaluator: EvaluatorConfig, faults: RuleErrors) -> Iterator[tuple[Question, Response, Grade]]:
        """Return each question with its response and grade."""
        answers, to_grade = tee(self.answers())
        pairs = zip(answers, self.grades(evaluator, faults, to_grade), strict=True)
        return ((*answer, grade) for answer, grade in pairs)

    def answers(self) -> Iterator[tuple[Question, Response]]:
        """Yield each question that was asked with its response, and count the unanswered ones anew."""
        self.unanswered = UnansweredQuestions(self.unanswered.respondent, again=ASK_AGAIN)
        problems = Problems(True, GENERATE_AGAIN)
        questions = UniqueLines(self._questions, Question, problems, attrgetter("question_id"))
        for question, response in self._responses.answers(questions):
            self.unanswered.total += 1
            if response is None:
                self.unanswered.add("not asked yet")
                continue
            if response.failed:
                self.unanswered.add(response.fault)
            elif (
                response.settings_hash and response.settings_hash not in self.settings
            ):  # those from elsewhere have none
                self.check_same_settings({response.settings_hash: self._responses.path.name})
            yield question, response

    def check_same_settings(self, settings: Mapping[str, str]) -> None:
        """Add hashes of model settings, with their files; raise a `DataError` if there are now several."""
        for digest, file in settings.items():
            self.settings.setdefault(digest, file)
        if len(self.settings) > 1:
            files = " and ".join(dict.fromkeys(self.settings.values()))
            hint = "run step=answer for all relations with one of them, or name them apart with model.name="
            what = f"holds answers under several settings of the model, in {files}"
            raise DataError(what, where=self._responses.path.parent, hint=hint)

    def seconds(self) -> float:
        """Estimate how many seconds grading takes."""
        return sum(path.stat().st_size for path in self.files) / _BYTES_A_SECOND


class _GradeTally:
    """Counts of the verdicts of one choice of evaluators, and of the errors in their rules."""

    def __init__(self, debug: bool, before: _GradeTally | None = None) -> None:
        self.verdicts: Counter[str] = Counter()
        self.faults: RuleErrors = RuleErrors(debug=debug, reported=before.faults.kinds if before else ())

    def count_grades(self, grades: Iterable[Grade]) -> Iterator[Grade]:
        for graded in grades:
            self.verdicts[graded.verdict] += 1
            yield graded

    def counts(self) -> dict[str, Any]:
        errors = {"rule_errors": dict(self.faults.kinds), "rule_errors_named": self.faults.named}
        return {"verdicts": dict(self.verdicts), **(errors if self.faults.kinds else {})}

    def join(self, others: _GradeTally) -> None:
        self.verdicts.update(others.verdicts)
        self.faults.join(others.faults)

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {verdict}" for verdict, count in self.verdicts.most_common()) or "nothing"


def _make_result(
    run: Run, relations: Sequence[RelationAnswers], judge: Judge | None, tally: _GradeTally, compat_tally: _GradeTally
) -> StepResult:
    config = run.config
    unanswered = UnansweredQuestions(run.model.name, again=ASK_AGAIN)
    for answered in relations:
        unanswered.join(answered.unanswered)
    missing, graded = [unanswered], tally.verdicts.total()
    counts: dict[str, Any] = {**tally.counts(), "unanswered": unanswered.total - graded}
    parts = [str(tally)]
    if judge is not None:
        counts["judge"] = judge.counts(graded)
        parts.append(judge.summary(graded))
        missing.append(judge.unanswered())
    inputs = [file for answered in relations for file in answered.files]
    if config.compat is not None:
        counts["compat"] = {"name": config.compat.name, **compat_tally.counts()}
        parts.append(f"by {config.compat.name} {compat_tally}")
    outputs = _outputs(run, [answered.relation for answered in relations])
    return StepResult(f"{'; '.join(parts)} → {_grades_folder(run)}", inputs, counts, outputs, missing)


def _outputs(run: Run, relations: Collection[str]) -> list[Path]:
    """Return the files of grades about the relations, also of those by other rules."""
    paths = [run.layout.grades(*run.names, relation) for relation in relations]
    if (compat := run.config.compat) is not None:
        paths += [run.layout.compat(*run.names, compat.name, relation) for relation in relations]
    return paths


def _grades_folder(run: Run) -> Path:
    return run.layout.grades(*run.names, "").parent


def _sweep_claims(run: Run) -> list[SweepClaim]:
    """Return the claims that prevent jobs of a sweep from writing the same grades by different rules."""
    claims = [SweepClaim(_grades_folder(run), "grades", run.settings("evaluator", *JUDGE_SETTINGS))]
    if run.config.compat is not None:
        folder = run.layout.compat(*run.names, run.config.compat.name, "").parent
        claims.append(SweepClaim(folder, "grades", run.settings("compat")))
    return claims


STEP = Step(
    run=evaluate,
    needs=("extract", "generate", "answer"),
    makes=(
        "grades/<generator>/<model>/<relation>.jsonl",
        "grades/<generator>/<model>/compat/<compat>/<relation>.jsonl",
        "judgments/<generator>/<model>/<judge>/questions/<relation>.jsonl",
        "judgments/<generator>/<model>/<judge>/<repeat>/<relation>.jsonl",
    ),
    settings=(*EXAM, "evaluator", "compat", *JUDGE_SETTINGS, *CALLS),
    locks=lambda run: folder_lock(run, _grades_folder(run)),
    sweep_claims=_sweep_claims,
)
