"""Second stage: coreference of surnames, pronouns and nouns like "the singer"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factprobe.claims.fact_index import GraphFacts
from factprobe.claims.mentions import Kind, Mention, overlapping
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
"""Length of a text's beginning, in characters, in which its topic is named."""


class Resolver:
    """Coreference resolver that uses position and type.

    Args:
        facts: Facts of the graph.
    """

    def __init__(self, facts: GraphFacts) -> None:
        self._facts = facts

    def resolve(self, text: str, sentences: Sequence[Span], mentions: Sequence[Mention]) -> list[Mention]:
        """Return the mentions, with pronouns and nouns added and their antecedents resolved.

        The antecedent is the nearest person or thing named before. In a biography, its topic takes precedence: the
        person named in its opening.
        """
        anaphors = list(self._anaphors(text, mentions))
        if not anaphors and not any(one.kind == "surname" for one in mentions):
            return list(mentions)
        found: list[Mention] = []
        topic = self._topic(mentions)
        last: Mention | None = topic
        named = _Named()
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
                one = named.bearer(text, raw)
            elif one.kind in ("pronoun", "noun"):
                is_thing = one.name == "thing"
                meant = named.thing if is_thing else opening or last or named.person
                if meant is None:
                    continue
                one = Mention(one.start, one.end, meant.uris, one.kind, _name(text, meant))
            found.append(one)
            if one.uris and one.kind in ("name", "surname"):
                named.add(one, is_person=self._is_person(one))
            if opening is None and (self._is_person(one) or (one.kind == "unknown" and one.start in begins)):
                opening = one
        return found

    def _anaphors(self, text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
        for match in _ANAPHOR.finditer(text):
            kind: Kind = "noun" if match["noun"] else "pronoun"
            one = Mention(*match.span(), kind=kind, name="thing" if match["thing"] else "")
            if not overlapping(one, mentions):
                yield one

    def _topic(self, mentions: Sequence[Mention]) -> Mention | None:
        """Return the person whom the opening of a text names."""
        first = next((one for one in mentions if one.kind != "value"), None)
        is_topic = first is not None and first.start <= _OPENING and len(first.uris) == 1 and self._is_person(first)
        return first if is_topic else None

    def _is_person(self, one: Mention) -> bool:
        return any(uri in self._facts.people for uri in one.uris)


class _Named:
    """Recently named entities."""

    def __init__(self) -> None:
        self.person: Mention | None = None
        self.thing: Mention | None = None
        self._last: dict[str, Mention] = {}

    def add(self, one: Mention, *, is_person: bool) -> None:
        """Add a name as the most recent one."""
        if is_person:
            self.person = one
        else:
            self.thing = one
        self._last.update(dict.fromkeys(one.uris, one))

    def bearer(self, text: str, one: Mention) -> Mention:
        """Return a surname mention with the most recently named person of that surname; unchanged if there is none."""
        before = [self._last[uri] for uri in one.uris if uri in self._last]
        if not before:
            return one
        last = max(before, key=lambda other: other.start)
        uris = tuple(uri for uri in last.uris if uri in one.uris)
        return Mention(one.start, one.end, uris, "surname", _name(text, last))


def _name(text: str, one: Mention) -> str:
    return one.name or text[one.start : one.end]
