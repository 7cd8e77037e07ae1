"""Preparation: kinds of relations (about people, with values, temporary), guessed from names and templates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from typing import Literal

from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.forms import people as person_test
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Relation, RelationSummary
from factprobe.text import normalise

_SAMPLE = 200
"""Number of sampled facts or labels of a relation."""
_MIN_PERSON_SHARE = 0.25
"""Share of personal names among the subjects above which a relation is about people."""
_PRESENT_ENDINGS = in_order("present_ending")


class RelationKinds:
    """Kinds of a graph's relations; each property has the ids of the relations of a kind."""

    def __init__(self, summaries: Mapping[str, RelationSummary]) -> None:
        self._summaries = summaries

    @cached_property
    def of_two_kinds(self) -> frozenset[str]:
        """Relations in which no entity is both a subject and an object, such as place of birth."""
        ends = ((key, summary.node_summary) for key, summary in self._summaries.items())
        return frozenset(key for key, nodes in ends if nodes.subjects.keys().isdisjoint(nodes.objects))

    @cached_property
    def of_values(self) -> Mapping[str, Literal["date", "number"]]:
        """Relations whose objects are mostly dates or numbers, with the more frequent of the two."""
        kinds: dict[str, Literal["date", "number"]] = {}
        for relation, summary in self._summaries.items():
            values = [value_of(entity.label) for entity in islice(summary.entities("object"), _SAMPLE)]
            if 2 * sum(value is not None for value in values) > len(values):
                dates = sum(value is not None and not value.is_number() for value in values)
                kinds[relation] = "date" if 2 * dates > len(values) else "number"
        return kinds

    @cached_property
    def of_people(self) -> frozenset[str]:
        """Relations whose subjects are people, judged by a sample of their names."""
        relations = set()
        for relation, summary in self._summaries.items():
            subjects = {entity.uri: entity for entity in islice(summary.entities("subject"), _SAMPLE)}
            is_person = person_test(subjects)
            if sum(is_person(entity.label) for entity in subjects.values()) > _MIN_PERSON_SHARE * len(subjects):
                relations.add(relation)
        return frozenset(relations)

    @cached_property
    def temporary(self) -> frozenset[str]:
        """Relations whose facts can end, so that the past tense may mean that they have ended.

        Their template is in the present tense ("is the capital of"). Relations about people are left out, since texts
        about the dead are in the past tense.
        """
        present = (key for key, summary in self._summaries.items() if _is_in_present(summary.relation_info))
        return frozenset(present).difference(self.of_people)


def _is_in_present(relation: Relation) -> bool:
    """Return whether the template of a relation is in the present tense, or has only the words of its label.

    It is in the present tense if it has "is" or "has", or a verb after the subject ("[X] borders [Y]"), unlike "[X],
    capital: [Y]."
    """
    words = normalise(relation.template.replace("[X]", " ").replace("[Y]", " ")).split()
    if words == normalise(relation.label).split():
        return True
    is_plain = bool(words) and not relation.template.startswith(words[0]) and words[0].endswith(_PRESENT_ENDINGS)
    return not vocabulary("present").isdisjoint(words) or (is_plain and words[0] not in vocabulary("past_state"))
