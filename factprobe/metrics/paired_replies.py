"""Verdicts on the replies of several systems, paired by question."""

from __future__ import annotations

import logging
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from factprobe.errors import UnknownNameError
from factprobe.inputs.labels import HumanJudgment
from factprobe.metrics.comparison import Comparison, TypedVerdict, comparisons
from factprobe.records import Question, Verdict
from factprobe.text import format_count

log = logging.getLogger(__name__)

_T = TypeVar("_T")


class PairedReplies:
    """Collector of verdicts by system and question.

    Replies of different systems to the same question are paired. Several replies of a system to one question are paired
    by id if each id stands for one content (prompt and right answers), otherwise by content. If the systems have no id,
    or no content, in common, the other of the two is tried. Replies with the same id or content, and replies to a
    question whose systems share neither, are paired in order.
    """

    def __init__(self) -> None:
        self._verdicts: dict[str, dict[str, TypedVerdict]] = {}
        self._judgments: dict[str, dict[str, HumanJudgment]] = {}
        self._contents: dict[str, array[int]] = {}
        """Hash of the content (prompt and right answers) of each reply, by system, in the order of replies."""
        self._ids: dict[str, array[int]] = {}
        """Hash of the id of each reply, by system, in the order of replies."""
        self._repeats: Counter[tuple[str, str]] = Counter()
        self._shared_verdicts: dict[TypedVerdict, TypedVerdict] = {}
        self._answers: dict[str, tuple[str, int]] = {}
        """System of the first reply with each key, and the hash of its right answers."""
        self._contradictions: dict[tuple[str, str], dict[str, str]] = {}
        """Texts of questions whose right answers differ between a system and an earlier one, by both, and key."""

    @property
    def verdicts(self) -> Mapping[str, Mapping[str, TypedVerdict]]:
        """Verdicts of each system, by the reply's key, which `add` returned."""
        return self._verdicts

    def add(
        self,
        system: str,
        question: Question,
        verdict: Verdict,
        probability: float | None = None,
        judgment: HumanJudgment | None = None,
    ) -> str:
        """Add a verdict, and return a key that is unique among the system's replies.

        Questions with the same `subject_uri` are the same question. `probability` is a grading model's probability that
        the reply is correct, and `judgment` the human judgment.
        """
        own_verdicts, key = self._verdicts.setdefault(system, {}), question.subject_uri
        if key in own_verdicts:
            self._repeats[system, key] += 1
            key = f"{key}:{self._repeats[system, key]}"
        typed = TypedVerdict(question.question_type, verdict, probability)
        own_verdicts[key] = self._shared_verdicts.setdefault(typed, typed)
        answers = _hash_answers(question)
        self._contents.setdefault(system, array("q")).append(hash((question.prompts, answers)))
        self._ids.setdefault(system, array("q")).append(hash(question.question_id))
        first, first_answers = self._answers.setdefault(key, (system, answers))
        if answers != first_answers:
            self._contradictions.setdefault((system, first), {})[key] = question.bare
        if judgment is not None:
            self._judgments.setdefault(system, {})[key] = judgment
        return key

    def forget_judgments(self) -> None:
        """Remove all human judgments, if it turns out that they are on an unknown scale."""
        self._judgments.clear()

    def comparisons(self, seed: int = 0, systems: Sequence[str] | None = None) -> list[Comparison]:
        """Compare each pair of `systems` (by default of all), clustered by question; warn if right answers differ."""
        for name in systems or ():
            if name not in self._verdicts:
                raise UnknownNameError("system", name, self._verdicts)
        repeated = {key for _, key in self._repeats}
        for (system, first), found in self._contradictions.items():
            if questions := [text for key, text in found.items() if _question_of(key) not in repeated]:
                what = f"{format_count(len(questions), 'question')} with other right answers than for {first}"
                log.warning("%s: %s, and compared all the same; first: %.80r", system, what, questions[0])
        names = self.names()
        verdicts = {system: _rename_keys(self._verdicts[system], names[system]) for system in systems or self._verdicts}
        judgments = {system: _rename_keys(judged, names[system]) for system, judged in self._judgments.items()}
        return comparisons(verdicts, seed, _question_of, judgments)

    def names(self) -> dict[str, dict[str, str]]:
        """Return new keys for replies to repeated questions, by system and key; paired replies have equal new keys."""
        names: dict[str, dict[str, str]] = {system: {} for system in self._verdicts}
        repeats: dict[str, dict[str, list[tuple[str, int, int]]]] = {key: {} for _, key in self._repeats}
        for system, verdicts in self._verdicts.items() if repeats else ():
            for key, content, name in zip(verdicts, self._contents[system], self._ids[system], strict=True):
                if (found := repeats.get(_question_of(key))) is not None:
                    found.setdefault(system, []).append((key, content, name))
        for question, replies in repeats.items():
            for at in _pairing_order(replies.values()):
                if set.intersection(*({reply[at] for reply in found} for found in replies.values())):
                    for system, of_system in replies.items():
                        counts: Counter[int | str] = Counter()
                        for reply in of_system:
                            counts[reply[at]] += 1
                            names[system][str(reply[0])] = f"{question}:{reply[at]}:{counts[reply[at]]}"
                    break
        return names

    def differing(self) -> Iterator[str]:
        """Yield, in order, the (new) keys of questions that some systems answer correctly and others do not."""
        names = self.names()
        by_system = [_rename_keys(verdicts, names[system]) for system, verdicts in self._verdicts.items()]
        for key in dict.fromkeys(key for verdicts in by_system for key in verdicts):
            outcomes = {verdicts[key].verdict for verdicts in by_system if key in verdicts}
            if "correct" in outcomes and not outcomes <= {"correct", "failed"}:
                yield key


def _pairing_order(replies: Iterable[Sequence[tuple[str, int, int]]]) -> tuple[int, int]:
    """Return the indices of content (1) and id (2) in a reply as to be tried: ids first if each has one content."""
    contents = {(content, name) for of_system in replies for _, content, name in of_system}
    return (2, 1) if len(contents) == len({name for _, name in contents}) else (1, 2)


def _question_of(key: str) -> str:
    return key.partition(":")[0]


def _rename_keys(values: Mapping[str, _T], names: Mapping[str, str]) -> Mapping[str, _T]:
    return {names.get(key, key): value for key, value in values.items()} if names else values


def _hash_answers(question: Question) -> int:
    """Return a hash of a question's right answers that does not depend on their order."""
    answers = question.answers
    names = [answers] if isinstance(answers, str) else [name for answer in answers for name in answer.names()]
    return hash(frozenset(name.casefold() for name in names))
