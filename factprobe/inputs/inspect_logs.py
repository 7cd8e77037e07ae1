"""Replies in logs of inspect_ai, read with its own package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from factprobe.errors import DataError, FactprobeError, require
from factprobe.inputs.base import Input, Record


class InspectLog(Input):
    """Input format of inspect_ai's logs; the last user message is the question, the target has the right answers."""

    suffixes: ClassVar[tuple[str, ...]] = (".eval", ".json")
    by_content: ClassVar[bool] = True
    keys: ClassVar[tuple[bytes, ...]] = (b'"eval"', b'"task"', b'"version"')
    name_pattern: ClassVar[re.Pattern[str] | None] = re.compile(r"\d{4}-\d\d-\d\dT[^_]+_(.+)_[^_]+")
    """Name of a log: time, task and random id."""
    sorted_by: ClassVar[str] = "task"

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:
        """Return whether a file is a log of inspect_ai."""
        return path.suffix.lower() == ".eval" or super().claims(path, start)

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield a record for each sample."""
        require("inspect_ai", extra="inspect", where=str(self.path))
        from inspect_ai.log import read_eval_log, read_eval_log_samples

        try:
            log = read_eval_log(str(self.path), header_only=True)
            log_columns, ended, has_samples = {"system": log.eval.model, "relation": log.eval.task}, _ending(log), False
            if log.eval.dataset.sample_ids is None:
                samples = read_eval_log(str(self.path)).samples or ()
            else:  # they are read from the file as needed
                samples = read_eval_log_samples(str(self.path), all_samples_required=False)
            for sample in samples:
                if ended and not has_samples:
                    self.problems.warn_once(f"{ended}; its samples so far are read", self.path)
                has_samples = True
                yield f"{self.path}, sample {sample.id}", {**log_columns, **_record_of(sample)}
            if ended and not has_samples:
                raise DataError(f"has no sample: {ended}", where=self.path, hint="run the task again")
        except FactprobeError:
            raise
        except Exception as error:  # the package raises any error for a truncated or invalid log
            hint = "check that it is a log of inspect_ai"
            raise DataError(f"cannot be read: {error}", where=self.path, hint=hint) from error


def _ending(log: Any) -> str:
    """Return how an incomplete run ended, for messages; empty for a complete run."""
    if log.status == "success":
        return ""
    statuses = {"error": "failed", "cancelled": "was cancelled", "started": "had not ended when this was written"}
    why = f": {' '.join(log.error.message.split())}" if log.error else ""
    return f"the run {statuses.get(log.status, f'has the status {log.status}')}{why}"


def _record_of(sample: Any) -> Record:
    """Return one sample as a record."""
    replied = bool(sample.output.choices) and sample.error is None
    question = sample.input
    if not isinstance(question, str):
        question = next((message.text for message in reversed(question) if message.role == "user"), "")
    return {
        "id": sample.id,
        "question": question,
        "answers": sample.target,
        "given_by": "letter",
        "choices": sample.choices,
        "response": sample.output.completion if replied else None,
        "finish_reason": sample.output.stop_reason if replied else None,
        "metadata": sample.metadata,
    }
