"""Session in which people judge replies; it connects the draw, the queue and the file of labels."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from factprobe.config import LabelConfig
from factprobe.errors import DataError
from factprobe.inputs.labels import LabelVerdict, ReplyLabels, warn_of_labels
from factprobe.labelling.drawing import DrawnReply, draw
from factprobe.labelling.label_file import LabelStore
from factprobe.labelling.queue import LabelQueue
from factprobe.labelling.replies import GradedReply, Key, LabelCandidate
from factprobe.labelling.status import Progress, ProgressReport
from factprobe.storage import Problems
from factprobe.text import format_count

log = logging.getLogger(__name__)


class LabelTask(Struct, frozen=True):
    """Reply that a person is to judge."""

    key: Key
    reply: GradedReply
    others: dict[str, LabelVerdict]
    """Verdicts of other people by name."""


class LabelSession:
    """Session in which people judge replies.

    `source` returns all graded replies; it is called twice, since only the drawn ones are kept. Labels in the file
    `path` that cannot be used stay there, and are reported to `problems`.

    Raises:
        ConfigError: The order is `disagreement`, and no reply has the verdict of an LLM judge.
        DataError: There is no reply, two replies have the same id, or a file cannot be read or written.
    """

    def __init__(
        self,
        source: Callable[[], Iterable[GradedReply]],
        config: LabelConfig,
        path: Path,
        seed: int,
        problems: Problems,
    ) -> None:
        candidates = [reply.candidate for reply in source()]
        _check_unique(candidates, path)
        replies = draw(candidates, config.order, config.count, floor=config.floor, overlap=config.overlap, seed=seed)
        drawn_keys = {reply.candidate.key for reply in replies}
        self._texts = {reply.candidate.key: reply for reply in source() if reply.candidate.key in drawn_keys}
        store = LabelStore(path, problems)
        matched = ReplyLabels(store.labels, problems, str(store.path))
        for candidate in candidates:
            matched.match(candidate.system, candidate.id, candidate.digest)
        warn_of_labels(matched)
        _renew_probabilities(candidates, replies, store)
        self._queue = LabelQueue(replies, store)
        self._progress = ProgressReport(candidates, store, self._queue, seed)

    def next_task(self, annotator: str) -> LabelTask | None:
        """Return the next reply for a person to label; None if no reply is left."""
        return self._make_task(self._queue.next_reply(annotator), annotator)

    def judge(self, annotator: str, key: Key, verdict: LabelVerdict) -> None:
        """Record a person's verdict on a reply."""
        self._queue.judge(annotator, key, verdict)

    def undo(self, annotator: str) -> LabelTask | None:
        """Take back a person's last verdict and return its reply; None if there is none."""
        return self._make_task(self._queue.undo(annotator), annotator)

    def progress(self) -> Progress:
        """Return the progress of the labelling."""
        return self._progress.compute()

    def _make_task(self, reply: DrawnReply | None, annotator: str) -> LabelTask | None:
        if reply is None:
            return None
        key = reply.candidate.key
        others = {name: verdict for name, verdict in self._queue.verdicts[key].items() if name != annotator}
        return LabelTask(key, self._texts[key], others)


def _check_unique(candidates: Sequence[LabelCandidate], path: Path) -> None:
    if not candidates:
        raise DataError("there is no reply to judge", where=path, hint="grade replies first")
    keys: set[Key] = set()
    for candidate in candidates:
        if candidate.key in keys:
            system = f" of {candidate.system}" if candidate.system else ""
            hint = "give each an id of its own, or name the column of the system by columns.system="
            raise DataError(f"two replies{system} have the id {candidate.id}", where=path, hint=hint)
        keys.add(candidate.key)


def _renew_probabilities(
    candidates: Sequence[LabelCandidate], replies: Sequence[DrawnReply], store: LabelStore
) -> None:
    """Append a copy of each label whose reply now has another sampling probability, with this probability.

    That happens with a larger `label.count`. If a labelled reply is no longer drawn, the settings of the draw have
    changed; a warning says so, and all labels keep their probabilities.
    """
    by_key, keys = {reply.candidate.key: reply for reply in replies}, {candidate.key for candidate in candidates}
    latest = {((label.system, label.id), label.annotator): label for label in store.labels}
    judged = {place: label for place, label in latest.items() if label.verdict != "skip" and place[0] in keys}
    not_drawn = {key for key, _ in judged if key not in by_key}
    if not_drawn:
        count = format_count(len(not_drawn), "labelled reply is", "labelled replies are")
        why = "label.order, label.count, the seed or the grades have changed"
        log.warning("%s: %s not drawn now, since %s; all keep their probabilities", store.path, count, why)
        return
    for (key, _), label in judged.items():
        if label.probability != by_key[key].probability:
            store.append(replace(label, probability=by_key[key].probability))
