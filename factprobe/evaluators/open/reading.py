"""What a reply says of the right answers, where they are all that is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from operator import eq
from typing import Literal, NamedTuple

from factprobe.evaluators.open.initials import same_as, short_for, spelled_out
from factprobe.evaluators.open.others import is_another, is_kin
from factprobe.evaluators.open.surnames import person_of
from factprobe.evaluators.open.turns import item_numbers, names_in, settles_on, turns_away
from factprobe.evaluators.short.reading import ShortReading
from factprobe.evaluators.short.several import asks_of_several, is_list
from factprobe.reading.cleaning import with_bullets
from factprobe.reading.essence import Place, glued_in, is_common, key, keys_of, said
from factprobe.reading.formulas import formula_of, in_line, ordered, ratio_of
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.near import is_other_word, is_same_but_for_spelling
from factprobe.reading.names.regions import is_region, is_region_at, state_at, state_of
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.whole import grows_right
from factprobe.reading.once import once
from factprobe.reading.stance.commitment import Stance, stance
from factprobe.reading.stance.denial import denies, wonders
from factprobe.reading.units import may_be_left_out, measure_in, same_unit
from factprobe.reading.values import Value, is_ordinal, value_of, values_in
from factprobe.reading.words import Text, name_words

_SHORTEST = 5
"""Letters of a name of which one letter more or less makes another: Manet, Monet."""
_ROUND = 100
_BEFORE = 40
"""Characters before a number that may say that it is left behind."""
_BEYOND = re.compile(rf"(?:{phrases('beyond')})$", re.IGNORECASE)
_SAYS_BEYOND = re.compile(phrases("beyond"))
_BEYOND_YEAR = re.compile(rf"(?:{phrases('beyond_year')})$", re.IGNORECASE)
_SAYS_BEYOND_YEAR = re.compile(phrases("beyond_year"))
_JOINTS = frozenset("/•\n,-.")
"""What may stand between names that are given beside each other."""
_SEVERAL = frozenset(map(str, range(2, 20)))
"""A question with one of these may ask for so many names."""
_SHORT = 12
"""Words of a reply that is nothing but a few names."""

Kind = Literal["value", "mention", "gist"]
"""Of what is said: a date or a number, a name word for word, or the words that matter of one."""


class SaidAnswer(NamedTuple):
    """A right answer that a reply says."""

    uri: str
    name: str
    place: Place
    kind: Kind


class OpenReading(ShortReading, frozen=True):
    """A reply to a question that any of some names answers."""

    @once
    def said(self) -> tuple[SaidAnswer, ...]:
        """The right answers that it says, in the order of the question."""
        found = []
        for answer in answers_of(self.question):
            values = {name: value for name in answer.names() if (value := value_of(name)) is not None}
            for name in answer.names():
                told = self._value_said(name, values) if name in values else self._name_said(name)
                if told is not None:
                    found.append(SaidAnswer(answer.uri, name, *told))
        return tuple(found)

    def _value_said(self, name: str, values: Mapping[str, Value]) -> tuple[Place, Kind] | None:
        """Where it gives a value; a year may be glued to other figures or letters, a unit may stand in the question."""
        right = values[name]
        if (place := self._place_of(right, values.values())) is not None:
            return place, "value"
        if right.unit and not may_be_left_out(right.unit):
            found = self._name_said(name)
            return None if found is None or self._has_other_unit(right, found[0]) else found
        glued = said(name, glued_in(self.text), self._asked_keys) if right.is_year() else None
        return None if glued is None else (glued, "gist")

    def _has_other_unit(self, right: Value, place: Place) -> bool:
        """Whether the number that stands in a place has another unit than the right one."""
        return any(
            value.unit and value.number == right.number and value.differs(right)
            for value in self._values
            if (at := self._words_at(value))[0] < place[1] and place[0] < at[1]
        )

    def _formula_said(self, name: str) -> tuple[Place, Kind] | None:
        """Where it says a formula; the letter that is asked for need not be said again: x = -2."""
        left, equals, rest = name.partition("=")
        if equals and rest.strip() and left.strip().lower() in self.question_words:
            right = value_of(rest)
            return self._name_said(rest) if right is None else self._value_said(rest, {rest: right})
        formula = formula_of(name)
        if formula is None or formula.search(in_line(self.reply)) is None:
            return None
        found = formula.search(self.text.source)
        return (self.text.between(*found.span()) if found else (0, len(self.text))), "mention"

    def _name_said(self, name: str) -> tuple[Place, Kind] | None:
        """Where it says a name, word for word or in the words that matter of it."""
        if formula_of(name) is not None:
            return self._formula_said(name)
        if ratio := ratio_of(name):
            place = ordered(ratio, self._places) or self._fraction_at(name)
        else:
            place = said(name, self._places, self._asked_keys) or self._surname_of(name)
        if place is not None and (self._is_elsewhere(name, place) or self._is_of_another(name, place)):
            return None
        if place is None and (initials := self._initials_of(name)) is not None:
            return initials, "gist"
        if place is None or (is_common(name) and not self._stands_out(place[0])):
            return None
        return place, "mention" if self._is_whole(name, place) else "gist"

    def _fraction_at(self, name: str) -> Place | None:
        """Where it says a fraction in words."""
        for said_so in table("fraction").get(name.strip(), ()):
            words = list(name_words(said_so))
            for i in range(len(self.text) - len(words) + 1):
                if self.text.words[i : i + len(words)] == words:
                    return i, i + len(words)
        return None

    @once
    def _places(self) -> dict[str, list[int]]:
        return keys_of(self.text)

    @once
    def _asked_keys(self) -> frozenset[str]:
        return frozenset(map(key, self.asked.words))

    @property
    def may_be_misspelt(self) -> bool:
        """Whether a slip makes no other name of a right one: it is long enough, holds no number and is no formula."""
        if any(formula_of(name) for answer in answers_of(self.question) for name in answer.names()):
            return False
        return not any(letter.isdigit() for name in self.names for letter in name) and all(
            len(name) > _SHORTEST for name in self.names
        )

    @property
    def _asks_person(self) -> bool:
        return not vocabulary("asks_person").isdisjoint(self.asked.words[:2])

    @property
    def _asks_amount(self) -> bool:
        return not vocabulary("asks_amount").isdisjoint(self.asked.words)

    @once
    def is_choice(self) -> bool:
        """Whether it is nothing but several names, of which it takes none: Ulm or Munich."""
        text = self.text
        if asks_of_several(text) or is_list(self) or self._joins_names:
            return True
        common = vocabulary("function", "hedge", "before_name", "name_particle")
        names = [i for i, word in enumerate(text.words) if word not in common]
        joins = any(word in vocabulary("link_or") and text.raw[i].islower() for i, word in enumerate(text.words))
        return joins and len(text) <= _SHORT and all(text.capital[i] for i in names)

    @property
    def _joins_names(self) -> bool:
        """Whether it is a right name with others beside it, and nothing else: Ulm and Munich, Ulm/Munich, - Ulm."""
        if len(self.text) > _SHORT:
            return False
        text = Text(with_bullets(self.reply)) if "\n" in self.reply else self.text
        joined = "/" in text.mark or not vocabulary("link_and").isdisjoint(text.words)
        if not (joined or "".join(text.mark).count("•") > 1):
            return False
        between = vocabulary("link_and", "joins_both", "article", "name_particle")
        names = {word for word in text.words if word not in between}
        first = self.said[0].place
        return (
            all(text.capital[i] for i, word in enumerate(text.words) if word not in between)
            and _JOINTS.issuperset("".join(text.mark))
            and self.question_words.isdisjoint(names)
            and self._asked_keys.isdisjoint(_SEVERAL)
            and all(one.place[0] < first[1] and first[0] < one.place[1] for one in self.said)
        )

    @once
    def is_choice_of_values(self) -> bool:
        """Whether it is nothing but several values, of which it takes none and not all are right: 1968 or 1969."""
        text, values = self.text, self._values
        if len(text) > _SHORT or all(map(self._is_right, values)):
            return False
        inside = {i for value in values for i in range(*self._words_at(value))}
        told = {word for i, word in enumerate(text.words) if i not in inside}
        if vocabulary("link_or").isdisjoint(told):
            return not told and len(values) > 1 and {",", "\n"}.issuperset("".join(text.mark))
        return told <= vocabulary("function", "hedge", "before_name") | self.question_words

    @once
    def slips(self) -> list[Mention]:
        """The right names that it says with slips, or with further names in between, and that are nobody else's."""
        if self.said or not self.may_be_misspelt:
            return []
        names = {answer.uri: answer.names() for answer in answers_of(self.question)}
        called = [
            Mention(*place, frozenset((uri,)))
            for uri, known in names.items()
            for name in known
            if (place := self._surname_of(name, is_same_but_for_spelling)) and not self._is_of_another(name, place)
        ]
        return called or [
            mention
            for mention in self.mentions
            if mention.uris & self.misspelt
            and not any(
                is_another(name, self.text, (mention.start, mention.end))
                or is_other_word(" ".join(self.text.words[mention.start : mention.end]), name)
                for uri in mention.uris
                for name in names[uri]
            )
        ]

    @once
    def is_doubted(self) -> bool:
        """Whether it only wonders about the right answers that it says."""
        words = self.text.words
        return len(self.said) > 0 and all(
            of.doubted and wonders(self._own_words(place)) and words[place[0]] not in words[place[1] :]
            for of, place in zip(self._stances, [one.place for one in self.said], strict=True)
        )

    @once
    def stands(self) -> tuple[SaidAnswer, ...]:
        """Those of them that it does not rule out."""
        stands = zip(self.said, self._stances, strict=True)
        return tuple(one for one, of in stands if not self._rules_out(one.place, of) and not self._turns_away(one))

    @once
    def _stances(self) -> list[Stance]:
        """What it says of each right answer, for itself."""
        text, asked = self.text, self.question_words
        return [stance(text, [Mention(*one.place, self.right)], asked, self.predicate) for one in self.said]

    def _stands_out(self, i: int) -> bool:
        """Whether a word that stands in any sentence is meant as a name: it opens the reply, or has a capital."""
        text = self.text
        return i == 0 or (text.capital[i] and text.sentences[i - 1] == text.sentences[i])

    def _turns_away(self, one: SaidAnswer) -> bool:
        """Whether it takes an answer back, or gives another one in the end."""
        right, others = self._sides(one)
        return turns_away(self.text, right, others, self.question_words, self.predicate)

    @once
    def settles(self) -> bool:
        """Whether it takes a right answer alone of several that it names."""
        right, others = self._sides(self.stands[0])
        return settles_on(self.text, right, others, self.question_words, self.predicate)

    def _sides(self, one: SaidAnswer) -> tuple[list[Place], list[Place]]:
        """Those of the values or names in it that may be right, and the others that have no word of these."""
        right, others = self._of_kind(one)
        mine = {i for place in right for i in range(*place)}
        return right, [place for place in others if mine.isdisjoint(range(*place))]

    def _of_kind(self, one: SaidAnswer) -> tuple[list[Place], list[Place]]:
        """The values or names in it, those that are or may be right and the others."""
        if one.kind == "value":
            right = [value for value in self._values if self._is_right(value)]
            years = not self._asks_amount and all(value.year is not None for value in self._right_values)
            wrong = (value for value in self._values if not self._is_right(value))
            others = [value for value in wrong if value.year is not None or not years]
            return [one.place, *map(self._words_at, right)], [*map(self._words_at, others)]
        words = {word for name in self.names for word in name_words(name)} - vocabulary("function")
        names = [*names_in(self.text, self.question_words)]
        mine = [place for place in names if not words.isdisjoint(self.text.words[slice(*place)])]
        return [one.place, *mine], [place for place in names if place not in mine]

    def _surname_of(self, name: str, is_same: Callable[[str, str], bool] = eq) -> Place | None:
        """Where the reply calls a person who is asked for by the surname alone, or a ruler without the number."""
        person = person_of(name)
        if person is None or not self._asks_person:
            return None
        text, surname = self.text, person.surname
        for i, word in enumerate(text.words):
            if word[0] != surname[0] or not is_same(word, surname):
                continue
            is_name = text.capital[i] and word not in self.question_words
            if is_name and (person.is_kind or not grows_right(text, i + 1)) and person.is_called(text, i):
                return (i, i + 1)  # not Austen Chamberlain; LeBron James of Team LeBron
        return None

    def _initials_of(self, name: str) -> Place | None:
        """Where the reply has a name by its initials, or the name that initials stand for."""
        found = short_for(name, self.text, self.question_words) or spelled_out(name, self.text)
        others = sorted(other for other in same_as(name) if " " in other)
        return found or next((place for one in others if (place := said(one, self._places, self._asked_keys))), None)

    def _is_of_another(self, name: str, place: Place) -> bool:
        """Whether a name is somebody else's, or only tells whose friend or relative somebody is."""
        by_the_way = self._asks_person and is_kin(self.text, place, self.question_words)
        return by_the_way or is_another(name, self.text, place)

    def _is_elsewhere(self, name: str, place: Place) -> bool:
        """Whether the reply goes on with another state than the one that the place lies in: Portland, Maine.

        People take a country for a state, or one country's name for another's: Surrey, England; Munich, Germany.
        """
        town, _, region = name.partition(",")
        words, end = name_words(region) if region.strip() else (), place[1]
        if not words or self.text.words[place[0] : end] != list(name_words(town)):
            return False
        if is_region(name_words(town)) and self._is_region_itself(place):
            return True
        if not is_region(words):
            return False
        behind = end + (end < len(self.text) and self.text.words[end] in vocabulary("lies_in"))
        state, union = state_at(self.text, behind), same_as("US") | same_as("USA")
        if state == "" and state_of(words):  # Cambridge, England, is not the one in Massachusetts
            return is_region_at(self.text, behind, but=union)
        return state not in ("", state_of(words)) and same_as(region).isdisjoint(union)

    def _is_region_itself(self, place: Place) -> bool:
        """Whether what is called like a region is the region: Washington State; Seattle, Washington."""
        text, (start, end) = self.text, place
        if end < len(text) and not text.mark[end] and is_region(text.words[start : end + 1]):
            return True
        is_last = end == len(text) or text.mark[end] != ""
        town = text.words[start - 1] if start and text.mark[start] == "," and text.capital[start - 1] else ""
        common = vocabulary("function", "hedge", "exclamation", "region") | self.question_words
        return is_last and town not in common | {""}

    def _place_of(self, right: Value, others: Collection[Value]) -> Place | None:
        """Where the reply gives a number, or a date as exactly as the answers have it or less, and no other day."""
        exact = [other for other in others if right.is_year() and other.year == right.year and other.month]
        for value in self._values:
            if self._is_beyond(value) or self._is_of_other_kind(value, right):
                continue
            if _agree(value, right) and (not exact or any(_agree(value, other) for other in exact)):
                return self._words_at(value)
        return None

    def _is_of_other_kind(self, value: Value, right: Value) -> bool:
        """Whether a number is no count or no year where one is asked for: 8 %, the 8th, 1879 kilometres."""
        asked = self.question_words
        if value.year is None and value.unit and right.is_year() and not right.unit:
            return not vocabulary("asks_when").isdisjoint(asked) and vocabulary("asks_amount").isdisjoint(asked)
        if right.unit or vocabulary("asks_count").isdisjoint(asked):
            return False
        if same_unit(value.unit, "%"):
            return not same_unit(measure_in([*self.asked.words]), "%")
        said = self.text.source[value.start : value.end]
        return is_ordinal(said) and not any(map(is_ordinal, self.names))

    def _is_beyond(self, value: Value) -> bool:
        """Whether a number is left behind: more than five is not five. Of a round one people say so who estimate."""
        if value.number is None or value.month is not None or value.number % _ROUND == 0:
            return False
        before = self.text.source[max(value.start - _BEFORE, 0) : value.start].rstrip()
        if value.is_year() and _BEYOND_YEAR.search(before) and not any(map(_SAYS_BEYOND_YEAR.search, self.names)):
            return True
        return _BEYOND.search(before) is not None and not any(map(_SAYS_BEYOND.search, self.names))

    @once
    def _values(self) -> list[Value]:
        numbers = item_numbers(self.text.source)
        return [value for value in values_in(self.text.source) if value.start not in numbers]

    @once
    def _right_values(self) -> list[Value]:
        names = (name for answer in answers_of(self.question) for name in answer.names())
        return [value for name in names if (value := value_of(name)) is not None]

    def _is_right(self, value: Value) -> bool:
        return any(_agree(value, right) for right in self._right_values)

    def _words_at(self, value: Value) -> Place:
        return self.text.between(value.start, value.end)

    def _is_whole(self, name: str, place: Place) -> bool:
        return tuple(self.text.words[place[0] : place[1]]) == name_words(name)

    def _rules_out(self, place: Place, of: Stance) -> bool:
        """Whether it denies a name, in words that the question does not have: Ain't No Mountain is by Marvin Gaye."""
        if not of.ruled_out:
            return False
        if denies(self._own_words(place)) or self._stands_behind_not(place):
            return True
        text, sentence = self.text, self.text.sentences[place[0]]
        behind = self._own_words(place, (1,))
        return sentence in text.asks and not vocabulary("says_no").isdisjoint(behind.split()[:1])  # Ulm? No.

    def _stands_behind_not(self, place: Place) -> bool:
        """Whether a denial stands right before a name, whatever the question has: Which is not red? Mars, not Ulm."""
        words, before = self.text.words, place[0] - 1
        while before > 0 and words[before] in vocabulary("article"):
            before -= 1
        opens = before > 0 and words[before] in vocabulary("opens_denial")
        return opens and denies(" ".join(words[before : place[1] + 1]))  # not 100 % sure

    def _own_words(self, place: Place, near: Collection[int] = (-1, 0, 1)) -> str:
        """The words of the sentence of a name, and of those beside it, which the question does not have."""
        text, asked = self.text, self.question_words
        wanted = {text.sentences[place[0]] + shift for shift in near}
        words = zip(text.words, text.sentences, strict=True)
        return " ".join(word for word, number in words if number in wanted and word not in asked)


def _agree(value: Value, right: Value) -> bool:
    """Whether a value is the right one, or a date that says less of the same day."""
    return value.answers(right) or (right.month is not None and value.year is not None and right.answers(value))
