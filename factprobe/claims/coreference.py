"""Second stage: coreference of surnames, pronouns and nouns like "the singer"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby

from factprobe.claims.fact_index import Mention
from factprobe.claims.mentions import overlapping
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_PERSONS, _THINGS, _NOUNS = ("|".join(sorted(vocabulary(one))) for one in ("personal", "thing", "title"))
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:{_PERSONS}|(?P<thing>{_THINGS})|the (?:{_NOUNS}))(?![\w'’-]|\s+(?-i:[A-Z]|of\b))",
    re.IGNORECASE,
)


def resolve(people: frozenset[str], text: str, sentences: Sequence[Span], mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a text, with pronouns and nouns added and their antecedents resolved.

    An anaphor refers to the person named first in its sentence, else in the last sentence before that names one.

    Args:
        people: URIs of the people.
        text: Whole text.
        sentences: Spans of its sentences.
        mentions: Its mentions, from left to right.
    """
    every = [Mention(*match.span(), kind="pronoun", name=match["thing"] or "") for match in _ANAPHOR.finditer(text)]
    anaphors = [one for one in every if not overlapping(one, mentions)]
    found: list[Mention] = []
    named: dict[str, Mention] = {}
    subject: Mention | None = None
    thing: Mention | None = None
    starts = [start for start, _ in sentences]
    ordered = sorted([*mentions, *anaphors], key=lambda one: one.start)
    for number, group in groupby(ordered, key=lambda one: bisect_right(starts, one.start)):
        opening: Mention | None = None
        for raw in group:
            one = raw
            if raw.kind == "pronoun":
                antecedent = thing if raw.name else opening or subject
                if antecedent is None:
                    continue
                one = _refer(text, raw, antecedent)
            elif raw.kind == "surname" and (before := [named[uri] for uri in raw.uris if uri in named]):
                one = _refer(text, raw, max(before, key=lambda other: other.start))
            found.append(one)
            is_person = not people.isdisjoint(one.uris)
            if one.uris and one.kind != "pronoun":
                named.update(dict.fromkeys(one.uris, one))
                thing = thing if is_person else one
            if opening is None and (is_person or (one.kind == "unknown" and one.start == starts[number - 1])):
                opening = one
        subject = opening or subject
    return found


def _refer(text: str, one: Mention, antecedent: Mention) -> Mention:
    """Return a mention with its antecedent's entities and name."""
    name = antecedent.name or text[antecedent.start : antecedent.end]
    return Mention(one.start, one.end, antecedent.uris, one.kind, name)
