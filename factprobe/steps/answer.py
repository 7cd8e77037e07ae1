"""The step `answer`: a model's responses to the questions."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from pathlib import Path

from factprobe.build import build_model
from factprobe.models import Model, ask
from factprobe.models.log import ResponseLog
from factprobe.progress import progress_bar
from factprobe.records import Question
from factprobe.steps.base import Done, Run, missing
from factprobe.storage import Lines, Problems

log = logging.getLogger(__name__)


def answer(this: Run) -> Done:
    """Asks the model every question that it has not answered yet."""
    model = build_model(this.config.model)
    generator = this.config.generator["name"]
    todo: list[tuple[ResponseLog, list[Question]]] = []
    inputs: list[Path] = []
    kept = 0
    for relation in this.relations():
        path = this.layout.questions(generator, relation.relation)
        if not path.exists():
            raise missing("generate", path, this.config)
        questions = list(Lines(path, Question, Problems(True, "run step=generate again")))
        responses = ResponseLog(this.layout.responses(generator, model.name, relation.relation))
        answered = responses.resume(questions, model.settings_hash)
        inputs.append(path)
        kept += len(answered)
        left = [question for question in questions if question.question_id not in answered]
        if left or not responses.path.exists():
            todo.append((responses, left))
    asked, failed, reason = asyncio.run(_answer(model, todo)) if todo else (0, 0, None)
    counts = {"responses": kept + asked - failed, "kept": kept, "asked": asked, "failed": failed}
    if failed:
        log.warning("%d calls failed, the last one: %s; run the step again to try them again", failed, reason)
    folder = this.layout.responses(generator, model.name, "").parent
    message = f"{asked - failed:,} responses" + (f", {kept:,} kept from before" if kept else "")
    return Done(f"{message}{f', {failed:,} failed' if failed else ''} → {folder}", inputs, counts)


async def _answer(model: Model, todo: list[tuple[ResponseLog, list[Question]]]) -> tuple[int, int, str | None]:
    asked = failed = 0
    reason = None
    with progress_bar(sum(len(questions) for _, questions in todo), "answer", "question") as bar:
        async with model:
            for responses, questions in todo:
                with responses.open() as file, responses.writer(file) as writer:
                    async with aclosing(ask(model, questions)) as stream:
                        async for response in stream:
                            writer.write(response)
                            asked += 1
                            failed += response.error is not None
                            reason = response.error or reason
                            bar.update()
    return asked, failed, reason
