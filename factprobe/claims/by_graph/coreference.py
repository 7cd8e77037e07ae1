"""Stage 2: coreference of surnames, pronouns and nouns like "the singer"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from factprobe.claims.by_graph.mention import Mention
from factprobe.claims.by_graph.mention_finder import overlapping
from factprobe.reading.language import phrases, vocabulary
from factprobe.records import Span

_LISTS = vocabulary("personal"), vocabulary("thing"), vocabulary("title")
_PERSONS, _THINGS, _NOUNS = ("|".join(sorted(words)) for words in _LISTS)
_ANAPHOR = re.compile(
    rf"(?<![\w'’-])(?:{_PERSONS}|(?P<thing>{_THINGS})|the (?:{_NOUNS}))(?![\w'’-]|\s+(?-i:[A-Z]|of\b))",
    re.IGNORECASE,
)
"""Pattern of a pronoun or "the" with a noun, with no name or "of" after it: the singer, not the singer Nico."""

_POSSESSIVE = re.compile(phrases("possessive_ending").replace("'", "['’]"))


def resolve(
    people: frozenset[str], text: str, spans: Sequence[Span], mentions: Sequence[Mention]
) -> Iterator[tuple[Span, list[Mention]]]:
    """Yield the span of each sentence with its mentions, among them pronouns and nouns with their antecedents.

    A surname refers to the last person of that name. "It" refers to the first thing named in its sentence, or else in
    the last sentence that names one: Norway, in "Norway is in Europe. It borders Sweden." Other pronouns and nouns
    refer to the first person in the same way. A possessor is no antecedent. A name that the graph lacks
    may be the antecedent of either, if it begins a sentence.

    Args:
        people: URIs of the persons in the graph.
        text: Whole text.
        spans: Spans of its sentences.
        mentions: Mentions of names and values.
    """
    matches = list(_ANAPHOR.finditer(text))
    of_things = {match.start() for match in matches if match["thing"]}
    nouns = {match.start() for match in matches if " " in match[0]}
    anaphors = (Mention(*match.span(), kind="pronoun") for match in matches)
    new_mentions = [anaphor for anaphor in anaphors if not overlapping(anaphor, mentions)]
    ordered = sorted([*mentions, *new_mentions], key=lambda mention: mention.start)
    starts = [mention.start for mention in ordered]
    last_named: dict[str, Mention] = {}
    first_named: dict[bool, Mention] = {}
    """First thing (key False) and first person (key True) of this sentence, or else of the last one with any."""
    for start, end in spans:
        resolved: list[Mention] = []
        new: set[bool] = {False, True}
        for raw in ordered[bisect_left(starts, start) : bisect_left(starts, end)]:
            pronoun_of = first_named.get(raw.start not in of_things) if raw.kind == "pronoun" else None
            antecedent = _last_bearer(raw, last_named) if raw.kind == "surname" else pronoun_of
            if raw.kind == "pronoun" and (antecedent is None or (raw.start in nouns and True not in new)):
                continue  # "Goethe praised the poet"
            mention = raw if antecedent is None else _refer(text, raw, antecedent)
            resolved.append(mention)
            last_named.update(dict.fromkeys(mention.uris, mention))
            if mention.uris and not _POSSESSIVE.match(text, mention.end):
                kinds = {not people.isdisjoint(mention.uris)}
            else:
                kinds = {False, True} if mention.kind == "unknown" and mention.start == start else set()
            first_named.update(dict.fromkeys(kinds & new, mention))
            new -= kinds
        yield (start, end), resolved


def _last_bearer(surname: Mention, last_named: Mapping[str, Mention]) -> Mention | None:
    named = (last_named[uri] for uri in surname.uris if uri in last_named)
    return max(named, key=lambda mention: mention.start, default=None)


def _refer(text: str, mention: Mention, antecedent: Mention) -> Mention:
    """Return a mention with the entities and the name of its antecedent."""
    name = antecedent.name or text[antecedent.start : antecedent.end]
    return Mention(mention.start, mention.end, antecedent.uris, mention.kind, name)
