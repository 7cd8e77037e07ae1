"""Second stage: what a surname, a pronoun or a noun like "the singer" refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from factprobe.claims.facts import GraphFacts
from factprobe.claims.mentions import Kind, Mention
from factprobe.reading.language import in_order, vocabulary
from factprobe.records import Span

_PERSONAL, _THINGS = vocabulary("personal", "personal_possessive"), vocabulary("thing", "thing_possessive")
POSSESSIVE_PRONOUNS = vocabulary("personal_possessive", "thing_possessive")
_NOUNS = "|".join(sorted(vocabulary("title")))
_THE = in_order("article")[-1]
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:(?P<person>{'|'.join(sorted(_PERSONAL))})|(?P<thing>{'|'.join(sorted(_THINGS))})"
    rf"|the (?P<noun>{_NOUNS}))(?![\w'’-]|\s+(?-i:[A-Z]|of\b))",
    re.IGNORECASE,
)
_OPENING = 20
"""Characters of a text within which its topic is named."""


class Resolver:
    """Resolves references by position and type.

    Args:
        facts: of the graph.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts

    def resolve(self, text: str, sentences: Sequence[Span], mentions: Sequence[Mention]) -> list[Mention]:
        """Return the mentions with those of pronouns and nouns, all with the entity that they refer to.

        The antecedent is the nearest person or thing named before; a biography's topic, the person whom its opening
        names, comes before others.
        """
        anaphors = list(self._anaphors(text, mentions))
        if not anaphors and not any(one.kind == "surname" for one in mentions):
            return list(mentions)
        found: list[Mention] = []
        topic = self._topic(mentions)
        last: Mention | None = topic
        named: list[Mention] = []
        begins = {start for start, _ in sentences}
        starts = iter([*(start for start, _ in sentences[1:]), len(text) + 1])
        following = next(starts)
        opening: Mention | None = None
        for raw in sorted([*mentions, *anaphors], key=lambda one: one.start):
            one = raw
            while one.start >= following:
                last, opening = opening if opening and not topic else topic or last, None
                following = next(starts)
            if raw.kind == "surname":
                one = self._surname(text, raw, named)
            elif one.kind in ("pronoun", "noun"):
                is_thing = one.name == "thing"
                meant = self._nearest(named, is_person=False) if is_thing else opening or last
                meant = meant or (None if is_thing else self._nearest(named, is_person=True))
                if meant is None:
                    continue
                one = Mention(one.start, one.end, meant.uris, one.kind, _name(text, meant))
            found.append(one)
            if one.uris and one.kind in ("name", "surname"):
                named.append(one)
            if opening is None and (self._is_person(one) or (one.kind == "unknown" and one.start in begins)):
                opening = one
        return found

    def _anaphors(self, text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
        for match in _ANAPHOR.finditer(text):
            if not any(one.start < match.end() and match.start() < one.end for one in mentions):
                kind: Kind = "noun" if match["noun"] else "pronoun"
                yield Mention(*match.span(), kind=kind, name="thing" if match["thing"] else "")

    def _topic(self, mentions: Sequence[Mention]) -> Mention | None:
        """Return the person whom the opening of a text names."""
        first = next((one for one in mentions if one.kind != "value"), None)
        is_topic = first is not None and first.start <= _OPENING and len(first.uris) == 1 and self._is_person(first)
        return first if is_topic else None

    def _surname(self, text: str, one: Mention, named: Sequence[Mention]) -> Mention:
        """Resolve a surname to the person of that surname who is named before, else to all bearers."""
        before = [other for other in reversed(named) if not set(one.uris).isdisjoint(other.uris)]
        if before:
            uris = tuple(uri for uri in before[0].uris if uri in one.uris)
            return Mention(one.start, one.end, uris, "surname", _name(text, before[0]))
        return one

    def _nearest(self, named: Iterable[Mention], *, is_person: bool) -> Mention | None:
        return next((one for one in reversed([*named]) if self._is_person(one) == is_person), None)

    def _is_person(self, one: Mention) -> bool:
        return any(uri in self._facts.people for uri in one.uris)


def _name(text: str, one: Mention) -> str:
    return one.name or text[one.start : one.end]
