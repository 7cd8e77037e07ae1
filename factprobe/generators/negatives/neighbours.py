"""Roles and neighbours of entities in the whole graph, for strategies of wrong answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from factprobe.question_types import End
from factprobe.records import RelationSummary

_ENDS: tuple[End, ...] = ("subject", "object")
_NONE: frozenset[str] = frozenset()


class WholeGraph:
    """Roles and neighbours of the entities of a graph, each computed on first use.

    `summaries` returns the summaries of all relations; it is called once for the roles and once for the neighbours.
    """

    def __init__(self, summaries: Callable[[], Iterable[RelationSummary]]) -> None:
        self._summaries = summaries

    @cached_property
    def roles(self) -> dict[str, frozenset[str]]:
        """Roles of each entity, by URI: the relation ends at which it occurs, such as `P36:object`."""
        roles: dict[str, frozenset[str]] = {}
        unions: dict[tuple[frozenset[str], str], frozenset[str]] = {}  # equal sets share one object
        for summary in self._summaries():
            for end in _ENDS:
                role = role_of(summary, end)
                for entity in summary.entities(end):
                    before = roles.get(entity.uri, _NONE)
                    roles[entity.uri] = unions.get((before, role)) or unions.setdefault((before, role), before | {role})
        return roles

    @cached_property
    def neighbours(self) -> dict[str, list[str]]:
        """URIs of the entities that share a fact with an entity, by its URI; they may be repeated."""
        by_uri: dict[str, list[str]] = {}
        for summary in self._summaries():
            for end in _ENDS:
                for entity in summary.entities(end):
                    by_uri.setdefault(entity.uri, []).extend(summary.partners(entity.uri, end))
        return by_uri


def role_of(summary: RelationSummary, end: End) -> str:
    """Return the name of the role that entities have at one end of a relation: `P36:object`."""
    return f"{summary.relation_info.relation}:{end}"
