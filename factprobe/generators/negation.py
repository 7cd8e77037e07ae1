"""The sentence of a relation, negated: [X] was not born in [Y]."""

from __future__ import annotations

import re
from functools import cache

from factprobe.reading.language import in_order, phrases, table, vocabulary
from factprobe.records import Statement
from factprobe.templating import Template

_SUBJECT, _OBJECT = "\ue000", "\ue001"
"""Stand for the names, and are in no word."""
_INTERRUPTED = re.compile(rf"[{_SUBJECT}{_OBJECT}].*[{_SUBJECT}{_OBJECT}]\s*,")
_SENTENCES = re.compile(r"[.!?]\s+\S")


def negated(template: Template) -> Template | None:
    """A relation's sentence negated by its verb; by a clause before it where the verb is not known.

    Where two verbs could be meant, a verb says what may be, or the sentence denies or interrupts itself, it is the
    clause too: "may not" does not deny "may", nor does "[X], born in [Y], is not a poet" deny where somebody was born.

    Returns:
        None for a text of several sentences, of which none is the one to be denied.
    """
    text = template.fill(_SUBJECT, _OBJECT).text
    if _SENTENCES.search(text):
        return None
    is_plain = not (_INTERRUPTED.search(text) or re.search(rf"\b(?:{phrases('negation_said')})\b", text, re.IGNORECASE))
    found = (is_plain and (_by_auxiliary(text) or _by_do(text))) or _whole(text)
    subject, object_ = (found.index(name) for name in (_SUBJECT, _OBJECT))
    return Template.of(Statement(found, (subject, subject + 1), (object_, object_ + 1)))


def _by_auxiliary(text: str) -> str:
    """Negated by a verb that takes "not" behind it; empty where there is not just one."""
    found = list(_auxiliaries().finditer(text))
    if len(found) != 1:
        return ""
    (match,) = found
    if match["can"]:
        return f"{text[: match.start()]}{in_order('negation_cannot')[0]}{text[match.end() :]}"
    return f"{text[: match.end()].rstrip()} {in_order('negation_not')[0]} {text[match.end() :].lstrip()}"


def _by_do(text: str) -> str:
    """Negated by the form of "do" that its verb takes, the first known one between the names; empty where none is."""
    if re.search(rf"\b(?:{phrases('negation_modal')})\b", text) or _auxiliaries().search(text):
        return ""
    start, stop = sorted(map(text.index, (_SUBJECT, _OBJECT)))
    for match in re.finditer(r"(?<![\w'’])[a-z]+", text[start:stop]):
        if match[0] in _forms():
            do, plain = _forms()[match[0]]
            words = f"{do} {in_order('negation_not')[0]} {plain}"
            return f"{text[: start + match.start()]}{words}{text[start + match.end() :]}"
    return ""


def _whole(text: str) -> str:
    """Negated by a clause before it."""
    first = text.split(maxsplit=1)[0]
    rest = text[:1].lower() + text[1:] if first.lower() in vocabulary("function") else text
    return f"{phrases('negation_whole')} {rest}"


@cache
def _auxiliaries() -> re.Pattern[str]:
    plain = "|".join(in_order("negation_plain"))
    return re.compile(rf"\b(?:(?P<can>{phrases('negation_of_can')})|{plain}|{phrases('negation_perfect')})\b")


def _regular(verb: str) -> tuple[str, str]:
    """The present and the past of a regular verb, as English spells them."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb[:-1]}ied"
    present = f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z")) else f"{verb}s"
    return present, f"{verb}d" if verb.endswith("e") else f"{verb}ed"


@cache
def _forms() -> dict[str, tuple[str, str]]:
    """Each form of the verbs that are known, with the form of "do" that negates it and the plain form."""
    present, plural, past = in_order("negation_do")
    forms: dict[str, tuple[str, str]] = {}
    verbs = {verb: _regular(verb) for verb in in_order("negation_regular")}
    for verb, others in [*verbs.items(), *table("negation_irregular").items()]:
        forms |= {verb: (plural, verb), others[0]: (present, verb), others[1]: (past, verb)}
    return forms
