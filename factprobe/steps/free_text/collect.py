"""The step `collect`: a model's responses to the questions of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from factprobe.asking.pending import PendingRequests
from factprobe.components.prompts import Prompt
from factprobe.config import CollectConfig
from factprobe.errors import ConfigError, DataError
from factprobe.inputs.refchecker import ReferenceSource, read_sources
from factprobe.inputs.texts import input_path, sibling_path, writes_list
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.records import PlainRequest
from factprobe.reports.free_text.checked import write_records
from factprobe.steps import CALLS
from factprobe.steps.base import Lock, Run, StepResult, exclusive_lock
from factprobe.steps.calls import describe_calls_left, make_calls
from factprobe.steps.claim_steps import REQUEST_FILES, text_step
from factprobe.steps.outputs import output_file
from factprobe.storage import open_utf8, safe_name, write_lines
from factprobe.text import format_count

_SETTINGS = ("references", "collect", "model", "output", "limit", *CALLS)


def collect(run: Run) -> StepResult:
    """Ask the model the questions of `references`.

    The prompt is the one in `collect`, and the responses are written as a file for `step=extract_check`.

    Raises:
        ConfigError: `collect` is not set.
        DataError: The file has no question that can be asked.
    """
    config, model, target = run.config, run.model, _target_path(run)
    if config.collect is None:
        raise ConfigError("is not set", where="collect", hint="choose one with collect=zero_context")
    source, setting = _references_path(run), config.collect.name
    shows_references = any("{reference}" in message.content for message in config.collect.messages)
    sources = dict(islice(read_sources(source, run.problems).items(), config.limit))
    files = run.layout.component_requests(f"collect={setting}", model.name, "questions")
    count = write_lines(files[0], _make_requests(run, config.collect, sources, shows_references))
    if not count:
        raise DataError(f"holds nothing that can be asked in the setting {setting}", where=source)
    todo = PendingRequests({"": files}, PlainRequest, model.settings_hash)
    if config.dry_run:
        return StepResult(describe_calls_left(run, model, todo), [], None, is_dry=True)
    counts = make_calls(run, "collect", model, todo)
    records = [*_make_records(todo, sources, shows_references, {"setting": setting, "model": model.name})]
    write_records(target, records, as_list=writes_list(target, source))
    recorded, summary = {**counts.as_dict(), **run.skipped()}, f"{format_count(count, 'question')} of {model.name}"
    message = f"{format_count(len(records), 'response')} to {summary} → {target}"
    return StepResult(message, [source], recorded, [target], [counts.unanswered])


def _make_requests(
    run: Run, settings: CollectConfig, sources: Mapping[str, ReferenceSource], shows_references: bool
) -> Iterator[PlainRequest]:
    """Yield the requests, without questions that lack what the prompt needs; these are recorded as problems."""
    prompt = Prompt("messages", settings.messages, ("question",), ("reference",), "collect")
    for name, (question, passages) in sources.items():
        faults = {
            "has no question": not question.strip(),
            "has no reference": shows_references and not passages,
            "has several passages, which are for collect=noisy_context": settings.single and len(passages) > 1,
        }
        if fault := next((what for what, is_so in faults.items() if is_so), ""):
            run.problems.add(fault, f"{_references_path(run)}, id {name}")
            continue
        numbered = [f"Passage {number}: {text}" for number, text in enumerate(passages, 1)]
        reference = "\n\n".join(numbered if len(passages) > 1 else passages)
        yield PlainRequest(name, prompt.fill({"question": question, "reference": reference}))


def _make_records(
    todo: PendingRequests[PlainRequest],
    sources: Mapping[str, ReferenceSource],
    shows_references: bool,
    origin: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Yield the responses as input records of `step=extract_check`, with the passages that the prompt has shown."""
    for request, response in todo.answers(""):
        if response is not None and not response.failed:
            name, source = request.question_id, sources[request.question_id]
            reply = without_reasoning(response.response or "")
            record: dict[str, Any] = {"id": name, "question": source.question, "response": reply}
            if shows_references:
                record["reference"] = source.references[0] if len(source.references) == 1 else list(source.references)
            yield {**record, **origin}


def _references_path(run: Run) -> Path:
    references = run.config.references
    return input_path((references,) if references else (), "references")


def _target_path(run: Run) -> Path:
    source, setting = _references_path(run), run.config.collect.name if run.config.collect else ""
    return output_file(run.config, sibling_path(source, safe_name(f"{setting}.{run.model.name}")), source)


def _lock_output(run: Run) -> list[Lock]:
    with open_utf8(_references_path(run)):  # it can be read
        return exclusive_lock(run)


STEP = text_step(
    collect, REQUEST_FILES, _SETTINGS, _target_path, _lock_output, ("<references>.<collect>.<model>.json",)
)
