"""Mention of an entity, value or unknown name in a text, as stages 1 and 2 find it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from factprobe.reading.values.value import Value


class Mention(Struct, frozen=True, gc=False):
    """Mention of an entity, value or unknown name in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...] = ()
    """Candidate entities, in the order of the graph; several for an ambiguous name, none for an unknown one."""
    kind: Literal["name", "surname", "pronoun", "value", "unknown"] = "name"
    """Type of mention.

    `name` is a name of the graph, even if it is a surname (Mozart); `surname` any other surname; `pronoun` also a noun
    such as "the singer"; `unknown` a capitalised name that the graph lacks.
    """
    name: str = ""
    """Name of the antecedent; empty if there is none."""
    value: Value | None = None
    """Date or number, for mentions of values."""
