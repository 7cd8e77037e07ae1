"""People's labels that a step corrects scores by."""

from __future__ import annotations

from pathlib import Path

from factprobe.config import RunConfig, path_of
from factprobe.inputs.labels import ReplyLabels, given_labels, read_labels
from factprobe.storage import Problems


def reply_labels(config: RunConfig) -> tuple[ReplyLabels | None, list[Path]]:
    """Return the labels that `labels` names and their files; None without any.

    Raises:
        DataError: a file cannot be read, or with `strict` a label is broken.
    """
    paths = [path_of(name) for name in config.label_files]
    if not paths:
        return None, []
    problems = Problems(config.strict)
    labels = [label for path in paths for label in read_labels(path, problems)]
    return given_labels(labels, problems, ", ".join(map(str, paths))), paths
