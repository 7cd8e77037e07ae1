"""The step `label`: a web page on which people judge graded replies, served until Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from factprobe.config import path_of
from factprobe.errors import ConfigError, MissingStepError, require
from factprobe.inputs import ReplyFiles
from factprobe.labelling.label_file import ADJUDICATION
from factprobe.labelling.replies import GradedReply, answered_replies, exam_replies, judge_verdicts
from factprobe.labelling.session import LabelSession
from factprobe.steps import REPLIES
from factprobe.steps.base import Lock, Run, Step, StepResult
from factprobe.storage import GradedFolder, Problems
from factprobe.storage.locks import LOCK_FILE


def label(run: Run) -> StepResult:
    """Serve the page for the replies of `step=grade` (with `input`) or of a graph's exam."""
    config, source = run.config, _reply_source(run)
    if " ".join((config.label.annotator or "").split()) == ADJUDICATION:
        what = "is the name under which disagreements are settled"
        raise ConfigError(what, where="label.annotator", hint="set another name")
    require("nicegui", extra="app", where="step=label", called="NiceGUI")
    from factprobe.app.label import add_page
    from factprobe.app.server import serve

    problems = Problems(config.strict, all_in="the others are in the file too")
    session = LabelSession(source, config.label, _labels_file(run), config.seed, problems)
    serve(config, "label", lambda: add_page(session, config.label))
    return StepResult("closed", [], None)


def _reply_source(run: Run) -> Callable[[], Iterable[GradedReply]]:
    """Return a function that returns the graded replies, from files (with `input`) or of a graph's exam."""
    config, layout = run.config, run.layout
    verdicts = None if config.label.judge is None else judge_verdicts(path_of(config.label.judge))
    if config.inputs:
        replies, grades = ReplyFiles.of(config), layout.answer_grades
        if not grades.exists():
            raise MissingStepError("is not there", where=grades, hint="run step=grade with the same input first")
        return lambda: answered_replies(replies, grades, config.limit, verdicts)
    relations = [relation.relation for relation in run.relations()]
    generator, model = run.names
    folder = GradedFolder(generator, model, layout.grades(generator, model, "").parent)
    graded = [relation for relation in relations if folder.grades(relation).exists()]
    if not graded:
        raise run.missing("evaluate", folder.folder)
    for relation in graded:
        run.need("evaluate", folder.grades(relation))
    return lambda: exam_replies(folder, relations, verdicts)


def _labels_file(run: Run) -> Path:
    """Return the path of the labels; raise a `ConfigError` if it is a file of the replies, grades or judge."""
    config, layout = run.config, run.layout
    path = layout.labels if config.label.file is None else path_of(config.label.file)
    inputs = [*(ReplyFiles.of(config).paths if config.inputs else ()), layout.answer_grades]
    inputs += [path_of(config.label.judge)] if config.label.judge else []
    if path.resolve() in {file.resolve() for file in inputs}:
        hint = "name another file, which may be a new one: label.file=labels.jsonl"
        what = f"{path} is read by step=label, and labels would be written into it"
        raise ConfigError(what, where="label.file", hint=hint)
    return path


def _lock_labels(run: Run) -> list[Lock]:
    """Return the lock of the file of labels; raise an error if an input is missing, before a folder is created."""
    path = _labels_file(run)
    return [Lock(path.with_name(f".{path.name}{LOCK_FILE}"), "write")]


STEP = Step(
    run=label,
    needs=("extract", "evaluate"),
    makes=("labels.jsonl",),
    adds_to=("labels.jsonl",),
    settings=(*REPLIES, "generator", "model", "relations", "label", "app", "seed"),
    locks=_lock_labels,
)
