"""Rule against replies with another word in the place of one of the right name.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

from rapidfuzz.distance import DamerauLevenshtein, Prefix

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.reference_reading import rejection_rule
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.frequency import is_known
from factprobe.reading.tokenisation.tokens import common_keys, key_of
from factprobe.text import fold

_MIN_SLIP_SIMILARITY = 0.6
"""Minimum similarity of a word and a misspelling of it."""
_MIN_SHARED_PREFIX = 0.75
"""Minimum length of the prefix that two forms of a word share, as a share of the shorter form."""
_MIN_STEM = 6
"""Minimum length of the prefix that a word and one derived from it share ("Himalayas", "Himalayan")."""
_VOWELS = "aeiou"


@rejection_rule("other_word")
def other_word(evidence: NameEvidence) -> str:
    """Has another word in the place of one of the right name: a similar one or, in a name of several words, any."""
    reply, question, name = evidence.reply, evidence.question, evidence.name
    common = common_keys()
    new_words = [
        i for i, key in enumerate(reply.keys) if key not in common and key not in question.keys and key not in name.keys
    ]
    if len(new_words) != 1 or len(evidence.missing) != 1 or name.value is not None:
        return ""
    right_word = next((raw for raw in reversed(name.words.raw) if key_of(raw) == evidence.missing[0]), "")
    raw, own = fold(reply.raw[new_words[0]]), fold(right_word)
    similarity = DamerauLevenshtein.normalized_similarity(raw, own)
    is_within = raw.find(own) > 0 or (similarity >= _MIN_SLIP_SIMILARITY and own.find(raw) > 0)  # Romania for Oman
    if len(name.telling) > 1:
        is_other = (is_within and similarity >= _MIN_SLIP_SIMILARITY) or _replaces(evidence, new_words[0], right_word)
    elif similarity < _MIN_SLIP_SIMILARITY or _is_form(raw, own):
        is_other = is_within
    else:
        edits = DamerauLevenshtein.distance(raw, own)
        is_other = is_within or is_known(raw) or edits > 1 or _is_other_term(raw, right_word)
    return f"says {reply.raw[new_words[0]]!r}, which is another word than {right_word!r}" if is_other else ""


def _replaces(evidence: NameEvidence, i: int, written: str) -> bool:
    """Return whether word `i` of the reply is in the place of a word of the only right name, and no form of it.

    Both are words of the dictionary. First names, types and compounds may be shortened
    (Dave, co, man for woodman), and do not count as replaced.
    """
    name, key = evidence.name, key_of(written)
    raw, own = fold(evidence.reply.raw[i]), fold(written)
    replaced = " ".join(evidence.reply.keys[i] if stem == key else stem for stem in name.keys)
    is_in_place = f" {replaced} " in f" {evidence.reply.flat} "
    is_first_name = written[0].isupper() and key == name.keys[0]
    if not is_in_place or is_first_name or len({name.keys for name in evidence.names}) > 1:
        return False
    is_form = (
        len(own) == 1 or own.startswith(raw) or own.endswith(raw) or own in vocabulary("kind") or _is_form(raw, own)
    )
    return is_known(raw) and is_known(own) and not is_form and raw not in vocabulary("function")


def _is_form(raw: str, own: str) -> bool:
    """Return whether a word may be a form of the right one: a foreign one ("Roma") or one derived from it."""
    shared, shorter = Prefix.similarity(raw, own), min(len(raw), len(own))
    if shared < _MIN_SHARED_PREFIX * shorter:
        return False
    is_foreign = len(raw) == len(own) and _consonants(raw) == _consonants(own)
    return is_foreign or (_MIN_STEM <= shared < shorter and raw[-1] != own[-1])


def _consonants(word: str) -> str:
    return "".join(letter for letter in word if letter not in _VOWELS)


def _is_other_term(raw: str, written: str) -> bool:
    """Return whether a word differs from a lower-case name only in vowels, as technical terms do (phosphite)."""
    return written.islower() and _consonants(raw) == _consonants(written)
