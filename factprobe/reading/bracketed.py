"""Sentences for templates such as `[X] (born [Y])`, whose second placeholder is in brackets."""

from __future__ import annotations

import re

from factprobe.reading.language import in_order, phrases


def as_sentence(template: str, first: str = "[X]", second: str = "[Y]") -> str:
    """Return a sentence for a template with a verb and placeholder in brackets; empty for any other template.

    For example, `[X] (born [Y]).` becomes `[X] was born in [Y].`

    Args:
        template: Template with both placeholders.
        first: Placeholder before the brackets.
        second: Placeholder in the brackets.
    """
    participles = f"{phrases('bracketed_participle')}|{phrases('negation_participle')}"
    verb = rf"(?:({phrases('bracketed_active')})|({participles}))(?: ([a-z]+))?"
    match = re.fullmatch(rf"{re.escape(first)} ?\({verb} {re.escape(second)} ?\) ?\.?", template.strip())
    if match is None:
        return ""
    preposition = match[3] or in_order("bracketed_preposition")[0]
    return f"{first} {match[1] or f'was {match[2]}'} {preposition} {second}."
