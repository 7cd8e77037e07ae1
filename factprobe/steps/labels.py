"""Human labels of replies, read from the files in the setting `labels`."""

from __future__ import annotations

from pathlib import Path

from factprobe.config import RunConfig, path_of
from factprobe.inputs.labels import ReplyLabels, labels_for_correction, read_label_file
from factprobe.storage import Problems, SilentProblems
from factprobe.text import format_count


def labels_from_config(config: RunConfig) -> tuple[ReplyLabels | None, list[Path]]:
    """Return the human labels in the files of the setting `labels`, and their paths; `(None, [])` if it is unset.

    Raises:
        DataError: A file cannot be read, or a label is broken and `strict` is set.
    """
    paths = [path_of(name) for name in config.label_files]
    if not paths:
        return None, []
    problems = Problems(config.strict)
    labels = [label for path in paths for label in read_label_file(path, problems)]
    return labels_for_correction(labels, problems, ", ".join(map(str, paths))), paths


def unused_labels_hint(config: RunConfig, path: Path) -> str:
    """Return a hint that labels of `step=label` exist but are not used; empty without any, or if `labels` is set."""
    if config.label_files or not path.exists():
        return ""
    count = len(ReplyLabels(read_label_file(path, SilentProblems()), SilentProblems(), str(path)))
    what = format_count(count, "labelled reply", "labelled replies")
    return f"{path} has {what}; labels={path} corrects the scores by them" if count else ""
