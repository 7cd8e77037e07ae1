"""What a reply says of the right answers, where they are all that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import eq
from typing import Literal, NamedTuple

from factprobe.evaluators.open.denied import own_words, rules_out
from factprobe.evaluators.open.final import ends_with_another, small_last_names
from factprobe.evaluators.open.given import given_names, is_repeated
from factprobe.evaluators.open.initials import same_as, short_for, spelled_out
from factprobe.evaluators.open.others import is_another, is_kin
from factprobe.evaluators.open.states import is_elsewhere
from factprobe.evaluators.open.subjects import is_told_of_another
from factprobe.evaluators.open.surnames import person_of
from factprobe.evaluators.open.turns import names_in, settles_on, turns_away
from factprobe.evaluators.open.values import SHORT, ValueReading
from factprobe.evaluators.short.several import asks_of_several, is_list
from factprobe.reading.cleaning import with_bullets
from factprobe.reading.essence import Place, fraction_said, glued_in, is_common, is_given, keys_in, keys_of, said
from factprobe.reading.formulas import formula_of, in_line, ordered, ratio_of
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.near import is_other_word, is_same_but_for_spelling
from factprobe.reading.names.regions import is_region
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.whole import grows_right
from factprobe.reading.once import once
from factprobe.reading.reading import template_stems
from factprobe.reading.stance.commitment import Stance, stance
from factprobe.reading.stance.denial import wonders
from factprobe.reading.units import may_be_left_out
from factprobe.reading.values import Value, value_of
from factprobe.reading.words import Text, name_words

_SHORTEST = 5
"""Letters of a name of which one letter more or less makes another: Manet, Monet."""
_JOINTS = frozenset("/•\n,-.")
"""What may stand between names that are given beside each other."""
_SEVERAL = frozenset(map(str, range(2, 20)))
"""A question with one of these may ask for so many names."""

Kind = Literal["value", "mention", "gist"]
"""Of what is said: a date or a number, a name word for word, or the words that matter of one."""


class SaidAnswer(NamedTuple):
    """A right answer that a reply says."""

    uri: str
    name: str
    place: Place
    kind: Kind


class OpenReading(ValueReading, frozen=True):
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
        if (place := self.place_of(right, values.values())) is not None:
            return place, "value"
        if right.unit and not may_be_left_out(right.unit):
            found = self._name_said(name)
            return None if found is None or self.has_other_unit(right, found[0]) else found
        glued = said(name, glued_in(self.text), self._asked_keys) if right.is_year() else None
        return None if glued is None else (glued, "gist")

    def _formula_said(self, name: str) -> tuple[Place, Kind] | None:
        """Where it says a formula; the letter that is asked for need not be said again: x = -2."""
        left, equals, rest = name.partition("=")
        if equals and rest.strip() and left.strip().lower() in self.question_words:
            right = value_of(rest)
            return self._name_said(rest) if right is None else self._value_said(rest, {rest: right})
        formula = formula_of(name)
        if formula is None or not len(self.text) or formula.search(in_line(self.reply)) is None:
            return None
        found = formula.search(self.text.source)
        return (self.text.between(*found.span()) if found else (0, len(self.text))), "mention"

    def _name_said(self, name: str) -> tuple[Place, Kind] | None:
        """Where it says a name, word for word or in the words that matter of it."""
        if formula_of(name) is not None:
            return self._formula_said(name)
        if ratio := ratio_of(name):
            place = ordered(ratio, self._places) or fraction_said(name, self.text)
        else:
            place = self._own_place(name) or self._surname_of(name)
        if place is not None and self._is_of_another(name, place):
            return None
        if place is None and (initials := self._initials_of(name)) is not None:
            return initials, "gist"
        if place is None or (is_common(name) and not self._stands_out(place[0])):
            return None
        is_whole = tuple(self.text.words[slice(*place)]) == name_words(name)
        return place, "mention" if is_whole else "gist"

    def _own_place(self, name: str) -> Place | None:
        """Where it says the words of a name, and not only to repeat them from the question."""
        place = said(name, self._places, self._asked_keys)
        if place is None or not is_given(name, self._asked_keys) or name not in self._given:
            return place
        left = self._places
        while place is not None and is_repeated(self.text, place, self._asked_keys):
            passed = range(*place)
            left = {word: rest for word, at in left.items() if (rest := [i for i in at if i not in passed])}
            place = said(name, left, self._asked_keys)
        return place

    @once
    def _given(self) -> frozenset[str]:
        names = [name for answer in answers_of(self.question) for name in answer.names()]
        return given_names(names, self._asked_keys, self.asked.words)

    @once
    def _places(self) -> dict[str, list[int]]:
        return keys_of(self.text)

    @once
    def _asked_keys(self) -> frozenset[str]:
        return keys_in(self.asked.words)

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

    @once
    def is_choice(self) -> bool:
        """Whether it is nothing but several names, of which it takes none: Ulm or Munich."""
        text = self.text
        if asks_of_several(text) or is_list(self) or self._joins_names:
            return True
        common = vocabulary("function", "hedge", "before_name", "name_particle")
        names = [i for i, word in enumerate(text.words) if word not in common]
        joins = any(word in vocabulary("link_or") and text.raw[i].islower() for i, word in enumerate(text.words))
        return joins and len(text) <= SHORT and all(text.capital[i] for i in names)

    @property
    def _joins_names(self) -> bool:
        """Whether it is a right name with others beside it, and nothing else: Ulm and Munich, Ulm/Munich, - Ulm."""
        if len(self.text) > SHORT:
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
            words[place[0]] not in words[place[1] :]
            and wonders(own_words(self.text, self.question_words, place))
            and self._stance(place).doubted
            for place in [one.place for one in self.said]
        )

    @once
    def stands(self) -> tuple[SaidAnswer, ...]:
        """Those of them that it does not rule out."""
        return tuple(one for one in self.said if not (self._is_ruled_out(one.place) or self._turns_away(one)))

    def _is_ruled_out(self, place: Place) -> bool:
        """Whether it rules out the right answer that stands in a place; few have words that could."""
        return rules_out(self.text, self.question_words, place) and bool(self._stance(place).ruled_out)

    def _stance(self, place: Place) -> Stance:
        """What it says of the right answer that stands in a place, for itself."""
        return stance(self.text, [Mention(*place, self.right)], self.question_words, self.predicate)

    def _stands_out(self, i: int) -> bool:
        """Whether a word that stands in any sentence is meant as a name: it opens the reply, or has a capital."""
        text = self.text
        return i == 0 or (text.capital[i] and text.sentences[i - 1] == text.sentences[i])

    def _turns_away(self, one: SaidAnswer) -> bool:
        """Whether it takes an answer back, or gives another one in the end."""
        text, asked = self.text, self.question_words
        right, others = self._sides(one)
        return len(others) > 0 and (
            turns_away(text, right, others, asked, self.predicate)
            or ends_with_another(text, right, others, asked, lambda: template_stems(self.asked.flat))
            or (one.kind == "value" and is_told_of_another(text, right, others, self._asked_keys))
        )

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
            right = [value for value in self.given_values if self.is_right(value)]
            years = not self.asks_amount and all(value.year is not None for value in self.right_values)
            wrong = (value for value in self.given_values if not self.is_right(value) and self.is_of_kind(value))
            others = [value for value in wrong if value.year is not None or not years]
            return [one.place, *map(self.words_at, right)], [*map(self.words_at, others)]
        words = {word for name in self.names for word in name_words(name)} - vocabulary("function")
        names = [*names_in(self.text, self.question_words)]
        if self._asks_person:  # no country is who is asked for
            names = [place for place in names if not is_region(self.text.words[slice(*place)])]
        if not self.text.capital[one.place[0]]:
            names += small_last_names(self.text)
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
        """Whether a name is that of another person or place, or only tells whose friend or relative somebody is."""
        if is_elsewhere(self.text, name, place, self.question_words):
            return True
        by_the_way = self._asks_person and is_kin(self.text, place, self.question_words)
        return by_the_way or is_another(name, self.text, place)
