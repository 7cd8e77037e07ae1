"""What a reply commits to: which of its names are given as the answer, and which are ruled out or told by the way."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from msgspec import Struct

from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.clauses import IN_CLAUSE, JOINS, Clause, Skeleton, clauses_of, goes_on_list, stem
from factprobe.reading.stance.denial import denied_in
from factprobe.reading.words import Text

_LINKS = vocabulary("link_and", "link_or")
_TELLS = Phrases(phrases("stance_tells"))
_LANDMARK = Phrases(rf"\b(?:{phrases('landmark')})(?: (?!(?:{'|'.join(_LINKS)})\b)\w+){{0,3}}$")
_CONCLUDES = Phrases(phrases("stance_concludes"))
_TOGETHER = re.compile(rf"§\d+ (?:{phrases('stance_together')})\b")
"""What is said of the names of a list together: B and C both fit."""
_IS_ANSWER = Phrases(phrases("stance_is_answer"))
_REASONS = vocabulary("gives_reason")
_SO = vocabulary("so")
_OR_SO = re.compile(phrases("or_so"))
_MENDS = Phrases(phrases("stance_mends"))
_ASIDE = vocabulary("aside")
_OTHER_GUESS = Phrases(phrases("stance_other_guess"))
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
    concluded: tuple[int, ...] = ()
    """Named in a conclusion, where the reply draws one."""
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
_NEXT, _IN_SIGHT = 2, 4
"""Clauses behind "no, wait" in which the right name comes, and those that are looked at for them."""


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
    near, aside = _near_and_aside(clauses, predicate)
    aside |= owners
    where = {i: clause for clause in clauses for i in clause.mentions}  # but for a name that begins within another
    every = [i for i in sorted(where) if i not in ruled_out and i not in doubted and i not in near]
    foreign = frozenset(i for i, clause in where.items() if clause.foreign)
    said = [i for i in every if i not in aside] or [i for i in every if i not in foreign] or every
    sentences: dict[int, list[Clause]] = {}
    for clause in clauses:
        sentences.setdefault(clause.sentence, []).append(clause)
    several = len(said) > 1
    concluded = tuple(_conclusion(sentences, clauses, set(said), where)) if several else ()
    mended = tuple(_correction(clauses, said)) if several else ()
    chosen = tuple(_decided(sentences, said, where, concluded, mended, asks))
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
        concluded=concluded,
        mended=mended,
        unasked=frozenset(i for i, clause in where.items() if clause.other and not clause.predicate),
        foreign=foreign,
    )


_short_read = lru_cache(maxsize=1 << 12)(_read)


def _near_and_aside(clauses: list[Clause], predicate: Collection[str]) -> tuple[set[int], set[int]]:
    """The mentions that only say what the answer lies near, and those that are told by the way."""
    near: set[int] = set()
    aside: set[int] = set()
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
        open_aside = (
            carried
            or subordinate
            or bool(_TELLS.search(clause.text))
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
    return near, aside


def _owns(text: Text, mention: Mention) -> bool:
    """Whether a name only tells whose the following is: Mozart's father, Leopold."""
    end = mention.end
    return text.raw[end - 1].endswith(_GENITIVE) and end < len(text) and not text.mark[end]


def _goes_on(clause: Clause) -> bool:
    """Whether a clause is one more of a list, with a remark and no verb: "Poland to the east"."""
    joined = clause.link == "," or clause.link in vocabulary("link_and")
    return clause.text.startswith("§") and joined and not _VERB.search(clause.text)


def _decided(
    sentences: Mapping[int, list[Clause]],
    said: Sequence[int],
    where: Mapping[int, Clause],
    concluded: Sequence[int],
    mended: Sequence[int],
    asks: Collection[int],
) -> Sequence[int]:
    """The mentions where the reply makes up its mind: its conclusion, its last correction, or its first statement."""
    if len(said) < 2:
        return said
    found = mended if mended and (not concluded or concluded[-1] < mended[0]) else concluded or said
    asking = [m for m in found if where[m].sentence in asks]
    if asking and any(m > asking[-1] and (where[m].predicate or where[m].own or not where[m].other) for m in found):
        found = [m for m in found if m > asking[-1]]  # Ulm? That is where his father came from. He was born in Munich.
    first = where[found[0]]
    if first.other and not first.predicate:  # Rastafari venerate him, but he belonged to the Ethiopian Church
        found = _after_but(found, where) or found
        first = where[found[0]]
    chosen = []
    names_only = all(c.bare for c in sentences[first.sentence] if c is not first)
    last, takes = first.sentence, True
    for mention in found:
        clause = where[mention]
        if clause.sentence == first.sentence:
            goes_on = clause.bare and clause.link in JOINS and clause is not first
            goes_on = goes_on or _TOGETHER.match(clause.text) is not None
            gives_reason = clause is not first and not _REASONS.isdisjoint(clause.lead.split())
            takes = takes if goes_on else clause is first or not clause.other or clause.predicate
            takes = takes and not gives_reason
        elif clause.sentence != last:
            between = range(last + 1, clause.sentence + 1)
            names_only = names_only and all(n in sentences and all(c.bare for c in sentences[n]) for n in between)
            here = sentences[clause.sentence]
            short = all(c.bare and len(c.words) < 4 for c in here)
            takes = (short and names_only) or (not short and _OTHER_GUESS.search(_joined_text(here)) is not None)
            last = clause.sentence
        if takes:
            chosen.append(mention)
    return chosen


def _after_but(found: Sequence[int], where: Mapping[int, Clause]) -> list[int]:
    """The mentions from the first one on that "but" sets against those before it, in one sentence."""
    first = where[found[0]]
    for number, mention in enumerate(found):
        clause = where[mention]
        if (
            clause is not first
            and clause.sentence == first.sentence
            and not vocabulary("but").isdisjoint(clause.lead.split())
        ):
            return list(found[number:])
    return []


def _joined_text(clauses: list[Clause]) -> str:
    return " ".join(f"{clause.lead} {clause.text}".strip() for clause in clauses).lstrip(".!?\n-–, ")


def _answers_alone(sentence: list[Clause]) -> bool:
    """Whether a sentence gives one name and says nothing else."""
    is_bare = all(clause.bare and len(clause.words) < 3 for clause in sentence)
    return is_bare and sum(len(c.mentions) for c in sentence) == 1


def _conclusion(
    sentences: Mapping[int, list[Clause]], clauses: list[Clause], said: Collection[int], where: dict[int, Clause]
) -> list[int]:
    """The mentions that the last conclusion of a reply names."""
    best: list[int] = []
    weak: list[int] = []
    for clause in clauses:
        marked = _CONCLUDES.search(clause.text)
        if _IS_ANSWER.search(clause.text):
            best = [m for m in range(clause.before) if m in said and where[m].sentence == clause.sentence][-1:] or best
        so = not _SO.isdisjoint(_OR_SO.sub("", clause.lead).split()) or not _SO.isdisjoint(clause.words[:1])
        if not (marked or so):
            continue
        here = sentences[clause.sentence]
        here = here[here.index(clause) :]
        here = here[:1] + list(takewhile(lambda c: _REASONS.isdisjoint(c.lead.split()), here[1:]))
        following = [m for c in here for m in c.mentions if m in said]
        # "The final answer is:", and the name on the next line
        if not following and (clause.text.endswith(marked[0]) if marked else len(clause.words) < 2):
            following = [m for c in sentences.get(clause.sentence + 1, ()) for m in c.mentions if m in said]
        if marked and following and where[following[0]] is clause:
            behind = clause.text[marked.start() :].split()
            following = [m for m in following if where[m] is not clause or f"§{m}" in behind] or following
        if marked and marked[0].startswith("§"):  # "Ulm is the right one": no other that its reason names
            following = [m for m in clause.mentions if m in said and marked[0].startswith(f"§{m} ")] or following
        if following and marked:
            best = following
        elif following and clause.before + len(here):
            weak = following
    return best or weak


def _correction(clauses: list[Clause], said: list[int]) -> list[int]:
    """The mentions after the last place where a reply takes back what it said."""
    taken = set(said)
    start = None
    for number, clause in enumerate(clauses):
        text = f"{clause.lead.replace(',', ' ').replace('.', ' ')} {clause.text}"
        marked = (_MENDS.search(text) or _MENDS.search(f"{clause.text} ,")) if _MENDS.may_be_in(text) else None
        if not marked:
            continue
        behind = text[marked.start() :].split()
        here = [m for m in clause.mentions[:IN_CLAUSE] if m in taken and f"§{m}" in behind]
        if here and clause.other and not clause.predicate:
            continue
        later = here or [
            m
            for c in [c for c in clauses[number + 1 : number + 1 + _IN_SIGHT] if c.words][:_NEXT]
            for m in c.mentions[:IN_CLAUSE]
            if m in taken and not (c.other and not c.predicate)
        ]
        if later and said[0] < later[0]:
            start = later[0]
    return [m for m in said if m >= start] if start is not None else []
