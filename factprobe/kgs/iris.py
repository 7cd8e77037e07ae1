"""Conversion of ids to IRIs and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

_OWN = "urn:factprobe:"
"""Start of the IRI made for an id that is not an IRI."""
_SIGN = re.compile(r"[^\w.~-]")


def to_iri(name: str) -> NamedNode:
    """Return the IRI of an id: itself if it is an IRI, and else its percent-encoded form after `urn:factprobe:`."""
    from pyoxigraph import NamedNode

    try:
        if not name.startswith(_OWN):
            return NamedNode(name)
    except ValueError:
        pass
    try:
        return NamedNode(_OWN + _SIGN.sub(lambda sign: quote(sign[0], safe="", errors="replace"), name))
    except ValueError:  # it contains characters that IRIs exclude
        return NamedNode(_OWN + quote(name, safe="", errors="replace"))


def from_iri(iri: str) -> str:
    """Return the id from which `to_iri` made an IRI; any other IRI is returned unchanged."""
    return unquote(iri[len(_OWN) :]) if iri.startswith(_OWN) else iri
