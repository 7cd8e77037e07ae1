"""Names for what a source has none for: an entity without a label, a relation without a template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from factprobe.records import Relation
from factprobe.text import one_line

LONGEST = 500
"""Characters of the longest name; a text beyond that is none."""

_IRI = re.compile(r"[a-z][a-z0-9+.-]*:(?:/|[^/\s]*:)", re.IGNORECASE)
"""How an IRI begins that can be cut: with `http://`, `urn:isbn:` and the like, but no `MONDO:0005148`."""
_LAST = re.compile(r"[^/#:]*$")
_SIGNS = str.maketrans("[]", "()")


def is_iri(uri: str) -> bool:
    """Whether an id is an IRI, which is no name of anything."""
    return _IRI.match(uri) is not None


def tail(uri: str) -> str:
    """What an IRI ends in, as it stands there; another id as a whole."""
    found = _LAST.search(uri.rstrip("/#:")) if is_iri(uri) else None
    return found[0] if found and found[0] else uri


def last_part(uri: str) -> str:
    """What an IRI ends in, in words: `New York` of `http://x/New_York`; any other id is left as it is."""
    return (one_line(unquote(tail(uri)).replace("_", " ")) or uri) if is_iri(uri) else uri


def relation_of(name: str, label: str, templates: Mapping[str, str], description: str = "") -> Relation:
    """A relation with the template that the settings give it, or a plain one that fits nouns and verbs alike.

    `[X], capital: [Y].` has no word of its own, and so suits a label of any language.
    """
    label = one_line(label) or last_part(name)
    plain = f"[X], {label.translate(_SIGNS)}: [Y]."
    return Relation(name, templates.get(name) or plain, label, one_line(description))
