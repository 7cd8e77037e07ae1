"""What a reply commits to: which of its names are given as the answer, and which are ruled out or told by the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.clauses import IN_CLAUSE, JOINS, Clause, Skeleton, clauses_of, goes_on_list, stem
from factprobe.reading.stance.deciding import (
    MAKES_UP,
    conclusion,
    correction,
    decided,
    may_conclude,
)
from factprobe.reading.stance.denial import DENIES, denied_in
from factprobe.reading.words import Text

_LINKS = vocabulary("link_and", "link_or")
_TELLS = Phrases(phrases("stance_tells"))
_MAY_TURN = Phrases(f"{_TELLS.pattern}|{MAKES_UP}")
_LANDMARK = Phrases(rf"\b(?:{phrases('landmark')})(?: (?!(?:{'|'.join(_LINKS)})\b)\w+){{0,3}}$")
_ASIDE = vocabulary("aside")
_RELATIVE, _OF_WHICH = vocabulary("relative"), vocabulary("of_which")
_OR, _AND, _ADDS = vocabulary("link_or"), vocabulary("link_and"), vocabulary("adds")
_GENITIVE = in_order("genitive")


class Stance(Struct, frozen=True, kw_only=True):
    """The mentions of a reply, by their number, sorted by what the reply says of them."""

    chosen: tuple[int, ...]
    """Given as the answer, where the reply decides."""
    said: tuple[int, ...]
    """Neither ruled out nor doubted nor merely told by the way."""
    ruled_out: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    aside: frozenset[int] = frozenset()
    told: frozenset[int] = frozenset()
    """Those of them that others believe, or that held in former days."""
    concluded: tuple[int, ...] = ()
    """Named in a conclusion, where the reply draws one."""
    firm: bool = False
    """Whether the conclusion says that they are the answer, and does not only begin with "so"."""
    mended: tuple[int, ...] = ()
    """Behind the last place where the reply takes back what it said."""
    unasked: frozenset[int] = frozenset()
    """In a clause that says something else than what was asked."""
    foreign: frozenset[int] = frozenset()
    """In a clause that speaks of another subject."""


PLAIN = Stance(chosen=(0,), said=(0,))
"""Of one name with nothing around it that says otherwise."""
SILENT = Stance(chosen=(), said=())
"""Of no name."""


@lru_cache(maxsize=1 << 6)
def of_list(count: int) -> Stance:
    """Of so many names and nothing else."""
    every = tuple(range(count))
    return Stance(chosen=every, said=every)


_BEFORE = 200
"""Characters before a name in which a landmark is looked for."""


def stance(
    text: Text,
    mentions: Sequence[Mention],
    asked: Collection[str],
    predicate: Collection[str],
    subjects: Mapping[int, bool] | None = None,
) -> Stance:
    """What a reply says of each mention.

    Args:
        text: the reply.
        mentions: in the order of the text.
        asked: the words of the question.
        predicate: the stems of those that the question turns on.
        subjects: the words that name a subject of the relation, and whether it is another one than the question's.
    """
    clauses = clauses_of(text, mentions, asked, predicate, subjects or {})
    owners = frozenset([i for i, mention in enumerate(mentions) if _owns(text, mention)])
    read = _short_read if len(text) < _OFTEN else _read
    return read(Skeleton(clauses), frozenset(predicate), owners, frozenset(text.asks), frozenset(text.introduces))


_OFTEN = 40
"""Words of a reply that may well come again, with other names in it."""


def _read(
    of: Skeleton,
    predicate: frozenset[str],
    owners: frozenset[int],
    asks: frozenset[int],
    introduces: frozenset[int],
) -> Stance:
    """What clauses say of each mention.

    Args:
        of: the clauses.
        predicate: the stems of the words that the question turns on.
        owners: the mentions that only tell whose the following is.
        asks: the sentences that end in a question mark.
        introduces: those that end in a colon.
    """
    clauses = of.each
    # What begins no phrase in the whole begins none in any part of it, with what leads to that or without.
    whole = " ".join([f"{clause.lead} {clause.text}" for clause in clauses])
    ruled_out, doubted = denied_in(clauses, asks) if DENIES.may_be_in(whole) else (set[int](), set[int]())
    near, aside, told = _near_and_aside(clauses, predicate, whole)
    aside |= owners
    where = {i: clause for clause in clauses for i in clause.mentions}  # but for a name that begins within another
    every = [i for i in sorted(where) if i not in ruled_out and i not in doubted and i not in near]
    foreign = frozenset(i for i, clause in where.items() if clause.foreign)
    said = [i for i in every if i not in aside] or [i for i in every if i not in foreign] or every
    sentences: dict[int, list[Clause]] = {}
    for clause in clauses:
        sentences.setdefault(clause.sentence, []).append(clause)
    several = len(said) > 1
    concludes = several and may_conclude(whole)
    last, firm = conclusion(sentences, clauses, set(said), where) if concludes else ([], False)
    concluded = tuple(last)
    mended = tuple(correction(clauses, said, whole)) if several else ()
    chosen = tuple(decided(sentences, said, where, concluded, mended, asks))
    alone = sentences[where[said[0]].sentence] if concluded and said[0] not in concluded else []
    if alone and _answers_alone(alone) and alone[0].sentence not in asks | introduces:
        # "A) Ghana. The answer is D) Japan." names two, unless what stands between doubts the first.
        between = range(where[said[0]].sentence, where[concluded[0]].sentence)
        doubts = not asks.isdisjoint(between)
        chosen = chosen if doubts or mended else (said[0], *chosen)
    return Stance(
        chosen=chosen,
        said=tuple(said),
        ruled_out=frozenset(ruled_out),
        doubted=frozenset(doubted),
        aside=frozenset(aside | near),
        told=frozenset(told),
        concluded=concluded,
        firm=firm,
        mended=mended,
        unasked=frozenset(i for i, clause in where.items() if clause.other and not clause.predicate),
        foreign=foreign,
    )


_short_read = lru_cache(maxsize=1 << 12)(_read)


def _near_and_aside(
    clauses: list[Clause], predicate: Collection[str], whole: str
) -> tuple[set[int], set[int], set[int]]:
    """The mentions that only say what the answer lies near, those told by the way, and of these what others believe."""
    near: set[int] = set()
    aside: set[int] = set()
    told: set[int] = set()
    open_aside = False
    own = [clause for clause in clauses if clause.mentions and not clause.foreign]
    most = max([len(clause.hits) for clause in own], default=0)
    has_predicate = any(clause.predicate for clause in own)
    may_tell, may_be_near = _TELLS.may_be_in(whole), _LANDMARK.may_be_in(whole)
    previous: Clause | None = None
    for number, clause in enumerate(clauses):
        words, link = clause.words, clause.link
        first = words[0] if words else ""
        carried = open_aside and clause.bare and clauses[number - 1].sentence == clause.sentence
        carried = carried and (link in JOINS or goes_on_list(clauses, number))
        subordinate = (first in _ASIDE or not _ASIDE.isdisjoint(clause.lead.split())) and not clause.predicate
        relates = first in _RELATIVE and link == "," and bool(clauses[number - 1].mentions)
        subordinate = subordinate or relates or " ".join(words[:2]) in _OF_WHICH
        bracket = clause.depth > 0 and link not in _OR and first not in _ADDS
        tells = may_tell and _TELLS.search(clause.text) is not None
        if tells:
            told.update(clause.mentions)
        open_aside = (
            carried
            or subordinate
            or tells
            or clause.foreign
            or (has_predicate and clause.other and not clause.predicate)
            or (clause.other and 0 < len(clause.hits) < most)  # its atomic weight, where the atomic number is told
        )
        looks = may_be_near or len(clause.text) > _BEFORE
        for position, mention in enumerate(clause.mentions):
            if (looks and position < IN_CLAUSE and _is_by_landmark(clause.text, mention, predicate)) or (
                carried and previous is not None and not near.isdisjoint(previous.mentions)
            ):
                near.add(mention)
            elif open_aside or bracket:
                aside.add(mention)
        previous = clause if clause.mentions else previous
    return near, aside, told


def _is_by_landmark(text: str, mention: int, predicate: Collection[str]) -> bool:
    """Whether a mention in a clause's text is only what the answer lies near."""
    landmark = _LANDMARK.search(text.partition(f"§{mention}")[0].rstrip()[-_BEFORE:])
    return landmark is not None and not any(stem(word) in predicate for word in landmark[0].split() if len(word) > 3)


def _owns(text: Text, mention: Mention) -> bool:
    """Whether a name only tells whose the following is: Mozart's father, Leopold."""
    end = mention.end
    return text.raw[end - 1].endswith(_GENITIVE) and end < len(text) and not text.mark[end]


def _answers_alone(sentence: list[Clause]) -> bool:
    """Whether a sentence gives one name and says nothing else."""
    is_bare = all(clause.bare and len(clause.words) < 3 for clause in sentence)
    return is_bare and sum(len(c.mentions) for c in sentence) == 1
