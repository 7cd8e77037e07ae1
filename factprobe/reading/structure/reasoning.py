"""Removal of text before the answer: reasoning blocks, other turns of a chat template, headings of the task."""

from __future__ import annotations

import re

from factprobe.reading.language import in_order, phrases, vocabulary

ANSWER_TAGS = tuple(f"<{tag}>" for tag in in_order("answer_tag"))
_CONTENT_TAGS = vocabulary("answer_tag", "html_tag")
"""Names of tags that do not enclose reasoning."""
_THINKING = phrases("thinking_tag")
_REASONING = re.compile(
    rf"<({_THINKING})>.*?(</\1>|\Z)|\[THINK\].*?(\[/THINK\]|\Z)|◁think▷.*?(◁/think▷|\Z)|"
    rf"<\|(?:begin|start)_(?:of_)?({_THINKING})\|>.*?(<\|end_(?:of_)?\5\|>|\Z)",
    re.S | re.I,
)
_REASONING_END = re.compile(rf"</(?:{_THINKING})>|\[/THINK\]|◁/think▷|<\|end_(?:of_)?(?:{_THINKING})\|>", re.I)
_BLOCK = re.compile(
    r"\s*+(?:<(?P<tag>[\w:.-]{2,40})>.*?</(?P=tag)>|\[(?P<bracket>[A-Z_ ]{3,40})\].*?\[/(?P=bracket)\]|"
    r"<\|(?:(?:begin|start)_(?:of_)?)?(?P<token>\w{2,40})\|>.*?<\|(?:end_(?:of_)?|/)(?P=token)\|>|"
    r"◁(?P<shape>\w{2,40})▷.*?◁/(?P=shape)▷|<unused\d+>.*?<unused\d+>)",
    re.DOTALL | re.IGNORECASE,
)
"""Pattern of a block at the beginning of a reply, between an opening and a closing tag or special token."""
_LAST_BLOCK = re.compile(
    r"<\|(?:begin|start)_(?:of_)?(?P<token>\w{2,40})\|>(?P<text>[^<]*)<\|end_(?:of_)?(?P=token)\|>\s*\Z", re.IGNORECASE
)
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
    final = _CHANNEL.split(text)
    text = _without_blocks(final[-1])
    text = _REASONING_END.split(_REASONING.sub("", text))[-1].strip()  # the chat template may have opened the block
    if len(final) == 1 and "<|channel|>" in text:
        return ""  # the reply was cut off during its reasoning
    text, end = without_turns(text), 0
    for match in TOKEN.finditer(text):
        if any(c.isalnum() for c in text[end : match.start()]):
            text = text[: match.start()]
            break
        end = match.end()
    return TOKEN.sub("", text)


def _without_blocks(text: str) -> str:
    """Remove blocks in tags or special tokens before the answer, whatever their names, as reasoning.

    Blocks in HTML tags or answer tags are kept, and so are blocks that no other text follows. If the reply ends in a
    block in special tokens, only the content of this block is returned.
    """
    while block := _BLOCK.match(text):
        tag, end = (block["tag"] or "").lower(), block.end()
        while tag and (more := _BLOCK.match(text, end)) and (more["tag"] or "").lower() == tag:
            end = more.end()
        if tag in _CONTENT_TAGS or not any(map(str.isalnum, TOKEN.sub("", text[end:]))):
            break
        text = text[end:]
    last = _LAST_BLOCK.search(text) if "|>" in text else None
    return last["text"] if last and any(map(str.isalnum, last["text"])) and last.start() else text


def without_turns(text: str) -> str:
    """Return the model's own turn, if a text begins with turns of a chat template; else the text."""
    return _after(_OWN_TURN, text) if _TURNS.match(text) else text


def without_headings(text: str) -> str:
    """Return the text after the answer's heading, if it begins with a task's (`### Instruction:`); else the text."""
    return _after(_OWN_HEADING, text) if _HEADINGS.match(text) else text


def _after(heading: re.Pattern[str], text: str) -> str:
    match = heading.search(text)
    return text[match.end() :].lstrip() if match else text
