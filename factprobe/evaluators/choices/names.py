"""The options that a reply names by their text, by another name of the same entity, or in another form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from factprobe.evaluators.choices.signs import without_dots
from factprobe.reading.formulas import differs, formula_of
from factprobe.reading.language import vocabulary
from factprobe.reading.names.forms import unique_forms
from factprobe.reading.names.index import GIVEN, EntityIndex, answers_of
from factprobe.reading.names.near import Known, misspelt
from factprobe.reading.names.tables import Mention, NameTable, find
from factprobe.reading.names.typed import typed_mentions
from factprobe.reading.names.whole import is_whole
from factprobe.reading.values import value_of
from factprobe.reading.words import Text, name_words
from factprobe.records import Answer, Entity, Question
from factprobe.text import normalise

_MINUS = vocabulary("minus")
_DECIMAL = re.compile(r"\d+\.\d+(?!\w|\.\d)")
_BRACKET = re.compile(r"([^()]*\w[^()]*?)\s+\(([^()]*[^\W\d][^()]*)\)")
"""A text, and what stands in brackets behind it."""
_MOST_OF_NAME = 3
"""Words of a name that may be in small letters; a longer text in these is no name."""


def texts_in(text: Text, index: EntityIndex, question: Question, given: Sequence[NameTable]) -> list[Mention]:
    """The options' texts and aliases in a reply, the longest at each place.

    Args:
        text: the reply.
        index: the relation's entities.
        question: what it answers.
        given: the names that the question gives, which are passed over: to repeat one is no choice.
    """
    tables = [_texts(question.choices), *_aliases(index, question), *given]
    found = [Mention(start, end, uris - GIVEN) for start, end, uris in find(tables, text) if uris != GIVEN]
    found = _as_signed(found, text, question.choices)
    starts = {mention.start for mention in found}
    return [mention for mention in found if is_whole(text, mention, starts)]


def _as_signed(found: list[Mention], text: Text, choices: Sequence[str]) -> list[Mention]:
    """The options' texts in a reply, told apart by their signs and units: cos x, -cos x; 3, minus 3; 5 MW, 5 mW."""
    formulas = [(str(i), pattern) for i, choice in enumerate(choices) if (pattern := formula_of(choice)) is not None]
    whole = [
        Mention(*text.between(*place.span()), frozenset({uri}))
        for uri, formula in formulas
        for place in formula.finditer(text.source)
    ]
    taken = {i for mention in whole for i in range(mention.start, mention.end)}
    by_formula = {uri for uri, _ in formulas}
    others = []
    for mention in found:
        start, end = mention.start, mention.end
        is_less = start > 0 and text.words[start - 1] in _MINUS and text.words[start].isdigit()
        is_part = end - start == 1 and _is_of_decimal(text, start)  # the 15 of 0.15
        if not is_less and not is_part and taken.isdisjoint(range(start, end)):
            said = text.source[text.starts[start] : text.span(end - 1)[1]] if len(mention.uris) > 1 else ""
            alike = frozenset(uri for uri in mention.uris if not (said and differs(said, choices[int(uri)])))
            others += [Mention(start, end, alike - by_formula)] if alike - by_formula else []
    return sorted([*whole, *others], key=lambda mention: mention.start)


def _is_of_decimal(text: Text, i: int) -> bool:
    """Whether a word is the figures before or behind the point of a decimal number."""
    return text.words[i].isdigit() and _DECIMAL.match(text.source, text.starts[i]) is not None


def given_by(index: EntityIndex, question: Question) -> list[NameTable]:
    """The names of the entity that a question gives."""
    given = index.asked_about(question)
    return [_named(given.names())] if given else []


def words_of_given(text: Text, given: Sequence[NameTable]) -> set[int]:
    """The words of a reply that repeat a name of several words that the question gives."""
    return {i for start, end, _ in find(given, text) if end - start > 1 for i in range(start, end)}


def other_forms_in(text: Text, question: Question) -> list[Mention]:
    """The options in a reply that writes them otherwise: a surname, a date in another order."""
    if all(map(value_of, question.choices)):
        values = {str(i): [value] for i, choice in enumerate(question.choices) if (value := value_of(choice))}
        return [mention for mention in typed_mentions(text, values) if mention.uris]
    return [Mention(start, end, uris) for start, end, uris in find([_forms(question.choices)], text)]


def misspelt_option(flat: str, question: Question) -> int | None:
    """The number of the one option that a normalised reply misspells; None where there is none such."""
    names = {normalise(choice): i for i, choice in enumerate(question.choices)}
    near = {names[name] for name in names if misspelt(flat, [name], Known([other for other in names if other != name]))}
    return near.pop() if len(near) == 1 else None


def _aliases(index: EntityIndex, question: Question) -> list[NameTable]:
    """The other names of the options that no option bears as its text."""
    side, texts = index.sought(question), _texts(question.choices).uris
    bearers, known = side.names.bearers, side.entities
    names: list[tuple[str, list[str]]] = []
    for i, choice in enumerate(question.choices):
        same: list[Entity | Answer] = [known[uri] for uri in bearers(" ".join(name_words(choice)))]
        same += answers_of(question)
        if others := [name for one in same if one.aliases and one.label == choice for name in one.aliases]:
            names.append((str(i), [name for name in others if " ".join(name_words(name)) not in texts]))
    return [NameTable(names)] if names else []


@lru_cache(maxsize=1 << 10)
def _named(names: tuple[str, ...]) -> NameTable:
    return NameTable([("", names)])


@lru_cache(maxsize=1 << 10)
def _texts(choices: tuple[str, ...]) -> NameTable:
    shorter = Counter(name for choice in choices for name in _without_bracket(choice))
    return NameTable(
        (
            str(i),
            dict.fromkeys([choice, without_dots(choice), *(n for n in _without_bracket(choice) if shorter[n] == 1)]),
        )
        for i, choice in enumerate(choices)
    )


def _without_bracket(choice: str) -> tuple[str, ...]:
    """An option without what stands in brackets behind it, and that where it is a name of the same: Adrenaline."""
    found = _BRACKET.fullmatch(choice)
    if found is None:
        return ()
    before, inside = found.groups()
    is_name = any(letter.isupper() for letter in inside[1:]) or " " not in before + inside
    return (before, inside) if is_name else (before,)


@lru_cache(maxsize=1 << 10)
def _forms(choices: tuple[str, ...]) -> NameTable:
    options = {str(i): Entity(str(i), choice) for i, choice in enumerate(choices) if _is_name(choice)}
    forms = unique_forms(options, {" ".join(name_words(choice)) for choice in choices})
    return NameTable((bearer.uri, (form,)) for form, bearer in forms.items())


def _is_name(choice: str) -> bool:
    """Whether an option is a name, and no sentence that begins as one: The sun emits light."""
    text = Text(choice)
    links = vocabulary("function", "prefix", "particle")
    return len(text) <= _MOST_OF_NAME or all(
        capital or word in links for word, capital in zip(text.words, text.capital, strict=True)
    )
