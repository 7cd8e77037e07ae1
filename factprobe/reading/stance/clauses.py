"""A reply in clauses, each with the names in it and whether it speaks of what was asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final

from msgspec import Struct

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
_FAMILIAR = vocabulary("function", "hedge", "kind") | UNIT_WORDS
IN_CLAUSE = 20
"""Names of one clause that are each read with the words around them; no sentence of a person's has as many."""


class Clause(Struct, eq=False):
    """Words between two marks or conjunctions; `§3` stands for the third mention."""

    lead: str
    """The marks and conjunctions before it."""
    sentence: int
    depth: int
    before: int
    """How many mentions stand before it."""
    text: str = ""
    other: bool = False
    """Whether it has words that are neither the question's nor common to all answers: it may say something else."""
    hits: frozenset[str] = frozenset()
    """The stems of the words that the question turns on."""
    predicate: bool = False
    """Whether it has a word that the question turns on, as born in "was born in"."""
    foreign: bool = False
    """Whether it speaks of another subject than the question's."""
    own: bool = False
    """Whether it names the question's subject."""
    words: list[str] = []
    """Those of its text."""
    mentions: list[int] = []
    """Those in its text, by their number."""

    @property
    def link(self) -> str:
        """The last mark or conjunction before it."""
        return self.lead.split()[-1] if self.lead else ""

    @property
    def bare(self) -> bool:
        """Whether it adds nothing to the names in it."""
        return not self.other and not self.predicate


_known = attrgetter(*Clause.__struct_fields__[:-2])
"""All that is known of a clause, for its words and mentions are those of its text."""


class Skeleton:
    """The clauses of a reply; the same as those of another one that differs in its names only.

    Args:
        each: the clauses, which do not change any more.
    """

    __slots__ = ("_key", "each")

    def __init__(self, each: list[Clause]) -> None:
        self.each: Final = each
        self._key = tuple(map(_known, each))

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
    named = {text.sentences[start] for start in begins}
    wanted = {number + shift for number in named for shift in (-2, -1, 0, 1)}  # what lies farther off bears on no name
    words, depths = text.words, text.depth
    clauses: list[Clause] = []
    clause = Clause("", -1, 0, 0)
    behind = seen = 0
    for i, (word, mark, sentence) in enumerate(zip(words, text.mark, text.sentences, strict=True)):
        if i < behind or sentence not in wanted:
            continue
        number = begins.get(i)
        cut = (
            word in _CUTS
            and number is None
            and word not in asked
            and not (word in _BUT and i and words[i - 1] in _ALL_BUT)
        )
        if cut or (mark and mark != "-") or sentence != clause.sentence:
            lead = "" if mark == "-" else mark.strip()
            lead = f"{lead} {word}".strip() if cut else lead
            if clause.words or clause.sentence != sentence or depths[i] != clause.depth:
                clause = Clause(lead, sentence, depths[i], seen)
                clauses.append(clause)
            else:
                clause.lead = f"{clause.lead} {lead}".strip()
        if number is not None:
            clause.mentions.append(number)
            clause.words.append(f"§{number}")
            seen += 1
            behind = mentions[number].end
            continue
        is_subject = i in subjects
        if is_subject:
            clause.foreign, clause.own = subjects[i], not subjects[i]
        if cut:
            continue
        clause.words.append("name" if is_subject else word)  # I Don't Know How She Does It doubts nothing
        if word in _FAMILIAR:
            continue
        if word[:4] in predicate and len(word) > 3:
            clause.predicate = True
            clause.hits |= {word[:4]}
        elif not (text.capital[i] or word in asked or word.isdigit()):
            clause.other = True
    _finish(clauses, asked)
    return clauses


def _finish(clauses: list[Clause], asked: Collection[str]) -> None:
    """Sets the texts, and what follows from the clause before."""
    tells = False
    for clause in clauses:
        words = clause.words
        clause.text = " ".join(words)
        if clause.before and not clause.predicate and words and words[0] in _SUBJECTS:
            clause.other = True  # "He also knew French" is a statement of its own
        clause.foreign = clause.foreign and any(word != "name" for word in words)  # a name alone says nothing
        tells = tells or clause.predicate
    for key, clause in pairwise(clauses) if tells else ():
        if clause.lead.startswith(":") and len(key.words) <= _KEY and not key.mentions:  # Born: Bonn. Died: Vienna.
            clause.predicate = clause.predicate or bool(key.hits)
            clause.other = clause.other or not (key.hits or all(w in _FAMILIAR or w in asked for w in key.words))


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
