"""What the rules on questions with options ask of a reply."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from string import ascii_uppercase
from typing import Literal

from msgspec import Struct

from factprobe.evaluators.choices.committing import called_answer, committed_by_letter
from factprobe.evaluators.choices.letters import letters_in, with_letters
from factprobe.evaluators.choices.menu import without_menu
from factprobe.evaluators.choices.names import given_by, misspelt_option, other_forms_in, texts_in, words_of_given
from factprobe.evaluators.choices.places import places_in
from factprobe.evaluators.choices.signs import choice_words, in_plain_signs
from factprobe.evaluators.choices.wording import worded_in
from factprobe.reading.abstention import only_declines
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.once import once
from factprobe.reading.phrasing import Phrases
from factprobe.reading.quoting import as_written
from factprobe.reading.reading import Reading
from factprobe.reading.stance.commitment import stance
from factprobe.reading.stance.denial import denies
from factprobe.reading.words import Text
from factprobe.text import normalise, one_line

_BARE = re.compile(r"\(?([A-Z])(?:[).:]+|$)(?: ?(.+))?")
"""A letter, or a letter and a text: what most replies are."""
_NONE = Phrases(phrases("option_none"))
_ALL = Phrases(phrases("option_all"))
_NONE_SAID = Phrases(f"{phrases('option_none')}|{phrases('option_none_said')}")
_NONE_TEXT, _ALL_TEXT = re.compile(phrases("option_none_text")), re.compile(phrases("option_all_text"))
_UNFAMILIAR = Phrases(phrases("option_unfamiliar"))
_SIGN = {side: words[0] for side, words in table("option_sign").items()}
_YES = vocabulary("option_yes")
_NONE_OF_THEM, _ALL_OF_THEM = range(2)

By = Literal["text", "letter", "place", "slip", "rest", "remarks", "words", ""]
"""What tells the options that a reply chooses; nothing where it chooses none."""


class Choice(Struct, frozen=True):
    """The options that a reply chooses, by their number from 0."""

    numbers: frozenset[int] = frozenset()
    by: By = ""
    words: str = ""
    """The words that name them, as they were read."""
    ruled_out: frozenset[int] = frozenset()
    disagrees: bool = False
    """Whether a letter and the text behind it are those of two options: B) Munich."""


class OptionsReading(Reading, frozen=True):
    """A reply to a question with options."""

    @once
    def shown(self) -> tuple[str, ...]:
        """The options as the prompt shows them."""
        return _shown(self.question.choices)

    @once
    def is_option(self) -> bool:
        """Whether the reply is the same as an option but for spelling: "I don't know" may be one."""
        return self.flat in map(normalise, self.question.choices)

    @property
    def only_declines(self) -> bool:
        """See the base class; an option may be a phrase of abstention."""
        return only_declines(self.flat) and not self.is_option and not self._says_none_of_these

    @once
    def plain(self) -> Text:
        """The reply in words, in plain signs."""
        source = in_plain_signs(self.reply, self.shown)
        return self.text if source == self.reply else Text(source)

    @once
    def choice(self) -> Choice:
        """The options that it chooses."""
        found = self._bare or self._named
        if self._none in self.question.choices:
            found = self._with_none(found)
        every = None if len(found.numbers) == 1 else _one_of(self.question.choices, _ALL_OF_THEM)
        if every is None:
            return found
        said = None if found.numbers else _ALL.search(self.flat)
        is_said = said is not None and not denies(self.flat[: said.start()])
        return Choice(frozenset({every}), "text") if is_said or self._are_others(found, every) else found

    @once
    def says_none(self) -> bool:
        """Whether it rules all options out, or says that none is right."""
        return bool(self.choice.ruled_out) or any(pattern.search(self._other_words) for pattern in (_NONE, _ALL))

    @property
    def has_other_text(self) -> bool:
        """Whether it is a letter and the name of what the graph knows and no option is: A) France."""
        bare = _BARE.fullmatch(one_line(self.reply)) if self.choice.by == "letter" else None
        if bare is None or not bare[2] or len(self.choice.numbers) > 1:
            return False
        (number,), entities = self.choice.numbers, self.side.entities
        named = [mention for mention in self.mentions if mention.start == 1 and mention.end == len(self.text)]
        known = [entities[uri] for one in named for uri in one.uris & entities.keys()]
        names = {normalise(name) for entity in known for name in entity.names()}
        return bool(names) and normalise(self.shown[number]) not in names

    @property
    def answer(self) -> str:
        """The words that name the options chosen, as the reply has them."""
        return as_written(self.reply, self.choice.words) or self.excerpt

    def label(self, number: int) -> str:
        """An option by its letter and text: B) Ulm."""
        return f"{ascii_uppercase[number]}) {self.shown[number]}"

    def labels(self, numbers: Iterable[int]) -> str:
        """Options by letter and text: A) Munich, B) Ulm."""
        return ", ".join(map(self.label, sorted(numbers)))

    @property
    def _bare(self) -> Choice | None:
        """The option whose text, or whose letter with or without its text, is all of the reply."""
        shown, whole = self.shown, one_line(self.reply)
        if shown.count(whole) == 1:
            return Choice(frozenset({shown.index(whole)}), "text", whole)
        bare = _BARE.fullmatch(whole)
        led = ascii_uppercase.find(bare[1]) if bare else -1
        if bare and 0 <= led < len(shown) and (not bare[2] or bare[2].rstrip(".") == shown[led]):
            return Choice(frozenset({led}), "letter", whole)
        return None

    @property
    def _named(self) -> Choice:
        """The options that are named in a longer reply."""
        text, question, count = self.plain, self.question, len(self.shown)
        given = given_by(self.index, question)
        texts = texts_in(text, self.index, question, given)
        repeated = words_of_given(text, given)
        letters = [letter for letter in letters_in(text, texts, self.shown) if letter.start not in repeated]
        starts = {mention.start for mention in letters}
        mentions, right = without_menu(with_letters([*letters, *texts], text, starts), text, starts, count)
        by: By = "letter" if letters else "text"
        if not mentions and right is not None:
            return Choice(frozenset(right), "remarks", ruled_out=frozenset(range(count)) - right)
        if not letters and not texts:
            mentions = other_forms_in(text, question)
        if not mentions:
            mentions, by = places_in(text, self.shown), "place"
        if mentions:
            return self._committed(mentions, by, right, starts)
        number = misspelt_option(self.flat, question)
        if number is not None:
            return Choice(frozenset({number}), "slip", self.reply)
        return Choice() if letters or texts else self._worded

    @property
    def _worded(self) -> Choice:
        """The one option that is said in other words in a reply that names none, and does not decline."""
        if self.declines or any(pattern.search(self.flat) for pattern in (_NONE_SAID, _ALL)):
            return Choice()
        mentions = worded_in(self.plain, self.question.choices, self.asked.words)
        if not mentions:
            return Choice()
        found = self._committed(mentions, "words", None, set())
        said = frozenset(int(uri) for mention in mentions for uri in mention.uris)
        return found if len(found.numbers) == 1 and said - found.ruled_out <= found.numbers else Choice()

    @once
    def _none(self) -> str:
        """The text of the option that none of the others is right; empty where there is none such."""
        number = None if self.question.none else _one_of(self.question.choices, _NONE_OF_THEM)
        return self.question.none if number is None else self.question.choices[number]

    @once
    def _other_words(self) -> str:
        """The normalised reply without the text of the option that none of the others is right, where there is one."""
        return self.flat.replace(normalise(self._none), "") if self._none else self.flat

    @property
    def _says_none_of_these(self) -> bool:
        """Whether it says in other words what that option says."""
        return self._none in self.question.choices and _NONE_SAID.search(self._other_words) is not None

    def _are_others(self, found: Choice, number: int) -> bool:
        """Whether a reply names all options but one that sums them up: Red, green and blue."""
        return found.numbers | {number} == frozenset(range(len(self.shown))) and len(found.numbers) > 1

    def _with_none(self, found: Choice) -> Choice:
        """What it chooses where an option is that none of the others is right.

        Args:
            found: what it names.
        """
        number = self.question.choices.index(self._none)
        none, others = frozenset({number}), frozenset(range(len(self.shown))) - {number}
        if found.by == "text" and found.numbers == none and _UNFAMILIAR.search(self.flat):
            return Choice()
        if self._are_others(found, number) and self._says_none_of_these:
            return Choice(none, "text")
        if found.numbers or number in found.ruled_out:
            return found
        if found.ruled_out == others:
            return Choice(none, "rest", ruled_out=others)
        return Choice(none, "text", ruled_out=found.ruled_out) if self._says_none_of_these else found

    def _committed(self, mentions: list[Mention], by: By, right: set[int] | None, letters: set[int]) -> Choice:
        """The options that the reply commits to among those that it names.

        Args:
            mentions: of options.
            by: what names them.
            right: those that a list of all options calls right; None where there is no such list.
            letters: the words that are a letter of an option.
        """
        text = self.plain
        affirmed = _affirmed(text, mentions)
        crossed = _marked(text, mentions, _SIGN["incorrect"])
        if crossed and not affirmed:
            mentions = [mention for mention in mentions if not crossed.issuperset(map(int, mention.uris))]
            if not mentions:
                return Choice(ruled_out=frozenset(crossed))
        if len(affirmed) == 1:
            named = [mention for mention in mentions if int(min(mention.uris)) in affirmed]
            return Choice(frozenset(affirmed), by, _written(text, named))
        asked = vocabulary("task", "task_options").union(self.asked.words) - choice_words(self.shown)
        said = stance(text, mentions, asked, self.predicate)
        by_letter = committed_by_letter(text, mentions, letters, said) if letters and len(mentions) > 1 else None
        chosen = [mentions[i] for i in (called_answer(text, mentions, said) if by_letter is None else [by_letter])]
        out = frozenset(int(uri) for i in said.ruled_out for uri in mentions[i].uris)
        if chosen:
            bearers = [mention.uris for mention in chosen]
            # Texts may differ in form only; then the letter tells them apart.
            narrow = frozenset.intersection(*bearers) or frozenset().union(*bearers)
            numbers = frozenset(map(int, narrow))
            disagrees = len(numbers) > 1 and any(m.start in letters and len(m.uris) > 1 for m in chosen)
            return Choice(numbers, by, _written(text, chosen), out - numbers, disagrees)
        if len(said.ruled_out) < len(mentions):
            return Choice(frozenset(right or ()), "remarks")
        left = frozenset(range(len(self.shown))) - out
        return Choice(left, "rest", ruled_out=out) if len(left) == 1 < len(self.shown) - 1 else Choice(ruled_out=out)


@lru_cache(maxsize=1 << 10)
def _shown(choices: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(one_line, choices))


def _one_of(choices: tuple[str, ...], which: int) -> int | None:
    """The number of the one option that says that none of the others is right, or that all are."""
    found = [i for i, choice in enumerate(choices) if _sums_up(choice)[which]]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=1 << 13)
def _sums_up(choice: str) -> tuple[bool, bool]:
    """Whether an option says that none of the others is right, and that all are; those of a relation come again."""
    flat = normalise(choice)
    return _NONE_TEXT.fullmatch(flat) is not None, _ALL_TEXT.fullmatch(flat) is not None


def _affirmed(text: Text, mentions: list[Mention]) -> set[int]:
    """The options that a yes stands behind: Munich? He grew up there. Ulm? Yes."""
    starts = {mention.start for mention in mentions}
    return _marked(text, mentions, _SIGN["correct"]) | {
        int(min(mention.uris))
        for mention in mentions
        if mention.end < len(text) and text.words[mention.end] in _YES and mention.end not in starts
    }


def _marked(text: Text, mentions: list[Mention], word: str) -> set[int]:
    """The options behind which a word stands in brackets of its own, as it does for a tick or a cross."""
    if word not in text.words:
        return set()
    marks = [*text.mark, ")"]
    return {
        int(min(mention.uris))
        for mention in mentions
        if text.words[mention.end : mention.end + 1] == [word]
        and "(" in marks[mention.end]
        and ")" in marks[mention.end + 1]
    }


def _written(text: Text, mentions: list[Mention]) -> str:
    """The words from the first mention to the last."""
    first, last = mentions[0], mentions[-1]
    return text.source[text.starts[first.start] : text.span(last.end - 1)[1]]
