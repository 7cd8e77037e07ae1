"""Whether the words around two names tell a relation of just these two, and not of something beside them.

Of the sentence's grammar only that is read which a list of small words shows. What cannot be told by it is no claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from factprobe.claims.direction import is_noun
from factprobe.claims.pairs import Pair
from factprobe.claims.tokens import COPULA, MARKS, POSSESSIVE, Token, unplaced
from factprobe.claims.told import Told
from factprobe.reading.language import vocabulary

_OF, _AS, _AGENT, _WHOSE = vocabulary("of"), vocabulary("as"), vocabulary("agent"), vocabulary("whose")
_PREPOSITIONS, _PLACE = vocabulary("preposition"), vocabulary("place_preposition")
_AND, _JOINS = vocabulary("link_and"), vocabulary("link_and", "but")
_RELATIVE = vocabulary("relative", "asks_person", "that")
_SIDE = vocabulary("relative", "asks_person")
_ANOTHER = vocabulary("link_and", "but", "begins_clause")
_BE, _SERVES = vocabulary("becomes"), vocabulary("serves")
_PAST_STATE, _STATES = vocabulary("past_state"), vocabulary("state_participle")
_HARMLESS, _HIS = vocabulary("harmless", "light_verb"), vocabulary("possessive")
_PARTS, _NONE = vocabulary("part_of"), unplaced(",")[0]
_KIND_OF, _KINDS = vocabulary("kind_of"), vocabulary("kind", "title")


class Attachment:
    """How the words around two names belong to them.

    Args:
        text: all of it.
        pair: the names and the words.
        told: the relation as its wording is met by them.
    """

    def __init__(self, text: str, pair: Pair, told: Told) -> None:
        self._text, self._pair, self._told = text, pair, told
        self._before, self._between, self._after = pair.around
        self._parts, self._places = told.wording.parts, told.places
        self._own = told.wording.keys
        first, last = self._places[1]
        turns = first <= last
        self._lead = self._between[:first] if turns else ()
        self._tail = self._between[last + 1 :] if turns else self._between
        said = self._between[: last + 1]
        self._has_verb = any(word.is_verb for word in said)
        is_active = told.wording.is_passive if told.turned and not told.wording.is_noun else not told.wording.is_be
        self._is_finite = self._has_verb or is_active
        """Whether the words have a verb of their own, and are no participle or noun that is put beside a name."""
        self._turns = turns
        self._is_joined = any(word.text in _JOINS for word in self._lead)

    def is_of_both(self) -> bool:
        """Whether the relation is told of the very names."""
        return (
            self._is_whole()
            and self._is_unmodified()
            and self._is_carried()
            and (bool(self._parts[0]) or self._is_subject())
            and (not self._turns or self._leads(self._lead))
            and self._reaches()
        )

    @property
    def is_behind_preposition(self) -> bool:
        """Whether the first name belongs to a preposition: from Vienna."""
        return self._preposition() >= 0

    @property
    def is_apposition_of_place(self) -> bool:
        """Whether a noun is put behind the place where something is: was born in X, the capital of."""
        place = self._preposition()
        is_place = place >= 0 and self._before[place].text in _PLACE
        opens = [word.text for word in self._lead]
        return is_place and opens == [","] and self._told.wording.is_noun and not self._has_verb

    @property
    def is_loose(self) -> bool:
        """Whether the words are put behind another name with a comma alone, of which they may be said: a band from X,
        formed in."""
        return bool(self._pair.carried) and not (self._has_verb or self._is_joined or self._is_behind_aside())

    @property
    def is_past_state(self) -> bool:
        """Whether the words tell how something was, and not what happened: was the capital of, not was named after."""
        past = next((i for i, word in enumerate(self._between) if word.text in _PAST_STATE), -1)
        if past < 0 or any(word.key == COPULA and word.text not in _PAST_STATE for word in self._between[:past][-1:]):
            return False  # is bordered by
        place = self._places[1][0]
        if not self._turns or place <= past or self._told.wording.is_noun or self._between[past].key != COPULA:
            return True
        is_thing = any(map(self._says, self._between[past + 1 : place]))  # was a company based in
        return self._between[place].text in _STATES and not is_thing

    def _is_whole(self) -> bool:
        """Whether no name goes on, nor owns what the wording does not know: Einstein's wife, Peter the Great."""
        for words, part in ((self._between, self._parts[1]), (self._after, self._parts[2])):
            if words[:1] and words[0].text == POSSESSIVE and not (part and part[0].text == POSSESSIVE):
                return False
        if not self._after:
            return True
        behind, place = self._after[0], self._after[0].span[0]
        name = self._text[self._pair.second.start : self._pair.second.end]
        if behind.text in _OF and name[0].isupper() and name.lower() not in _KINDS:
            return len(self._after) < 2 or not self._text[self._after[1].span[0]].isupper()
        article = self._text[self._pair.second.end : place].strip().lower()
        return not (article in vocabulary("article") and self._text[place].isupper())

    def _is_carried(self) -> bool:
        """Whether what stands behind another name may be said of the first: is old and the capital of."""
        first = self._pair.carried
        if not first or self._has_verb:
            return True
        return first[0].key == COPULA or (self._is_finite and self._is_joined) or self._is_behind_aside()

    def _is_behind_aside(self) -> bool:
        """Whether the verb follows what is put in behind the first name: X, born in Y, died in; X (in Y) died in."""
        marks = [word.text for word in (*self._pair.carried[:1], *self._between[:1])]
        return self._is_finite and not self._is_joined and marks in ([",", ","], ["(", ")"])

    def _says(self, word: Token) -> bool:
        """Whether a word says something that the wording does not."""
        return word.says and word.key not in self._own and word.text not in _HARMLESS

    def _is_unmodified(self) -> bool:
        """Whether no noun or adjective makes another thing of the wording's noun: the beer capital of."""
        before, between, after = self._places
        if before[0] <= before[1]:
            inner = self._before[len(self._before) - 1 - before[1] :]
            outer = self._before[: len(self._before) - 1 - before[1]]
            if not self._runs(inner[1:], 0) or (outer and self._modifies(outer[-1], inner[0])):
                return False
        first = between[0]
        if self._lead and is_noun(self._between, first) and self._modifies(self._lead[-1], self._between[first]):
            return False
        return not any(map(self._says, self._after[: after[1] + 1]))

    def _modifies(self, word: Token, noun: Token) -> bool:
        return self._says(word) and noun.span[0] == word.span[1] + 1

    def _is_subject(self) -> bool:
        """Whether the first name is no part of a larger phrase, of which the words may tell: the mother of X was."""
        if self._is_in_side_clause() or self._is_in_place():
            return False
        place = self._preposition()
        if place < 0:
            return True
        link = [word.text for word in self._between[:2]]
        if link[:1] == ["("]:
            return True
        is_of = self._before[place].text in _OF
        head = self._before[place - 1] if place and self._before[place - 1].text not in MARKS else None
        if is_of and head is not None:
            return False
        is_relative = not _RELATIVE.isdisjoint(link[:1] if link[:1] != [","] else link[1:])
        if is_relative or not self._is_finite:
            return is_relative or link[:1] != [","] or head is None or self.is_apposition_of_place
        return False

    def _is_in_place(self) -> bool:
        """Whether the words may tell of another in the place of the first name: Ankara replaced Istanbul as the capital
        of."""
        is_as = any(word.text in _AS for word in self._between[:1])
        return is_as and any(word.says for word in self._before[-1:])

    def _is_in_side_clause(self) -> bool:
        """Whether the first name ends a side clause, behind which the main one goes on: X, who taught Y, died."""
        opens = next((word.text for word in self._between if word.text != ","), "")
        bracket = max((i for i, word in enumerate(self._before) if word.text == "("), default=len(self._before))
        if opens == ")" and any(map(self._says, self._before[bracket + 1 :])):
            return True
        if not self._is_finite or opens in _RELATIVE:
            return False
        comma = max((i for i, word in enumerate(self._before) if word.text == ","), default=-1)
        clause = self._before[comma + 1 :]
        relative = next((i for i, word in enumerate(clause) if word.text in _SIDE), -1)
        if relative >= 0:
            return any(word.says or word.is_verb for word in clause[relative + 1 :])
        is_behind_name = comma == 0 or (comma > 0 and self._text[self._before[comma - 1].span[0]].isupper())
        is_aside = is_behind_name and bool(self._between) and self._between[0].text == ","
        if is_aside and not clause:  # Einstein, a German, was
            return bool(self._text[self._before[comma].span[1] : self._pair.first.start].strip())
        return is_aside and any(map(self._says, clause)) and _ANOTHER.isdisjoint(word.text for word in clause)

    def _preposition(self) -> int:
        """Where the preposition stands that the first name belongs to, -1 where there is none."""
        has_kind = False
        for place in range(len(self._before) - 1, -1, -1):
            word = self._before[place]
            if word.text in _PREPOSITIONS:
                is_kind = word.text in _OF and place and self._before[place - 1].text in _KIND_OF
                if not is_kind:
                    return place
            elif word.text in _KINDS:
                has_kind = True
            elif not (word.says and (has_kind or self._text[word.span[0]].isupper())):
                return -1
        return -1

    def _leads(self, lead: Sequence[Token]) -> bool:  # noqa: PLR0911  # a list of cases
        """Whether the words before the wording's own leave it to the first name."""
        if lead and lead[-1].text in _PREPOSITIONS:
            turning = next(i for i, word in enumerate(self._parts[1]) if word.key in self._told.wording.turns_on)
            if lead[-1].text not in {word.text for word in self._parts[1][:turning]}:
                return False
        if not any(map(self._says, lead)):
            return _WHOSE.isdisjoint(word.text for word in lead[:-1])
        while lead[0].text in _KINDS:  # Ltd was a company
            lead = lead[1:]
        opens, rest = lead[0], lead[1:]
        if opens.text == "(":
            close = next((i for i, word in enumerate(lead) if word.text == ")"), None)
            return self._leads(lead[close + 1 :]) if close is not None else self._is_beside(rest)
        if opens.text == "," and not self._pair.carried:
            last = max((i for i, word in enumerate(lead) if word.text == ","), default=0)
            if last:
                return not any(map(self._says, lead[last + 1 :]))
            if rest[0].text in _RELATIVE:
                return self._is_predicate(rest[1:])
            return not self._is_finite and self._is_phrase(rest)
        if opens.text in _RELATIVE:
            return self._is_predicate(rest)
        if opens.is_verb or opens.text in _SERVES:
            return self._is_predicate(lead)
        return self._is_coordinated(lead)

    def _is_beside(self, words: Sequence[Token]) -> bool:
        """Whether the wording stands in a bracket behind a name, alone or behind a comma."""
        marks = [i for i, word in enumerate(words) if word.text in ",;"]
        return self._is_phrase(words[marks[-1] + 1 :] if marks else words)

    def _is_predicate(self, words: Sequence[Token]) -> bool:
        """Whether words that begin with a verb say what the first name is, of which the wording says more."""
        at = next((i for i, word in enumerate(words) if not word.is_verb and word.text not in _SERVES), len(words))
        verbs, rest = words[:at], words[at:]
        if verbs and verbs[-1].text in _SERVES and rest[:1] and rest[0].text in _AS:
            rest = rest[1:]
        if not any(map(self._says, rest)):
            return True
        if self._is_coordinated(rest):
            return True
        relative = max((i for i, word in enumerate(rest) if word.text in _RELATIVE), default=-1)
        if relative >= 0:
            if any(map(self._says, rest[relative + 1 :])):
                return False
            rest = rest[:relative]
        if not any(word.key == COPULA or word.text in _BE or word.text in _SERVES for word in verbs):
            return False
        comma = max((i for i, word in enumerate(rest) if word.text == ","), default=-1)
        if comma >= 0 and not self._has_verb_in(rest):  # a toolbar for the browser, developed by
            is_name = comma > 0 and self._text[rest[comma - 1].span[0]].isupper()  # of Niels Bohr, born in
            return not is_name and not any(map(self._says, rest[comma + 1 :]))
        return self._is_phrase(rest)

    def _has_verb_in(self, words: Sequence[Token]) -> bool:
        return any(word.is_verb or word.text in _HIS for word in words)

    def _is_phrase(self, words: Sequence[Token]) -> bool:
        """Whether words are a noun with its adjectives and no more."""
        others = _PREPOSITIONS | _HIS | _RELATIVE | _AS
        return not any(
            (word.text in others and not (word.text in _OF and before.text in _PARTS))
            or word.is_verb
            or word.text == POSSESSIVE
            for before, word in pairwise((_NONE, *words))
        )

    def _is_coordinated(self, words: Sequence[Token]) -> bool:
        """Whether a statement about the first name is over, and the wording is one more of it: studied law and died."""
        join = max((i for i, word in enumerate(words) if word.text in _JOINS), default=-1)
        if join < 0 or not self._is_finite or any(word.text in _RELATIVE for word in words[:join]):
            return False
        return all(word.is_verb or word.text in _HARMLESS for word in words[join + 1 :])

    def _reaches(self) -> bool:
        """Whether the words behind the wording's own lead to the second name."""
        tail = self._tail
        marks = [word.text for word in tail if word.text in "()"]
        if self._turns and marks[:1] == [")"]:
            return False  # (born in 1950) is a singer from
        if not self._turns:  # the wording's noun stands before the names or behind them: the capital of X is Y
            verb = next((i for i, word in enumerate(tail) if word.key == COPULA), -1)
            if any(map(self._says, tail[: verb + 1] if verb >= 0 else tail)) and not (tail and tail[0].text in ",("):
                return False
            tail = tail[verb + 1 :]
        return self._runs(tail, 1)

    def _runs(self, words: Sequence[Token], number: int) -> bool:
        """Whether words lead to a name by the preposition of a part of the wording, or say no more than its kind."""
        while len(words) > 1 and words[-1].text in _OF and words[-2].text in _KIND_OF:
            words = words[:-2]
        last = max((i for i, word in enumerate(words) if word.text in _PREPOSITIONS), default=-1)
        if last < 0:
            return True
        preposition = words[last].text
        own = {word.text for word in self._parts[number]} & _PREPOSITIONS
        if preposition in _OF:
            is_and = any(word.text in _AND for word in words[:last])
            return preposition in own and (last == 0 or is_and or not self._says(words[last - 1]))
        if preposition in _PLACE:
            if not own:  # whose capital is in Paris, and none that is released in Japan
                return self._told.wording.is_noun or self._told.wording.is_be
            return not own.isdisjoint(_PLACE) or (last == 0 and own <= _OF)
        return preposition in own or (self._told.turned and preposition in _AGENT)
