"""Conversion of ids to IRIs and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

_PREFIX = "urn:factprobe:"
"""Start of IRIs that are made for ids that are no IRIs."""
_ESCAPED_CHARACTER = re.compile(r"[^\w.~-]")


def to_iri(name: str) -> NamedNode:
    """Return the IRI of an id: the id if it is an IRI, else `urn:factprobe:` with the id percent-encoded."""
    from pyoxigraph import NamedNode

    try:
        if not name.startswith(_PREFIX):
            return NamedNode(name)
    except ValueError:
        pass
    try:
        return NamedNode(_PREFIX + _ESCAPED_CHARACTER.sub(lambda sign: quote(sign[0], safe="", errors="replace"), name))
    except ValueError:  # it contains characters that IRIs exclude
        return NamedNode(_PREFIX + quote(name, safe="", errors="replace"))


def from_iri(iri: str) -> str:
    """Return the id for which `to_iri` made an IRI; any other IRI is unchanged."""
    return unquote(iri[len(_PREFIX) :]) if iri.startswith(_PREFIX) else iri
