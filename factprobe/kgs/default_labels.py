"""Default labels and templates for entities and relations that have none in the source."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import unquote

from factprobe.errors import format_list
from factprobe.records import Entity, Period, Relation, Triplet
from factprobe.text import one_line

log = logging.getLogger(__name__)

MAX_NAME_LENGTH = 500
"""Maximum length of a name in characters; longer texts are not names."""

_IRI = re.compile(r"[a-z][a-z0-9+.-]*:(?:/|[^/\s]*:)", re.IGNORECASE)
"""Pattern of the start of an IRI, such as `http://` or `urn:isbn:`, but not of a CURIE such as `MONDO:0005148`."""
_LAST_PART = re.compile(r"[^/#:]*$")
_MAX_NAMED_RELATIONS = 5
"""Maximum number of relations that a warning names."""
_BRACKETS_TO_PARENTHESES = str.maketrans("[]", "()")
_PREFIX = re.compile(r"(?:[A-Za-z][\w.-]*:|/.*/)(?=[^\W\d_])")
"""Pattern of the prefix of a CURIE before letters (`biolink:`), or of a Freebase relation's domain and type."""
_CODE = re.compile(
    r"""(?=.*\d)(?:
    (?!.*[a-z]{2})[ -~]+  # no two adjacent lower-case letters: Q90, HP 0000118
    |(?=.*[A-Za-z]\d)(?!.*(?<![A-Za-z\d])\d*[A-Za-z]+(?![A-Za-z\d]))[ -~]+  # digits attached to each word: work12
    |.*(?<![\d.,])0\d\d.*  # a zero-padded number: person 0042
    |.*\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}\b.*  # hexadecimal
    |.*\b[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\b.*  # a UUID
    )""",
    re.VERBOSE | re.ASCII,
)
"""Pattern of codes, which are no names; `Windows95` matches too, since it looks like `Person12`."""
_WIKIDATA_ITEM = re.compile(r"Q[1-9]\d*")
_CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[A-Za-z][a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINING_SIGNS = str.maketrans("_-", "  ")


def is_iri(uri: str) -> bool:
    """Return whether an id is an IRI."""
    return _IRI.match(uri) is not None


def local_name(uri: str) -> str:
    """Return the last part of an IRI, still percent-encoded; any other id is returned whole."""
    match = _LAST_PART.search(uri.rstrip("/#:")) if is_iri(uri) else None
    return match[0] if match and match[0] else uri


def local_name_words(uri: str) -> str:
    """Return the last part of an IRI as words, `New York` for `http://x/New_York`; any other id is unchanged."""
    return (one_line(unquote(local_name(uri)).replace("_", " ")) or uri) if is_iri(uri) else uri


def label_from_id(uri: str) -> str:
    """Return a label for an entity from its id or the last part of its IRI.

    Empty for codes such as `Q90`, `HP_0000118` or `work12`, and for ids with a colon or a first slash, and without
    white space, that are no IRIs.
    """
    name = local_name_words(uri)
    is_code = _CODE.fullmatch(name) or (not is_iri(uri) and re.fullmatch(r"/\S*|\S*:\S*", uri))
    return "" if is_code else name


def is_missing_label(uri: str, label: str) -> bool:
    """Return whether a label is only the Wikidata id, which the query service returns if there is no label."""
    return label in (uri, local_name(uri)) and _WIKIDATA_ITEM.fullmatch(label) is not None


def relation_of(name: str, label: str, templates: Mapping[str, Sequence[str]], description: str = "") -> Relation:
    """Return a relation with its templates from the settings; without any, with a plain template.

    If the label is empty, the words of the id are used.
    """
    label = one_line(label) or words_of_id(name)
    texts = [text for text in templates.get(name, ()) if text] or [plain_template(label)]
    several = tuple(texts) if texts[1:] else ()
    return Relation(name, texts[0], label, one_line(description), templates=several)


def plain_template(label: str) -> str:
    """Return the template `[X], LABEL: [Y].`, which suits nouns and verbs in any language."""
    return f"[X], {label.translate(_BRACKETS_TO_PARENTHESES)}: [Y]."


def warn_of_same_templates(relations: Iterable[Relation], kg: str) -> None:
    """Warn once about relations of the graph `kg` whose questions have the same words."""
    ids_by_words: dict[str, list[str]] = {}
    for relation in relations:
        ids_by_words.setdefault(relation.template.casefold(), []).append(relation.relation)
    if colliding_names := [name for group in ids_by_words.values() if len(group) > 1 for name in group]:
        what = "%s: %s are asked in the same words as each other, though their answers may differ; "
        what += "take one with relations=[%s], or word them apart with kg.templates={...}"
        log.warning(what, kg, format_list(colliding_names, most=_MAX_NAMED_RELATIONS), colliding_names[0])


def warn_without_facts(names: Collection[str], place: str) -> None:
    """Warn of relations that the graph at `place` describes, as by a template, and has no facts of."""
    if names:
        log.warning("%s: no data for %d of the relations described: %s", place, len(names), format_list(names))


def is_worded(relation: Relation) -> bool:
    """Return whether a relation has a template of its own, and not one made of its label."""
    return relation.template not in ("", plain_template(relation.label))


def words_of_id(name: str) -> str:
    """Return the words of a relation's id: `birth place` for `birthPlace`, `treats` for `biolink:treats`.

    Ids with spaces, and codes such as `P36` or `RO:0002211`, are returned unchanged.
    """
    original = local_name_words(name)
    if " " in original:
        return original
    local = _PREFIX.sub("", original)
    words = _CAMEL_CASE_BOUNDARY.sub(" ", local).split() if local.isascii() else [local]
    if len(words) > 1:
        words = [word if word.isupper() and len(word) > 1 else word.lower() for word in words]
    return one_line(" ".join(words).translate(_JOINING_SIGNS)) or original


def triplet_of(relation: Relation, subject: Entity, object_: Entity, period: Period | None = None) -> Triplet:
    """Return a fact of a relation as a triplet."""
    ends = subject.label, object_.label, object_.uri, subject.uri
    others = subject.aliases, object_.aliases, subject.types, object_.types
    start, end = (period.start, period.end) if period else ("", "")
    return Triplet(*ends, relation, *others, start=start, end=end)
