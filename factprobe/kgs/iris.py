"""Ids as IRIs and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

_OWN = "urn:factprobe:"
"""How the IRI of an id begins that is none itself."""
_SIGN = re.compile(r"[^\w.~-]")


def to_iri(name: str) -> NamedNode:
    """An IRI as it stands, and any other id behind `urn:factprobe:`, its signs percent-encoded."""
    from pyoxigraph import NamedNode

    try:
        if not name.startswith(_OWN):
            return NamedNode(name)
    except ValueError:
        pass
    try:
        return NamedNode(_OWN + _SIGN.sub(lambda sign: quote(sign[0], safe="", errors="replace"), name))
    except ValueError:  # of letters that no IRI holds
        return NamedNode(_OWN + quote(name, safe="", errors="replace"))


def from_iri(iri: str) -> str:
    """The id that an IRI was made of; any other IRI as it stands."""
    return unquote(iri[len(_OWN) :]) if iri.startswith(_OWN) else iri
