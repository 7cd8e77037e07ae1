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

_LISTS = vocabulary("personal"), vocabulary("thing"), vocabulary("title")
_PERSONS, _THINGS, _NOUNS = ("|".join(sorted(words)) for words in _LISTS)
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:{_PERSONS}|(?P<thing>{_THINGS})|the (?:{_NOUNS}))(?![\w'’-]|\s+(?-i:[A-Z]|of\b))",
    re.IGNORECASE,
)
"""Pronoun (he, its), or noun without a name or "of" after it: the singer, but not the singer Nico or king of Spain."""


def resolve(people: frozenset[str], text: str, spans: Sequence[Span], mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of a text with sentences at some spans, with anaphors added and their antecedents resolved.

    "It" refers to the last name that is of no person. Other anaphors refer to the person named first in their sentence,
    else in the last sentence before that names one. A surname refers to the last person of that name.
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
    """Person, or unknown name at the beginning, that the last sentence with one names first."""
    starts = [start for start, _ in spans]
    ordered = sorted([*mentions, *added], key=lambda mention: mention.start)
    for number, group in groupby(ordered, key=lambda mention: bisect_right(starts, mention.start)):
        person: Mention | None = None
        for raw in group:
            antecedent: Mention | None = None
            if raw.kind == "pronoun":
                antecedent = thing if raw.start in of_things else person or last_person
                if antecedent is None:
                    continue
            elif raw.kind == "surname":
                named = (last_named[uri] for uri in raw.uris if uri in last_named)
                antecedent = max(named, key=lambda mention: mention.start, default=None)
            mention = raw if antecedent is None else _refer(text, raw, antecedent)
            resolved.append(mention)
            is_person = not people.isdisjoint(mention.uris)
            if mention.uris and mention.kind != "pronoun":
                last_named.update(dict.fromkeys(mention.uris, mention))
                thing = thing if is_person else mention
            is_opening = mention.kind == "unknown" and mention.start == starts[number - 1]
            if person is None and (is_person or is_opening):
                person = mention
        last_person = person or last_person
    return resolved


def _refer(text: str, mention: Mention, antecedent: Mention) -> Mention:
    """Return a mention with its antecedent's entities and name."""
    name = antecedent.name or text[antecedent.start : antecedent.end]
    return Mention(mention.start, mention.end, antecedent.uris, mention.kind, name)
