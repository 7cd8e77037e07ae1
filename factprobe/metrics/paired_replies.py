"""Verdicts of several systems on replies, paired by question."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from factprobe.errors import UnknownNameError
from factprobe.inputs.labels import HumanJudgment
from factprobe.metrics.comparison import Comparison, TypedVerdict, comparisons
from factprobe.records import Question, Verdict
from factprobe.text import format_count

log = logging.getLogger(__name__)


class PairedReplies:
    """Collector of verdicts by system and question.

    Replies of different systems to one question belong together: the first of each, the second of each, and so on.
    """

    def __init__(self) -> None:
        self._verdicts: dict[str, dict[str, TypedVerdict]] = {}
        self._judgments: dict[str, dict[str, HumanJudgment]] = {}
        self._repeats: Counter[tuple[str, str]] = Counter()
        self._kept: dict[TypedVerdict, TypedVerdict] = {}
        self._answers: dict[str, tuple[str, int]] = {}
        """System of the first reply with each key, and the hash of the right answers."""
        self._contradictions: dict[tuple[str, str], list[str]] = {}
        """Questions whose right answers for a system differ from those for an earlier one, by the two systems."""

    @property
    def verdicts(self) -> Mapping[str, Mapping[str, TypedVerdict]]:
        """Verdicts of each system, by the keys that `add` returned."""
        return self._verdicts

    def add(
        self,
        system: str,
        question: Question,
        verdict: Verdict,
        probability: float | None = None,
        judgment: HumanJudgment | None = None,
    ) -> str:
        """Add a verdict, and return the key that pairs the reply with those of other systems.

        Replies of several systems share a question by its `subject_uri`. `probability` is a model's probability that
        the reply is correct, and `judgment` the judgment of people.
        """
        own, key = self._verdicts.setdefault(system, {}), question.subject_uri
        if key in own:
            self._repeats[system, key] += 1
            key = f"{key}:{self._repeats[system, key]}"
        found = TypedVerdict(question.question_type, verdict, probability)
        own[key] = self._kept.setdefault(found, found)
        answers = _hash_answers(question)
        first, known = self._answers.setdefault(key, (system, answers))
        if answers != known:
            self._contradictions.setdefault((system, first), []).append(question.bare)
        if judgment is not None:
            self._judgments.setdefault(system, {})[key] = judgment
        return key

    def forget_judgments(self) -> None:
        """Remove the judgments, if they turn out not to be verdicts."""
        self._judgments.clear()

    def comparisons(self, seed: int = 0, systems: Sequence[str] | None = None) -> list[Comparison]:
        """Compare each two systems, by default of all; replies to one question form a cluster.

        A warning is logged for questions whose right answers differ between two systems.

        Raises:
            UnknownNameError: A system has no replies.
        """
        for name in systems or ():
            if name not in self._verdicts:
                raise UnknownNameError("system", name, self._verdicts)
        for (system, first), questions in self._contradictions.items():
            what = f"{format_count(len(questions), 'question')} with other right answers than for {first}"
            log.warning("%s: %s, and compared all the same; first: %.80r", system, what, questions[0])
        verdicts = self._verdicts if systems is None else {name: self._verdicts[name] for name in systems}
        return comparisons(verdicts, seed, lambda key: key.partition(":")[0], self._judgments)

    def differing(self) -> Iterator[str]:
        """Yield, in order, the keys of questions that some systems answer correctly and others do not."""
        for key in dict.fromkeys(key for verdicts in self._verdicts.values() for key in verdicts):
            found = {verdicts[key].verdict for verdicts in self._verdicts.values() if key in verdicts}
            if "correct" in found and not found <= {"correct", "failed"}:
                yield key


def _hash_answers(question: Question) -> int:
    """Return a hash of a question's right answers, whatever their order."""
    answers = question.answers
    names = [answers] if isinstance(answers, str) else [name for answer in answers for name in answer.names()]
    return hash(frozenset(name.casefold() for name in names))
