"""Phrasing of facts in rounds: each round asks again about the facts whose phrasing was rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from factprobe.generators.base import Fact
from factprobe.generators.phrasing.phraser import Phrase, Phraser
from factprobe.records import PlainRequest, Response

Replies = Callable[[str], Iterable[tuple[PlainRequest, Response | None]]]
"""Function that returns the requests of a relation, given by name, with their responses."""
Ask = Callable[[int, Mapping[str, Iterable[PlainRequest]]], Replies | None]
"""Function that sends the requests of a round, given its number from 0 and the requests by relation.

It returns the replies; None if there are no requests.
"""


def phrase_facts(
    phraser: Callable[[str], Phraser], facts: Mapping[str, Iterable[Fact]], ask: Ask, tries: int
) -> PhrasingResult:
    """Let a model phrase the facts of relations, with at most `tries` requests for each fact."""
    rounds: list[Replies] = []

    def next_requests(name: str) -> Iterator[PlainRequest]:  # lazy, so that one summary is in memory at a time
        if rounds:
            yield from phraser(name).retries(rounds[-1](name), len(rounds))
        else:
            yield from phraser(name).requests(facts[name])

    for number in range(tries):
        replies = ask(number, {name: next_requests(name) for name in facts})
        if replies is None:
            break
        rounds.append(replies)
    return PhrasingResult(phraser, rounds)


class PhrasingResult:
    """Phrasings of the facts of relations, with counts of rejected replies."""

    def __init__(self, phraser: Callable[[str], Phraser], rounds: Sequence[Replies]) -> None:
        self._phraser, self._rounds = phraser, rounds
        self.faults: Counter[str] = Counter()
        """Number of replies that broke each rule, in the relations read so far."""
        self.fallbacks: Counter[str] = Counter()
        """Number of facts without an accepted phrasing, by the rule that the last reply broke."""
        self.count = 0
        """Number of phrasings asked for: one for each fact, or for each end of a fact."""

    def phrases_of(self, name: str) -> Iterator[Phrase]:
        """Yield the phrasings of a relation, accepted or not, in the order of its facts."""
        phrases: dict[str, Phrase] = {}
        phraser = self._phraser(name)
        for replies in self._rounds:
            for request, response in replies(name):
                read = phraser.read(request.question_id, response)
                before = phrases[read.phrase_id].faults if read.phrase_id in phrases else ()
                phrases[read.phrase_id] = replace(read, faults=(*before, *read.faults))
        for phrase in phrases.values():
            self.count += 1
            self.faults.update(phrase.faults)
            if not phrase.is_accepted:
                self.fallbacks[phrase.faults[-1]] += 1
            yield phrase
