"""Second stage: coreference of surnames, pronouns and nouns like "the singer"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from factprobe.claims.fact_index import GraphFacts, Mention
from factprobe.claims.mentions import overlapping
from factprobe.reading.language import in_order, vocabulary
from factprobe.records import Span

_PERSONAL, _THINGS = vocabulary("personal", "personal_possessive"), vocabulary("thing", "thing_possessive")
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

        An anaphor refers to the person named first in its sentence, else to the topic of the text (in a biography the
        person named in its opening), else to the person named first in a sentence before.
        """
        anaphors = [one for one in _anaphors(text) if not overlapping(one, mentions)]
        if not anaphors and not any(one.kind == "surname" for one in mentions):
            return list(mentions)
        found: list[Mention] = []
        named: dict[str, Mention] = {}
        thing: Mention | None = None
        subject = topic = self._topic(mentions)
        starts = [start for start, _ in sentences]
        every = sorted([*mentions, *anaphors], key=lambda one: one.start)
        for number, group in groupby(every, key=lambda one: bisect_right(starts, one.start)):
            opening: Mention | None = None
            for raw in group:
                one = raw
                if raw.kind in ("pronoun", "noun"):
                    antecedent = thing if raw.name else opening or subject
                    if antecedent is None:
                        continue
                    one = _refer(text, raw, antecedent)
                elif raw.kind == "surname" and (before := [named[uri] for uri in raw.uris if uri in named]):
                    one = _refer(text, raw, max(before, key=lambda other: other.start))
                found.append(one)
                is_person = not self._facts.people.isdisjoint(one.uris)
                if one.uris and one.kind in ("name", "surname"):
                    named.update(dict.fromkeys(one.uris, one))
                    thing = thing if is_person else one
                if opening is None and (is_person or (one.kind == "unknown" and one.start == starts[number - 1])):
                    opening = one
            subject = topic or opening or subject
        return found

    def _topic(self, mentions: Sequence[Mention]) -> Mention | None:
        """Return the person whom the opening of a text names."""
        first = next((one for one in mentions if one.kind != "value"), None)
        if first and first.start <= _OPENING and len(first.uris) == 1 and first.uris[0] in self._facts.people:
            return first
        return None


def _anaphors(text: str) -> Iterator[Mention]:
    """Yield pronouns and nouns that refer to something named before, with a name if it is a thing."""
    for match in _ANAPHOR.finditer(text):
        yield Mention(*match.span(), kind="noun" if match["noun"] else "pronoun", name=match["thing"] or "")


def _refer(text: str, one: Mention, antecedent: Mention) -> Mention:
    """Return a mention with its antecedent's entities and name."""
    name = antecedent.name or text[antecedent.start : antecedent.end]
    return Mention(one.start, one.end, antecedent.uris, one.kind, name)
