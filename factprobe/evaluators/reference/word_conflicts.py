"""Rule against replies with another word in the place of one of the right name.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

from rapidfuzz.distance import DamerauLevenshtein, Prefix

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.reference_reading import rejection_rule
from factprobe.reading.language import vocabulary
from factprobe.reading.names.fuzzy import is_other_word
from factprobe.reading.tokenisation.frequency import is_known
from factprobe.reading.tokenisation.tokens import common_keys, key_of
from factprobe.text import fold

_MIN_SLIP_SIMILARITY = 0.6
"""Minimum similarity of a word and a misspelling of it."""
_MIN_SHARED_PREFIX = 0.75
"""Minimum length of the prefix that two forms of a word share, as a share of the shorter form."""
_MIN_STEM = 6
"""Minimum length of the prefix that a word and one derived from it share ("Himalayas", "Himalayan")."""
_VOWELS = frozenset("aeiou")


@rejection_rule("other_word")
def other_word(evidence: NameEvidence) -> str:
    """Has another word in the place of one of the right name: a similar one or, in a name of several words, any."""
    reply, question, name = evidence.reply, evidence.question, evidence.name
    known, function = common_keys() | question.keys | {*name.keys}, vocabulary("function")
    new_words = [i for i, key in enumerate(reply.keys) if key not in known and reply.raw[i].lower() not in function]
    if len(new_words) != 1 or len(evidence.missing) != 1 or name.value is not None:
        return ""
    right_word = next((raw for raw in reversed(name.words.raw) if key_of(raw) == evidence.missing[0]), "")
    raw, own = fold(reply.raw[new_words[0]]), fold(right_word)
    is_similar = DamerauLevenshtein.normalized_similarity(raw, own) >= _MIN_SLIP_SIMILARITY
    if ((is_similar or len(name.telling) == 1) and raw.find(own) > 0) or (is_similar and own.find(raw) > 0):
        is_other = True  # Romania for Oman, indirect for direct
    elif len(name.telling) > 1:
        is_other = not _is_form(raw, own) and _replaces(evidence, new_words[0], right_word)
    else:
        is_other = is_similar and not _is_form(raw, own) and is_other_word(raw, own, is_term=right_word.islower())
    return f"says {reply.raw[new_words[0]]!r}, which is another word than {right_word!r}" if is_other else ""


def _replaces(evidence: NameEvidence, i: int, written: str) -> bool:
    """Return whether word `i` of the reply is in the place of a word of the only right name, no first name.

    Both are words of the dictionary.
    """
    name, key, own = evidence.name, key_of(written), fold(written)
    replaced = " ".join(evidence.reply.keys[i] if stem == key else stem for stem in name.keys)
    is_in_place = f" {replaced} " in f" {evidence.reply.flat} " and len({name.keys for name in evidence.names}) == 1
    is_first_name = written[0].isupper() and key == name.keys[0]
    return is_in_place and not is_first_name and is_known(fold(evidence.reply.raw[i])) and is_known(own)


def _is_form(raw: str, own: str) -> bool:
    """Return whether a word may be a part of the right one (man for woodman), spell it out, or be derived from it."""
    shared, shorter = Prefix.similarity(raw, own), min(len(raw), len(own))
    is_derived = max(_MIN_STEM, _MIN_SHARED_PREFIX * shorter) <= shared < shorter and raw[-1] != own[-1]
    is_foreign = raw[:-1] == own[:-1] and {raw[-1], own[-1]} <= _VOWELS  # Roma
    return is_foreign or is_derived or len(own) == 1 or own.startswith(raw) or own.endswith(raw)
