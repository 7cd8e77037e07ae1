"""Parser of the claims in a model's reply: triplets as JSON, Python tuples, rows or fields; statements as a list.

No code in a reply is run. Ambiguous lists are reported as malformed.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from factprobe.claims.by_model.line_lists import (
    read_fields,
    read_items,
    says_none,
    split_items,
    split_row,
    with_brackets,
    without_emphasis,
)
from factprobe.reading.assertion import denies
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.text import normalise, one_line

_CLOSING_MARKS = {"(": ")", "[": "]", "{": "}"}
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“"}
_OPENING_MARK = re.compile(r"[(\[{]")
_SPACE, _LINE = re.compile(r"\s*"), re.compile(r".*")
_AFTER_QUOTE = re.compile(r"\s*(?:[,|:)\]}]|\Z)|[ \t.]*\n")
_UNQUOTED_PART = {marks: re.compile(rf"(?:[^{marks}()\[\]{{}}\n]|\([^()\n]*\))*") for marks in (",|;", ",", "|", ";")}
_FIELD_NAME = re.compile(r"""(?:"[^"\\\n]{1,100}"|'[^'\\\n]{1,100}'|\w{1,100})\s*:|\w{1,100}\s*=\s*(?=["'“])""")
_NAMED_FIELD = re.compile(r"""\w{1,100}\s*=\s*(?=["'“])""")
_NULLS = ("null", "None")
_ESCAPE = re.compile(r"\\(?:[nrtbf'\"\\/]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U000[\da-fA-F]{5}|U0010[\da-fA-F]{4})")
_LETTER = re.compile(r"[^\W\d_]")
_BULLET = re.compile(r"[ \t]{0,40}(?:[-*+•‣◦▪●·–—][ \t]+|[*_]{0,3}\(?\d{1,3}(?:[.):][*_]{0,3}[ \t]+|[.)](?=[^\W\d_])))")
_TABLE_RULE = re.compile(r"[\s|:+-]+")
"""Pattern of the line below the header of a Markdown table; it also has to have a dash and a bar."""
_EMPTY_LIST = re.compile(r"(?:\A|[\s:`])\[\s*\][\s`}.]*\Z")
_LEADING_EMPTY_LIST = re.compile(r"\s*(?:```\w*\s+)?\[\s*\][\s`.]*(?=[^\W\d_])")
"""Pattern of an empty list at the beginning, with text after it (which may quote other lists)."""
_STRUCK_THROUGH = re.compile(r"~~[^~]*~~")
REJECTED = "the reply has a list that it may reject"
NO_TRIPLET = "the reply has a list that is not of three parts"


class ParsedReply(NamedTuple):
    """Result of parsing a reply."""

    claims: tuple[tuple[str, ...], ...]
    """Parts of each complete claim, in order, without duplicates."""
    fault: str = ""
    """Reason why the reply is malformed; empty if it is well-formed."""


class _Source:
    """Text to parse, with a cache of the positions of closing quotes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._closing: dict[str, list[int]] = {}

    def closing(self, quote: str) -> list[int]:
        """Return the positions of the quotes that can end a part of a list; cached, to parse in linear time."""
        if quote not in self._closing:
            marks = re.finditer(rf"\\.|{quote}", self.text, re.DOTALL)
            ends = [
                match.start() for match in marks if match[0] == quote and _AFTER_QUOTE.match(self.text, match.end())
            ]
            self._closing[quote] = ends
        return self._closing[quote]


class _ParsedList(NamedTuple):
    """Bracketed list, row of a table, or line; of a line, `start` and `end` are its number."""

    start: int
    end: int
    parts: tuple[str, ...]
    quoted: int
    """Number of quoted parts."""
    is_whole: bool
    """True if the list has its closing bracket."""
    is_introduced: bool = False
    """True if words of a sentence precede the list in its line."""

    @property
    def is_triplet(self) -> bool:
        return self.is_whole and len(self.parts) == 3 and all(self.parts)


def read_triplets(reply: str, *, is_cut: bool = False) -> ParsedReply:
    """Parse the triplets of a reply.

    A reply without triplets must have an empty list, `[]`, or say that there are none. Struck-through text (`~~`) is
    ignored. A reply is malformed if words near a list may reject it ("not in the text:").

    Args:
        reply: Reply of the model.
        is_cut: True if the reply was cut off at its end.
    """
    text = _STRUCK_THROUGH.sub("", _clean_reply(reply))
    if _LEADING_EMPTY_LIST.match(text):
        return ParsedReply(())
    whole = text[: text.rfind("\n") + 1] if is_cut else text
    groups = [*_find_lists(text)]
    if _rejects(text, groups):
        return ParsedReply((), REJECTED)
    groups = groups or [*_find_lists(with_brackets(text))]
    if not groups and (fields := read_fields(whole)):
        return ParsedReply(_drop_duplicates(fields))
    groups += _find_rows(whole, groups)
    if not any(group.is_triplet for group in groups):
        groups = [*_find_lines(whole)] or groups
    triplets = _drop_duplicates(group.parts for group in sorted(groups) if group.is_triplet)
    if not (triplets or is_cut) and says_none(text):
        return ParsedReply(())
    if not (is_cut or all(group.is_triplet for group in groups)):
        return ParsedReply(triplets, NO_TRIPLET)
    return ParsedReply(triplets, "" if triplets else _problem_of_empty(text, "triplets"))


def _rejects(text: str, groups: Sequence[_ParsedList]) -> bool:
    """Return whether a negation is in the line of a list, or in the line before it if that ends with a colon."""
    end = 0
    for group in (*groups, _ParsedList(len(text), len(text), (), 0, False)):
        first, _, rest = text[end : group.start].partition("\n") if end else ("", "", text[: group.start])
        *_, last = rest.rstrip("\n").rsplit("\n", 1)
        is_near = not rest.endswith("\n") or last.rstrip().endswith(":")
        if denies(first) or (is_near and group.parts and denies(last)):
            return True
        end = group.end
    return False


def read_statements(reply: str, *, is_cut: bool = False) -> ParsedReply:
    """Parse the statements of a reply: a list of quoted texts, or lines with bullets or numbers.

    Args:
        reply: Reply of the model.
        is_cut: True if the reply was cut off at its end.
    """
    text = _clean_reply(reply)
    groups = [group for group in _find_lists(text) if not group.is_introduced]
    if len(groups) > 1 and all(group.is_triplet for group in groups):
        return ParsedReply((), "the reply has triplets and no statements")
    statements = [part for group in groups for part in group.parts[: group.quoted]]
    if not statements:
        statements = _find_items(text[: text.rfind("\n") + 1] if is_cut else text)
    texts = (without_emphasis(part) for part in statements if _LETTER.search(part))
    claims = _drop_duplicates((part,) for part in texts if len(statements) > 1 or not says_none(part))
    if statements and not claims and not is_cut:
        return ParsedReply(())
    return ParsedReply(claims, "" if claims else _problem_of_empty(text, "statements"))


def _find_items(text: str) -> list[str]:
    """Return the items of a list with bullets or numbers; without one, the texts of table rows of number and text."""
    if counted := [*read_items(text)]:
        return counted
    lines = [line[bullet.end() :] for line in text.split("\n") if (bullet := _BULLET.match(line))]
    if len(lines) == 1:
        lines = split_items(lines[0])
    rows = [] if lines else [group.parts for group in _find_rows(text, ())]
    return [one_line(line) for line in lines] or [row[1] for row in rows if len(row) == 2 and row[0].isdigit()]


def _clean_reply(reply: str) -> str:
    return without_reasoning(reply).replace("\r\n", "\n")


def _problem_of_empty(text: str, what: str) -> str:
    """Return why a reply without claims is malformed; empty if it says that there are none."""
    if not text.strip():
        return "the reply is empty"
    return "" if (_EMPTY_LIST.search(text) or says_none(text)) else f"the reply has no list of {what}"


def _drop_duplicates(claims: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the claims, except repetitions of an earlier claim after normalisation."""
    first: dict[tuple[str, ...], tuple[str, ...]] = {}
    for claim in claims:
        first.setdefault(tuple(map(normalise, claim)), claim)
    return tuple(first.values())


def _find_lists(text: str) -> Iterator[_ParsedList]:
    """Yield the innermost bracketed lists; those without quotes only if no words of a sentence precede them."""
    source = _Source(text)
    at = read_up_to = 0
    is_introduced = False
    while opening := _OPENING_MARK.search(text, at):
        group = _parse_list(source, opening.start())
        _, newline, rest = text[read_up_to : group.start].rpartition("\n")
        _, colon, rest = rest.rpartition(":")
        is_introduced = bool(_LETTER.search(rest)) or (is_introduced and not newline and not colon)
        at, read_up_to = group.end, group.start
        if group.quoted or (len(group.parts) > 1 and not is_introduced):
            yield group._replace(is_introduced=is_introduced)
            read_up_to, is_introduced = group.end, False


def _parse_list(source: _Source, start: int) -> _ParsedList:
    """Parse the list that opens at `start`; if it contains another list, it ends there and has no parts."""
    text = source.text
    close = _CLOSING_MARKS[text[start]]
    key = _FIELD_NAME if close == "}" else _NAMED_FIELD
    parts: list[str] = []
    quoted, mark, at = 0, "", start + 1
    while True:
        at = _skip(_SPACE, text, at)
        at = _skip(_SPACE, text, _skip(key, text, at))
        if text[at : at + 1] == close:
            return _ParsedList(start, at + 1, tuple(parts), quoted, True)
        if text[at : at + 1] in _CLOSING_MARKS:
            return _ParsedList(start, at, (), 0, False)
        part, at, is_quoted = _parse_part(source, at, mark)
        parts.append(part)
        quoted += is_quoted
        at = _skip(_SPACE, text, at)
        after = text[at : at + 1]
        if after and after in (mark or ",|;"):
            mark, at = after, at + 1
        elif after != close:
            return _ParsedList(start, max(at, start + 1), tuple(parts), quoted, False)


def _parse_part(source: _Source, at: int, mark: str) -> tuple[str, int, bool]:
    """Parse a part of a list; return its text, the index after it, and whether it is quoted.

    Args:
        source: Text of the reply.
        at: Index at which the part begins.
        mark: Separator of the list; empty if it is not known yet.
    """
    text = source.text
    quote = _QUOTES.get(text[at : at + 1])
    if quote:
        places = source.closing(quote)
        number = bisect_right(places, at)
        if number == len(places):
            return "", _skip(_LINE, text, at), False
        return one_line(_unescape(text[at + 1 : places[number]])), places[number] + 1, True
    end = _skip(_UNQUOTED_PART[mark or ",|;"], text, at)
    bare = one_line(text[at:end])
    return "" if bare in _NULLS else bare, end, False


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _unescape(text: str) -> str:
    """Resolve the escape sequences of JSON and Python."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda match: "/" if match[0] == "\\/" else codecs.decode(match[0], "unicode_escape"), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # JSON escapes use surrogate pairs


def _find_rows(text: str, groups: Iterable[_ParsedList]) -> Iterator[_ParsedList]:
    """Yield the rows outside bracketed lists: parts between bars, or quoted parts between commas."""
    list_spans = deque(sorted((group.start, group.end) for group in groups))
    start, row = 0, None
    for line in text.splitlines(keepends=True):
        begin, start = start, start + len(line)
        while list_spans and list_spans[0][1] <= begin:
            list_spans.popleft()
        if "|" in line and "-" in line and _TABLE_RULE.fullmatch(line):
            row = None  # the line above is the table's head
            continue
        if row:
            yield row
        row = None if list_spans and list_spans[0][0] < start else _parse_row(line, begin)
    if row:
        yield row


def _find_lines(text: str) -> Iterator[_ParsedList]:
    """Yield the lines with parts between dashes, arrows, semicolons or tabs, as lists."""
    counted = [*read_items(text)]
    for number, line in enumerate(counted or text.splitlines()):
        if parts := split_row(line[_skip(_BULLET, line, 0) :]):
            yield _ParsedList(number, number, parts, 0, True)


def _parse_row(line: str, start: int) -> _ParsedList | None:
    body = line[_skip(_BULLET, line, 0) :].strip()
    if body[:1] in _QUOTES:
        group = _parse_list(_Source(f"({body.rstrip('.,')})"), 0)
        if group.quoted == len(group.parts) > 1:
            return group._replace(start=start, end=start + len(line))
    if "|" not in body:
        return None
    parts = tuple(one_line(without_emphasis(part)) for part in body.strip("|").split("|"))
    return _ParsedList(start, start + len(line), parts, 0, True) if len(parts) > 1 else None
