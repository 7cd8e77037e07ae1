"""Columns of the terms in pyoxigraph's triples."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from factprobe.kgs.rdf.naming_predicates import Ranks
from factprobe.kgs.rdf.triples import NONE, Columns
from factprobe.storage import to_utf8
from factprobe.text import one_line

if TYPE_CHECKING:
    from pyoxigraph import Quad

COLUMNS = ("subject", "predicate", "object", "datatype", "language")
"""Names of the columns of `Terms`, which `Triples` loads."""


_POSITION = re.compile(r"^Parser error (?:at (?:line \d+ )?)?(?:((?:column|between columns) [\d and]+: )|.*?: )")
_NO_CONTEXT = "remote contexts are not fetched: put the context into the file"


def describe_broken_triple(message: str, name: str) -> str:
    """Return the parser's message for a broken triple without its line number, and with a hint if there is one."""
    hint = to_utf8(name) if "UTF-8" in message else _NO_CONTEXT if "remote contexts" in message else ""
    text = one_line(_POSITION.sub(lambda found: found[1] or "", message))
    return f"broken triple: {text}" + (f"; {hint}" if hint else "")


class Terms:
    """Columns of triples, filled from batches, in a third of the time of one triple after another."""

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}

    def __len__(self) -> int:
        return len(self._columns["subject"])

    def add(self, quads: Sequence[Quad]) -> None:
        """Add the terms of triples, from all graphs."""
        from pyoxigraph import BlankNode, Literal, NamedNode

        objects: list[Any] = [quad.object for quad in quads]
        plain = {type(value) for value in objects} <= {NamedNode, BlankNode, Literal}
        columns = self._columns
        columns["subject"] += [str(quad.subject) for quad in quads]
        columns["predicate"] += [str(quad.predicate) for quad in quads]
        columns["object"] += [o.value for o in objects] if plain else [getattr(o, "value", "") for o in objects]
        columns["datatype"] += [
            "" if type(o) is NamedNode else o.datatype.value if type(o) is Literal else NONE for o in objects
        ]
        columns["language"] += [self._ranks[o.language] if type(o) is Literal else 0 for o in objects]

    def take(self) -> Columns:
        """Return the collected columns and start empty ones."""
        columns, self._columns = self._columns, {name: [] for name in COLUMNS}
        return columns
