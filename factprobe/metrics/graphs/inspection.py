"""Statistics of a graph's relations, computed from its facts."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.breakdowns.base import TableSpec, headers
from factprobe.metrics.graphs.inverses import Inverse, inverses
from factprobe.metrics.graphs.oddities import giveaways, loops, placeholders, shared_labels
from factprobe.question_types import ENDS
from factprobe.reading.bracketed import as_sentence
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.records import SINGLE_SHARE, Relation, RelationSummary, RelationType, observed_type
from factprobe.text import format_count

_MAX_EXAMPLES = 5


class Degrees(Struct, frozen=True):
    """Distribution of the number of facts per entity at one end of a relation."""

    median: int
    high: int
    """90th percentile."""
    most: int


class InspectedRelation(Struct, frozen=True):
    """Statistics of a relation; a field `X_named` has the most frequent labels counted in `X`, each with its count."""

    generator: ClassVar[str] = ""
    model: ClassVar[str] = ""
    kg: str
    relation: str
    label: str
    template: str
    worded: bool
    """True if the template is from the source, False if it was made from the label."""
    facts: int
    subjects: int
    objects: int
    declared: RelationType | str
    """Relation type that the source declares; empty if it declares none."""
    type: RelationType
    """Relation type that follows from the facts; see `observed_type`."""
    one_object: float
    """Share of subjects with a single object, in [0, 1]."""
    one_subject: float
    """Share of objects with a single subject, in [0, 1]."""
    subject_degrees: Degrees
    object_degrees: Degrees
    shared_labels: int
    """Number of entities that share their label with another entity at the same end of the relation."""
    namesakes: int
    """Number of subjects that share their label with a subject of other objects."""
    giveaways: int
    """Number of facts in which the subject's label contains the object's (`Bank of England`, `England`)."""
    giveaway: tuple[str, str] | None
    """Labels of a fact's subject and object of which the first contains the second; None if there is no such fact."""
    unnamed: int
    """Number of subjects and objects without a name."""
    inverses: tuple[Inverse, ...] = ()
    namesakes_named: tuple[tuple[str, int], ...] = ()
    alike: int = 0
    """Number of objects that share their label with another object, so that a reply cannot tell them apart."""
    alike_named: tuple[tuple[str, int], ...] = ()
    loops: int = 0
    """Number of facts that relate an entity to itself."""
    loop: str = ""
    """Label of an entity that is related to itself; empty if there is none."""
    placeholders: int = 0
    """Number of facts with a label that may be a missing value, such as `N/A`, `unknown`, `-` or `yes`."""
    placeholders_named: tuple[tuple[str, int], ...] = ()
    no_sentence: str = ""
    """Reason why the source's template seems to be no sentence; empty if it may be one."""

    @property
    def name(self) -> str:
        """Label of the relation, or its id if it has no label."""
        return self.label or self.relation

    @property
    def given_away(self) -> float:
        """Share of facts in which the subject's label contains the object's, in [0, 1]."""
        return self.giveaways / self.facts if self.facts else 0.0

    @property
    def reversed_by(self) -> str:
        """Ids of the inverse relations, separated by commas."""
        return ", ".join(inverse.relation for inverse in self.inverses)


class InspectionTable(TableSpec):
    """Table of the statistics of relations."""

    title = "The graph's relations"
    note = (
        "Type: from the facts; N-1 if nearly all subjects have a single object (kg.single_share). One object: share of "
        "subjects with a single object. One subject: share of objects with a single subject. In the name: share of "
        "facts whose subject's name contains the object's. Namesakes: subjects that share their name with a subject of "
        "other objects. Unnamed: entities without a name."
    )
    heads = headers(
        "label type declared reversed_by facts subjects objects one_object one_subject given_away namesakes unnamed",
        reversed_by="inverse",
        given_away="in the name",
    )
    main = "one_object"
    of_models = False
    by = "relation"


def inspect_relation(
    kg: str, summary: RelationSummary, declared: str, *, worded: bool, single_share: float = SINGLE_SHARE
) -> InspectedRelation:
    """Compute the statistics of one relation, except its inverses, from the summary of all its facts."""
    info = summary.relation_info
    nodes = summary.node_summary
    degrees = [sorted(len(node.partners) for node in end.values()) for end in (nodes.subjects, nodes.objects)]
    one_object, one_subject = (numbers.count(1) / len(numbers) if numbers else 0.0 for numbers in degrees)
    shared, namesakes, alike = shared_labels(summary)
    labels, looped = list(giveaways(summary)), loops(summary)
    named = {"namesakes": namesakes, "alike": alike, "placeholders": placeholders(summary)}
    counts: dict[str, Any] = {name: sum(count for _, count in found) for name, found in named.items()}
    counts |= {f"{name}_named": tuple(found[:_MAX_EXAMPLES]) for name, found in named.items()}
    return InspectedRelation(
        kg,
        info.relation,
        info.label,
        info.template,
        worded,
        facts=sum(degrees[0]),
        subjects=len(degrees[0]),
        objects=len(degrees[1]),
        declared=declared,
        type=observed_type(one_object, one_subject, single_share),
        one_object=one_object,
        one_subject=one_subject,
        subject_degrees=_compute_quantiles(degrees[0]),
        object_degrees=_compute_quantiles(degrees[1]),
        shared_labels=shared,
        giveaways=len(labels),
        giveaway=labels[0] if labels else None,
        unnamed=sum(not entity.names() for end in ENDS for entity in summary.entities(end)),
        loops=len(looped),
        loop=looped[0] if looped else "",
        no_sentence=_template_problem(info) if worded else "",
        **counts,
    )


def _template_problem(relation: Relation) -> str:
    """Return why a template seems to be no sentence; empty if it may be one."""
    template = relation.template
    for symbol in (relation.subject_symbol, relation.object_symbol):
        before = template.partition(symbol)[0]
        if before.count("(") > before.count(")"):
            return f"{symbol} is in brackets"
    words = template.replace(relation.subject_symbol, " ").replace(relation.object_symbol, " ").lower()
    forms = re.findall(r"[a-z']+", words)
    is_english = not vocabulary("agreement_sentence").isdisjoint(forms)
    has_verb = any(word in _list_irregular_verbs() or (len(word) > 2 and word.endswith(("s", "ed"))) for word in forms)
    return "it has no verb" if is_english and not has_verb else ""


@cache
def _list_irregular_verbs() -> frozenset[str]:
    """Return known verb forms that cannot be recognised by the endings -s and -ed."""
    irregular = (form for plain, others in table("negation_irregular").items() for form in (plain, *others))
    lists = ("negation_plain", "negation_of_can", "negation_modal", "negation_perfect", "negation_do")
    return vocabulary(*lists).union(irregular, in_order("negation_regular"))


def _compute_quantiles(degrees: Sequence[int]) -> Degrees:
    """Return median, 90th percentile and maximum of sorted numbers; zeros if there are none."""
    if not degrees:
        return Degrees(0, 0, 0)
    last = len(degrees) - 1
    return Degrees(degrees[last // 2], degrees[-(-9 * last // 10)], degrees[-1])


def with_inverses(rows: Iterable[InspectedRelation], sketches: Mapping[str, array[int]]) -> list[InspectedRelation]:
    """Add the inverse relations to the rows; `sketches` has the `sketch` of each relation, by its id."""
    by_relation = inverses(sketches)
    return [replace(row, inverses=by_relation[row.relation]) for row in rows]


def warnings(row: InspectedRelation) -> Iterator[str]:
    """Yield warnings on what could make a relation's questions flawed, each in a line."""
    if row.declared and row.declared != row.type:
        yield (
            f"declared as {row.declared}, and its facts are {row.type}: {row.one_object:.1%} of the subjects have one "
            f"object, {row.one_subject:.1%} of the objects one subject"
        )
    for inverse in row.inverses:
        if inverse.relation == row.relation:
            yield f"symmetric: {inverse.share:.1%} of its pairs stand both ways round"
        else:
            yield f"inverse of {inverse.relation}: {inverse.share:.1%} of its pairs stand there the other way round"
    if row.giveaway is not None:
        subject, object_ = row.giveaway
        yield f"{row.given_away:.1%} of the facts name the object in the subject: {subject} → {object_}"
    if row.loops:
        one, several = "1 fact relates an entity to itself:", f"{row.loops:,} facts relate an entity to itself, e.g."
        yield f"{one if row.loops == 1 else several} {row.loop}"
    if row.namesakes:
        what = "subjects are asked about in the same words as others with other objects"
        yield f"{row.namesakes:,} {what}, e.g. {_format_counts(row.namesakes_named)}"
    if row.alike:
        what = "objects share their name with another, which no reply tells apart"
        yield f"{row.alike:,} {what}, e.g. {_format_counts(row.alike_named)}"
    if row.placeholders:
        one, several = "1 fact has a value that names", f"{row.placeholders:,} facts have values that name"
        yield f"{one if row.placeholders == 1 else several} nothing, it seems: {_format_counts(row.placeholders_named)}"
    if row.unnamed:
        yield f"no name, and no question about it: {format_count(row.unnamed, 'entity', 'entities')}"
    yield from _template_warnings(row)


def _template_warnings(row: InspectedRelation) -> Iterator[str]:
    if row.no_sentence:
        yield f"its template {row.template!r} seems to make no sentence: {row.no_sentence}"
        if sentence := as_sentence(row.template):
            yield f"its questions are worded as {sentence!r}"
    if not row.worded:
        yield f"no template of its own: asked as {row.template!r}" if row.template else "no template: nothing is asked"


def _format_counts(named: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{label} ({count:,})" for label, count in named)
