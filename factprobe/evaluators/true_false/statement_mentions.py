"""Mentions of true and false in a reply: words that judge the statement, its restatement, and other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile

from factprobe.evaluators.places import OptionMention
from factprobe.evaluators.true_false.judged_clauses import FALSE, TRUE, Clause, clauses_of, opposite
from factprobe.evaluators.true_false.masking import GIVEN, OTHER, PLACEHOLDERS, SHOWN, STATEMENT, TRUTH
from factprobe.reading.cue_tables import keys_of
from factprobe.reading.tokenisation.segments import SENTENCE_END, bounds_of
from factprobe.reading.tokenisation.tokens import Words, common_keys

ABOUT = ("said", "words")
"""Kinds of mentions that restate the statement."""
_LEADS = keys_of("judgment_concludes", "speaker", "hedge", "judgment_that", "link_and", "but")
"""Stems of words that may stand before a statement or pronoun (so, I think that)."""
_MIN_OTHER_WORDS = 3
"""Number of content words outside the statement from which on a clause does not restate it."""


def mentions_in(words: Words, statement: Sequence[str], *, is_negated: bool, has_passage: bool) -> list[OptionMention]:
    """Return the mentions of true and false, from left to right; none if the reply only repeats the statement.

    Args:
        words: Tokens of the reply, with placeholders for entities.
        statement: Stems of the statement's words, in order.
        is_negated: True if the question is whether the negation of the statement is true.
        has_passage: True if a passage precedes the statement.
    """
    clauses = clauses_of(words, statement, has_passage=has_passage)
    asserted = [words.keys[i] for clause in clauses if not clause.is_asked for i in clause.span]
    if not is_negated and keys_of("judgment_noun").union((STATEMENT,)).issuperset(asserted):
        return []
    return sorted(mention for clause in clauses for mention in _mentions(clause, is_negated=is_negated))


def _mentions(clause: Clause, *, is_negated: bool) -> Iterator[OptionMention]:
    """Yield the mentions in a clause; of a restated and judged statement ("it is false that"), only the judgment."""
    restated = _statement_mention(clause)
    is_about = restated is not None and restated.by in ABOUT
    for label in clause.labels:
        start, end, options, by = label
        is_of_denied = is_about or _is_of_short_clause(clause, label)
        is_of_denied = is_of_denied and is_negated and max(clause.denied, default=0) < end
        if by == "lead_in":
            continue
        if is_of_denied and (by in ("judged", "agrees") or (by == "answers" and not is_about)):
            yield _mention(clause, start, end, opposite(options), by)
        else:
            yield _mention(clause, start, end, options, "particle" if is_negated and by == "answers" else by)
    inner_no = (FALSE, "answers")  # is no longer a planet
    is_judged = is_about and any(
        label.by not in ("answers", "lead_in", "stray") or (label[2:] == inner_no and label.start > clause.span.start)
        for label in clause.labels
    )
    if restated and not is_judged:
        yield restated._replace(options=opposite(restated.options)) if is_negated else restated


def _is_of_short_clause(clause: Clause, label: OptionMention) -> bool:
    """Return whether a judgment is in a clause of pronoun and verb that stand for the statement ("it is indeed")."""
    is_answer = label.by == "answers"
    rest = [clause.keys[i] for i in clause.rest if is_answer or i >= label.end]
    is_bare = not (clause.own or clause.shared or clause.names or (is_answer and label.options == FALSE))
    return is_bare and keys_of("auxiliary").issuperset(rest[-1:]) and not keys_of("judgment_pronoun").isdisjoint(rest)


def _mention(clause: Clause, start: int, end: int, options: frozenset[int], by: str) -> OptionMention:
    return OptionMention(clause.words.starts[start], clause.words.ends[end - 1], options, by)


def _statement_mention(clause: Clause) -> OptionMention | None:
    """Return the mention that restates the statement or changes a name in it; None if a clause does neither."""
    keys, names, span = clause.keys, clause.names, clause.span
    last = max([*names.values(), *clause.shared], default=span.start)
    is_denied = not clause.denied.isdisjoint(clause.rest)
    is_open = any(i < last for i in clause.open)
    if is_open or (clause.has("judgment_noun") and not (is_denied or clause.labels)):
        return None
    has_pronoun = clause.has("judgment_pronoun")
    has_verb = any(keys[i] in keys_of("auxiliary") for i in range(span.start, last))
    has_verb = has_verb and len(clause.own) < _MIN_OTHER_WORDS and not clause.capitals
    is_full = GIVEN in names or (bool(clause.shared) and not clause.capitals) or has_pronoun
    if STATEMENT in names:
        return _about(clause, names[STATEMENT], "said")
    if SHOWN in names and (GIVEN in names or names.keys().isdisjoint((OTHER, TRUTH))):
        return _about(clause, names[SHOWN], "said") if is_full or is_denied or has_verb else None
    if TRUTH in names:
        return _mention(clause, names[TRUTH], names[TRUTH] + 1, FALSE, "truth")
    if OTHER in names and (is_full or has_verb):
        return _mention(clause, names[OTHER], names[OTHER] + 1, FALSE, "other")
    return _in_words(clause, last, has_pronoun=has_pronoun, is_denied=is_denied)


def _in_words(clause: Clause, last: int, *, has_pronoun: bool, is_denied: bool) -> OptionMention | None:
    """Return the mention by words of the statement, an unknown name or a bare verb; None if there is none."""
    keys, span, own, shared = clause.keys, clause.span, clause.own, clause.shared
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
    if is_bare and (is_denied or (has_pronoun and keys[span.stop - 1] in keys_of("auxiliary"))):
        words = clause.denied if is_denied else (span.stop - 1,)  # without a hedge: it may not be
        return _mention(clause, min(words), max(words) + 1, FALSE if is_denied else TRUE, "said")
    return None


def _has_predicate(clause: Clause) -> bool:
    """Return whether a clause is a pronoun with the statement's predicate, word for word (so it's a prime number).

    It must be in the first or last sentence, where an answer stands. The auxiliary verb must be the same, since "it was
    a planet" is another statement. The subject that the pronoun stands for has no function words but an article, so
    that "it is France" is not "Lyon is the capital of France". If the statement has the pronoun itself, the clause may
    leave out a phrase at the end ("it is safe" for "it is safe to drink").
    """
    start, end = bounds_of(clause.words, clause.span.start, clause.span.start + 1, SENTENCE_END)
    heads = [clause.keys[i] for i in clause.rest]
    subject = next((i for i, key in enumerate(heads) if key in keys_of("judgment_pronoun")), len(heads))
    passed, no_content = keys_of("auxiliary"), keys_of("negation_do")
    shown, said = (passed.intersection(keys) - no_content for keys in (clause.statement, heads))
    if (start > 0 and end < len(clause.words)) or shown != said or not _LEADS.issuperset(heads[:subject]):
        return False
    own = [key for key in heads[subject:] if key not in passed]
    statement = [key for key in clause.statement if key not in passed]
    if not 1 < len(own) <= len(statement):
        return False
    if statement[: len(own)] == own:
        return common_keys().issuperset(statement[len(own) :][:1])
    before = statement[: 1 - len(own)]
    no_subject = common_keys() | keys_of("judgment_not")
    return statement[len(before) :] == own[1:] and no_subject.isdisjoint(before[before[0] in keys_of("article") :])


def _refuses(clause: Clause) -> bool:
    """Return whether a clause ends in a negated verb of the speaker (I won't), and so denies no statement."""
    words = [clause.keys[i] for i in clause.span]
    first = next((i for i, key in enumerate(words) if key in keys_of("speaker")), len(words))
    denied = {clause.keys[i] for i in clause.denied}
    return first < len(words) and words[-1] in denied and (keys_of("auxiliary") | denied).issuperset(words[first + 1 :])


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
    return _mention(clause, first, first + 1, FALSE, "other" if is_only_change else "unknown")


def _about(clause: Clause, i: int, by: str) -> OptionMention:
    """Return a mention that restates the statement at word `i`; each negation after it reverses the side."""
    after = sum(cue.start > i and cue.kind == "judgment_not" for cue in clause.cues)
    return _mention(clause, i, i + 1, FALSE if after % 2 else TRUE, by)


def _meaningful(keys: Iterable[str]) -> list[str]:
    """Return the keys without placeholders and words that do not change the meaning of a statement."""
    passed = keys_of("article", "auxiliary", "hedge", "speaker", "judgment_that")
    return [key for key in keys if key not in passed and key not in PLACEHOLDERS]
