"""The option that a reply says in other words, by the words that tell it from the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from factprobe.reading.formulas import formula_of
from factprobe.reading.language import table, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.tokens import key_of as key
from factprobe.reading.values import ROMAN, value_of
from factprobe.reading.words import Text

_SILENT = vocabulary("function", "article") - vocabulary("prefix", "tells_apart", "option_tells")
_TURNS = {key(word): f"<{turn}>" for turn, words in table("option_turn").items() for word in words}
"""What turns the sense of the words beside it, with its direction: rises and grows, falls and drops."""
_SAME = {numeral: str(number) for number, numeral in enumerate(ROMAN, start=1)}
_BEHIND_NAME = vocabulary("kind", "kind_last", "institution", "junior").union(ROMAN)
_BEFORE_NAME = vocabulary("function", "hedge", "title") - vocabulary("prefix")
_WAYS = {word: way for way, words in table("option_way").items() for word in words}
"""What says from where to where something goes."""
_MOST = 0.6
"""The share of an option's words that must be said."""
_BETTER = 0.25
"""By how much one must be said better than the others."""
_NEAR = 3
"""Words beside an option's in which another direction would turn its sense."""
_SHORT = 4
"""Words of a reply in which a number alone is an option's: the 18th."""


class _Option(Struct, frozen=True):
    """The words of one option, by what their forms share."""

    words: tuple[str, ...]
    others: frozenset[str]
    """The words of the other options."""
    is_name: bool
    """Whether all of its words have capitals."""
    ways: dict[str, str]
    """From where or to where something goes: its words behind a preposition that says so."""


class _Sentence(Struct, frozen=True):
    """One sentence of a reply."""

    text: Text
    places: list[int]
    told: list[tuple[int, str]]
    """The words that say something, each with its place."""
    asked: frozenset[str]
    """The words of the question, which say nothing."""

    @property
    def forms(self) -> list[str]:
        """The words that say something."""
        return [form for _, form in self.told]


def worded_in(text: Text, choices: tuple[str, ...], asked: Collection[str]) -> list[Mention]:
    """The options that the sentences of a reply say in other words, each with the words from the first to the last.

    An option is said where a sentence has nearly all of its words, and of those that only it has, but none of another
    one's; of options in the same words, the one whose words stand in the same order. None of numbers or formulas.

    Args:
        text: the reply, which names no option.
        choices: the options.
        asked: the words of the question, which say nothing.
    """
    options = _options(choices)
    known = frozenset(map(_form, asked))
    places: dict[int, list[int]] = {}
    for i, sentence in enumerate(text.sentences if options else ()):
        if sentence not in text.asks:
            places.setdefault(sentence, []).append(i)
    found = (_said(_Sentence(text, here, _told(text, here), known), options) for here in places.values())
    return [mention for mention in found if mention is not None]


@lru_cache(maxsize=1 << 10)
def _options(choices: tuple[str, ...]) -> tuple[_Option, ...]:
    """The options by their words; none where one is a number or a formula, whose signs say more than its words."""
    if any(value_of(choice) is not None or formula_of(choice) is not None for choice in choices):
        return ()
    texts = list(map(Text, choices))
    told = [_told(text, range(len(text))) for text in texts]
    words = [tuple(dict.fromkeys(form for _, form in each)) for each in told]
    return tuple(
        _Option(
            own,
            frozenset().union(*(other for other in words if other is not own)),
            all(text.capital[i] for i, _ in each),
            _ways(text, range(len(text))),
        )
        for text, each, own in zip(texts, told, words, strict=True)
    )


def _told(text: Text, places: Sequence[int]) -> list[tuple[int, str]]:
    """The words that say something among some of a text, each with its place."""
    forms = [(i, _form(text.words[i])) for i in places]
    return [(i, form) for i, form in forms if form[0] == "<" or text.words[i] not in _SILENT or _is_numeral(text, i)]


def _ways(text: Text, places: Sequence[int]) -> dict[str, str]:
    """The words behind one that says from where to where, each with what it says; not those that stand behind both."""
    way = ""
    found: dict[str, set[str]] = {}
    for i in places:
        way = _WAYS.get(text.words[i], way)
        found.setdefault(_form(text.words[i]), set()).add(way)
    return {word: min(ways) for word, ways in found.items() if len(ways) == 1 and "" not in ways}


def _is_numeral(text: Text, i: int) -> bool:
    """Whether an I is the number behind a name: World War I."""
    return text.words[i] == ROMAN[0] and i > 0 and text.capital[i - 1] and not text.mark[i] and text.raw[i].isupper()


@lru_cache(maxsize=1 << 14)
def _form(word: str) -> str:
    """What a word is in all of its forms: a direction, a number or a stem."""
    form = key(_SAME.get(word, word))
    return _TURNS.get(form, form)


def _said(sentence: _Sentence, options: Sequence[_Option]) -> Mention | None:
    """The option that one sentence says."""
    scores = [_score(option, sentence) for option in options]
    best = max(range(len(options)), key=lambda i: scores[i])
    option, asked = options[best], sentence.asked
    sought = frozenset(option.words) - asked
    here = [i for i, form in sentence.told if form in sought]
    if not here or any(i != best and scores[best] - score < _BETTER for i, score in enumerate(scores)):
        return None
    said = frozenset(sentence.forms)
    telling = [frozenset(other.words) - other.others - asked for other in options if other is not option]
    has_rival = any(words and words <= said for words in telling)
    share = 1 if option.is_name else _MOST
    is_said = all(len(part & said) >= share * len(part) for part in (sought, sought - option.others))
    mention = Mention(here[0], here[-1] + 1, frozenset({str(best)}))
    in_order = _in_order(option, sentence) == len(option.words)
    return mention if is_said and (in_order or not has_rival) and _is_so(sentence, mention, option) else None


def _score(option: _Option, sentence: _Sentence) -> float:
    """How much of an option is said: the share of its words that the question does not have, and of those in order."""
    sought = set(option.words) - sentence.asked
    share = len(sought.intersection(sentence.forms)) / max(len(sought), 1)
    return share + _in_order(option, sentence) / max(len(option.words), 1)


def _in_order(option: _Option, sentence: _Sentence) -> int:
    """How many words of an option stand in its order."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(option.words, sentence.forms)


def _is_so(sentence: _Sentence, mention: Mention, option: _Option) -> bool:
    """Whether the words of an option mean it: nothing beside them turns their sense, or makes another name of it."""
    text, start, end = sentence.text, mention.start, mention.end
    if any(option.ways.get(word, way) != way for word, way in _ways(text, sentence.places).items()):
        return False
    near = [form for i, form in sentence.told if start - _NEAR <= i < end + _NEAR]
    if set(filter(_is_turn, near)) != set(filter(_is_turn, option.words)):
        return False
    before = {form for i, form in sentence.told if i < start} & sentence.asked
    if before & option.others and before.isdisjoint(option.words):  # Wood conducts heat faster
        return False
    if option.is_name and not _is_free(text, mention, option):
        return False
    own = set(option.words) - option.others
    is_number = bool(own) and all(map(str.isdigit, own))
    beside = {(one, other) for (i, one), (k, other) in pairwise(sentence.told) if k == i + 1}
    return not is_number or len(text) <= _SHORT or not beside.isdisjoint(pairwise(option.words))


def _is_turn(form: str) -> bool:
    return form[0] == "<"


def _is_free(text: Text, mention: Mention, option: _Option) -> bool:
    """Whether a name is not a part of another one: Ulm University, Guinea-Bissau, Hermann Einstein."""
    before, behind = mention.start - 1, mention.end
    if text.mark[mention.start] == "-" or text.mark[behind : behind + 1] == ["-"]:
        return False
    if behind < len(text) and not text.mark[behind] and text.words[behind] in _BEHIND_NAME:
        return _form(text.words[behind]) in option.words
    is_first = before < 0 or bool(text.mark[mention.start]) or not text.capital[before]
    return is_first or text.words[before] in _BEFORE_NAME
