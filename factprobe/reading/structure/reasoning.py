"""Removal of text before the answer: reasoning blocks, other turns of a chat template, headings of the task."""

from __future__ import annotations

import re

from factprobe.reading.language import phrases, vocabulary

_CONTENT_TAGS = vocabulary("answer_tag", "html_tag")
"""Names of tags that do not enclose reasoning."""
_THINKING = phrases("thinking_tag")
_MARK = re.compile(
    rf"(?:<\|?|◁|\[(?=/?THINK\]))(?:(/|end_(?:of_)?)|(?:begin|start)_(?:of_)?)?(?:{_THINKING})(?:\|?>|▷|\])", re.I
)
"""Pattern of a tag or special token around reasoning; its group is set for a closing one."""
_REASONING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_BLOCK = re.compile(
    r"\s*+(?:(?P<open><\|?|\[|◁)(?:(?:begin|start)_(?:of_)?)?(?P<name>[\w:. -]{2,40})(?P<close>\|?>|\]|▷)"
    r".*?(?P=open)(?:/|end_(?:of_)?)(?P=name)(?P=close)|<unused\d+>.*?<unused\d+>)",
    re.DOTALL | re.IGNORECASE,
)
"""Pattern of a block at the beginning of a reply, between an opening and a closing tag or special token."""
_LAST_BLOCK = re.compile(r"<\|begin_of_(\w{2,40})\|>([^<]*\w[^<]*)<\|end_of_\1\|>\s*\Z", re.IGNORECASE)
"""Pattern of a block at the end that has the answer (`<|begin_of_box|>`)."""
FINAL = "assistantfinal"
"""Text before the final answer of a model with channels (gpt-oss) if its special tokens were dropped."""
_CHANNEL = re.compile(rf"<\|channel\|>\s*final\s*(?:<\|message\|>)?|\A\s*analysis.*{FINAL}", re.IGNORECASE | re.DOTALL)
TOKEN = re.compile(r"<\|[\w ]{1,30}\|>|</?s>|<(?:bos|eos|pad|start_of_turn|end_of_turn)>|\[/?INST\]|<<?/?SYS>?>")
"""Pattern of a model's special token."""
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


def without_reasoning(text: str) -> str:
    """Remove reasoning, special tokens and turns of other speakers that a model wrote."""
    final = _CHANNEL.split(_MARK.sub(lambda mark: "</think>" if mark[1] else "<think>", text))
    text = _REASONING.sub("", _without_blocks(final[-1])).rpartition("</think>")[2].strip()
    if len(final) == 1 and "<|channel|>" in text:
        return ""  # the reply was cut off during its reasoning
    parts = TOKEN.split(_after(_TURNS, _OWN_TURN, text))
    return next((part for part in parts if any(map(str.isalnum, part))), "".join(parts))


def _without_blocks(text: str) -> str:
    """Remove blocks before the answer, except in HTML and answer tags; return only a block of tokens at the end."""
    while block := _BLOCK.match(text):
        name, end = (block["name"] or "").lower(), block.end()
        while name and (more := _BLOCK.match(text, end)) and (more["name"] or "").lower() == name:
            end = more.end()
        rest = text[end:]
        if name in _CONTENT_TAGS or not any(map(str.isalnum, TOKEN.sub("", rest))):
            break
        text = rest
    last = _LAST_BLOCK.search(text) if "|>" in text else None
    return last[2] if last else text


def without_headings(text: str) -> str:
    """Return the text after the answer's heading, if it begins with a task's (`### Instruction:`); else the text."""
    return _after(_HEADINGS, _OWN_HEADING, text)


def _after(opening: re.Pattern[str], own: re.Pattern[str], text: str) -> str:
    """Return what follows the model's own part, if a text begins with another part; else the text."""
    match = own.search(text) if opening.match(text) else None
    return text[match.end() :].lstrip() if match else text
