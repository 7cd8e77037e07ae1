"""Attachment of cues (words that express a relation) to a noun or name."""

from __future__ import annotations

from factprobe.claims.by_graph.cues import AFTER, BETWEEN, CueMatch, RelationCue
from factprobe.claims.by_graph.sentence import (
    AUXILIARY,
    COMMA,
    CONTENT,
    COPULA,
    LIGHT_WORDS,
    MENTION,
    OTHER,
    POSSESSIVE,
    PREPOSITION,
    VALUE,
    Sentence,
    word_of,
)
from factprobe.question_types import End
from factprobe.reading.language import in_order, vocabulary

_AGENT_OR_NONE = vocabulary("agent") | {""}
_PLACE_PREPOSITIONS, _HAS_FORMS = vocabulary("place_preposition"), vocabulary("has")
_OF = in_order("of")[0]
_RELATIVE = frozenset(word_of(word)[0] for word in vocabulary("interrogative", "relative")) - {POSSESSIVE}


def has_other_subject(sentence: Sentence, cue: RelationCue, mention: int, cue_start: int) -> bool:
    """Return whether a cue that begins at token `cue_start` has a subject other than `mention`, the mention before it.

    The other subject may be:

    - a name right before the cue: "Hugo left before Balzac died";
    - a noun with a relative pronoun or preposition: "Bach taught a man who died", "Bach stayed with a man born in";
    - something that the mention owns: "Marx's biographer died";
    - a noun that the mention belongs to: "the widow of Marx died".

    A noun that only renames the mention does not count: "Ulm is a city based on", "Ulm, a city based on".
    """
    keys, classes, members = sentence.keys, sentence.classes, sentence.lists[mention]
    start, end = sentence.positions[members.start], sentence.positions[members.stop - 1]
    last = cue_start - 1
    while last > end and (classes[last] == AUXILIARY or keys[last] == POSSESSIVE):
        last -= 1
    before = _before_phrase(sentence, last, end)
    is_relative = keys[before] in _RELATIVE
    if is_relative:
        last = before - 1
        while last > end and classes[last] in (PREPOSITION, COMMA):
            last -= 1
        before = _before_phrase(sentence, last, end)
    if last == end:
        return not cue.is_learned and keys[start - 1 : start] == [_OF] and keys[start - 2] not in LIGHT_WORDS
    if before == last or keys[before] == COPULA:
        return False
    if keys[before] == POSSESSIVE:
        return cue.preposition != _OF  # but "France's official capital"
    if classes[before] == PREPOSITION:
        return before != end + 1 and keys[before - 1] not in LIGHT_WORDS
    is_name = keys[last] == MENTION and not sentence.text[sentence.spans[last][0]].islower()
    return is_name or (is_relative and (before == end or classes[before] == AUXILIARY))


def _before_phrase(sentence: Sentence, last: int, end: int) -> int:
    """Return the index of the token before the phrase that ends at token `last`, but at least `end`."""
    keys, classes = sentence.keys, sentence.classes
    while last > end and keys[last] not in _RELATIVE:
        if keys[last] != MENTION and not (classes[last] in (CONTENT, OTHER) and keys[last].isalpha()):
            break
        last -= 1
    return last


def has_other_noun(sentence: Sentence, last: int, neighbour: int) -> bool:
    """Return whether another noun stands between a cue that ends at token `last` and mention `neighbour` after it.

    The noun is linked to the mention by "of" or a relative pronoun: in "developed by a rival of Google" the developer
    is the rival, and in "developed by a man who left Google" the man.
    """
    end = sentence.positions[sentence.lists[neighbour].start]
    keys, classes = sentence.keys[last + 1 : end], sentence.classes[last + 1 : end]
    nouns = (keys[i - 1] for i, key in enumerate(keys) if key == _OF and i and classes[i - 1] == CONTENT)
    return not _RELATIVE.isdisjoint(keys) or not LIGHT_WORDS.issuperset(nouns)


def relation_end_of(
    sentence: Sentence, match: CueMatch, zone: int, neighbour: int, other: int
) -> tuple[End | None, bool]:
    """Return the end of a relation that the mention next to a cue has, and whether the words between confirm it.

    The end is None if a preposition links them that the template does not have: "born near Ulm". `neighbour` is the
    index of the mention next to the cue, `other` that of the other mention, `zone` where the cue is around both.
    """
    cue, keys = match.cue, sentence.keys
    other_end: End = "object" if cue.next_end == "subject" else "subject"
    if zone == AFTER:
        return other_end, False  # as if the words were before both, where their neighbour would be the left end
    if cue.is_learned:
        return cue.next_end, False
    preposition = _preposition(sentence, match.last, neighbour)
    prepositions = {preposition, cue.preposition}
    if len(prepositions) == 1 or prepositions <= _PLACE_PREPOSITIONS:
        return cue.next_end, True
    between = keys[sentence.positions[other] + 1 : match.first]
    # "France's capital" for "the capital of France"
    is_owned = cue.preposition == _OF and (between == [POSSESSIVE] or not _HAS_FORMS.isdisjoint(between))
    is_other_voice = prepositions <= _AGENT_OR_NONE  # "Tolkien wrote" for "written by Tolkien"
    if zone == BETWEEN and (is_owned or is_other_voice):
        return other_end, True
    return None if preposition and VALUE not in cue.keys else cue.next_end, False


def _preposition(sentence: Sentence, last: int, neighbour: int) -> str:
    """Return the preposition between a cue that ends at token `last` and the mention after it; empty if there is none.

    In "born in the city of Ulm" it is "in". One after an auxiliary belongs to the auxiliary and is not returned: "its
    capital is in Ulm".
    """
    before = sentence.positions[sentence.lists[neighbour].start] - 1
    prepositions = [i for i in range(last + 1, before + 1) if sentence.classes[i] == PREPOSITION]
    if prepositions[-1:] != [before] or sentence.classes[before - 1] == AUXILIARY:
        return ""
    return sentence.keys[prepositions[-2] if sentence.keys[before] == _OF and len(prepositions) > 1 else before]
