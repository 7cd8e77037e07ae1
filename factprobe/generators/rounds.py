"""Rounds of phrasing: what is not taken of a model's words for facts is asked again; and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from factprobe.generators.base import Fact
from factprobe.generators.phrasing import Phrase, Phraser
from factprobe.records import PlainRequest, Response

Replies = Callable[[str], Iterable[tuple[PlainRequest, Response | None]]]
"""By the name of a relation each request with the response to it."""
Ask = Callable[[int, Mapping[str, Iterable[PlainRequest]]], Replies | None]
"""Asks a model, for the nth time from 0, what is wanted of each relation; None where nothing is."""


def phrased(
    phraser: Callable[[str], Phraser], facts: Mapping[str, Iterable[Fact]], ask: Ask, tries: int
) -> PhrasingResult:
    """Has the facts of some relations phrased; what is not taken is asked again.

    Args:
        phraser: by the name of a relation.
        facts: of each relation.
        ask: asks the model.
        tries: how often it is asked about one fact at most.
    """
    rounds: list[Replies] = []

    def wanted(name: str) -> Iterator[PlainRequest]:  # one relation's summary after the other is read
        if rounds:
            yield from phraser(name).again(rounds[-1](name), len(rounds))
        else:
            yield from phraser(name).requests(facts[name])

    for number in range(tries):
        replies = ask(number, {name: wanted(name) for name in facts})
        if replies is None:
            break
        rounds.append(replies)
    return PhrasingResult(phraser, rounds)


class PhrasingResult:
    """What came of phrasing.

    Args:
        phraser: by the name of a relation.
        rounds: the replies to each round of requests.
    """

    def __init__(self, phraser: Callable[[str], Phraser], rounds: Sequence[Replies]) -> None:
        self._phraser, self._rounds = phraser, rounds
        self.faults: Counter[str] = Counter()
        """How many replies broke each rule, of the relations that were read."""
        self.fallbacks: Counter[str] = Counter()
        """How many facts have no words, by the rule that the last reply broke."""
        self.count = 0
        """How many facts, or ends of facts, were to be phrased."""

    def of(self, name: str) -> Iterator[Phrase]:
        """Those of a relation in the order of its facts."""
        found: dict[str, Phrase] = {}
        phraser = self._phraser(name)
        for replies in self._rounds:
            for request, response in replies(name):
                read = phraser.read(request.question_id, response)
                before = found[read.phrase_id].faults if read.phrase_id in found else ()
                found[read.phrase_id] = replace(read, faults=(*before, *read.faults))
        for phrase in found.values():
            self.count += 1
            self.faults.update(phrase.faults)
            if not phrase.is_there:
                self.fallbacks[phrase.faults[-1]] += 1
            yield phrase
