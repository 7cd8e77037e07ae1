"""Negation of templates: `[X] was not born in [Y]` for `[X] was born in [Y]`."""

from __future__ import annotations

import re
from functools import cache

from factprobe.reading.language import in_order, phrases, table, vocabulary
from factprobe.records import Statement
from factprobe.templating import Template

_SUBJECT, _OBJECT = "\ue000", "\ue001"
"""Placeholders of the names, from the private use area of Unicode."""
_CUT_OFF = re.compile(rf"[{_SUBJECT}{_OBJECT}]\s*,")
_SENTENCES = re.compile(r"[.!?]\s+\S")


def negate(template: Template) -> Template | None:
    """Return the negation of a template; None if it has several sentences.

    Its verb is negated. If the verb is unknown, or a negated verb would not negate the sentence, a clause is put before
    it ("It is not true that"): with several possible verbs, modals ("may not" does not negate "may"), negation,
    quantifiers ("some are not"), adverbs of frequency, additions, and commas after a name, where the verb may be about
    something else ("[X], born in [Y], is a poet", "Founded in [Y], [X] is a company").
    """
    text = template.fill(_SUBJECT, _OBJECT).text
    if _SENTENCES.search(text):
        return None
    is_modal = re.search(rf"\b(?:{phrases('negation_modal')})\b", text)
    is_plain = not (is_modal or _CUT_OFF.search(text) or _unclear().search(text))
    negation = (is_plain and (_by_auxiliary(text) or _by_do(text))) or _by_clause(text)
    subject, object_ = (negation.index(name) for name in (_SUBJECT, _OBJECT))
    return Template.from_statement(Statement(negation, (subject, subject + 1), (object_, object_ + 1)))


def _by_auxiliary(text: str) -> str:
    """Return a text with "not" after its auxiliary verb; empty unless it has exactly one."""
    matches = list(_auxiliaries().finditer(text))
    if len(matches) != 1:
        return ""
    (match,) = matches
    if _follows_adverb(text, match.start()):
        return ""
    if match["can"]:
        return f"{text[: match.start()]}{in_order('negation_cannot')[0]}{text[match.end() :]}"
    return f"{text[: match.end()].rstrip()} {in_order('negation_not')[0]} {text[match.end() :].lstrip()}"


def _by_do(text: str) -> str:
    """Return a text whose first known verb between the names is negated with "do"; empty if there is none.

    It is also empty if the verb may be an infinitive: a plain form after another word ("helps treat").
    """
    if _auxiliaries().search(text):
        return ""
    first, last = sorted(map(text.index, (_SUBJECT, _OBJECT)))
    words = rf"(?<![\w'’])(?P<other>(?:{phrases('negation_before_other')})\s+)?(?P<verb>[a-z]+)"
    for match in re.finditer(words, text[:last]):
        start, stop = match.span("verb")
        if start < first or match["other"] or match["verb"] not in _verb_forms():
            continue
        do, plain = _verb_forms()[match["verb"]]
        is_other = plain == match["verb"] and text[:start].rstrip()[-1:].islower()
        if is_other or _follows_adverb(text, start) or _perfect_of_unknown().match(text, start):
            return ""
        return f"{text[:start]}{do} {in_order('negation_not')[0]} {plain}{text[stop:]}"
    return ""


def _follows_adverb(text: str, start: int) -> bool:
    """Return whether an adverb is before `start`, so that "not" would follow it (recently did not join)."""
    return re.search(rf"\b(?:{phrases('negation_adverb')})\s*$", text[:start], re.IGNORECASE) is not None


def _by_clause(text: str) -> str:
    """Return a sentence with a negating clause before it."""
    rest = text if text[1:2].isupper() else text[:1].lower() + text[1:]
    return f"{phrases('negation_whole')} {rest}"


@cache
def _unclear() -> re.Pattern[str]:
    """Return a pattern of words in sentences that only a clause can negate."""
    articles = "|".join(vocabulary("article"))
    return re.compile(
        rf"\b(?:{phrases('negation_said')}|{phrases('negation_scope')})\b"
        rf"|\b(?:{phrases('negation_joins')})\s+(?!(?:{articles})\b)(?-i:[a-z])",
        re.IGNORECASE,
    )


@cache
def _auxiliaries() -> re.Pattern[str]:
    plain = "|".join(in_order("negation_plain"))
    been, participle = phrases("negation_been"), phrases("negation_participle")
    verb = rf"(?:{been})\b|(?:{participle})(?=\s*(?:[{_SUBJECT}{_OBJECT}.,]|(?:{_function_words()})\b|$))"
    perfect = rf"(?:{phrases('negation_perfect')}) (?=(?:(?:{phrases('negation_adverb')})\s+)*(?:{verb}))"
    return re.compile(rf"\b(?:(?P<can>{phrases('negation_of_can')})|{plain}|{perfect})\b")


@cache
def _perfect_of_unknown() -> re.Pattern[str]:
    """Return a pattern of phrases that look like a perfect tense and may be none: "has associated morphology"."""
    after = f"{phrases('negation_adverb')}|{phrases('negation_participle')}"
    words = rf"(?:(?!(?:{_function_words()})\b)[a-z]+\s+)*?"
    return re.compile(rf"(?:{phrases('negation_perfect')})\s+{words}(?:{after})\b")


def _function_words() -> str:
    return "|".join(sorted(vocabulary("function")))


def _regular(verb: str) -> tuple[str, str]:
    """Return the third person singular and the past tense of a regular verb."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb[:-1]}ied"
    present = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z")) else f"{verb}s"
    return present, f"{verb}d" if verb.endswith("e") else f"{verb}ed"


@cache
def _verb_forms() -> dict[str, tuple[str, str]]:
    """Return, for each form of a known verb, the form of "do" that negates it, and the plain form."""
    present, plural, past = in_order("negation_do")
    forms: dict[str, tuple[str, str]] = {}
    verbs = {verb: _regular(verb) for verb in in_order("negation_regular")}
    for verb, others in [*verbs.items(), *table("negation_irregular").items()]:
        forms |= {verb: (plural, verb), others[0]: (present, verb), others[1]: (past, verb)}
    return forms
