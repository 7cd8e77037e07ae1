"""Stage 2: coreference of surnames, pronouns and nouns like "the singer"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby

from factprobe.claims.mentions import overlapping
from factprobe.claims.sentence import Mention
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_PERSONS, _THINGS, _NOUNS = ("|".join(sorted(vocabulary(name))) for name in ("personal", "thing", "title"))
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:{_PERSONS}|(?P<thing>{_THINGS})|the (?:{_NOUNS}))(?![\w'’-]|\s+(?-i:[A-Z]|of\b))",
    re.IGNORECASE,
)
"""Pronoun (he, its), or noun with no name or "of" after it: the singer, but not the singer Nico or the king of Spain."""


def resolve(people: frozenset[str], text: str, spans: Sequence[Span], mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a text, with pronouns and nouns added and their antecedents resolved.

    "It" refers to the last name that is no person's. Other anaphors refer to the person named first in their sentence,
    else in the last sentence before that names one. A surname refers to the last person of that name.

    Args:
        people: URIs of the people.
        text: Whole text.
        spans: Spans of its sentences.
        mentions: Its mentions, from left to right.
    """
    matches = list(_ANAPHOR.finditer(text))
    of_things = {match.start() for match in matches if match["thing"]}
    anaphors = (Mention(*match.span(), kind="pronoun") for match in matches)
    added = [anaphor for anaphor in anaphors if not overlapping(anaphor, mentions)]
    resolved: list[Mention] = []
    last_named: dict[str, Mention] = {}
    """Last mention of each entity by name."""
    thing: Mention | None = None
    last_person: Mention | None = None
    """Person named first in the last sentence that names one."""
    starts = [start for start, _ in spans]
    ordered = sorted([*mentions, *added], key=lambda mention: mention.start)
    for number, group in groupby(ordered, key=lambda mention: bisect_right(starts, mention.start)):
        person: Mention | None = None
        for mention in group:
            antecedent: Mention | None = None
            if mention.kind == "pronoun":
                antecedent = thing if mention.start in of_things else person or last_person
                if antecedent is None:
                    continue
            elif mention.kind == "surname":
                named = (last_named[uri] for uri in mention.uris if uri in last_named)
                antecedent = max(named, key=lambda other: other.start, default=None)
            one = mention if antecedent is None else _refer(text, mention, antecedent)
            resolved.append(one)
            is_person = not people.isdisjoint(one.uris)
            if one.uris and one.kind != "pronoun":
                last_named.update(dict.fromkeys(one.uris, one))
                thing = thing if is_person else one
            if person is None and (is_person or (one.kind == "unknown" and one.start == starts[number - 1])):
                person = one
        last_person = person or last_person
    return resolved


def _refer(text: str, mention: Mention, antecedent: Mention) -> Mention:
    """Return a mention with its antecedent's entities and name."""
    name = antecedent.name or text[antecedent.start : antecedent.end]
    return Mention(mention.start, mention.end, antecedent.uris, mention.kind, name)
