"""Parser of the claims in a model's reply: triplets as lists, objects, named fields or rows; statements as a list.

No code in a reply is run, and parsing takes linear time. Ambiguous lists are reported as malformed.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from factprobe.reading.assertion import denies
from factprobe.reading.language import phrases
from factprobe.reading.structure.cleaning import with_bullets
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.text import normalise, one_line

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“"}
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_QUOTED, _UNCLOSED, _ASIDE = "\ue000\ue001\ue002"
"""Characters that replace those of a quoted text, of one without a closing quote, and of brackets after a word."""
_BULLET = r"[-*+•‣◦▪●·–—][ \t]+"
_COUNT = rf"(?i:{phrases('verdict_claim')}) ?[#(\[]?\d{{1,3}}(?:[)\]]?[*_]{{0,3}}[.:)-]|(?=[*_]{{0,3}}$))"
_NUMBER = r"[*_]{0,3}\(?\d{1,3}[.):](?:[*_]{0,3}[ \t]+|(?=[^\W\d_]))"
_MARK = rf"^[ \t]{{0,40}}(?:(?:{_BULLET})?[*_#]{{0,6}}[ \t]?{_COUNT}[*_]{{0,3}}|{_BULLET}|{_NUMBER})"
_ITEM = re.compile(rf"(?m){_MARK}\s*(?P<rest>.*)")
"""Pattern of an item after a bullet, a number, or a word and a number (`Claim 1:`); it may be in the next line."""
_SENTENCE = re.compile(r"(?m)^[ \t]*(?:<\w+>|\*\*|[\"“«])([^<>*\"“”«»\n]+[.!?])(?:</\w+>|\*\*|[\"”»])[.,;]?[ \t]*$")
"""Pattern of a line that is one sentence in an element, bold or quotes."""
_AFTER_QUOTE = r"\s*(?:[,|;:)\]}]|\Z)|[ \t.]*(?:\n|\Z)"
_CONTENTS = [rf"{mark}(?:\\.|[^\\\n{end}]|{end}(?!{_AFTER_QUOTE}))*+(?:{end}()|)" for mark, end in _QUOTES.items()]
_STRING = re.compile(rf"(?m)((?:{_MARK}|^)[ \t]*|[\[({{,;|:=]\s*)(?:{'|'.join(_CONTENTS)})")
"""Pattern of a quoted text where a part may begin, up to its closing quote (then a second group is set) or line end."""
_WORD_BRACKETS = re.compile(rf"(?:(?<=[\w\]])|(?<=[\w\]] ))\([^\[\](){{}}{_QUOTED}{_UNCLOSED}\n]*\)")
_WORDS = r"[^\W\d_][^\n:>\[\](){}]*+"
_LIST = re.compile(
    rf"(?m)(?P<words>{_WORDS})?+(?P<open>[\[({{])(?P<parts>[^\[\](){{}}]*+)(?P<close>[\])}}])?"
    rf"|(?<![:{_QUOTED}])(?<!: )(?P<row>{_QUOTED}++(?:\s*,\s*{_QUOTED}++)+)|{_WORDS}"
)
"""Pattern of a list without other lists, after the words before it in its line, or of quoted texts between commas."""
_KEYWORD = re.compile(rf"\s*\w{{1,100}}\s*=\s*(?={_QUOTED})")
_KEY = re.compile(rf"\s*(?:{_QUOTED}+|\w{{1,100}})\s*:|{_KEYWORD.pattern}")
_ESCAPE = re.compile(r"\\(?:[nrtbf'\"\\/]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U000[\da-fA-F]{5}|U0010[\da-fA-F]{4})")
_PLACES = {"head": 0, "subject": 0, "relation": 1, "relationship": 1, "predicate": 1, "tail": 2, "object": 2}
_ROLE = rf"({'|'.join(_PLACES)})(?:[ _](?:entity|label))?"
_ROLE_NAME = re.compile(rf"\W*{_ROLE}\W*", re.IGNORECASE)
_NAME = rf"(?<![/\w]){_ROLE}[*_`\"']{{0,3}}[ \t]?[:=>]"
_FIELD = re.compile(rf"(?P<name>{_NAME}[*_]{{0,3}}\s*)(?P<value>(?:(?!</|{_NAME})[^\n])*+)", re.IGNORECASE)
_EMPHASIS = re.compile(r"(?<![\w*`_])(\*{1,3}|__|`)(?=\S)([^*`_\n]+)(?<=\S)\1(?![\w*`_])")
_WRAPPED = re.compile(r'"([^"]+)"|“([^“”]+)”|«([^«»]+)»|\(([^()]+)\)|\[([^\[\]]+)\]')
_UNREAD = re.compile(r'[\[\]{}|]|^[^"]*"[^"]*$|^[^“]*”|“[^“”]*$|^[^(]*\)|\([^()]*$')
"""Pattern of a part with a bracket or bar, or with a quote or parenthesis that has no counterpart."""
_ARROWS = r" ?(?:(?<!-)-+\[|\]-+>|(?<![-–—=])[-–—=]+>|[→⇒⟶⟹➔➜➡]) ?"
_SEPARATORS = [re.compile(mark) for mark in (r"\|", r"\t", _ARROWS, " [-–—] | ?[-–—]{2,} ?", "; ")]
_BAR, _TAB, _ARROW, *_ = _SEPARATORS
_TABLE_RULE = re.compile(r"(?=[^-]*-)[\s:+-]*\|[\s|:+-]*")
_HEADING = re.compile(r"#.*|\*\*.*\*\*|.*:[*_]*")
_EMPTY_LIST = re.compile(r"(?:\A|[\s:`])\[\s*\][\s`}.]*\Z")
_NONE = re.compile(rf"\W*(?:{phrases('claims_none')})\W*", re.IGNORECASE)
_ABSENT = re.compile(rf"\b(?:{phrases('claims_absent')})\b")
_EXCEPTION = re.compile(rf"\b(?:{phrases('claims_exception')})\b")
NO_TRIPLET = "the reply has a list that is not of three parts"


class ParsedReply(NamedTuple):
    """Complete claims of a reply without duplicates, and why the reply is malformed; empty if it is well-formed."""

    claims: tuple[tuple[str, ...], ...]
    fault: str = ""


class _List(NamedTuple):
    """List, object or row in a reply; a part that cannot be read is empty, and `quoted` if words introduce the list."""

    start: int
    end: int
    parts: tuple[str, ...]
    quoted: tuple[str, ...] = ()

    @property
    def is_triplet(self) -> bool:
        return len(self.parts) == 3 and all(self.parts)


def read_triplets(reply: str, *, is_cut: bool = False) -> ParsedReply:
    """Parse the triplets of a reply.

    A reply without triplets must have an empty list, `[]`, or say that there are none. Struck-through text (`~~`) is
    ignored. A reply is malformed if words near a list may reject it ("not in the text:").

    Args:
        reply: Reply of the model.
        is_cut: True if the reply was cut off at its end.
    """
    text = re.sub("~~[^~]*~~", "", without_reasoning(reply).replace("\r\n", "\n"))
    if re.match(r"\s*(?:```\w*\s+)?\[\s*\][\s`.]*(?=[^\W\d_])", text):  # an explanation follows, which may quote lists
        return ParsedReply(())
    whole = text[: text.rfind("\n") + 1] if is_cut else text
    found = [one for one in _read_lists(text) if not all(map(_ROLE_NAME.fullmatch, one.parts))]
    found = [one for one in found if len(one.parts) > 1 or not _says_none(one.parts[0])] or _read_fields(whole)
    starts, ends = [one.start for one in found], [one.end for one in found]
    found += [row for row in _read_rows(whole, _BAR) if bisect_left(starts, row.end) == bisect_right(ends, row.start)]
    readings = (_read_rows(whole, separator) for separator in _SEPARATORS[1:])
    found = sorted(found) or max(readings, key=lambda rows: (sum(row.is_triplet for row in rows), len(rows)))
    if _rejects(text, found):
        return ParsedReply((), "the reply has a list that it may reject")
    fault = "" if is_cut or all(one.is_triplet for one in found) else NO_TRIPLET
    return _result((one.parts for one in found if one.is_triplet), fault, text, "triplets")


def read_statements(reply: str, *, is_cut: bool = False) -> ParsedReply:
    """Parse the statements of a reply, which may be cut off: a list of quoted texts, or lines with bullets."""
    text = without_reasoning(reply).replace("\r\n", "\n")
    found = [one for one in _read_lists(text) if one.quoted and text[one.start] in _BRACKETS]
    if len(found) > 1 and all(one.is_triplet for one in found):
        return ParsedReply((), "the reply has triplets and no statements")
    if len(found) > 1 and any(text[one.start] == "{" and len(one.quoted) > 1 for one in found):
        return ParsedReply((), "the reply has objects of several texts")
    whole = text[: text.rfind("\n") + 1] if is_cut else text
    if "\n" not in whole and whole[:2] in ("1.", "1)", "(1"):
        whole = with_bullets(whole)  # 1) Ann sang. 2) Bob left.
    items = [part for one in found for part in one.quoted] or [item["rest"] for item in _ITEM.finditer(whole)]
    pairs = (row.parts for row in _read_rows(whole, _BAR) if len(row.parts) == 2)
    items = items or _SENTENCE.findall(whole) or [pair[1] for pair in pairs if pair[0].isdigit()]
    claims = [(_plain(item),) for item in items if any(map(str.isalpha, item))]
    if len(claims) == 1 and _says_none(claims[0][0]):
        return ParsedReply(())
    is_whole = is_cut or all(all(one.parts) for one in found)
    return _result(claims, "" if is_whole else "the reply has a list that is not of statements", text, "statements")


def _rejects(text: str, found: Sequence[_List]) -> bool:
    """Return whether a negation is in the line of a list, or in a heading or introduction above it."""
    near, end = [], 0
    for one in found:
        lines = [line.strip() for line in text[end : one.start].split("\n")]
        above = [line for line in lines[bool(end) : -1] if any(map(str.isalpha, line)) and "```" not in line]
        near += [*lines[: bool(end)], lines[-1], *filter(_HEADING.fullmatch, above[-1:])]
        end = one.end
    return bool(found) and any(map(denies, (*near, text[end:].partition("\n")[0])))


def _says_none(reply: str) -> bool:
    """Return whether a short reply says that there are no claims."""
    text = normalise(reply) if len(reply) <= 300 else ""
    return bool(_NONE.fullmatch(text) or (_ABSENT.search(text) and not _EXCEPTION.search(text)))


def _result(claims: Iterable[tuple[str, ...]], fault: str, text: str, what: str) -> ParsedReply:
    """Return the claims without repetitions, and the fault; it is one if a reply without claims does not say so."""
    first: dict[tuple[str, ...], tuple[str, ...]] = {}
    for claim in claims:
        first.setdefault(tuple(map(normalise, claim)), claim)
    if not (first or fault or _EMPTY_LIST.search(text) or _says_none(text)):
        fault = f"the reply has no list of {what}" if text.strip() else "the reply is empty"
    return ParsedReply(tuple(first.values()), fault)


def _read_lists(text: str) -> Iterator[_List]:
    """Yield the lists that contain no others: in brackets, or lines of quoted parts with commas.

    A list without quotes counts if it has several parts and is not introduced by words of a sentence.
    """
    masked = _STRING.sub(_mask, text)
    masked = _WORD_BRACKETS.sub(lambda match: _ASIDE * len(match[0]), masked)
    for match in _LIST.finditer(masked):
        if not (match["open"] or match["row"]):
            continue
        found, has_end = _read_list(text, match), bool(match["close"] or match["row"])
        is_list = found.quoted or (len(found.parts) > (1 if has_end else 2) and not match["words"])
        if is_list and (has_end or match["open"] != "{" or match.end() == len(text)):
            yield found._replace(quoted=() if match["words"] else found.quoted)


def _mask(match: re.Match[str]) -> str:
    quoted = match[0][len(match[1]) :]
    return match[1] + (_UNCLOSED + quoted[1:] if match.lastindex == 1 else _QUOTED * len(quoted))


def _read_list(text: str, match: re.Match[str]) -> _List:
    masked, group = match.string, "row" if match["row"] else "parts"
    separator = next((mark for mark in "|;" if mark in match[group]), ",")
    *pieces, last = match[group].split(separator)
    names, parts, quoted, at = [], [], [], match.start(group)
    for piece in [*pieces, last] if last.strip() else pieces:
        end = at + len(piece)
        if key := (_KEY if match["open"] == "{" else _KEYWORD).match(masked, at, end):
            names.append(text[at : key.end()])
            at = key.end()
        parts.append(_read_part(text[at:end].strip(), masked[at:end].strip()))
        quoted += parts[-1:] if masked[at:end].lstrip().startswith((_QUOTED, _UNCLOSED)) else []
        at = end + 1
    if group == "parts" and match["close"] != _BRACKETS[match["open"]]:
        parts.append("")
    return _List(match.start("row" if match["row"] else "open"), match.end(), _order_parts(names, parts), tuple(quoted))


def _read_part(part: str, masked: str) -> str:
    if masked and not masked.strip(_QUOTED):
        text = _ESCAPE.sub(lambda match: codecs.decode(match[0].replace("\\/", "/"), "unicode_escape"), part[1:-1])
        return one_line(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))  # as JSON escapes are pairs
    is_broken = part in ("null", "None") or not {_QUOTED, _UNCLOSED, "\n"}.isdisjoint(masked)
    return "" if is_broken else _readable(part)


def _read_fields(text: str) -> list[_List]:
    """Return the triplets whose parts have names, such as `Subject: Ann`; empty if none has all of its parts."""
    fields = [*_FIELD.finditer(text)]
    found = []
    for group in (fields[at : at + 3] for at in range(0, len(fields), 3)):
        values = [_readable(field["value"].strip(" \t,;|<*_-")) for field in group]
        names = [field["name"] for field in group]
        found.append(_List(group[0].start(), group[-1].end(), _order_parts(names, values)))
    return found if any(one.is_triplet for one in found) else []


def _read_rows(text: str, separator: re.Pattern[str]) -> list[_List]:
    """Return the lines whose parts are between separators; the head of a table orders the parts of its rows."""
    rows, names, start = list[_List](), tuple[str, ...](), 0
    for line in text.split("\n") if separator.search(text) else ():
        parts = _split_row(_ITEM.sub(r"\g<rest>", line), separator)
        if separator is _BAR and _TABLE_RULE.fullmatch(line):
            names = rows.pop().parts if rows and rows[-1].end == start - 1 else names
        elif parts and all(map(_ROLE_NAME.fullmatch, parts)):
            names = parts
        elif parts:
            rows.append(_List(start, start + len(line), _order_parts(names, parts)))
        start += len(line) + 1
    return rows


def _split_row(line: str, separator: re.Pattern[str]) -> tuple[str, ...]:
    """Return the parts of a line; empty if it is no row, such as a sentence with dashes or semicolons."""
    row = re.sub(r"</?\w{1,20}>", "", line).strip().strip({_BAR: "|", _ARROW: "."}.get(separator, " "))
    parts = [part.strip() for part in separator.split(row if separator is _TAB else _plain(row))]
    is_sentence = row.rstrip('*_"”»)')[-1:] in (".", "!", "?")
    if len(parts) < 3 or is_sentence or not all(parts):
        parts = parts if separator in (_BAR, _ARROW) and len(parts) > 1 else []
    return tuple(map(_plain if separator is _BAR else _readable, parts))


def _order_parts(names: Sequence[str], parts: Sequence[str]) -> tuple[str, ...]:
    """Return head, relation and tail by their names; other parts as they are, and an empty one if names contradict."""
    places = [_PLACES[match[1].lower()] if (match := _ROLE_NAME.fullmatch(name)) else None for name in names]
    if len(names) == len(parts) and all(places.count(place) == 1 for place in range(3)):
        return tuple(parts[places.index(place)] for place in range(3))
    is_in_order = len(names) in (0, len(parts)) and all(place in (None, at) for at, place in enumerate(places))
    return tuple(parts) if is_in_order else (*parts, "")


def _plain(text: str) -> str:
    """Return a text in one line, without emphasis, and without quotes or brackets around the whole of it."""
    part = one_line(_EMPHASIS.sub(r"\2", text)).strip("* ")
    match = _WRAPPED.fullmatch(part)
    return match[match.lastindex or 0].strip() if match else part


def _readable(part: str) -> str:
    return "" if _UNREAD.search(part) else _plain(part)
