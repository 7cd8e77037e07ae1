"""Removal of what surrounds the answer in a reply: reasoning, Markdown, JSON, boxes, bullets, lead-ins."""

from __future__ import annotations

import html
import re
from string import ascii_lowercase

from factprobe.reading.language import in_order, phrases
from factprobe.reading.structure.fields import answer_of_json
from factprobe.reading.structure.latex import unboxed, with_powers, without_latex
from factprobe.reading.structure.reasoning import FINAL, without_headings, without_reasoning
from factprobe.reading.values.number_words import ROMAN
from factprobe.text import without_invisible

_LINE = r"(?<![:!]\n)(?<![:!]\n\n)^\W*+"
"""Pattern of the beginning of a line, up to its first word, that no introduction precedes."""
_NEXT_TURN = re.compile(rf"{_LINE}(?P<is>(?:{phrases('next_speaker')})\s*:)?", re.MULTILINE | re.IGNORECASE)
_FINAL_LINE = re.compile(r"(?:\A|\n)####([^\n]{0,80})\Z")
"""Pattern of the last line of a solution with a marker before the answer, as in GSM8K."""
_CALL = re.compile(rf"\b(?:{phrases('answer_call')})\[([^\[\]\n]+)\]", re.IGNORECASE)
_BRACKETED = re.compile(r"<{1,3}([^<>/\n]*[^\Wa-z_][^<>/\n]*)>{1,3}")
"""Pattern of an answer in angle brackets; it has a capital or digit, unlike an HTML tag."""
_FENCE = re.compile(r"```[ \t]*(\w*)[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_ANSWER_TAG = re.compile(rf".*<({'|'.join(in_order('answer_tag'))})>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,20}\s*/?>")
_LINE_TAGS = ("<br>", "<br/>", "<br />", "</li>", "</p>")
_EMPHASIS = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\n]+)\*|`([^`\n]+)`|~~[^~\n]*~~")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\s]{0,500}\)")
_NOTE = re.compile(r"\[\^?\d{1,3}\]|【\d[^】]{0,40}】")
_OPTION_TAG = re.compile(r"<{1,3}([A-Z])>{1,3}(?!.*</)", re.DOTALL)
"""Pattern of an option's letter in angle brackets (`<B>`) that no closing tag follows."""
_BULLET = re.compile(r"^[ \t]*(?:[-*+•‣◦▪–—>]+|#{1,6}|\(?\d{1,2}[.)](?!\d))[ \t]+", re.MULTILINE)
_ITEM_MARK = re.compile(r"(?<!\S)\(?(\d{1,2}|[a-z]|[ivx]{2,4})[.)]\s+", re.IGNORECASE)
_COUNTING_ORDERS = ([*map(str, range(1, 100))], ascii_lowercase, ROMAN)
_ADJECTIVE, _NOUN, _IS = phrases("answer_adjective"), phrases("answer_noun"), phrases("answer_is")
_LEAD = re.compile(
    rf"^(?:(?:{_ADJECTIVE})\s+)*(?:{_NOUN})\s*(?:[:=]|\b(?:{_IS}|{phrases('answers_are')})\b:?)\s*", re.IGNORECASE
)
_MARKED = re.compile(
    rf"(?:^|(?<=[.!?]\s))\W{{0,9}}(?:(?:{_ADJECTIVE}|{phrases('answer_opening')})\s+){{0,9}}"
    rf"(?:{_NOUN}|{phrases('conclusion_noun')})\s*(?:\b(?:{_IS})\s*)?(?::|=|\s*$)[\s:]*(?=\S)",
    re.MULTILINE | re.IGNORECASE,
)
_WIDE_LEAD = re.compile(phrases("wide_lead"))
"""Pattern of a lead-in in a script without spaces (答えは)."""
_AFTERWORD = re.compile(rf"{_LINE}(?P<is>(?:{phrases('afterword')})\W*(?:[:：]|$))?", re.MULTILINE | re.IGNORECASE)
_POINT = re.compile(r"\.(?<![\w.\\/]\.)(?=\d)")
"""Pattern of a decimal point without a digit before it (`.5`)."""
_BLANKS = re.compile(r"\s{11,}")
"""Pattern of a long run of white space; patterns that allow any number of blanks would take quadratic time on it."""
_MARKUP_SIGN = re.compile("[<\\[`{_\\\\$*~&#:=\0-\x1f\x7f-\U0010ffff]")
"""Pattern of characters of markup; a reply without them and double spaces has only a lead-in or quotes to remove."""
_QUOTES = "\"'“”‘’«»„「」『』"


def clean(reply: str) -> str:
    """Return the answer in a reply, without what surrounds it.

    Removed are reasoning blocks, chat tokens, further turns that the model wrote, fences, Markdown, tags, LaTeX, JSON,
    quotes around the whole, `Answer:` with the text before it, and explanations under a heading.
    """
    reply = without_invisible(reply)
    text = reply.strip()
    has_signs = _MARKUP_SIGN.search(text) is not None or "  " in text or FINAL in text
    if has_signs:
        text = _unwrap(reply)
    if "." in text:
        text = _POINT.sub("0.", text)
    if not text.isalnum():
        if has_signs:
            text = _answer_part(_BLANKS.sub(lambda blanks: "\n" if "\n" in blanks[0] else " ", _without_markdown(text)))
        lead = _LEAD.match(text)
        text = text[lead.end() :].strip() if lead else text
    if len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        text = text.strip(_QUOTES)
    return text.strip()


def _unwrap(reply: str) -> str:
    """Return the reply without reasoning, fences, calls, JSON, boxes, tags and LaTeX."""
    if reply.lstrip().startswith("&lt;"):
        reply = html.unescape(reply)
    has_reasoning = FINAL in reply or any(sign in reply for sign in "<[▷")
    text = (without_reasoning(reply) if has_reasoning else reply).strip()
    if "```" in text:
        text = _FENCE.sub(lambda match: match[2] if match[2].strip() else match[1], text).strip()
    if calls := _CALL.findall(text):
        text = calls[-1]
    if "{" in text or text[:1] == "[":
        text = unboxed(answer_of_json(text))
    if "<" in text:
        text = _remove_tags(text)
    if "\\" in text or "$" in text or "{" in text:
        text = without_latex(text)
    return text if text.isascii() else with_powers(_WIDE_LEAD.split(text)[-1].strip() or text)


def with_bullets(text: str) -> str:
    """Replace bullets, numbers and heading signs at line starts, or counting marks (`a) b) c)`), by the same bullet."""
    marks = [mark[1].lower() for mark in _ITEM_MARK.finditer(text)]
    if len(marks) > 1 and any(marks == [*order[: len(marks)]] for order in _COUNTING_ORDERS):
        return _ITEM_MARK.sub("\n• ", text).strip()
    return _BULLET.sub("• ", text)


def _remove_tags(text: str) -> str:
    if bracketed := _BRACKETED.fullmatch(text):
        return bracketed[1]
    if answer := _ANSWER_TAG.match(text):
        return answer[2].strip()
    text = _OPTION_TAG.sub(r"(\1)", text)
    return _TAG.sub(lambda match: "\n" if match[0].lower() in _LINE_TAGS else "", text)


def _without_markdown(text: str) -> str:
    text = _EMPHASIS.sub(lambda match: match[match.lastindex] if match.lastindex else "", text)
    return html.unescape(_NOTE.sub("", _LINK.sub(r"\1", text)))


def _answer_part(text: str) -> str:
    """Return the text after the last `Answer:`, without further turns, and without explanations under a heading."""
    text = text.strip()
    if "#" in text:
        text = without_headings(final_line(text))
    if "\n" in text:
        text = _before(_NEXT_TURN, text)
    ends = [marked.end() for marked in _MARKED.finditer(text)]
    if ends and any(c.isalnum() for c in text[ends[-1] :]):
        text = text[ends[-1] :]
    if "\n" in text:
        text = _before(_AFTERWORD, text)
    return text.strip()


def final_line(text: str) -> str:
    """Return the last line if `####` marks it as the answer, else the whole text."""
    line = _FINAL_LINE.search(text)
    return line[1] if line else text


def _before(pattern: re.Pattern[str], text: str) -> str:
    """Return the text before the first line with words before it for which the group `is` of a pattern is set."""
    first_word = next((at for at, c in enumerate(text) if c.isalnum()), len(text))
    for match in pattern.finditer(text):
        if match["is"] and first_word < match.start():
            return text[: match.start()].rstrip()
    return text
