"""Rules against replies with another word in the place of one of the right name, or without its identifying word.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from rapidfuzz.distance import DamerauLevenshtein, Prefix

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.identity import MAX_DIGITS
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
_MAX_COMMON_RARITY = 0.61
"""Maximum rarity of a common word, which may be only the type in a name, such as "cancer" in "lung cancer"."""
_VOWELS = "aeiou"


@rejection_rule("incomplete")
def incomplete(evidence: NameEvidence) -> str:
    """Lacks the number, letter or contrasting adjective of the right name, and has no word that is not of the name."""
    name, reply, asked = evidence.name, evidence.reply, evidence.question.keys
    content = {key for key in reply.keys if key not in common_keys() and key not in asked}
    own = [(key, raw) for key, raw in zip(name.words.keys, name.words.raw, strict=True) if key in name.telling]
    missing = [(key, raw) for key, raw in own if key not in reply.at and key not in asked]
    if name.value is not None or not missing or not content <= name.telling.keys():
        return ""
    is_partial = _lacks_figure(own, missing) or _lacks_contrast(own, missing)
    return f"lacks {' '.join(raw for _, raw in missing)!r} of {name.text!r}" if is_partial else ""


_Tokens = Sequence[tuple[str, str]]
"""Stems of words, each with the word as it is written."""


def _lacks_figure(own: _Tokens, missing: _Tokens) -> bool:
    """Return whether a short number after the first word is missing, or a last or only capital letter (vitamin C)."""
    figures = [] if own[0][0][0].isdigit() else [one for one in own[1:] if _is_figure(one[0])]
    capitals = [token for token in own if token[1][0].isupper()]
    figures += [token for token in capitals if token[1] in ascii_uppercase and (token == own[-1] or len(capitals) == 1)]
    return any(one in missing for one in figures)


def _is_figure(key: str) -> bool:
    """Return whether a word is a number, and no year."""
    return key[0].isdigit() and (not key.isdecimal() or len(key) <= MAX_DIGITS)


def _lacks_contrast(own: _Tokens, missing: _Tokens) -> bool:
    """Return whether a capitalised adjective at the beginning of a name is missing (South Korea)."""
    _, raw = own[0]
    return own[0] in missing and raw[0].isupper() and fold(raw) in vocabulary("contrast")


@rejection_rule("other_choice")
def other_choice(evidence: NameEvidence) -> str:
    """Names another choice than the right one of those that the question offers: "A or B?"."""
    reply, names, words = evidence.reply, evidence.names, evidence.question.words
    links = vocabulary("link_or")
    offered = {key for i, raw in enumerate(words.raw) if raw in links for key in words.keys[max(i - 1, 0) : i + 2 : 2]}
    right = {key for name in names for key in name.keys}
    chosen = [key for key in reply.keys if key in offered - right - common_keys()]
    if not chosen or offered.isdisjoint(right) or not right.isdisjoint(reply.keys):
        return ""
    return f"says {reply.raw[reply.keys.index(chosen[0])]!r}, which the question offers as well"


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

    Both are words of the dictionary, unless the name is a code. First names, types and compounds may be shortened
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
