"""Whether a reply puts something else in the place of what a statement tells, where only one thing can stand there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from factprobe.evaluators.true_false.stated import Clause, Stated, clauses_in, form, passed_over
from factprobe.evaluators.true_false.telling import BREAKS, fits, placed_in, written
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.words import Text, words_in
from factprobe.text import normalise

_SINGLE = re.compile(phrases("telling_single"))
_THE, _OF = vocabulary("telling_the"), vocabulary("telling_of")
_SEVERAL = vocabulary("telling_one")
_IS, _WAS = vocabulary("telling_is"), vocabulary("telling_was")
_IT, _WHO = vocabulary("binary_it"), vocabulary("telling_agent_before")
_HAPPENS = frozenset(map(form, vocabulary("telling_single_time")))
_MAKES = frozenset(map(form, vocabulary("telling_single_agent")))
_BY = vocabulary("telling_passive")
_YEAR = re.compile(r"[12]\d{3}")


def replacement(statement: Stated, text: Text) -> str:
    """The clause of a reply that tells another name or year in the place of the statement's; empty where none does.

    Args:
        statement: what is asked about.
        text: the reply.
    """
    words = words_in(normalise(statement.text))
    described, made = _described(statement, words), _made(words)
    year = next((word for word in statement.words if _YEAR.fullmatch(word)), "")
    is_timed = bool(year) and not _HAPPENS.isdisjoint(statement.words) and year not in text.words
    if not (described or made or is_timed):
        return ""
    for clause in clauses_in(text):
        if not BREAKS.isdisjoint(set(clause.words()) - statement.plain):
            continue
        is_other = described is not None and _describes_other(statement, described, clause)
        is_other = is_other or (made is not None and _is_by_other(*made, clause))
        if is_other or (is_timed and _is_of_other_year(statement, year, clause)):
            return written(clause)
    return ""


def _content(words: Sequence[str]) -> list[str]:
    return [form(word) for word in words if word not in passed_over()]


def _described(statement: Stated, words: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The words of the name and of the single thing that a statement says it is: Ag, the symbol for gold."""
    if not statement.is_copular or not _SEVERAL.isdisjoint(words):
        return None
    verb = 0 if statement.asks else next((i for i, word in enumerate(words) if word in _IS), 0)
    rest = words[verb + 1 :]
    begun = next((i for i, word in enumerate(rest) if word in _THE and _is_single(rest[i + 1 : i + 4])), None)
    if statement.asks or (begun == 0 and verb):
        sides = (rest[:begun], rest[begun:]) if begun else ([*words[:verb]], rest)
    else:
        sides = (rest, [*words[:verb]]) if _is_single(words[:verb][:3]) else ([], [])
    name, single = map(_content, sides)
    return (name, single) if name and len(single) > 1 else None


def _is_single(words: Sequence[str]) -> bool:
    return any(_SINGLE.fullmatch(word) for word in words)


def _describes_other(statement: Stated, described: tuple[list[str], list[str]], clause: Clause) -> bool:
    """Whether a clause says of another name that it is the single thing."""
    name, single = described
    words, keys = clause.words(), clause.keys()
    verb = next((i for i, word in enumerate(words) if word in _IS), 0)
    if not verb or (statement.is_now and not _WAS.isdisjoint(words)) or not _SEVERAL.isdisjoint(words):
        return False
    for thing, other in ((range(verb), range(verb + 1, len(words))), (range(verb + 1, len(words)), range(verb))):
        found = _content([words[i] for i in thing])
        is_named = any(_is_name(clause, i) and keys[i] not in name for i in other)
        if is_named and set(name).isdisjoint(keys) and _is_described(found, single, thing.start == 0):
            return True
    return False


def _is_described(found: Sequence[str], single: Sequence[str], is_subject: bool) -> bool:
    """Whether words are those of the single thing; where more may be told behind them, its own come first."""
    return set(found) == set(single) if is_subject else list(found[: len(single)]) == list(single)


def _is_name(clause: Clause, at: int) -> bool:
    place = clause.places[at]
    return clause.text.capital[place] and clause.text.words[place] not in vocabulary("function", "kind", "hedge")


def _made(words: Sequence[str]) -> tuple[list[str], str, list[str]] | None:
    """The words of the maker, the verb, and the words of what was made: Edison, invent, telephone."""
    keys = [*map(form, words)]
    verb = next((i for i, one in enumerate(keys) if one in _MAKES and i), 0)
    if not verb:
        return None
    if verb + 1 < len(words) and words[verb + 1] in _BY:
        maker, thing = words[verb + 2 :], words[:verb]
    else:
        maker, thing = words[:verb], words[verb + 1 :]
    names = _content(maker), _content(thing)
    return (names[0], keys[verb], names[1]) if all(names) else None


def _is_by_other(maker: Sequence[str], verb: str, thing: Sequence[str], clause: Clause) -> bool:
    """Whether a clause says that another made it."""
    words, keys = clause.words(), clause.keys()
    if verb not in keys or not set(maker).isdisjoint(keys):
        return False
    at = keys.index(verb)
    before = set(keys[:at])
    if words[0] in _IT and at > 1 and words[at - 1] in _WHO:  # it was Bell who invented the telephone
        return _is_name(clause, at - 2) and (set(thing) <= set(keys[at:]) or not _IT.isdisjoint(words[at:]))
    is_by = words[at + 1 : at + 2] != [] and words[at + 1] in _BY
    is_it = clause.is_first and words[0] in _IT
    return is_by and len(words) > at + 2 and _is_name(clause, at + 2) and (set(thing) <= before or is_it)


def _is_of_other_year(statement: Stated, year: str, clause: Clause) -> bool:
    """Whether a clause says the same of another year."""
    years = [word for word in clause.words() if _YEAR.fullmatch(word)]
    if len(years) != 1:
        return False
    own = [i for i, word in enumerate(statement.words) if word != year]
    timeless = replace(statement, words=tuple(statement.words[i] for i in own))
    return len(own) > 1 and any(fits(timeless, clause, placed) for placed in placed_in(timeless, clause))
