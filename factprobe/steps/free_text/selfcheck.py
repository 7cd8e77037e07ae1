"""The step `selfcheck`: scores answers by how often the model repeats them, without knowing the right answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from factprobe.asking.job import CallCounts
from factprobe.asking.log import ResponseLog
from factprobe.asking.pending import PendingRequests
from factprobe.collection.current import current, read
from factprobe.detectors.answer_clusters import AnswerClusters, UncomparableError, disagreement, semantic_entropy
from factprobe.evaluators.grading import Grader
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.extractors.extracted import ExtractedFacts
from factprobe.factories import build_model
from factprobe.metrics.agreement.selfcheck import ScoredAnswer, self_check_scores
from factprobe.metrics.strata import popularity
from factprobe.models import Model
from factprobe.progress import progress, say
from factprobe.records import GraphSummary, Question, RelationSummary, Response, SelfCheck
from factprobe.reports.free_text.detection import self_check_document
from factprobe.reports.html import write_page
from factprobe.reports.terminal import plain_text
from factprobe.steps import CALLS, EXAM
from factprobe.steps.base import Run, Step, StepResult, SweepClaim, folder_lock
from factprobe.steps.calls import GENERATE_AGAIN, describe_calls_left, make_calls, sum_unanswered
from factprobe.storage import GradedFolder, read_summary, write_json, write_lines
from factprobe.storage.layout import repeat_name
from factprobe.text import format_count


class _RepeatedReplies:
    """Further replies of the run's model to its questions, with one value of the setting `repeat`."""

    def __init__(self, run: Run, repeat: int) -> None:
        config = run.config
        temperature = config.model.get("temperature") or config.selfcheck.temperature
        self.model: Model = build_model({**config.model, "repeat": repeat, "temperature": temperature})
        generator, model = run.names
        logs = dict.fromkeys((model, repeat_name(self.model.name, repeat)))
        files, digest = {}, self.model.settings_hash
        for relation in (relation.relation for relation in run.relations()):
            path = run.layout.samples(generator, model, repeat, relation)
            if not path.exists():  # what is stored under this number already is not asked again
                paths = (run.layout.responses(generator, name, relation) for name in logs)
                stored = chain.from_iterable(ResponseLog(log_path).all_responses() for log_path in paths)
                write_lines(path, (response for response in stored if response.settings_hash == digest))
            files[relation] = run.questions(relation), path
        self.todo = PendingRequests(files, Question, digest, hint=GENERATE_AGAIN)

    def of(self, relation: str) -> Iterator[Response | None]:
        """Yield the response to each question about a relation; None if it was not asked."""
        return (response for _, response in self.todo.answers(relation))


def selfcheck(run: Run) -> StepResult:
    """Ask the model again, and compare the consistency of its answers with their verdicts."""
    config, layout = run.config, run.layout
    generator, model = run.names
    relations = [relation.relation for relation in run.relations()]
    grades = [_graded_answers(run, relation) for relation in relations]
    first = config.model.get("repeat", 0) + 1
    samples = [_RepeatedReplies(run, first + number) for number in range(config.selfcheck.samples)]
    if config.dry_run:
        lines = [describe_calls_left(run, sample.model, sample.todo) for sample in samples]
        return StepResult("; ".join(lines), [], None, is_dry=True)
    counts = [make_calls(run, "selfcheck", sample.model, sample.todo) for sample in samples]
    popular = popularity(ExtractedFacts(layout, read_summary(layout.graph_summary, GraphSummary)))
    rows: list[ScoredAnswer] = []
    with RuleErrors(debug=config.debug) as faults:
        for relation in progress(relations, "selfcheck", "relation"):
            checks = list(_pair_answers(run, relation, samples, faults))
            write_lines(layout.self_check_records(generator, model, relation), (check for _, check in checks))
            for question, check in checks:
                level = question.popularity or popular.get(question.subject_uri, "")
                rows.append(ScoredAnswer(check, question.question_type, level, question.subject_uri))
    scores = self_check_scores(config.kg.name, generator, model, rows, config.seed)
    write_json(layout.self_check(generator, model), scores)
    report = self_check_document(scores)
    write_page(layout.self_check_page(generator, model), report)
    say(plain_text(report.blocks))
    return _make_result(run, grades, rows, counts)


def _graded_answers(run: Run, relation: str) -> Path:
    """Return the path of the grades of a model's answers about a relation, after a check that they exist."""
    generator, model = run.names
    run.questions(relation)
    answers = ResponseLog(run.layout.responses(generator, model, relation))
    if not answers.files():
        raise run.missing("answer", answers.path)
    return run.need("evaluate", run.layout.grades(generator, model, relation))


def _pair_answers(
    run: Run, relation: str, samples: Iterable[_RepeatedReplies], faults: RuleErrors
) -> Iterator[tuple[Question, SelfCheck]]:
    """Yield each graded question about a relation with a comparison of its answer to the repeated answers.

    Cloze questions and questions about invented entities are left out.
    """
    generator, model = run.names
    layout, evaluator = run.layout, run.config.evaluator
    graded = current(GradedFolder(generator, model, layout.grades(generator, model, relation).parent), relation)
    verdicts = {grade.question_id: grade.verdict for grade, _ in graded}
    summary = read_summary(layout.summary(relation), RelationSummary)
    answers = AnswerClusters(Grader(summary, evaluator.by_type(), evaluator.settings, faults))
    log = ResponseLog(layout.responses(generator, model, relation))
    answered = log.answers(read(run.questions(relation), Question))
    for (question, response), *repeated in zip(answered, *(sample.of(relation) for sample in samples), strict=True):
        verdict = verdicts.get(question.question_id)
        if verdict is None or response is None or question.cloze is not None or question.given == "made_up":
            continue
        missing = Response(question.question_id, None, None, None, "was not asked")
        replies = [response, *(reply or missing for reply in repeated)]
        try:
            clusters = answers.clusters(question, replies)
        except UncomparableError as error:
            yield question, SelfCheck(question.question_id, verdict, len(repeated), fault=str(error))
        else:
            scores = disagreement(clusters), semantic_entropy(clusters)
            yield question, SelfCheck(question.question_id, verdict, len(repeated), *scores)


def _make_result(run: Run, grades: list[Path], rows: list[ScoredAnswer], counts: list[CallCounts]) -> StepResult:
    layout, (generator, model) = run.layout, run.names
    faults = Counter(row.check.fault for row in rows if row.check.fault)
    unanswered = sum_unanswered(model, counts, run.model)
    parts = [f"{format_count(len(rows), 'answer')} compared with {format_count(len(counts), 'sample')} each"]
    if faults:
        parts.append(f"{faults.total():,} cannot be compared, most often: {faults.most_common(1)[0][0]}")
    entry = {"answers": len(rows), "faults": faults.total(), "samples": [count.as_dict() for count in counts]}
    scores, page = layout.self_check(generator, model), layout.self_check_page(generator, model)
    return StepResult(f"{'; '.join(parts)} → {page}", grades, entry, [scores], [unanswered])


def _output_folder(run: Run) -> Path:
    return run.layout.self_check(*run.names).parent


STEP = Step(
    run=selfcheck,
    needs=("extract", "generate", "answer", "evaluate"),
    makes=(
        "samples/<generator>/<model>/<repeat>/<relation>.jsonl",
        "selfcheck/<generator>/<model>/<relation>.jsonl",
        "selfcheck/<generator>/<model>/scores.json",
        "selfcheck/<generator>/<model>/report.html",
    ),
    settings=(*EXAM, "evaluator", "selfcheck", "seed", *CALLS),
    locks=lambda run: folder_lock(run, _output_folder(run)),
    sweep_claims=lambda run: [
        SweepClaim(_output_folder(run), "scores the answers", run.settings("selfcheck", "model", "evaluator"))
    ],
)
