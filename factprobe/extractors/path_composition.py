"""Composition of two relations into one, such as the country of a person's place of birth.

The answer set of a subject contains every entity that can be reached from it through any middle entity. Questions are
made only about subjects whose answer set is complete in the graph, and about facts that really need two steps.
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
from factprobe.kgs.summaries import Facts
from factprobe.question_types import other_end
from factprobe.records import SEVERAL, SINGLE_SHARE, Entity, Hop, Relation, RelationSummary, Triplet
from factprobe.storage import Layout, write_json, write_lines
from factprobe.templating import Template
from factprobe.text import normalise

_SEQUENCE, _INVERSE = "/", "^"
"""Operators of SPARQL's property paths: sequence and inverse (W3C, SPARQL 1.1, section 9)."""
_MIN_FACTS = 20
"""Minimum number of facts to ask about in an automatic composition."""
_MAX_ANSWERS = 10
"""Maximum mean number of answers of a subject in an automatic composition; nobody can name many more."""
_MAX_FACTS = 5_000_000
"""Maximum number of facts of a composition, which take 2 GB of memory."""
log = logging.getLogger(__name__)

Summaries = Callable[[str], RelationSummary]
"""Function that returns the complete summary of a relation by its name."""


class Composition(Struct, frozen=True):
    """Relation composed of two, with its facts."""

    relation: Relation
    facts: Facts
    """All facts that follow from the two relations."""
    facts_to_ask: dict[tuple[str, str], None]
    """Subject and object of each fact to ask about, in order."""
    incomplete: int
    """Number of subjects left out of questions, since the second step is missing from one of their middle entities."""
    single_share: float = SINGLE_SHARE
    """Setting `kg.single_share`, which decides the type of the relation."""

    @property
    def summary(self) -> RelationSummary:
        """Summary of the relation, with all its facts."""
        return self.facts.summary(self.relation, self.single_share)

    def triplets(self, info: Relation) -> Iterator[Triplet]:
        """Yield the facts to ask about as triplets of the relation `info`."""
        by_pair = {(fact.subject_uri, fact.object_uri): fact for fact in self.facts.triplets(info)}
        return (by_pair[pair] for pair in self.facts_to_ask)


def parse_path(name: str, known: Collection[str]) -> tuple[Hop, Hop] | None:
    """Parse a path such as `P19/P17`, or `^P19/P106` with the first relation reversed, into its two steps.

    Names of relations may contain slashes themselves. The result is None for any text but a path of two `known`
    relations.
    """
    parts = name.split(_SEQUENCE)
    for at in range(1, len(parts)):
        names = [_SEQUENCE.join(side) for side in (parts[:at], parts[at:])]
        hops = [Hop(step[1:], "subject") if step.startswith(_INVERSE) else Hop(step) for step in names]
        if all(hop.relation in known for hop in hops):
            return hops[0], hops[1]
    return None


def parse_paths(names: Collection[str], known: Collection[str]) -> dict[str, tuple[Hop, Hop]]:
    """Parse paths such as `P19/P17`; a relation's name, or a path not of two relations, raises a `ConfigError`."""
    for name in names:
        if name in known:
            hint = "select it with relations=, or give it another name in the graph"
            raise ConfigError(f"{name!r} is a relation of the graph, not a path", where="compose", hint=hint)
    paths = {name: parse_path(name, known) for name in names}
    for name, hops in paths.items():
        if hops is None:
            hint = "join two relations of the graph with a slash; put ^ before a relation to reverse it"
            raise ConfigError(f"{name!r} is not a path of two relations", where="compose", hint=hint)
    return {name: hops for name, hops in paths.items() if hops is not None}


def frequent_paths(known: Collection[str], summaries: Summaries) -> dict[str, tuple[Hop, Hop]]:
    """Return the paths of two relations, none reversed, that have enough facts to ask about and few answers."""
    paths = {}
    for first_name, second_name in product(known, known):
        if f"{first_name}{_SEQUENCE}{second_name}" in known:
            continue
        hops = Hop(first_name), Hop(second_name)
        first, second = summaries(first_name), summaries(second_name)
        ends, starts = first.node_summary.objects, second.node_summary.subjects
        if sum(len(ends[uri].subjects) for uri in ends.keys() & starts.keys()) < _MIN_FACTS:
            continue
        facts = _compose_facts(hops, first, second, min(_MAX_FACTS, _MAX_ANSWERS * len(first.node_summary.subjects)))
        if facts is None or len(facts[1]) < _MIN_FACTS:
            continue
        if len(facts[0]) <= _MAX_ANSWERS * len({subject for subject, _ in facts[0]}):
            paths[f"{first_name}{_SEQUENCE}{second_name}"] = hops
    return paths


def compose_relations(
    name: str,
    hops: tuple[Hop, Hop],
    summaries: Summaries,
    middle: tuple[str, str] = MIDDLE,
    template: str = "",
    single_share: float = SINGLE_SHARE,
) -> Composition:
    """Compose two relations, which lead from a subject through a middle entity to an object.

    A path back to its subject is no fact. A fact is true but not asked about if one of the two relations alone leads
    from the subject to the object or a namesake of it, since a single step would then answer the question, or if the
    middle entity has the name of the subject.

    Args:
        name: The name of the composition.
        hops: The two steps.
        summaries: The function that returns the summary of a relation.
        middle: Phrases for the middle entity in the sentence of the first relation and in that of the second.
        template: The sentence of the composition; by default it is made from the templates of the two relations.
        single_share: The setting `kg.single_share`, which decides the type of the relation.

    Raises:
        ConfigError: The composition has too many facts for the memory.
    """
    first, second = (summaries(hop.relation) for hop in hops)
    facts = _compose_facts(hops, first, second, _MAX_FACTS)
    if facts is None:
        raise ConfigError(f"{name} has more than {_MAX_FACTS:,} facts", where="compose", hint="leave it out")
    composed, facts_to_ask, incomplete = facts
    templates = (
        (template,) if template else _sentence_templates(hops, first.relation_info, second.relation_info, middle)
    )
    labels = [first.relation_info.label, second.relation_info.label]
    label = f" {_SEQUENCE} ".join(labels) if all(labels) else ""
    info = Relation(
        name,
        templates[0],
        label,
        templates=templates if len(templates) > 1 else (),
        path=hops,
        complete=False if _is_sparse(hops, first, second) else UNSET,
    )
    return Composition(
        info, Facts(_make_triplets(composed, info, hops, first, second)), facts_to_ask, incomplete, single_share
    )


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

    Yields:
        The counts of each composition, and the number of subjects left out because a second step is missing.

    Raises:
        DataError: A template cannot be filled in.
        ConfigError: A composition has no facts to ask about, or too many facts.
    """
    for name, hops in paths.items():
        composition = compose_relations(name, hops, summaries, middle, templates.get(name, ""), single_share)
        Template(composition.relation, "compose")
        if composition.relation.complete is False:
            what = "compose: most entities in the middle of %s lack %s, so that no answer is known to be wrong: %s"
            log.warning(what, name, hops[1].relation, "there are no true/false and no multiple-choice questions")
        if not composition.facts_to_ask:
            hint = "leave it out, or extract more: the objects of the first must be the subjects of the second"
            raise ConfigError(f"{name} has no fact to ask about", where="compose", hint=hint)
        summary = composition.summary
        write_lines(output.triplets(name), islice(composition.triplets(summary.relation_info), limit))
        write_json(output.summary(name), summary, indent=False)
        pairs = list(islice(composition.facts_to_ask, limit))
        ends = digests(subject for subject, _ in pairs), digests(object_ for _, object_ in pairs)
        counts = ExtractedRelation(summary.relation_info, composition.facts.facts_read, len(pairs), *ends)
        yield counts, composition.incomplete


def _compose_facts(
    hops: tuple[Hop, Hop], first: RelationSummary, second: RelationSummary, max_facts: int
) -> tuple[list[tuple[str, str]], dict[tuple[str, str], None], int] | None:
    """Return the composed facts, the facts to ask about, and the number of subjects with incomplete answer sets.

    The facts to ask about are ordered by the positions of their two steps in the relations, so that a `limit` selects
    facts together with their steps. The result is None if there are more than `max_facts` facts, as with a middle
    entity that relates nearly all subjects to all objects.
    """
    given, middle_end = other_end(hops[0].sought), other_end(hops[1].sought)
    place = {entity.uri: at for at, entity in enumerate(second.entities(middle_end))}
    ends = (*first.entities(given), *first.entities(hops[0].sought), *second.entities(hops[1].sought))
    names = {entity.uri: normalise(entity.label) or entity.uri for entity in ends}
    composed: list[tuple[str, str]] = []
    facts_to_ask: dict[tuple[str, str], int] = {}
    incomplete = 0
    for at, entity in enumerate(first.entities(given)):
        uri = entity.uri
        middles = first.partners(uri, given)
        steps = [second.partners(middle, middle_end) for middle in middles]
        composed += dict.fromkeys((uri, far) for step in steps for far in step if far != uri)
        if len(composed) > max_facts:
            return None
        if not all(steps):
            incomplete += any(steps)
            continue
        direct = {names[one] for one in (uri, *middles, *second.partners(uri, middle_end))}
        for middle, step in zip(middles, steps, strict=True):
            for pair in ((uri, far) for far in step if names[middle] != names[uri] and names[far] not in direct):
                facts_to_ask[pair] = min(facts_to_ask.get(pair, len(place) + at), max(at, place[middle]))
    return composed, dict.fromkeys(sorted(facts_to_ask, key=facts_to_ask.__getitem__)), incomplete


def _is_sparse(hops: tuple[Hop, Hop], first: RelationSummary, second: RelationSummary) -> bool:
    """Return whether the graph may lack many answers of the second step.

    That is assumed if most middle entities have no fact of the second relation, this relation allows several answers,
    and the source does not claim to be complete. For example, nearly every state is a member of UNESCO, even if the
    graph has few such facts.
    """
    info, sought = second.relation_info, hops[1].sought
    if info.complete is True or info.type not in SEVERAL[sought]:
        return False
    middles = {entity.uri for entity in first.entities(hops[0].sought)}
    with_step = sum(bool(second.partners(uri, other_end(hops[1].sought))) for uri in middles)
    return 2 * with_step < len(middles)


def _make_triplets(
    facts: list[tuple[str, str]], info: Relation, hops: tuple[Hop, Hop], first: RelationSummary, second: RelationSummary
) -> Iterator[Triplet]:
    for subject, object_ in facts:
        start = first.entity(subject, other_end(hops[0].sought)) or Entity(subject, "")
        end = second.entity(object_, hops[1].sought) or Entity(object_, "")
        yield Triplet(start.label, end.label, object_, subject, info, start.aliases, end.aliases)


def _sentence_templates(
    hops: tuple[Hop, Hop], first: Relation, second: Relation, middle: tuple[str, str]
) -> tuple[str, ...]:
    """Return templates of two sentences, one for each step, as many as the relation with fewer templates has."""
    by_relation = [relation.templates or (relation.template,) for relation in (first, second)]
    templates = []
    for first_template, second_template in zip(*by_relation, strict=False):
        lead = _make_sentence(first, first_template, hops[0], "[X]", middle[0])
        rest = _make_sentence(second, second_template, hops[1], middle[1], "[Y]")
        templates.append(f"{lead} {rest}")
    return tuple(templates)


def _make_sentence(relation: Relation, template: str, hop: Hop, given: str, sought: str) -> str:
    ends = (given, sought) if hop.sought == "object" else (sought, given)
    text = Template(replace(relation, template=template), relation.relation).fill(*ends).text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
