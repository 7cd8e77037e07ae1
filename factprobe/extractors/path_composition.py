"""Composition of two relations into one: the country of the place where a person was born.

Its answer sets follow from the graph: all that an entity reaches through any entity in the middle. It asks only about
facts whose complete answer set is in the graph, and that no single fact gives away.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice, product

from msgspec import UNSET, Struct
from msgspec.structs import replace

from factprobe.config import MIDDLE
from factprobe.errors import ConfigError
from factprobe.extractors.base import ExtractedRelation, digests
from factprobe.extractors.triplets import Facts
from factprobe.question_types import End
from factprobe.records import SEVERAL, SINGLE_SHARE, Entity, Hop, Relation, RelationSummary, Triplet
from factprobe.storage import Layout, write_json, write_lines
from factprobe.templating import Template

_BETWEEN, _INVERSE = "/", "^"
"""Operators of SPARQL's property paths (W3C, SPARQL 1.1, section 9)."""
_OFTEN = 20
"""Minimum number of facts to ask about for two relations to be composed automatically."""
_MANY = 10
"""Average number of answers of a subject beyond which nobody could name them all."""
log = logging.getLogger(__name__)

_MOST = 5_000_000
"""Maximum number of facts of a composition; so many take 2 GB."""

Summaries = Callable[[str], RelationSummary]
"""Function that returns the complete summary of a relation by its name."""


class Composition(Struct, frozen=True):
    """Composed relation, with its facts."""

    relation: Relation
    facts: Facts
    """Facts that follow from the graph."""
    asked: dict[tuple[str, str], None]
    """Subject and object of the facts to ask about, in order."""
    incomplete: int
    """Number of subjects left out because one of their entities in the middle has no second step in the graph."""
    single_share: float = SINGLE_SHARE
    """Threshold of `KgConfig.single_share`."""

    @property
    def summary(self) -> RelationSummary:
        """Complete summary of the relation."""
        return self.facts.summary(self.relation, self.single_share)

    def triplets(self, info: Relation) -> Iterator[Triplet]:
        """Yield the facts to ask about."""
        by_pair = {(fact.subject_uri, fact.object_uri): fact for fact in self.facts.triplets(info)}
        return (by_pair[pair] for pair in self.asked)


def parse_path(name: str, known: Collection[str]) -> tuple[Hop, Hop] | None:
    """Parse a path such as `P19/P17`, or `^P19/P106` with the first relation reversed.

    Args:
        name: its name; relations may have slashes in their own names.
        known: the names of the relations.

    Returns:
        Its steps; None if it is not a path of two known relations.
    """
    parts = name.split(_BETWEEN)
    for at in range(1, len(parts)):
        hops = [_hop(_BETWEEN.join(side)) for side in (parts[:at], parts[at:])]
        if all(hop.relation in known for hop in hops):
            return hops[0], hops[1]
    return None


def _hop(name: str) -> Hop:
    return Hop(name[1:], "subject") if name.startswith(_INVERSE) else Hop(name)


def parse_paths(names: Collection[str], known: Collection[str]) -> dict[str, tuple[Hop, Hop]]:
    """Parse several paths.

    Raises:
        ConfigError: one is not a path of two known relations.
    """
    found = {name: parse_path(name, known) for name in names}
    for name, hops in found.items():
        if hops is None:
            hint = "write two relations of the graph with a slash between them, ^ before one that goes backwards"
            raise ConfigError(f"{name!r} is no path of two relations", where="compose", hint=hint)
    return {name: hops for name, hops in found.items() if hops is not None}


def frequent_paths(known: Collection[str], summaries: Summaries) -> dict[str, tuple[Hop, Hop]]:
    """Return the forward paths of two relations with enough facts to ask about and answer sets of moderate size."""
    found = {}
    for first, second in product(known, known):
        hops = Hop(first), Hop(second)
        one, other = summaries(first), summaries(second)
        ends, starts = one.node_summary.objects, other.node_summary.subjects
        if sum(len(ends[uri].subjects) for uri in ends.keys() & starts.keys()) < _OFTEN:
            continue
        facts = _facts(hops, one, other, min(_MOST, _MANY * len(one.node_summary.subjects)))
        if facts is None or len(facts[1]) < _OFTEN:
            continue
        if len(facts[0]) <= _MANY * len({subject for subject, _ in facts[0]}):
            found[f"{first}{_BETWEEN}{second}"] = hops
    return found


def compose(
    name: str,
    hops: tuple[Hop, Hop],
    summaries: Summaries,
    middle: tuple[str, str] = MIDDLE,
    template: str = "",
    single_share: float = SINGLE_SHARE,
) -> Composition:
    """Compose two relations, leading from an entity through another to a third.

    Facts that lead back to their subject do not count. A fact is true but not asked about if one of the two relations
    alone leads from the subject to the object, since it then takes one step only.

    Args:
        name: the name of the composition.
        hops: its two steps.
        summaries: returns the summaries of the two relations.
        middle: placeholder of the middle entity in the sentence of each relation.
        template: its sentence, by default made from those of the two relations.
        single_share: see `KgConfig`.

    Raises:
        ConfigError: it has too many facts for the memory.
    """
    first, second = (summaries(hop.relation) for hop in hops)
    facts = _facts(hops, first, second, _MOST)
    if facts is None:
        raise ConfigError(f"{name} has more than {_MOST:,} facts", where="compose", hint="leave it out")
    proved, asked, incomplete = facts
    templates = (template,) if template else _templates(hops, first.relation_info, second.relation_info, middle)
    labels = [first.relation_info.label, second.relation_info.label]
    label = f" {_BETWEEN} ".join(labels) if all(labels) else ""
    info = Relation(
        name,
        templates[0],
        label,
        templates=templates if len(templates) > 1 else (),
        path=hops,
        complete=False if _is_sparse(hops, first, second) else UNSET,
    )
    return Composition(info, Facts(_triplets(proved, info, hops, first, second)), asked, incomplete, single_share)


def compose_all(
    paths: Mapping[str, tuple[Hop, Hop]],
    templates: Mapping[str, str],
    summaries: Summaries,
    middle: tuple[str, str],
    limit: int | None,
    output: Layout,
    single_share: float = SINGLE_SHARE,
) -> Iterator[tuple[ExtractedRelation, int]]:
    """Write the triplets and the summary of each composition.

    Returns:
        The counts of each, and its number of subjects left out for lack of a second step.

    Raises:
        DataError: a template cannot be filled in.
        ConfigError: there is nothing to ask about, or too much.
    """
    for name, hops in paths.items():
        made = compose(name, hops, summaries, middle, templates.get(name, ""), single_share)
        Template(made.relation, "compose")
        if made.relation.complete is False:
            what = "compose: most entities in the middle of %s lack %s, so that no answer is known to be wrong: %s"
            log.warning(what, name, hops[1].relation, "there are no true/false and no multiple-choice questions")
        if not made.asked:
            hint = "leave it out, or extract more: the objects of the first must be the subjects of the second"
            raise ConfigError(f"{name} has no fact to ask about", where="compose", hint=hint)
        summary = made.summary
        write_lines(output.triplets(name), islice(made.triplets(summary.relation_info), limit))
        write_json(output.summary(name), summary, indent=False)
        taken = list(islice(made.asked, limit))
        ends = digests(subject for subject, _ in taken), digests(object_ for _, object_ in taken)
        yield ExtractedRelation(summary.relation_info, made.facts.read, len(taken), *ends), made.incomplete


def _facts(
    hops: tuple[Hop, Hop], first: RelationSummary, second: RelationSummary, most: int
) -> tuple[list[tuple[str, str]], dict[tuple[str, str], None], int] | None:
    """Return the facts that follow, those to ask about, and the number of subjects with incomplete answer sets.

    Returns None beyond `most` facts: with a hub between them, two relations have nearly their product. Facts come first
    whose steps come first in the two relations, so that a `limit` selects facts together with their steps.
    """
    given, onwards = _known_end(hops[0]), _known_end(hops[1])
    place = {entity.uri: at for at, entity in enumerate(second.entities(onwards))}
    proved: list[tuple[str, str]] = []
    asked: dict[tuple[str, str], int] = {}
    incomplete = 0
    for at, entity in enumerate(first.entities(given)):
        uri = entity.uri
        middles = first.partners(uri, given)
        steps = [second.partners(middle, onwards) for middle in middles]
        reached = dict.fromkeys((uri, far) for step in steps for far in step if far != uri)
        proved += reached
        if len(proved) > most:
            return None
        if not all(steps):
            incomplete += any(steps)
            continue
        direct = {*middles, *second.partners(uri, onwards)}
        for middle, step in zip(middles, steps, strict=True):
            for pair in ((uri, far) for far in step if far != uri and far not in direct):
                asked[pair] = min(asked.get(pair, len(place) + at), max(at, place[middle]))
    return proved, dict.fromkeys(sorted(asked, key=asked.__getitem__)), incomplete


def _is_sparse(hops: tuple[Hop, Hop], first: RelationSummary, second: RelationSummary) -> bool:
    """Return whether the second step may lead to more entities than the graph has.

    It may if most middle entities lack the second relation, those that have it may have several objects, and the source
    does not claim to be complete: whoever is owned by a state is then likely to be owned by a member of UNESCO,
    whatever the graph says.
    """
    info, sought = second.relation_info, hops[1].sought
    if info.complete is True or info.type not in SEVERAL[sought]:
        return False
    middles = {entity.uri for entity in first.entities(hops[0].sought)}
    having = sum(bool(second.partners(uri, _known_end(hops[1]))) for uri in middles)
    return 2 * having < len(middles)


def _known_end(hop: Hop) -> End:
    return "subject" if hop.sought == "object" else "object"


def _triplets(
    facts: list[tuple[str, str]], info: Relation, hops: tuple[Hop, Hop], first: RelationSummary, second: RelationSummary
) -> Iterator[Triplet]:
    for subject, object_ in facts:
        one, other = _known(first, subject, _known_end(hops[0])), _known(second, object_, hops[1].sought)
        yield Triplet(one.label, other.label, object_, subject, info, one.aliases, other.aliases)


def _known(summary: RelationSummary, uri: str, end: End) -> Entity:
    return summary.entity(uri, end) or Entity(uri, "")


def _templates(hops: tuple[Hop, Hop], first: Relation, second: Relation, middle: tuple[str, str]) -> tuple[str, ...]:
    """Return two sentences, one for each step, in as many wordings as both relations have."""
    wordings = [relation.templates or (relation.template,) for relation in (first, second)]
    made = []
    for one, other in zip(*wordings, strict=False):
        lead = _sentence(first, one, hops[0], "[X]", middle[0])
        rest = _sentence(second, other, hops[1], middle[1], "[Y]")
        made.append(f"{lead} {rest}")
    return tuple(made)


def _sentence(relation: Relation, template: str, hop: Hop, given: str, sought: str) -> str:
    ends = (given, sought) if hop.sought == "object" else (sought, given)
    usual = replace(relation, template=template)
    text = Template(usual, relation.relation).fill(*ends).text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
