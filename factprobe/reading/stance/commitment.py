"""What a reply commits to: which of its names are given as the answer, and which are ruled out or told by the way."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.clauses import IN_CLAUSE, JOINS, Clause, Skeleton, clauses_of, goes_on_list, stem
from factprobe.reading.stance.deciding import conclusion, correction, decided
from factprobe.reading.stance.denial import denied_in
from factprobe.reading.words import Text

_LINKS = vocabulary("link_and", "link_or")
_TELLS = Phrases(phrases("stance_tells"))
_LANDMARK = Phrases(rf"\b(?:{phrases('landmark')})(?: (?!(?:{'|'.join(_LINKS)})\b)\w+){{0,3}}$")
_ASIDE = vocabulary("aside")
_GENITIVE = in_order("genitive")
_VERB = re.compile(rf"\b(?:{phrases('verb')})\b")


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
    ruled_out, doubted = denied_in(clauses, asks)
    near, aside, told = _near_and_aside(clauses, predicate)
    aside |= owners
    where = {i: clause for clause in clauses for i in clause.mentions}  # but for a name that begins within another
    every = [i for i in sorted(where) if i not in ruled_out and i not in doubted and i not in near]
    foreign = frozenset(i for i, clause in where.items() if clause.foreign)
    said = [i for i in every if i not in aside] or [i for i in every if i not in foreign] or every
    sentences: dict[int, list[Clause]] = {}
    for clause in clauses:
        sentences.setdefault(clause.sentence, []).append(clause)
    several = len(said) > 1
    last, firm = conclusion(sentences, clauses, set(said), where) if several else ([], False)
    concluded = tuple(last)
    mended = tuple(correction(clauses, said)) if several else ()
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


def _near_and_aside(clauses: list[Clause], predicate: Collection[str]) -> tuple[set[int], set[int], set[int]]:
    """The mentions that only say what the answer lies near, those told by the way, and of these what others believe."""
    near: set[int] = set()
    aside: set[int] = set()
    told: set[int] = set()
    open_aside = False
    most = max((len(clause.hits) for clause in clauses if clause.mentions and not clause.foreign), default=0)
    has_predicate = any(clause.predicate and clause.mentions and not clause.foreign for clause in clauses)
    previous: Clause | None = None
    for number, clause in enumerate(clauses):
        first = clause.words[0] if clause.words else ""
        leads = clause.lead.split()
        carried = open_aside and clause.bare and clauses[number - 1].sentence == clause.sentence
        carried = carried and (leads[-1:] in ([link] for link in JOINS) or goes_on_list(clauses, number))
        subordinate = (first in _ASIDE or bool(_ASIDE.intersection(leads))) and not clause.predicate
        relates = first in vocabulary("relative") and leads[-1:] == [","] and bool(clauses[number - 1].mentions)
        subordinate = subordinate or relates or " ".join(clause.words[:2]) in vocabulary("of_which")
        guess = bool(leads) and leads[-1] in vocabulary("link_or")
        bracket = clause.depth > 0 and not guess and first not in vocabulary("adds")
        tells = _TELLS.search(clause.text) is not None
        if tells:
            told.update(clause.mentions)
        open_aside = (
            carried
            or subordinate
            or tells
            or clause.foreign
            or (has_predicate and clause.other and not clause.predicate and not _goes_on(clause))
            or (clause.other and 0 < len(clause.hits) < most)  # its atomic weight, where the atomic number is told
        )
        for position, mention in enumerate(clause.mentions):
            before = clause.text.partition(f"§{mention}")[0].rstrip() if position < IN_CLAUSE else ""
            may_be_near = len(before) > _BEFORE or (before and _LANDMARK.may_be_in(clause.text))
            landmark = _LANDMARK.search(before[-_BEFORE:]) if may_be_near else None
            if (landmark and not any(stem(word) in predicate for word in landmark[0].split() if len(word) > 3)) or (
                carried and previous is not None and near.intersection(previous.mentions)
            ):
                near.add(mention)
            elif open_aside or bracket:
                aside.add(mention)
        previous = clause if clause.mentions else previous
    return near, aside, told


def _owns(text: Text, mention: Mention) -> bool:
    """Whether a name only tells whose the following is: Mozart's father, Leopold."""
    end = mention.end
    return text.raw[end - 1].endswith(_GENITIVE) and end < len(text) and not text.mark[end]


def _goes_on(clause: Clause) -> bool:
    """Whether a clause is one more of a list, with a remark and no verb: "Poland to the east"."""
    joined = clause.link == "," or clause.link in vocabulary("link_and")
    return clause.text.startswith("§") and joined and not _VERB.search(clause.text)


def _answers_alone(sentence: list[Clause]) -> bool:
    """Whether a sentence gives one name and says nothing else."""
    is_bare = all(clause.bare and len(clause.words) < 3 for clause in sentence)
    return is_bare and sum(len(c.mentions) for c in sentence) == 1
