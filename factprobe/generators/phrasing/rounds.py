"""Rounds of phrasing: rejected replies are asked for again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from factprobe.generators.base import Fact
from factprobe.generators.phrasing.phrasing import Phrase, Phraser
from factprobe.records import PlainRequest, Response

Replies = Callable[[str], Iterable[tuple[PlainRequest, Response | None]]]
"""Requests of each relation with their responses, by name."""
Ask = Callable[[int, Mapping[str, Iterable[PlainRequest]]], Replies | None]
"""Function that asks a model, in round n from 0, the requests of each relation; None if there are none."""


def phrased(
    phraser: Callable[[str], Phraser], facts: Mapping[str, Iterable[Fact]], ask: Ask, tries: int
) -> PhrasingResult:
    """Have the facts of some relations phrased; rejected replies are asked for again.

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
    """Result of phrasing.

    Args:
        phraser: by the name of a relation.
        rounds: the replies to each round of requests.
    """

    def __init__(self, phraser: Callable[[str], Phraser], rounds: Sequence[Replies]) -> None:
        self._phraser, self._rounds = phraser, rounds
        self.faults: Counter[str] = Counter()
        """Number of replies that broke each rule, over the relations read so far."""
        self.fallbacks: Counter[str] = Counter()
        """Number of facts without a phrasing, by the rule that the last reply broke."""
        self.count = 0
        """Number of facts, or ends of facts, to phrase."""

    def of(self, name: str) -> Iterator[Phrase]:
        """Return the phrasings of a relation in the order of its facts."""
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
