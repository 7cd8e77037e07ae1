"""Attachment of a cue (the words that express a relation) to mentions, by the shape of the words around it."""

from __future__ import annotations

import re

from factprobe.claims.by_graph.cues import AFTER, BEFORE, BETWEEN, CueMatch
from factprobe.claims.by_graph.sentence import OF, POSSESSIVE, VALUE, Sentence
from factprobe.question_types import End
from factprobe.reading.language import vocabulary

_AGENT_OR_NONE = vocabulary("agent") | {""}
_PLACE_PREPOSITIONS, _HAS_FORMS = vocabulary("place_preposition"), vocabulary("has")
_BEFORE_CUE = re.compile(r"(?P<link>.*?)(?P<noun>[@nilwx]*)(?P<relative>[,po]*r[@nilwx]*)?[ab']*")
"""Pattern of the words before a cue: the last noun or name, and what links it to the mention before it."""
_OTHER_NOUN = re.compile("r|wo")
"""Pattern of a noun after a cue that has the relation: "developed by a man who left Google", "by a rival of Google"."""
_PREPOSITION = re.compile(r"([po])[^po]*(?<![ab])o$|(?<![ab])([po])$")
"""Pattern of the preposition before a mention: "in" of "in the city of"; after an auxiliary verb it belongs to that."""


def end_next_to(sentence: Sentence, match: CueMatch, zone: int, near: int, far: int) -> tuple[End | None, bool]:
    """Return the end of a relation that the mention next to a cue has, and whether the words between confirm it.

    The end is None if the cue belongs to another noun or name, or if a preposition links it that the wording does not
    have ("born near Ulm"). A possessor ("France's capital") and the other voice ("Tolkien wrote") confirm it too.

    Args:
        sentence: Sentence with the cue.
        match: Cue that joins the two mentions.
        zone: Where the cue is around both mentions.
        near: Index of the mention next to the cue; if the cue is between both, of the right one.
        far: Index of the other mention.
    """
    cue, first, last, _ = match
    other_end: End = "object" if cue.next_end == "subject" else "subject"
    if zone == AFTER:
        return other_end, False  # as if the words were before both, where their neighbour would be the left end
    start = sentence.positions[sentence.lists[near].start]
    # "born in Ulm's king", "the capital of Spain's neighbour": the relation is of the possession
    is_excluded = sentence.is_owner(near) or (zone == BEFORE and sentence.is_owner(far))
    is_excluded = is_excluded or (zone == BETWEEN and _has_other_subject(sentence, match, far))
    if is_excluded or cue.is_learned:
        return None if is_excluded else cue.next_end, False
    # marks and a date need their bracket: "Ada Lovelace (1815 London"
    is_excluded = VALUE in cue.keys and not sentence.shape.startswith("(", sentence.positions[far] + 1)
    if is_excluded or _OTHER_NOUN.search(sentence.shape, last + 1, start):
        return None, False
    found = _PREPOSITION.search(sentence.shape, last + 1, start)
    preposition = sentence.keys[found.start()] if found else ""
    prepositions = {preposition, cue.preposition}
    before = sentence.keys[sentence.positions[far] + 1 : first]
    # "France's capital" for "the capital of France"
    is_owned = cue.preposition == OF and (before == (POSSESSIVE,) or not _HAS_FORMS.isdisjoint(before))
    is_other_voice = prepositions <= _AGENT_OR_NONE  # "Tolkien wrote" for "written by Tolkien"
    if len(prepositions) == 1 or prepositions <= _PLACE_PREPOSITIONS:
        return cue.next_end, True
    if zone == BETWEEN and (is_owned or is_other_voice):
        return other_end, True
    return None if preposition and VALUE not in cue.keys else cue.next_end, False


def _has_other_subject(sentence: Sentence, match: CueMatch, mention: int) -> bool:
    """Return whether a cue has a subject other than `mention`, the mention before it.

    The other subject may be:

    - a name right before the cue: "Hugo left before Balzac died";
    - a noun with a relative pronoun or preposition: "Bach taught a man who died", "Bach stayed with a man born in";
    - something that the mention owns: "Marx's biographer died";
    - a noun that the mention belongs to: "the widow of Marx died".

    A noun that only renames the mention does not count: "Ulm is a city based on", "Ulm, a city based on".
    """
    end = sentence.positions[sentence.lists[mention].stop - 1]
    parts = _BEFORE_CUE.fullmatch(sentence.shape, end + 1, match.first)
    assert parts is not None
    link, noun, relative = parts.groups()
    if not noun:
        return not link and sentence.is_complement(mention)
    if link.endswith("'"):
        return match.cue.preposition != OF  # but "France's official capital"
    if link.endswith(("p", "o")):
        return link[-2:-1] not in ("", "l")
    return not link.endswith("b") and (noun.endswith("@") or (relative is not None and link[-1:] in ("", "a")))
