"""Stage 5: attachment of cues to mentions, by the shape of the words around them (the gaps of a `MentionPair`).

A pair is dropped if another noun than its mentions has the cue, that is, if the cue is said of that noun; if a word
limits the cue; or if the words link both ends in another way or order than the wording. For the cue `born` of
"[X] was born in [Y]", `written` of "[X] was written by [Y]" and `capital` of "the capital of [X] is [Y]":

    Albert Einstein, a physicist, was born in Ulm   the words before "born" rename Einstein, and "in" is in the wording
    The Hobbit, written by J. R. R. Tolkien         same link; without "by" the order would be the other one
    Albert Einstein's biographer was born in Ulm    dropped: the biographer was born
    Albert Einstein was born in Ulm's old town      dropped: the old town is the place
    Paris is the fashion capital of France          dropped: it is a capital in one respect
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec.structs import replace

from factprobe.claims.by_graph.pairs import AFTER, BETWEEN, MentionPair
from factprobe.claims.by_graph.sentence import OF, POSSESSIVE, VALUE, Sentence
from factprobe.reading.assertion import PHRASES
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.tokens import Words, key_of

_AGENTS, _HAS_FORMS = vocabulary("agent"), vocabulary("has")
_HARMLESS = frozenset(map(key_of, vocabulary("harmless"))).union(Words(phrase).keys[-1] for phrase in PHRASES["denies"])
"""Keys of words that do not limit a noun after them: the current capital, no longer the capital."""
_NOUN = "[@nilwx]"
"""Class of a noun or name; verbs and adjectives have the same classes."""
_BEFORE_CUE = rf"(?:[,po]*r{_NOUN}*)?[ab']*"
"""Pattern of what may be between a noun and its cue: a relative pronoun, with another noun, and auxiliary verbs."""
_NOUN_HAS_CUE = [
    (re.compile(pattern + _BEFORE_CUE), has_cue)
    for pattern, has_cue in (
        (rf"'[^&]*{_NOUN}[^&]*&?", True),  # Marx's biographer, Franz Mehring, died; Marx's friend left and died
        (r".*@,?r.*&", True),  # Bach admired Handel, who was born in Halle and died
        (rf"(?:.*l)?[po]{_NOUN}+", False),  # Bach of Eisenach died; Golf is a range (l) of cars built in
        (rf".*[po]{_NOUN}+", True),  # Bach met a man from Ulm who died
        (rf".*b{_NOUN}*@", False),  # Paris is (b) Germany's capital
        (r".*@", True),  # Hugo thought Balzac died
        (rf"(?:.*a)?{_NOUN}+[,po]*r{_NOUN}*", True),  # Bach had (a) taught a man who died
    )
]
"""Patterns of all words between a mention and a cue, with whether a noun among them has the cue, not the mention.

The first that matches decides. None may match if a comma is before the cue: "Marx, a man of Trier, was born".
"""
_NEW_NAME = re.compile(".*[^po]@[,(]?[ab]*")
"""Pattern of words that end with a name without a preposition before it."""
_AND = re.compile("&[ab]*")
_NAME_AND_VERB = re.compile("[@ni][^@ni]*w")
_OTHER_OBJECT = re.compile("r|wo")
"""Pattern of a relative pronoun, or of a noun with "of"."""
_OTHER_VERB = re.compile("[@ni].*[&,][wl].*[@ni]$|&[wl].*#$")
"""Pattern of another verb between a cue and its object: "born in Ulm, grew up in Bonn", "born and died in 1880"."""


def attached(sentence: Sentence, pairs: Iterable[MentionPair]) -> Iterator[MentionPair]:
    """Yield the pairs whose cue is said of both mentions, in the order that its link needs, with `has_same_link` set.

    The link is how prepositions and voice join them; a reversed one, as of the other voice, needs the ends reversed.
    """
    for pair in pairs:
        if not _belongs_to_other(sentence, pair):
            link = _link(sentence, pair)
            if link != "wrong" and pair.is_in_order == (link != "reversed"):
                yield replace(pair, has_same_link=link in ("same", "reversed"))


def _belongs_to_other(sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether a cue is about another noun or name than the two mentions."""
    ends = {max(pair.subject, pair.object)} if pair.zone == BETWEEN else {pair.subject, pair.object}
    # a whole wording may begin with the possessive itself: "[X] is [Y]'s capital"
    if any(sentence.is_possessor(end) and sentence.positions[end] + 1 != pair.first for end in ends):
        return True  # "born in Ulm's old town", "In Ulm's centre, Bach was born"
    if _is_qualified(sentence, pair):
        return True
    if pair.zone != AFTER and _OTHER_OBJECT.search(sentence.shape, pair.near_gap.start, pair.near_gap.stop):
        return True  # "built by a rival of Google", "the capital of a man who ruled Spain"
    return pair.zone == BETWEEN and _has_other_subject(sentence, pair)


def _has_other_subject(sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether another noun or name than the mention before a cue is its grammatical subject."""
    left, words = min(pair.subject, pair.object), sentence.shape[pair.far_gap]
    if sentence.is_complement(left) and not re.search(_NOUN, words):
        return True  # "the widow of Marx died"
    if _AND.fullmatch(words):  # "Goethe outlived Schiller and died"
        return _NAME_AND_VERB.search(sentence.shape, 0, sentence.list_start(left)) is not None
    last_name = sentence.mentions[bisect_left(sentence.positions, pair.first) - 1]
    if last_name.kind == "unknown" and _NEW_NAME.fullmatch(words):
        return True  # "The biographer of Jane Austen, Claire Tomalin, was born"
    return next((has_cue for pattern, has_cue in _NOUN_HAS_CUE if pattern.fullmatch(words)), False)


def _is_qualified(sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether the word before a noun that is a cue limits it: the fashion capital of Italy is no capital."""
    before = slice(max(pair.first - 1, 0), pair.first)
    is_noun = OF in (*pair.cue.keys, pair.cue.preposition)
    return is_noun and sentence.shape[before] == "w" and _HARMLESS.isdisjoint(sentence.keys[before])


def _link(sentence: Sentence, pair: MentionPair) -> Literal["same", "reversed", "other", "wrong"]:
    """Return how the words between cue and mentions link them, compared with the wording.

    - `same`: by its preposition, or by none as in the wording;
    - `reversed`: by the other voice, or a possessor, so that the ends have to be the other way round;
    - `other`: by another preposition than in the wording, or none; or not compared (a learned cue, or one after both);
    - `wrong`: by a preposition, where the wording has none.
    """
    cue = pair.cue
    if cue.is_learned or (pair.zone == AFTER and cue.wording is None):
        return "other"
    near_words = zip(sentence.keys[pair.near_gap], sentence.shape[pair.near_gap], strict=True)
    prepositions = {key for key, word_class in near_words if word_class in "po"}
    if cue.preposition in prepositions or not (cue.preposition or prepositions):
        return "same"
    far_keys = sentence.keys[pair.far_gap]
    # "France's capital is Paris" and "France has as its capital Paris" for "the capital of France is Paris"
    has_possessor = cue.preposition == OF and (far_keys == (POSSESSIVE,) or not _HAS_FORMS.isdisjoint(far_keys))
    is_active = cue.preposition in _AGENTS and not prepositions  # "Jobs founded Apple" for "was founded by Jobs"
    is_passive = not cue.preposition and not prepositions.isdisjoint(_AGENTS)
    if pair.zone == BETWEEN and (has_possessor or is_active or is_passive):
        return "reversed"
    return "other" if cue.preposition or VALUE in cue.keys else "wrong"  # any is right after a date: "(1815 in London"


def may_have_other_verb(sentence: Sentence, pair: MentionPair) -> bool:
    """Return whether another verb may be between a cue and an object after it, so that stage 8 leaves the pair open."""
    return _OTHER_VERB.search(sentence.shape, pair.last + 1, sentence.positions[pair.object] + 1) is not None
