"""Human labels of replies: a file of JSON Lines, to which labels are appended as they are made.

    {"id": "q7", "verdict": "correct", "annotator": "ann", "time": "2026-11-27T09:30:00Z", "probability": 0.25}

`id` is the id of the reply in the grades, and `probability` the probability with which it was drawn for labelling; a
reply without it counts as drawn for certain.
`system` is needed if replies of several systems have the same ids. `reply` is the `reply_hash` of the labelled reply.
A person withdraws a label by a later one with the verdict `skip`.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from math import isnan
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Struct

from factprobe.errors import DataError, format_list
from factprobe.inputs.record_values import plain, split_items
from factprobe.records import SIDES
from factprobe.storage import Lines, Problems
from factprobe.text import format_count

LabelVerdict = Literal["correct", "incorrect", "abstained", "bad_question", "skip"]
LABEL_VERDICTS: tuple[LabelVerdict, ...] = get_args(LabelVerdict)
LabelsSource = str | Path | Iterable[Mapping[str, Any]]
"""File of labels, or records of labels."""
log = logging.getLogger(__name__)

_HINT = 'give records such as {"id": "1", "verdict": "correct"}'
_MAX_IDS = 3
"""Maximum number of ids in a warning."""


class ReplyLabel(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One person's label of one reply."""

    id: str
    """Id of the reply, as in the grades."""
    verdict: str
    """One of `LABEL_VERDICTS`."""
    annotator: str = ""
    time: str = ""
    """Time of the label in ISO 8601."""
    probability: float | None = None
    """Probability with which the reply was drawn for labelling, in (0, 1]; None counts as 1."""
    system: str = ""
    """System that wrote the reply; empty if the id alone identifies the reply."""
    reply: str = ""
    """`reply_hash` of the labelled reply; empty if unknown."""


class HumanJudgment(NamedTuple):
    """Majority verdict of the people who labelled a reply."""

    is_correct: bool
    probability: float
    """Largest sampling probability in the reply's labels, since a larger draw appends them again; 1 without any."""


def reply_hash(question: str, response: str | None) -> str:
    """Return a short hash of a question and a reply, by which labels of an outdated reply are recognised."""
    text = f"{question}\0{response or ''}".encode(errors="surrogatepass")
    return blake2b(text, digest_size=8).hexdigest()


def read_label_file(path: Path, problems: Problems) -> list[ReplyLabel]:
    """Return the valid labels of a file in order; report broken lines and invalid labels to `problems`."""
    lines = Lines(path, ReplyLabel, problems).numbered()
    return [*valid_labels(((f"{path}:{number}", label) for number, label in lines), problems)]


def valid_labels(labels: Iterable[tuple[str, ReplyLabel]], problems: Problems) -> Iterator[ReplyLabel]:
    """Yield the valid labels, given pairs of place and label; report others to `problems`."""
    for place, label in labels:
        if label.verdict not in LABEL_VERDICTS:
            problems.add(f"unknown verdict {label.verdict!r}; known: {format_list(LABEL_VERDICTS)}", place)
        elif label.probability is not None and not 0 < label.probability <= 1:
            problems.add(f"the probability {label.probability:g} is not above 0 and at most 1", place)
        else:
            yield label


class ReplyLabels:
    """Index of labels by reply, with a majority verdict for each reply.

    `labels` are in the order of labelling. If a person gave a reply different labels, these are reported to `problems`
    and ignored. `where` is the source of the labels, for warnings.
    """

    def __init__(self, labels: Iterable[ReplyLabel], problems: Problems, where: str) -> None:
        self._where = where
        self._by_reply: dict[tuple[str, str], list[ReplyLabel]] = {}
        for label in _without_conflicts(labels, problems, where):
            self._by_reply.setdefault((label.system, label.id), []).append(label)
        self._unmatched: dict[tuple[str, str], str] = dict.fromkeys(self._by_reply, "replies that are not among these")
        self._first_match: dict[tuple[str, str], tuple[str, str]] = {}
        """System and hash of the first reply matched to labels that lack a system or hash, by key of the labels."""
        self._shared_ids: dict[str, None] = {}
        self._repeated_ids: dict[str, None] = {}
        self._tied: dict[tuple[str, str], None] = {}
        self._has_probability: dict[tuple[str, str], bool] = {}
        """Whether a label has a sampling probability, by system and id of each judged reply."""

    def __len__(self) -> int:
        return len(self._by_reply)

    def has_judgments(self) -> bool:
        """Return whether any label judges a reply, and not just its question as bad."""
        return any(label.verdict != "bad_question" for labels in self._by_reply.values() for label in labels)

    def has(self, system: str, reply_id: str) -> bool:
        """Return whether there is a label for a system and id, or for the id in any system."""
        return (system, reply_id) in self._by_reply or ("", reply_id) in self._by_reply

    def match(self, system: str, reply_id: str, digest: str = "") -> HumanJudgment | None:
        """Return the majority verdict on a reply; None without labels, without a majority or if the question is bad.

        `digest` is the `reply_hash` of the reply; empty if unknown.
        """
        found = []
        for key in ((system, reply_id), ("", reply_id)) if system else (("", reply_id),):
            labels = self._by_reply.get(key, ())
            same = [label for label in labels if not (digest and label.reply) or label.reply == digest]
            is_certain = all(digest and label.reply for label in same)
            first = (system, digest) if is_certain else self._first_match.setdefault(key, (system, digest))
            if first != (system, digest):
                ambiguous_ids = self._shared_ids if first[0] != system else self._repeated_ids
                ambiguous_ids[reply_id] = None
                continue
            if same:
                self._unmatched.pop(key, None)
            elif key in self._unmatched:
                self._unmatched[key] = "other replies with the same id"
            found += same
        side = majority_verdict("incorrect" if label.verdict == "abstained" else label.verdict for label in found)
        if found and not side:
            self._tied[system, reply_id] = None
        if side in ("", "bad_question"):
            return None
        probabilities = [label.probability for label in found if label.probability is not None]
        self._has_probability[system, reply_id] = bool(probabilities)
        return HumanJudgment(side == "correct", max(probabilities, default=1.0))

    def warnings(self) -> Iterator[str]:
        """Yield a warning for each reason why labels were ignored; call it after `match` for all replies."""
        for reason in dict.fromkeys(self._unmatched.values()):
            keys = [key for key, found in self._unmatched.items() if found == reason]
            count, named = sum(len(self._by_reply[key]) for key in keys), _list_ids(name for _, name in keys)
            yield f"{self._where}: {format_count(count, 'label')} of {reason}; left out: {named}"
        if self._shared_ids:
            named, hint = _list_ids(self._shared_ids), 'they count for the first; add "system" to the labels'
            yield f"{self._where}: several systems have replies with the same ids, {named}; {hint}"
        if self._repeated_ids:
            hint = "labels of them count for the first; give each reply an id of its own"
            yield f"{self._where}: several replies have the same ids, {_list_ids(self._repeated_ids)}; {hint}"
        if self._tied:
            what = format_count(len(self._tied), "reply", "replies")
            named = _list_ids(name for _, name in self._tied)
            yield f"{self._where}: {what} without a majority of labels, left out of the correction: {named}"
        without = [name for (_, name), has_one in self._has_probability.items() if not has_one]
        if 0 < len(without) < len(self._has_probability):
            what = f'{len(without):,} of {len(self._has_probability):,} labelled replies have no "probability"'
            hint = "give it to the labels of all replies, or of none"
            yield f"{self._where}: {what} and count as drawn for certain, {_list_ids(without)}; {hint}"


def load_labels(source: LabelsSource, strict: bool) -> ReplyLabels:
    """Return the labels of a file or of records; invalid labels are logged and ignored.

    Raises:
        DataError: The file cannot be read, a record is not a label, or, with `strict`, a label is invalid.
    """
    problems = Problems(strict, "fix it, or leave out strict=True to skip it")
    if isinstance(source, str | Path):
        path = Path(source)
        return labels_for_correction(read_label_file(path, problems), problems, str(path))
    try:
        records = msgspec.convert([dict(record) for record in source], list[ReplyLabel])
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        raise DataError(str(error), where="labels", hint=_HINT) from error
    placed = ((f"labels[{number}]", label) for number, label in enumerate(records))
    return labels_for_correction([*valid_labels(placed, problems)], problems, "labels")


def labels_for_correction(labels: Iterable[ReplyLabel], problems: Problems, where: str) -> ReplyLabels:
    """Return an index of labels for the correction of scores, and warn if none of them judges a reply."""
    index = ReplyLabels(labels, problems, where)
    if not index.has_judgments():
        log.warning("%s: no label judges a reply, so nothing is corrected", where)
    return index


def warn_of_labels(labels: ReplyLabels | None) -> None:
    """Log the warnings of labels, if there are any."""
    for line in labels.warnings() if labels else ():
        log.warning("%s", line)


def _list_ids(ids: Iterable[str]) -> str:
    names = [*ids]
    return ", ".join(names[:_MAX_IDS]) + "…" * (len(names) > _MAX_IDS)


def _without_conflicts(labels: Iterable[ReplyLabel], problems: Problems, where: str) -> Iterator[ReplyLabel]:
    """Yield each person's label of each reply; omit withdrawn labels, and report different ones to `problems`."""
    by_person: dict[tuple[str, str, str, str], list[ReplyLabel]] = {}
    for label in labels:
        person_labels = by_person.setdefault((label.system, label.id, label.reply, label.annotator), [])
        if label.verdict == "skip":
            person_labels.clear()
        else:
            person_labels.append(label)
    for (_, name, _, annotator), person_labels in by_person.items():
        verdicts = dict.fromkeys(label.verdict for label in person_labels)
        if len(verdicts) > 1:
            who = annotator or "one person"
            problems.add(f"{who} labels {name!r} as {format_list(verdicts)}, and none of them counts", where)
        elif person_labels:
            yield person_labels[-1]


def majority_verdict(verdicts: Iterable[str]) -> str:
    """Return the verdict of more than half of the people; empty without such a majority."""
    counts = Counter(verdicts)
    return next((verdict for verdict, count in counts.items() if 2 * count > counts.total()), "")


def parse_judgment(value: Any, separator: str) -> str:
    """Return the judgment in a cell as a word, or as a number in its shortest form (`1` for 1.0); empty without one.

    A list, or a text with separators, has the judgments of several people. Return the most frequent, or "tie" if two
    are equally frequent. If one of them is an unknown word, return that.
    """
    if value is None or (isinstance(value, str) and value in SIDES):  # fast path for most values
        return value or ""
    value = split_items(value, separator) if isinstance(value, str) else plain(value)
    if not isinstance(value, list | tuple):
        return _normalise_judgment(value)
    judgments = [judgment for judgment in map(_normalise_judgment, value) if judgment]
    unknown = [judgment for judgment in judgments if judgment.casefold() not in SIDES]
    if len(judgments) < 2 or unknown:
        return (unknown or judgments or [""])[0]
    [(first, highest), *others] = Counter(SIDES[one.casefold()] for one in judgments).most_common()
    return "tie" if others and others[0][1] == highest else first


def _normalise_judgment(value: Any) -> str:
    """Return one person's judgment as a word, or as a number in its shortest form (`1` for 1.0)."""
    text = "" if value is None else str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return "" if isnan(number) else f"{number:g}"
