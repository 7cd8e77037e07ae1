"""The step `answer`: a model's responses to the questions."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from factprobe.asking.job import CallCounts, calls_left
from factprobe.asking.log import ResponseLog, Shard
from factprobe.asking.resuming import Todo
from factprobe.build import build_model
from factprobe.models import Model
from factprobe.records import Question
from factprobe.steps.base import Done, Run, missing
from factprobe.steps.calls import AGAIN, ask_settings, make_calls
from factprobe.storage.locks import LOCK, hold

log = logging.getLogger(__name__)


def answer(this: Run) -> Done:
    """Asks the model every question that it has not answered yet.

    Raises:
        ModelError: no call succeeds; what was answered is kept.
        CostLimitError: the next call could pass `max_cost_usd`.
        BusyError: another process asks this model the same questions.
    """
    config = this.config
    model = build_model(config.model)
    folder = this.layout.responses(config.generator["name"], model.name, "").parent
    _claim(this, model, folder)
    shard = Shard.parse(config.shard) if config.shard else None
    with this.using(folder, "read" if shard else "write"), _alone(this, folder, shard):
        todo = Todo(_files(this, model.name), Question, model.settings_hash, shard, AGAIN)
        if config.dry_run:
            return Done(calls_left(model, todo, ask_settings(this)), [], None)
        counts = make_calls(this, "answer", model, todo)
    return Done(_summary(counts, folder), todo.files, counts.as_dict())


def _files(this: Run, model: str) -> dict[str, tuple[Path, Path]]:
    """The questions of each relation, and where the responses to them lie."""
    generator = this.config.generator["name"]
    files = {}
    for relation in (found.relation for found in this.relations()):
        questions = this.layout.questions(generator, relation)
        if not questions.exists():
            raise missing("generate", questions, this.config)
        files[relation] = questions, this.layout.responses(generator, model, relation)
    return files


def _alone(this: Run, folder: Path, shard: Shard | None) -> AbstractContextManager[None]:
    """Keeps two processes from answering the same shard."""
    return hold(ResponseLog(folder / LOCK, shard).path, "write", this.patience) if shard else nullcontext()


def _claim(this: Run, model: Model, folder: Path) -> None:
    """Sees to it that no two jobs of a sweep answer under one name with different settings.

    Raises:
        ConfigError: another one does.
    """
    changing = {"model", "path", *model.identity()}
    settings = {name: value for name, value in this.config.model.items() if name in changing}
    mend = f"give each a name of its own: model.name='{model.name}-${{SETTING}}'"
    this.manifest.claim(str(folder), f"answers as {model.name}", {"model": settings}, mend)


def _summary(counts: CallCounts, folder: Path) -> str:
    if counts.failed:
        what = "%d calls failed, the last one: %s; run the step again to try them again"
        log.warning(what, counts.failed, counts.reason)
    others = {
        "kept from before": counts.kept,
        "from the cache": counts.cached,
        "failed": counts.failed,
    }
    parts = [f"{counts.asked - counts.failed:,} responses", *(f"{n:,} {what}" for what, n in others.items() if n)]
    if counts.spending.prompt_tokens:
        parts.append(str(counts.spending))
    return f"{', '.join(parts)} → {folder}"
