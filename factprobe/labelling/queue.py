"""Queue of the drawn replies, which decides which reply a person judges next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from factprobe.inputs.labels import LabelVerdict, ReplyLabel
from factprobe.labelling.drawing import DrawnReply
from factprobe.labelling.label_file import ADJUDICATION, LabelStore
from factprobe.labelling.replies import Key

_RATERS, _RATERS_IF_SHARED = 1, 2
"""Number of people who judge a reply that is not shared, and one that is shared."""


class LabelQueue:
    """Queue of the drawn replies, in the order of the draw, with the labels so far, also of earlier sessions.

    One person judges each reply, and two people a shared one. Skipped replies come back after all others. The annotator
    `ADJUDICATION` gets only the replies on which two people disagree. `judge` and `undo` raise a `DataError` if the
    file of labels cannot be written.
    """

    def __init__(self, replies: Sequence[DrawnReply], store: LabelStore) -> None:
        self._store = store
        self._replies = {reply.candidate.key: reply for reply in replies}
        self._by_id: dict[str, list[DrawnReply]] = {}
        for reply in replies:
            self._by_id.setdefault(reply.candidate.id, []).append(reply)
        self._verdicts: dict[Key, dict[str, LabelVerdict]] = {key: {} for key in self._replies}
        self._labels_in_file: dict[tuple[Key, str], list[ReplyLabel]] = {}
        """Labels by reply and person, without those taken back; if one person's verdicts differ, none counts."""
        self._skipped: dict[str, dict[Key, None]] = {}
        self._history: dict[str, list[Key]] = {}
        self._keys_on_display: dict[str, Key] = {}
        for label in store.labels:
            for reply in self._replies_of(label):
                self._count_label(reply.candidate.key, label)

    def _replies_of(self, label: ReplyLabel) -> list[DrawnReply]:
        """Return the drawn replies that match a label's id, and its system and hash if it has them."""
        same_id = self._by_id.get(label.id, [])
        return [
            reply
            for reply in same_id
            if label.system in ("", reply.candidate.system) and label.reply in ("", reply.candidate.digest)
        ]

    def _count_label(self, key: Key, label: ReplyLabel) -> None:
        """Count a label; labels must come in the order of the file."""
        annotator, verdicts = label.annotator, self._verdicts[key]
        history = self._history.setdefault(annotator, [])
        own_labels = self._labels_in_file.setdefault((key, annotator), [])
        if label.verdict == "skip":
            own_labels.clear()
            skipped = self._skipped.setdefault(annotator, {})
            skipped.pop(key, None)
            skipped[key] = None
        else:
            own_labels.append(label)
        if key in history:
            history.remove(key)
        if len({own_label.verdict for own_label in own_labels}) == 1:
            verdicts[annotator] = cast("LabelVerdict", label.verdict)
            history.append(key)
        else:
            verdicts.pop(annotator, None)

    @property
    def verdicts(self) -> dict[Key, dict[str, LabelVerdict]]:
        """Verdict of each person on each reply, without adjudications."""
        return {
            key: {person: verdict for person, verdict in by_person.items() if person != ADJUDICATION}
            for key, by_person in self._verdicts.items()
        }

    def disputed(self) -> list[DrawnReply]:
        """Return the replies on which two people disagree and that have no adjudication."""
        return [reply for key, reply in self._replies.items() if self._is_disputed(key)]

    def next_reply(self, annotator: str) -> DrawnReply | None:
        """Return the reply that a person judges next; None if none is left.

        It is the same until this person judges or skips it. Meanwhile others get it only if it is shared, or if no
        other reply is left.
        """
        key_on_display = self._keys_on_display.get(annotator)
        if key_on_display is not None and self._is_open(self._replies[key_on_display], annotator):
            return self._replies[key_on_display]
        shown_to_others = {key for person, key in self._keys_on_display.items() if person != annotator}
        skip_order = {key: number for number, key in enumerate(self._skipped.get(annotator, ()), 1)}
        next_reply = min(
            (reply for reply in self._replies.values() if self._is_open(reply, annotator)),
            key=lambda reply: (
                reply.candidate.key in shown_to_others and not reply.is_shared,
                skip_order.get(reply.candidate.key, 0),
            ),
            default=None,
        )
        self._set_reply_on_display(annotator, next_reply)
        return next_reply

    def judge(self, annotator: str, key: Key, verdict: LabelVerdict) -> None:
        """Record a person's verdict on a reply, which replaces an earlier one."""
        reply = self._replies[key]
        self._take_back(key, annotator)
        self._count_label(key, self._store.judge(reply, annotator, verdict))
        if verdict == "skip":
            self._history.setdefault(annotator, []).append(key)
        else:
            self._skipped.get(annotator, {}).pop(key, None)
        self._set_reply_on_display(annotator, None)

    def undo(self, annotator: str) -> DrawnReply | None:
        """Take back a person's last verdict or skip, and return its reply; None if there is nothing to take back."""
        history = self._history.get(annotator)
        if not history:
            return None
        key = history[-1]
        self._take_back(key, annotator)
        if key in history:  # a skip
            history.remove(key)
        self._skipped[annotator].pop(key, None)
        self._set_reply_on_display(annotator, self._replies[key])
        return self._replies[key]

    def _take_back(self, key: Key, annotator: str) -> None:
        """Take back all labels of a reply by a person, with the system and reply hash of each."""
        own_labels = self._labels_in_file.get((key, annotator), ())
        for label in {(own_label.system, own_label.reply): own_label for own_label in own_labels}.values():
            self._count_label(key, self._store.take_back(label))

    def _set_reply_on_display(self, annotator: str, reply: DrawnReply | None) -> None:
        if reply is None:
            self._keys_on_display.pop(annotator, None)
        else:
            self._keys_on_display[annotator] = reply.candidate.key

    def _is_open(self, reply: DrawnReply, annotator: str) -> bool:
        """Return whether a person may still judge a reply."""
        key = reply.candidate.key
        if annotator == ADJUDICATION:
            return self._is_disputed(key)
        people = self._verdicts[key].keys() - {ADJUDICATION}
        return annotator not in people and len(people) < (_RATERS_IF_SHARED if reply.is_shared else _RATERS)

    def _is_disputed(self, key: Key) -> bool:
        verdicts = self._verdicts[key]
        return ADJUDICATION not in verdicts and len({*verdicts.values()}) > 1
