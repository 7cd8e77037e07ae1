"""Stage 2: coreference of surnames, pronouns and nouns like "the singer"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from factprobe.claims.by_graph.mention import Mention
from factprobe.claims.by_graph.mentions import overlapping
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_LISTS = vocabulary("personal"), vocabulary("thing"), vocabulary("title")
_PERSONS, _THINGS, _NOUNS = ("|".join(sorted(words)) for words in _LISTS)
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:{_PERSONS}|(?P<thing>{_THINGS})|the (?:{_NOUNS}))(?![\w'’-]|\s+(?-i:[A-Z]|of\b))",
    re.IGNORECASE,
)
"""Pronoun (he, its), or noun without a name or "of" after it: the singer, but not the singer Nico or king of Spain."""


def resolve(
    people: frozenset[str], text: str, spans: Sequence[Span], mentions: Sequence[Mention]
) -> Iterator[tuple[Span, list[Mention]]]:
    """Yield the span of each sentence with its mentions, anaphors added and their antecedents resolved.

    "It" refers to the last name that is of no person. Other anaphors refer to the person named first in their sentence,
    else in the last sentence before that names one. A surname refers to the last person of that name.
    """
    matches = list(_ANAPHOR.finditer(text))
    of_things = {match.start() for match in matches if match["thing"]}
    anaphors = (Mention(*match.span(), kind="pronoun") for match in matches)
    added = [anaphor for anaphor in anaphors if not overlapping(anaphor, mentions)]
    ordered = sorted([*mentions, *added], key=lambda mention: mention.start)
    starts = [mention.start for mention in ordered]
    last_named: dict[str, Mention] = {}
    thing: Mention | None = None
    person: Mention | None = None
    """Person, or unknown name at the beginning, that the sentence names first, else that of the last one."""
    for start, end in spans:
        resolved: list[Mention] = []
        is_named = False
        for raw in ordered[bisect_left(starts, start) : bisect_left(starts, end)]:
            pronoun_of = (thing if raw.start in of_things else person) if raw.kind == "pronoun" else None
            antecedent = _last_bearer(raw, last_named) if raw.kind == "surname" else pronoun_of
            if antecedent is None and raw.kind == "pronoun":
                continue
            mention = raw if antecedent is None else _refer(text, raw, antecedent)
            resolved.append(mention)
            is_person = not people.isdisjoint(mention.uris)
            if mention.uris and mention.kind != "pronoun":
                last_named.update(dict.fromkeys(mention.uris, mention))
                thing = thing if is_person else mention
            if not is_named and (is_person or (mention.kind == "unknown" and mention.start == start)):
                person, is_named = mention, True
        yield (start, end), resolved


def _last_bearer(surname: Mention, last_named: Mapping[str, Mention]) -> Mention | None:
    named = (last_named[uri] for uri in surname.uris if uri in last_named)
    return max(named, key=lambda mention: mention.start, default=None)


def _refer(text: str, mention: Mention, antecedent: Mention) -> Mention:
    """Return a mention with its antecedent's entities and name."""
    name = antecedent.name or text[antecedent.start : antecedent.end]
    return Mention(mention.start, mention.end, antecedent.uris, mention.kind, name)
