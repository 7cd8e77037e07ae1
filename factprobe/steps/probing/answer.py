"""The step `answer`: a model's responses to the questions."""

from __future__ import annotations

from pathlib import Path

from factprobe.asking.log import ResponseLog, Shard
from factprobe.asking.pending import PendingRequests
from factprobe.records import Question
from factprobe.steps import CALLS, EXAM
from factprobe.steps.base import Lock, Run, Step, StepResult, SweepClaim, folder_lock, shared_lock
from factprobe.steps.calls import GENERATE_AGAIN, describe_calls_left, make_calls
from factprobe.storage.locks import LOCK_FILE
from factprobe.text import format_count


def answer(run: Run) -> StepResult:
    """Ask the model every question that it has not answered yet."""
    model = run.model
    relations = [relation.relation for relation in run.relations()]
    files = {name: (run.questions(name), run.layout.responses(*run.names, name)) for name in relations}
    todo = PendingRequests(files, Question, model.settings_hash, _parse_shard(run), GENERATE_AGAIN)
    if run.config.dry_run:
        return StepResult(describe_calls_left(run, model, todo), [], None, is_dry=True)
    counts = make_calls(run, "answer", model, todo)
    folder = _responses_folder(run)
    others = {"kept from before": counts.kept, "from the cache": counts.cached, "failed": counts.failed}
    parts = [format_count(counts.asked - counts.failed, "response")]
    parts += [f"{n:,} {what}" for what, n in others.items() if n]
    if counts.spending.prompt_tokens:
        parts.append(str(counts.spending))
    message = f"{', '.join(parts)} → {folder}"
    return StepResult(message, todo.files, counts.as_dict(), unanswered=[counts.unanswered])


def _responses_folder(run: Run) -> Path:
    return run.layout.responses(*run.names, "").parent


def _parse_shard(run: Run) -> Shard | None:
    return Shard.parse(run.config.shard) if run.config.shard else None


def _lock_output(run: Run) -> list[Lock]:
    """Return the locks; they allow several shards to answer at once, but only one process for each shard."""
    folder, shard = _responses_folder(run), _parse_shard(run)
    if shard is None:
        return folder_lock(run, folder)
    own = ResponseLog(folder / LOCK_FILE, shard).path
    return [*shared_lock(run), Lock(folder / LOCK_FILE, "read"), Lock(own, "write")]


def _sweep_claims(run: Run) -> list[SweepClaim]:
    """Return the claim that prevents jobs of a sweep from answering under the same name with different settings."""
    model = run.model
    changing = {"model", "path", *model.identity()}
    settings = {name: value for name, value in run.config.model.items() if name in changing}
    hint = f"give each a name of its own: model.name='{model.name}-${{SETTING}}'"
    return [SweepClaim(_responses_folder(run), f"answers as {model.name}", {"model": settings}, hint)]


STEP = Step(
    run=answer,
    needs=("extract", "generate"),
    makes=(
        "responses/<generator>/<model>/<relation>.jsonl",
        "responses/<generator>/<model>/superseded/<relation>.jsonl",
        "responses/<generator>/<model>/shards/<shard>/<relation>.jsonl",
    ),
    settings=(*EXAM, "shard", *CALLS),
    locks=_lock_output,
    sweep_claims=_sweep_claims,
)
