"""What a graph's facts say about its relations, before anything is asked about them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from factprobe.metrics.breakdowns import Shown
from factprobe.metrics.inverses import Inverse, inverses
from factprobe.metrics.oddities import ENDS, giveaways, loops, placeholders, shared_labels
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.records import SINGLE_SHARE, Relation, RelationSummary, RelationType, observed_type
from factprobe.text import counted

_NAMED = 5
"""Labels that are named of each kind."""


class Degrees(Struct, frozen=True):
    """How many facts of a relation the entities of one side have."""

    median: int
    high: int
    """That nine in ten do not pass."""
    most: int


class InspectedRelation(Struct, frozen=True):
    """A relation as its facts show it."""

    generator: ClassVar[str] = ""
    model: ClassVar[str] = ""
    kg: str
    relation: str
    label: str
    template: str
    """Empty where it has none."""
    worded: bool
    """Whether somebody has written the template, or it is made of the label."""
    facts: int
    """Distinct ones."""
    subjects: int
    objects: int
    declared: RelationType | str
    """The type that the source gives it; empty where it gives none."""
    type: RelationType
    """The type that most of the facts show, see `observed_type`."""
    one_object: float
    """The share of subjects with one object, in [0, 1]."""
    one_subject: float
    """The share of objects with one subject, in [0, 1]."""
    subject_degrees: Degrees
    object_degrees: Degrees
    shared_labels: int
    """Subjects and objects whose label another one on the same side has too."""
    namesakes: int
    """Subjects that are asked about in the same words as another one with other objects."""
    giveaways: int
    """Facts whose subject's label names the object, in whole words."""
    giveaway: tuple[str, str] | None
    """The labels of the first of them."""
    unnamed: int
    """Subjects and objects without any name."""
    inverses: tuple[Inverse, ...] = ()
    namesakes_named: tuple[tuple[str, int], ...] = ()
    """The labels that most of `namesakes` have, and how many have each."""
    alike: int = 0
    """Objects of one name, which no reply tells apart."""
    alike_named: tuple[tuple[str, int], ...] = ()
    """The labels that most of them have, and how many have each."""
    loops: int = 0
    """Facts that relate an entity to itself."""
    loop: str = ""
    """The label of the first such entity."""
    placeholders: int = 0
    """Facts with a label that may name nothing: N/A, unknown, -, yes."""
    placeholders_named: tuple[tuple[str, int], ...] = ()
    """Those of most facts, and how many have each."""
    no_sentence: str = ""
    """Why a template that somebody has written makes no sentence, it seems."""

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or self.relation

    @property
    def given_away(self) -> float:
        """The share of facts whose subject's label names the object, in [0, 1]."""
        return self.giveaways / self.facts if self.facts else 0.0

    @property
    def reversed_by(self) -> str:
        """The relations that say the same the other way round."""
        return ", ".join(inverse.relation for inverse in self.inverses)


class InspectionTable(Shown):
    """The rows of `InspectedRelation`."""

    title = "The graph's relations"
    note = (
        "Type: N-1 where nearly all subjects have one object (kg.single_share), and the like of objects. In the name: "
        "facts whose subject's name has the object's in it. Namesakes: subjects asked about in the same words as "
        "others with other objects."
    )
    heads: ClassVar[Mapping[str, str]] = {
        "label": "label",
        "type": "type",
        "declared": "declared",
        "reversed_by": "inverse",
        "facts": "facts",
        "subjects": "subjects",
        "objects": "objects",
        "one_object": "one object",
        "one_subject": "one subject",
        "given_away": "in the name",
        "namesakes": "namesakes",
        "unnamed": "unnamed",
    }
    main = "one_object"
    of_models = False
    by = "relation"


def inspect_relation(
    kg: str, summary: RelationSummary, declared: str, *, worded: bool, single_share: float = SINGLE_SHARE
) -> InspectedRelation:
    """What the facts of one relation say; nothing of its inverses yet.

    Args:
        kg: the name of the graph.
        summary: of all facts of the relation.
        declared: its type as the source has it, or nothing.
        worded: whether its template is more than its label.
        single_share: as in `KgConfig`.
    """
    info = summary.relation_info
    degrees = {end: _degrees(summary, end) for end in ("subject", "object")}
    one_object, one_subject = (_single(found) for found in degrees.values())
    shared, namesakes, alike = shared_labels(summary)
    given, looped, nothing = list(giveaways(summary)), loops(summary), placeholders(summary)
    return InspectedRelation(
        kg,
        info.relation,
        info.label,
        info.template,
        worded,
        facts=sum(degrees["subject"]),
        subjects=len(degrees["subject"]),
        objects=len(degrees["object"]),
        declared=declared,
        type=observed_type(one_object, one_subject, single_share),
        one_object=one_object,
        one_subject=one_subject,
        subject_degrees=_quantiles(degrees["subject"]),
        object_degrees=_quantiles(degrees["object"]),
        shared_labels=shared,
        namesakes=sum(count for _, count in namesakes),
        giveaways=len(given),
        giveaway=given[0] if given else None,
        unnamed=sum(not entity.names() for end in ENDS for entity in summary.entities(end)),
        namesakes_named=tuple(namesakes[:_NAMED]),
        alike=sum(count for _, count in alike),
        alike_named=tuple(alike[:_NAMED]),
        loops=len(looped),
        loop=looped[0] if looped else "",
        placeholders=sum(count for _, count in nothing),
        placeholders_named=tuple(nothing[:_NAMED]),
        no_sentence=_no_sentence(info) if worded else "",
    )


def _no_sentence(relation: Relation) -> str:
    """Return why a template seems to make no sentence; empty where it may make one."""
    template = relation.template
    for symbol in (relation.subject_symbol, relation.object_symbol):
        before = template.partition(symbol)[0]
        if before.count("(") > before.count(")"):
            return f"{symbol} is in brackets"
    words = template.replace(relation.subject_symbol, " ").replace(relation.object_symbol, " ").lower()
    found = re.findall(r"[a-z']+", words)
    is_english = not vocabulary("agreement_sentence").isdisjoint(found)
    return "it has no verb" if is_english and not any(_may_be_verb(word) for word in found) else ""


def _may_be_verb(word: str) -> bool:
    return word in _verbs() or (len(word) > 2 and word.endswith(("s", "ed")))


@cache
def _verbs() -> frozenset[str]:
    """Return the finite forms of the verbs that are known and do not end as regular ones do."""
    irregular = (form for plain, others in table("negation_irregular").items() for form in (plain, *others))
    lists = ("negation_plain", "negation_of_can", "negation_modal", "negation_perfect", "negation_do")
    return vocabulary(*lists).union(irregular, in_order("negation_regular"))


def _degrees(summary: RelationSummary, end: str) -> list[int]:
    nodes = summary.node_summary.subjects if end == "subject" else summary.node_summary.objects
    return sorted(len(node.partners) for node in nodes.values())


def _single(degrees: Sequence[int]) -> float:
    return degrees.count(1) / len(degrees) if degrees else 0.0


def _quantiles(degrees: Sequence[int]) -> Degrees:
    """Of sorted numbers, each one that occurs."""
    if not degrees:
        return Degrees(0, 0, 0)
    last = len(degrees) - 1
    return Degrees(degrees[last // 2], degrees[-(-9 * last // 10)], degrees[-1])


def with_inverses(rows: Iterable[InspectedRelation], sketches: Mapping[str, array[int]]) -> list[InspectedRelation]:
    """The rows with what others say the other way round."""
    found = inverses(sketches)
    return [replace(row, inverses=found[row.relation]) for row in rows]


def warnings(row: InspectedRelation) -> Iterator[str]:
    """What somebody should know who asks about a relation, a sentence each."""
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
        facts = (
            "1 fact relates an entity to itself:"
            if row.loops == 1
            else f"{row.loops:,} facts relate an entity to itself, e.g."
        )
        yield f"{facts} {row.loop}"
    if row.namesakes:
        what = "subjects are asked about in the same words as others with other objects"
        yield f"{row.namesakes:,} {what}, e.g. {_counted(row.namesakes_named)}"
    if row.alike:
        what = "objects share their name with another, which no reply tells apart"
        yield f"{row.alike:,} {what}, e.g. {_counted(row.alike_named)}"
    if row.placeholders:
        what = (
            "1 fact has a value that names"
            if row.placeholders == 1
            else f"{row.placeholders:,} facts have values that name"
        )
        yield f"{what} nothing, it seems: {_counted(row.placeholders_named)}"
    if row.unnamed:
        yield f"no name, and no question about it: {counted(row.unnamed, 'entity', 'entities')}"
    if row.no_sentence:
        yield f"its template {row.template!r} seems to make no sentence: {row.no_sentence}"
    if not row.worded:
        yield f"no template of its own: asked as {row.template!r}" if row.template else "no template: nothing is asked"


def _counted(named: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{label} ({count:,})" for label, count in named)
