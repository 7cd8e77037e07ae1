"""Names for what a source has none for: an entity without a label, a relation without a template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from factprobe.records import Entity, Period, Relation, Triplet
from factprobe.text import one_line

LONGEST = 500
"""Characters of the longest name; a text beyond that is none."""

_IRI = re.compile(r"[a-z][a-z0-9+.-]*:(?:/|[^/\s]*:)", re.IGNORECASE)
"""How an IRI begins that can be cut: with `http://`, `urn:isbn:` and the like, but no `MONDO:0005148`."""
_LAST = re.compile(r"[^/#:]*$")
_SIGNS = str.maketrans("[]", "()")
_PREFIX = re.compile(r"(?:[A-Za-z][\w.-]*:|/.*/)(?=[^\W\d_])")
"""Of a CURIE whose other part is no number, and the folders of a relation of Freebase."""
_CODE = re.compile(
    r"""(?=.*\d)(?:
    (?!.*[a-z]{2})[ -~]+  # no two small letters together: Q90, HP 0000118
    |(?=.*[A-Za-z]\d)(?!.*(?<![A-Za-z\d])\d*[A-Za-z]+(?![A-Za-z\d]))[ -~]+  # digits glued to each word: work12
    |.*(?<![\d.,])0\d\d.*  # a number filled up with zeros: person 0042
    |.*\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}\b.*  # hexadecimal
    |.*\b[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\b.*  # a UUID
    )""",
    re.VERBOSE | re.ASCII,
)
"""What no one calls a thing by; `Windows95` too, which cannot be told from `Person12`, but not `Windows_95`."""
_HUMP = re.compile(r"(?<=[A-Za-z][a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINTS = str.maketrans("_-", "  ")


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


def stand_in(uri: str) -> str:
    """What an entity without a label goes by beside others that have one: its id, or the words that its IRI ends in;
    nothing where that is a code, such as `Q90`, `HP_0000118`, `work12` or `/m/02mjmr`."""
    name = last_part(uri)
    is_code = _CODE.fullmatch(name) or (not is_iri(uri) and re.search("^/|:", uri))
    return "" if is_code else name


def relation_of(name: str, label: str, templates: Mapping[str, str], description: str = "") -> Relation:
    """A relation with the template that the settings give it, or a plain one; without a label it goes by its id."""
    label = one_line(label) or in_words(name)
    return Relation(name, templates.get(name) or plain_template(label), label, one_line(description))


def plain_template(label: str) -> str:
    """A template that fits nouns and verbs alike.

    `[X], capital: [Y].` has no word of its own, and so suits a label of any language.
    """
    return f"[X], {label.translate(_SIGNS)}: [Y]."


def is_worded(relation: Relation) -> bool:
    """Whether a relation has a template that is more than its label."""
    return relation.template not in ("", plain_template(relation.label))


def in_words(name: str) -> str:
    """The words of a relation's id that programs have joined: `birth place` of `birthPlace`, `treats` of
    `biolink:treats`; what people have written and a code such as `P36` or `RO:0002211` are left as they are."""
    whole = last_part(name)
    if " " in whole:
        return whole
    local = _PREFIX.sub("", whole)
    words = _HUMP.sub(" ", local).split() if local.isascii() else [local]
    if len(words) > 1:
        words = [word if word.isupper() and len(word) > 1 else word.lower() for word in words]
    return one_line(" ".join(words).translate(_JOINTS)) or whole


def triplet_of(relation: Relation, subject: Entity, object_: Entity, period: Period | None = None) -> Triplet:
    """A fact of two entities."""
    return Triplet(
        subject.label,
        object_.label,
        object_.uri,
        subject.uri,
        relation,
        subject.aliases,
        object_.aliases,
        subject.types,
        object_.types,
        start=period.start if period else "",
        end=period.end if period else "",
    )
