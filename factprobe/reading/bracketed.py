"""Sentences for templates such as `[X] (born [Y])`, whose second placeholder is in brackets."""

from __future__ import annotations

import re
from functools import cache

from factprobe.reading.language import in_order, phrases


def as_sentence(template: str, first: str = "[X]", second: str = "[Y]") -> str:
    """Return a sentence for a template with a verb and placeholder in brackets; empty for any other template.

    For example, `[X] (born [Y]).` becomes `[X] was born in [Y].`

    Args:
        template: Template with both placeholders.
        first: Placeholder before the brackets.
        second: Placeholder in the brackets.
    """
    match = _pattern(first, second).fullmatch(template.strip())
    if match is None:
        return ""
    verb = match["active"] or f"was {match['participle']}"
    return f"{first} {verb} {match['preposition'] or in_order('bracketed_preposition')[0]} {second}."


@cache
def _pattern(first: str, second: str) -> re.Pattern[str]:
    active, participle = (
        phrases("bracketed_active"),
        f"{phrases('bracketed_participle')}|{phrases('negation_participle')}",
    )
    verb = rf"(?:(?P<active>{active})|(?P<participle>{participle}))(?: (?P<preposition>[a-z]+))?"
    return re.compile(rf"{re.escape(first)} ?\({verb} {re.escape(second)} ?\) ?\.?")
