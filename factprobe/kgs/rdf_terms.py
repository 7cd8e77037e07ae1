"""The terms of pyoxigraph's triples in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from factprobe.kgs.naming import Ranks
from factprobe.kgs.triples import NONE, Columns
from factprobe.storage import to_utf8
from factprobe.text import one_line

if TYPE_CHECKING:
    from pyoxigraph import Quad

COLUMNS = ("subject", "predicate", "object", "datatype", "language")
"""Those of `Triples`."""


_POSITION = re.compile(r"^Parser error (?:at (?:line \d+ )?)?(?:((?:column|between columns) [\d and]+: )|.*?: )")
_NO_CONTEXT = "nothing is fetched: put the context into the file"


def broken(said: str, name: str) -> str:
    """What is told of a broken triple in the file of a name, by what its parser says, but for the line."""
    hint = to_utf8(name) if "UTF-8" in said else _NO_CONTEXT if "remote contexts" in said else ""
    told = one_line(_POSITION.sub(lambda found: found[1] or "", said))
    return f"broken triple: {told}" + (f"; {hint}" if hint else "")


class Terms:
    """Triples by columns, which are filled from lists: triple by triple that takes thrice as long."""

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}

    def __len__(self) -> int:
        return len(self._columns["subject"])

    def add(self, quads: Sequence[Quad]) -> None:
        """Adds the terms of triples, whichever graph they are in."""
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

    def taken(self) -> Columns:
        """What there is; then there is nothing."""
        columns, self._columns = self._columns, {name: [] for name in COLUMNS}
        return columns
