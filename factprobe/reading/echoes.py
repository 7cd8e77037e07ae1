"""The prompt that some replies begin with: the turns of a chat template, or the headings of a task."""

from __future__ import annotations

import re

from factprobe.reading.language import phrases

TOKEN = re.compile(r"<\|[\w ]{1,30}\|>|</?s>|<(?:bos|eos|pad|start_of_turn|end_of_turn)>|\[/?INST\]|<<?/?SYS>?>")
"""A special token of a model."""
_ROLE = r"(?:(?:<\|\w{{1,30}}\|>|<start_of_turn>)\s*(?:{0})\b(?:\s*<\|\w{{1,30}}\|>)?|<\|(?:{0})\|>)"
_OWN_TURN = re.compile(rf"{_ROLE.format(phrases('own_role'))}|\[/INST\]", re.IGNORECASE)
_TURNS = re.compile(
    rf"(?:\s|{TOKEN.pattern})*(?:{_ROLE.format(phrases('prompt_role'))}|{_OWN_TURN.pattern}|\[INST\])", re.IGNORECASE
)
_OWN = rf"#+[ \t]*(?:{phrases('answer_noun')}|{phrases('own_heading')})[ \t]*(?::|$)"
_OWN_HEADING = re.compile(f"^{_OWN}", re.MULTILINE | re.IGNORECASE)
_HEADINGS = re.compile(
    rf"(?:(?:{phrases('prompt_opening')})[^#]*)?(?:#+[ \t]*(?:{phrases('next_speaker')})[ \t]*(?::|$)|{_OWN})",
    re.MULTILINE | re.IGNORECASE,
)


def without_turns(text: str) -> str:
    """The text from the model's own first turn on, where it begins with the turns of a chat template."""
    return _behind(_OWN_TURN, text) if _TURNS.match(text) else text


def without_headings(text: str) -> str:
    """The text behind the heading of the answer, where it begins with those of a task: ### Instruction: …"""
    return _behind(_OWN_HEADING, text) if _HEADINGS.match(text) else text


def _behind(heading: re.Pattern[str], text: str) -> str:
    found = heading.search(text)
    return text[found.end() :].lstrip() if found else text
