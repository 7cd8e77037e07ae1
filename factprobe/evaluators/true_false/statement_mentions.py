"""Mentions of true and false in a reply: words that judge the statement, its restatement, and other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from factprobe.evaluators.places import OptionMention
from factprobe.evaluators.true_false.judged_clauses import FALSE, TRUE, Clause, clauses_of, turned
from factprobe.evaluators.true_false.masking import GIVEN, OTHER, PLACEHOLDERS, SHOWN, STATEMENT, TRUTH
from factprobe.reading.cue_tables import keys_of
from factprobe.reading.tokenisation.tokens import Words, common_keys

ABOUT = ("said", "words")
"""Kinds of mentions that restate the statement."""
_LEADS = keys_of("judgment_concludes", "speaker", "hedge", "judgment_that", "link_and", "but")
"""Stems of words that may stand before a statement or pronoun (so, I think that)."""


def mentions_in(words: Words, statement: Sequence[str], *, is_negated: bool, has_passage: bool) -> list[OptionMention]:
    """Return the mentions of true and false, from left to right; none if the reply only repeats the statement.

    Args:
        words: Tokens of the reply, with placeholders for entities.
        statement: Stems of the statement's words, in order.
        is_negated: True if the question is whether the negation of the statement is true.
        has_passage: True if a passage precedes the statement.
    """
    clauses = clauses_of(words, statement, has_passage=has_passage)
    asserted = {key for clause in clauses if not clause.is_asked for key in clause.keys}
    if keys_of("judgment_noun", "article").union((STATEMENT,)).issuperset(asserted):
        return []
    return sorted(mention for clause in clauses for mention in _mentions(clause, is_negated=is_negated))


def _mentions(clause: Clause, *, is_negated: bool) -> Iterator[OptionMention]:
    """Yield the mentions in a clause; of a restated and judged statement ("it is false that"), only the judgment."""
    restated = _statement_mention(clause)
    is_about = restated is not None and restated.by in ABOUT
    is_negated = is_negated and STATEMENT not in clause.names
    is_judged = False
    for start, end, options, by in clause.labels:
        if by == "lead_in":
            continue
        is_answer = by == "answers"
        is_inner_no = is_answer and options == FALSE and start > 0  # is no longer a planet
        is_judged |= is_about and by != "stray" and (not is_answer or is_inner_no)
        is_of_denied = is_negated and max(clause.denied, default=0) < end
        is_of_denied = is_of_denied and (not is_answer if is_about else _is_of_short_clause(clause))
        is_turned = is_of_denied and by in ("judged", "agrees", "answers")
        is_particle = is_negated and is_answer and not is_turned
        yield turned(clause.mention(start, end, options, "particle" if is_particle else by), is_turned)
    if restated and not is_judged:
        yield turned(restated, is_negated)


def _is_of_short_clause(clause: Clause) -> bool:
    """Return whether a clause has only a pronoun and a verb that stand for the statement ("it is indeed")."""
    rest = [clause.keys[i] for i in clause.rest]
    is_bare = not (clause.own or clause.shared or clause.names)
    return is_bare and keys_of("auxiliary").issuperset(rest[-1:]) and not keys_of("judgment_pronoun").isdisjoint(rest)


def _statement_mention(clause: Clause) -> OptionMention | None:
    """Return the mention that restates the statement or changes a name in it; None if a clause does neither."""
    names, is_denied, has_pronoun = clause.names, bool(clause.denied), clause.has("judgment_pronoun")
    last = max([*names.values(), *clause.shared], default=0)
    is_open = any(i < last for i in clause.open)  # whether he was born there; but: he was, if I am right
    if is_open or (clause.has("judgment_noun") and not (is_denied or clause.labels)):
        return None
    has_verb = bool(clause.shared) or not keys_of("auxiliary").isdisjoint(clause.keys[:last])
    is_full = GIVEN in names or (has_verb and not clause.capitals) or has_pronoun
    if STATEMENT in names:
        return _about(clause, names[STATEMENT], "said")
    if SHOWN in names and (GIVEN in names or names.keys().isdisjoint((OTHER, TRUTH))):
        return _about(clause, names[SHOWN], "said") if is_full or is_denied else None
    if TRUTH in names:
        return clause.mention(names[TRUTH], names[TRUTH] + 1, FALSE, "truth")
    if OTHER in names and is_full:
        return clause.mention(names[OTHER], names[OTHER] + 1, FALSE, "other")
    return _in_words(clause, last, has_pronoun=has_pronoun, is_denied=is_denied)


def _in_words(clause: Clause, last: int, *, has_pronoun: bool, is_denied: bool) -> OptionMention | None:
    """Return the mention by words of the statement, an unknown name or a bare verb; None if there is none."""
    keys, own, shared = clause.keys, clause.own, clause.shared
    has_given = GIVEN in clause.names
    remaining = [keys[i] for i in clause.rest if i not in clause.denied]
    if has_given and not own and (is_denied or (has_pronoun and shared)):
        return _about(clause, last, "said")
    if clause.capitals and (has_given or shared):
        return _unknown_mention(clause, remaining, has_subject=has_given or has_pronoun)
    after_lead = [*dropwhile(_LEADS.__contains__, remaining)]
    is_whole = _meaningful(clause.statement) in (_meaningful(remaining), _meaningful(after_lead))
    if shared and (is_whole or _has_predicate(clause)):
        return _about(clause, last, "said")
    if len(shared) > 1 or (shared and is_denied and not own):
        return _about(clause, last, "words")
    is_bare = not (clause.labels or clause.names or own or shared or clause.has("unknown_thing") or _refuses(clause))
    if is_bare and (is_denied or (has_pronoun and keys[-1] in keys_of("auxiliary"))):
        words = clause.denied if is_denied else (len(keys) - 1,)  # without a hedge: it may not be
        return clause.mention(min(words), max(words) + 1, FALSE if is_denied else TRUE, "said")
    return None


def _has_predicate(clause: Clause) -> bool:
    """Return whether a clause is a pronoun with the statement's predicate, word for word (so it's a prime number)."""
    heads = [clause.keys[i] for i in clause.rest]
    subject = next((i for i, key in enumerate(heads) if key in keys_of("judgment_pronoun")), len(heads))
    shown, said = (
        keys_of("auxiliary").intersection(keys) - keys_of("negation_do") for keys in (clause.statement, heads)
    )
    if shown != said or not _LEADS.issuperset(heads[:subject]):  # it was a planet
        return False
    own, statement = _meaningful(heads[subject:]), _meaningful(clause.statement)
    if not 1 < len(own) <= len(statement):
        return False
    if statement[: len(own)] == own:  # it is safe, for "it is safe to drink"
        return common_keys().issuperset(statement[len(own) :][:1])
    before = statement[: 1 - len(own)]  # it is France, for "Lyon is the capital of France"
    is_subject = (common_keys() | keys_of("judgment_not")).isdisjoint(before)
    return is_subject and statement[len(before) :] == own[1:]


def _refuses(clause: Clause) -> bool:
    """Return whether a clause ends in a negated verb of the speaker (I won't), and so denies no statement."""
    _, *verb = [*dropwhile(lambda key: key not in keys_of("speaker"), clause.keys)] or [""]
    return bool(verb) and keys_of("auxiliary", "judgment_not").issuperset(verb)


def _unknown_mention(clause: Clause, rest: Sequence[str], *, has_subject: bool) -> OptionMention | None:
    """Return the mention of an unknown name (or number), if the clause lacks one of the statement; else None.

    Its kind is `other` if nothing else differs, else `unknown`.
    """
    first, names = clause.capitals[0], {clause.keys[i] for i in clause.capitals}
    missing = [key for key in clause.statement if key not in rest]
    if clause.keys[first][0].isdigit() not in (key[0].isdigit() for key in missing):
        return None
    others = _meaningful(key for key in rest if key not in names and key not in keys_of("judgment_pronoun"))
    is_only_change = has_subject and others == _meaningful(key for key in clause.statement if key in rest)
    return clause.mention(first, first + 1, FALSE, "other" if is_only_change else "unknown")


def _about(clause: Clause, i: int, by: str) -> OptionMention:
    """Return a mention that restates the statement at word `i`; each negation after it reverses the side."""
    after = sum(cue.start > i and cue.kind == "judgment_not" for cue in clause.cues)
    return turned(clause.mention(i, i + 1, TRUE, by), after)


def _meaningful(keys: Iterable[str]) -> list[str]:
    """Return the keys without placeholders and words that do not change the meaning of a statement."""
    passed = keys_of("article", "auxiliary", "hedge", "speaker", "judgment_that")
    return [key for key in keys if key not in passed and key not in PLACEHOLDERS]
