"""A reply in clauses, each with the names in it and whether it speaks of what was asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from factprobe.reading.language import vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.units import UNIT_WORDS
from factprobe.reading.words import Text

_CHOOSES = vocabulary("chooses")
JOINS = vocabulary("joins") | {"&", "/"}
_JOINS_LAST = vocabulary("joins_last")
"""What stands before the last item of a list."""
_ALTERNATIVES = _JOINS_LAST - vocabulary("link_and")
_KEY = 3
"""Words of what stands before a colon and says what follows."""
_CUTS = vocabulary("cuts") | {"&"}
_BUT, _ALL_BUT = vocabulary("but"), vocabulary("all")
_SUBJECTS = vocabulary("subject_pronoun")
IN_CLAUSE = 20
"""Names of one clause that are each read with the words around them; no sentence of a person's has as many."""


class Clause:
    """Words between two marks or conjunctions; `§3` stands for the third mention."""

    __slots__ = (
        *(
            "before",
            "depth",
            "foreign",
            "hits",
            "lead",
            "mentions",
            "other",
            "own",
            "predicate",
            "sentence",
            "text",
            "words",
        ),
    )

    def __init__(self, lead: str, sentence: int, depth: int, before: int) -> None:
        self.before = before
        """How many mentions stand before it."""
        self.lead = lead
        self.sentence = sentence
        self.depth = depth
        self.words: list[str] = []
        self.mentions: list[int] = []
        self.other = False
        """Whether it has words that are neither the question's nor common to all answers: it may say something else."""
        self.hits: set[str] = set()
        """The stems of the words that the question turns on."""
        self.predicate = False
        """Whether it has a word that the question turns on, as born in "was born in"."""
        self.foreign = False
        """Whether it speaks of another subject than the question's."""
        self.own = False
        """Whether it names the question's subject."""
        self.text = ""

    def key(self) -> tuple[object, ...]:
        """All that is known of it."""
        place = self.lead, self.sentence, self.depth, self.before
        said = self.other, self.predicate, self.foreign, self.own, frozenset(self.hits)
        return (self.text, *place, *self.mentions, *said)

    @property
    def link(self) -> str:
        """The last mark or conjunction before it."""
        return self.lead.split()[-1] if self.lead else ""

    @property
    def bare(self) -> bool:
        """Whether it adds nothing to the names in it."""
        return not self.other and not self.predicate


class Skeleton:
    """The clauses of a reply; the same as those of another one that differs in its names only.

    Args:
        each: the clauses, which do not change any more.
    """

    __slots__ = ("_key", "each")

    def __init__(self, each: list[Clause]) -> None:
        self.each: Final = each
        self._key = tuple([clause.key() for clause in each])

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Skeleton) and self._key == other._key


def stem(word: str) -> str:
    """What two forms of a word share: play, plays, played."""
    return word[:4]


def clauses_of(
    text: Text,
    mentions: Sequence[Mention],
    asked: Collection[str],
    predicate: Collection[str],
    subjects: Mapping[int, bool],
) -> list[Clause]:
    """The clauses of the sentences with a name in them, and of those beside."""
    begins = {mention.start: number for number, mention in enumerate(mentions)}
    familiar = _familiar()
    clauses: list[Clause] = []
    clause = Clause("", -1, 0, 0)
    i, count, seen = 0, len(text), 0
    words, marks = text.words, text.mark
    named = {text.sentences[mention.start] for mention in mentions}
    wanted = {number + shift for number in named for shift in (-2, -1, 0, 1)}  # what lies farther off bears on no name
    while i < count:
        if text.sentences[i] not in wanted:
            i += 1
            continue
        word, mark = words[i], marks[i]
        mark = "" if mark == "-" else mark
        cut = (
            word in _CUTS
            and i not in begins
            and word not in asked
            and not (word in _BUT and i and words[i - 1] in _ALL_BUT)
        )
        if mark or cut or text.sentences[i] != clause.sentence:
            lead = f"{mark.strip()} {word if cut else ''}".strip()
            if clause.words or clause.sentence != text.sentences[i] or text.depth[i] != clause.depth:
                clause = Clause(lead, text.sentences[i], text.depth[i], seen)
                clauses.append(clause)
            else:
                clause.lead = f"{clause.lead} {lead}".strip()
        if i in begins:
            number = begins[i]
            clause.mentions.append(number)
            seen += 1
            clause.words.append(f"§{number}")
            i = max(mentions[number].end, i + 1)
            continue
        if i in subjects:
            clause.foreign, clause.own = subjects[i], not subjects[i]
        if not cut:
            clause.words.append("name" if i in subjects else word)  # I Don't Know How She Does It doubts nothing
            if len(word) > 3 and word[:4] in predicate and word not in familiar:
                clause.predicate = True
                clause.hits.add(word[:4])
            elif not (text.capital[i] or word in familiar or word in asked or word.isdigit()):
                clause.other = True
        i += 1
    _finish(clauses, asked)
    return clauses


def _finish(clauses: list[Clause], asked: Collection[str]) -> None:
    """Sets the texts, and what follows from the clause before."""
    for clause in clauses:
        clause.text = " ".join(clause.words)
        if clause.before and not clause.predicate and clause.words[:1] and clause.words[0] in _SUBJECTS:
            clause.other = True  # "He also knew French" is a statement of its own
        clause.foreign = clause.foreign and any(word != "name" for word in clause.words)  # a name alone says nothing
    familiar = _familiar()
    tells = any(clause.hits for clause in clauses)
    for key, clause in pairwise(clauses) if tells else ():
        if clause.lead.startswith(":") and len(key.words) <= _KEY and not key.mentions:  # Born: Bonn. Died: Vienna.
            clause.predicate = clause.predicate or bool(key.hits)
            clause.other = clause.other or not (key.hits or all(w in familiar or w in asked for w in key.words))


@cache
def _familiar() -> frozenset[str]:
    return vocabulary("function", "hedge", "kind") | UNIT_WORDS


def goes_on_list(clauses: Sequence[Clause], number: int) -> bool:
    """Whether a clause goes on with the list of the one before it: not Munich, Berlin or Hamburg."""
    clause = clauses[number]
    if not number or clause.sentence != clauses[number - 1].sentence:
        return False
    names_only = True
    for later in clauses[number : number + 1 + IN_CLAUSE]:
        if later.sentence != clause.sentence or not _CHOOSES.isdisjoint(later.words):
            return False
        if not later.bare:  # what is said of the last is said of all: neither Munich, Berlin nor Hamburg lies there
            return names_only and later.link in _ALTERNATIVES and later.text.startswith("§")
        names_only = names_only and len(later.words) == 1
        if later.lead != ",":
            return later.link in _JOINS_LAST or (later is clause and clause.link in JOINS)
    return False
