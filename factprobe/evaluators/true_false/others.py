"""Whether a reply says of another subject what a statement says of its own: that would be Laozi, that was his son."""

from __future__ import annotations

import re
from collections.abc import Sequence

from factprobe.evaluators.true_false.blank import Blank
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.reading import template_stems
from factprobe.reading.stance.clauses import stem

_POINTS = Phrases(phrases("binary_points"))
_CITES = Phrases(phrases("binary_cites"))
_ALSO = Phrases(rf"\b(?:{phrases('binary_also')})\b")
_KIN = Phrases(phrases("binary_kin"))
_FAMILY = re.compile(rf"\b(?:{phrases('binary_family')})")
_MARRIED = Phrases(rf"\b(?:{phrases('binary_married')})")
_NOT = vocabulary("binary_bare_not")
_PARTNERS = vocabulary("binary_partner")
_THERE = Phrases(rf"\b(?:{phrases('binary_denial')}) (?P<verb>(?:\w+ ){{1,3}}?)(?:{phrases('binary_there')})\b")


def said_of_another(blank: Blank) -> str:
    """What a reply does that gives the shown name to another than the statement does; empty where it does not."""
    text = blank.text
    subjects = blank.index.subjects(text, blank.question, blank.mentions)
    for parts, skipped in ((text.sentences, text.asks), (text.items, set[int]())):
        others = {parts[i] for i, other in subjects.items() if other}
        others -= {parts[i] for i, other in subjects.items() if not other and text.words[i - 1] not in _NOT}
        if any(_has_only_shown(blank, parts, part, subjects) for part in others - skipped):
            return "says it of another name"
    flat, template = " ".join(text.words), blank.asked.template
    if _is_of_kin(flat, template):
        return "says it of a relative"
    return "denies it of a name that it refers back to" if _denies_there(flat, template) else ""


def _has_only_shown(blank: Blank, parts: Sequence[int], part: int, subjects: dict[int, bool]) -> bool:
    """Whether a part of a reply that speaks of another subject has the shown name beside it, or points back at it.

    Args:
        blank: the reply.
        parts: of each word, the sentence or item that it is in.
        part: one of these.
        subjects: the words that name a subject.
    """
    flat = " ".join(word for i, word in enumerate(blank.text.words) if parts[i] == part and i not in subjects)
    if _ALSO.search(flat):
        return False
    names = [shown for m, shown in zip(blank.mentions, blank.is_shown, strict=True) if parts[m.start] == part]
    return all(names) if names else _POINTS.search(flat) is not None


def _denies_there(flat: str, template: str) -> bool:
    """Whether a reply denies of a name before it what the statement says: He lived in Warsaw, he wasn't born there."""
    if _CITES.search(flat):
        return False
    predicate = template_stems(template)
    return any(stem(word) in predicate for found in _THERE.finditer(flat) for word in found["verb"].split())


def _is_of_kin(flat: str, template: str) -> bool:
    """Whether a reply says that it is a relative's, where no relative is asked for: That was his mother."""
    kin = _KIN.search(flat)
    if kin is None or _FAMILY.search(template):
        return False
    return kin["kin"] not in _PARTNERS or not _MARRIED.search(template)
