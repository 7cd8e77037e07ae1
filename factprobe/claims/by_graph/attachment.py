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
_OTHER_VERB = re.compile("[@ni].*[&,][wl].*[@ni]$|&[wl].*#$")
"""Pattern of what may be another verb after a cue: "born in Ulm, grew up in Bonn", "born and moved to Bonn in 1880"."""
_PREPOSITION_BEFORE = re.compile(r"([po])[^po]*(?<![ab])o$|(?<![ab])([po])$")
"""Pattern of the preposition before a mention: "in" of "in the city of"; after an auxiliary verb it belongs to that."""


def end_next_to(sentence: Sentence, match: CueMatch, zone: int, near: int, far: int) -> tuple[End | None, bool]:
    """Return the end of a relation that the near mention of a cue has, and whether the link is that of the wording.

    The end is None if the cue is about another noun or name, or if a preposition links it that the wording does not
    have ("born near Ulm"). A possessor ("France's capital") and the other voice ("Tolkien wrote") count as the same
    link.

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
        return other_end, False  # the left mention has the next end, so the near, right one has the other
    if _is_of_other(sentence, match, zone, near, far):
        return None, False
    if cue.is_learned:
        return cue.next_end, False
    found = _PREPOSITION_BEFORE.search(sentence.shape, last + 1, sentence.positions[sentence.lists[near].start])
    preposition = sentence.keys[found.start()] if found else ""
    prepositions = {preposition, cue.preposition}
    if len(prepositions) == 1 or prepositions <= _PLACE_PREPOSITIONS:
        return cue.next_end, True
    before = sentence.keys[sentence.positions[far] + 1 : first]
    # "France's capital" and "France has as its capital" for "the capital of France"
    has_possessor = cue.preposition == OF and (before == (POSSESSIVE,) or not _HAS_FORMS.isdisjoint(before))
    is_other_voice = prepositions <= _AGENT_OR_NONE  # "Tolkien wrote" for "written by Tolkien"
    if zone == BETWEEN and (has_possessor or is_other_voice):
        return other_end, True
    # after a date, any preposition is right: "(1815 in London"
    return None if preposition and VALUE not in cue.keys else cue.next_end, False


def _is_of_other(sentence: Sentence, match: CueMatch, zone: int, near: int, far: int) -> bool:
    """Return whether a cue is about another noun or name than the two mentions."""
    # "born in Ulm's old town", "the capital of Spain's neighbour": it is about what they possess
    if sentence.is_possessor(near) or (zone == BEFORE and sentence.is_possessor(far)):
        return True
    if zone == BETWEEN and _has_other_subject(sentence, match, far):
        return True
    if match.cue.is_learned:
        return False
    # marks and a date need their bracket: "Ada Lovelace (1815 London"
    if VALUE in match.cue.keys and not sentence.shape.startswith("(", sentence.positions[far] + 1):
        return True
    start = sentence.positions[sentence.lists[near].start]
    return _OTHER_NOUN.search(sentence.shape, match.last + 1, start) is not None


def _has_other_subject(sentence: Sentence, match: CueMatch, mention: int) -> bool:
    """Return whether a cue has a subject other than `mention`, the mention before it.

    The other subject may be, in the order of the code:

    - a noun that the mention belongs to: "the widow of Marx died";
    - a possession of the mention: "Marx's biographer died";
    - a noun after a preposition: "Bach stayed with a man born in";
    - a name right before the cue, or a noun with a relative pronoun: "Hugo said Balzac died", "Bach taught a man who
      died".

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
    if link.endswith(("p", "o")):  # but "Marx of Trier", "Ulm, a city in Bavaria"
        return link[-2:-1] not in ("", "l")
    has_relative_clause = relative is not None and link[-1:] in ("", "a")
    return not link.endswith("b") and (noun.endswith("@") or has_relative_clause)  # but "Ulm is a city based on"


def may_have_other_verb(sentence: Sentence, last: int, mention: int) -> bool:
    """Return whether another verb may be between a cue, which ends with the token `last`, and a mention after it."""
    return _OTHER_VERB.search(sentence.shape, last + 1, sentence.positions[mention] + 1) is not None
