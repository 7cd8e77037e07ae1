"""Parser of claims without brackets in a reply: rows with dashes or arrows, named fields, items of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factprobe.reading.language import phrases
from factprobe.text import normalise, one_line

_EMPHASIS = re.compile(r"(?<![\w*`_])(\*{1,3}|__|`)(?=\S)([^*`_\n]+)(?<=\S)\1(?![\w*`_])")
_WRAPS = {'"': '"', "“": "”", "«": "»", "(": ")", "[": "]"}
_OPENING = ("(", "[", "{")
_UNREAD = re.compile(r'[\[\]{}"“”|]')
"""Pattern of quotes and brackets; a line is not read if one of its parts has some that do not enclose the part."""
_ARROW = re.compile(r" ?(?:(?<!-)-+\[|\]-+>|(?<![-–—=])[-–—=]+>|[→⇒⟶⟹➔➜➡]) ?")
_DASH = re.compile(r" [-–—] | ?[-–—]{2,} ?")
_BETWEEN = re.compile(rf"{_ARROW.pattern}|{_DASH.pattern}|; ")
_PART = r"(?:(?P<head>head|subject)|(?P<relation>relation|relationship|predicate)|(?P<tail>tail|object))"
_FIELD = re.compile(rf"(?<![/\w]){_PART}(?:[ _](?:entity|label))?[*_`\"']{{0,3}}[ \t]?[:=>]", re.IGNORECASE)
_PART_ORDER = ["head", "relation", "tail"]
_STRIPPED = " \t\r*_`,;|<"
_VALUE_END = re.compile(r"\n|</")
_ITEM = re.compile(
    r"^[ \t]{0,8}(?:[-*+•][ \t])?[*_#]{0,6}[ \t]?(?P<word>[^\W\d_]{1,20}) ?[#(\[]?(?P<number>\d{1,3})"
    r"(?:[)\]]?[*_]{0,3}[.:)-]|(?=[*_]{0,3}[ \t]{0,3}$))[*_]{0,3}(?P<rest>.*)$",
    re.MULTILINE,
)
"""Pattern of a line that begins with a word and a number, such as `Claim 1:`."""
_ELEMENT = re.compile(r"<([^\W\d_]{1,20})>(?=\s{0,9}\S)([^<>]+)</\1>")
_WRAPPED = re.compile(r"(?:(\*\*|__)[^*_]+\1|\"[^\"]+\"|“[^“”]+”)[.,;]?")
_SENTENCE_END = re.compile(r"[.!?][\W_]*\Z")
_INLINE = re.compile(r"(?<=[.!?;,]) \(?(\d{1,3})[.)] ")
_NONE = re.compile(rf"\W*(?:{phrases('claims_none')})\W*", re.IGNORECASE)
_ABSENT = re.compile(rf"\b(?:{phrases('claims_absent')})\b")
_EXCEPTION = re.compile(rf"\b(?:{phrases('claims_exception')})\b")
_MAX_NO_CLAIMS = 300
"""Maximum length, in characters, of a reply that says that there are no claims."""


def without_emphasis(text: str) -> str:
    """Return a text without the Markdown of bold, italic and code."""
    return _EMPHASIS.sub(r"\2", text) if "*" in text or "`" in text or "__" in text else text


def split_row(line: str) -> tuple[str, ...]:
    """Return the parts of a line between dashes, arrows, semicolons or tabs; empty if there are fewer than three.

    Sentences may have dashes too, so that a line with a full stop at its end needs arrows.

    Args:
        line: Line without its bullet.
    """
    fields = line.strip().split("\t")
    if len(fields) < 3:
        text = _unwrap(one_line(line))
        arrows = _ARROW.search(text)
        if not arrows and _SENTENCE_END.search(text[-9:]):
            return ()
        fields = _BETWEEN.split(text.rstrip(".") if arrows else text)
    parts = tuple(_unwrap(one_line(without_emphasis(field))) for field in fields)
    is_row = len(parts) > 2 and all(part and not _UNREAD.search(part) for part in parts)
    return parts if is_row else ()


def read_fields(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the triplets of a text with named parts, such as `Subject: Ann`; empty if one lacks a part."""
    fields = [*_FIELD.finditer(text)]
    if not fields or [field.lastgroup for field in fields] != _PART_ORDER * (len(fields) // 3):
        return ()
    ends = [*(field.start() for field in fields[1:]), len(text)]
    values = [
        _VALUE_END.split(text[field.end() : end].strip(), maxsplit=1)[0]
        for field, end in zip(fields, ends, strict=True)
    ]
    values = [_unwrap(one_line(without_emphasis(value).strip(_STRIPPED))) for value in values]
    return tuple(zip(*[iter(values)] * 3, strict=True)) if all(values) else ()


def read_items(text: str) -> Iterator[str]:
    """Yield the items of a list: lines such as `Claim 1: …`, elements of one tag, or lines in bold or quotes."""
    items = [*_ITEM.finditer(text)]
    words = {item["word"].casefold() for item in items}
    if len(words) == 1 and [int(item["number"]) for item in items] == [*range(1, len(items) + 1)]:
        ends = [*(item.start() for item in items[1:]), len(text)]
        for item, end in zip(items, ends, strict=True):
            item_text = text[item.start("rest") : end].strip(" \t\n*_")
            yield one_line(without_emphasis(item_text.split("\n", 1)[0]))
        return
    elements = _ELEMENT.findall(text)
    if elements and len({tag.casefold() for tag, _ in elements}) == 1:
        yield from (one_line(content) for _, content in elements)
        return
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    wrapped = [line for line in lines if _WRAPPED.fullmatch(line)]
    if all(map(_SENTENCE_END.search, wrapped)):
        yield from (_unwrap(without_emphasis(line.rstrip(",;"))) for line in wrapped)


def with_brackets(text: str) -> str:
    """Return the text with the content of each element such as `<triplet>` in its own line, in brackets."""
    return _ELEMENT.sub(lambda match: f"\n{match[2] if match[2].strip()[:1] in _OPENING else f'({match[2]})'}\n", text)


def split_items(item: str) -> list[str]:
    """Split the text after the first number of a list in one line: `Ann sang it. 2) Bob wrote it.` has two items."""
    items: list[str] = []
    start = 0
    for number in _INLINE.finditer(item):
        if int(number[1]) == len(items) + 2:
            items.append(item[start : number.start()])
            start = number.end()
    return [*items, item[start:]]


def says_none(reply: str) -> bool:
    """Return whether a reply says that there are no claims."""
    if len(reply) > _MAX_NO_CLAIMS:
        return False
    plain = normalise(reply)
    return bool(_NONE.fullmatch(plain) or (_ABSENT.search(plain) and not _EXCEPTION.search(plain)))


def _unwrap(part: str) -> str:
    """Return a part without quotes or brackets around the whole of it."""
    close = _WRAPS.get(part[:1])
    inner = part[1:-1].strip()
    is_wrapped = len(part) > 2 and part[-1] == close and part[0] not in inner and part[-1] not in inner
    return inner if is_wrapped else part
