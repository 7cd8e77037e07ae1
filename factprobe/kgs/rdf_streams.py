"""What a parser of RDF reads from: files that tell it where they break, and where it can begin again."""

from __future__ import annotations

import re
from collections import deque
from io import BufferedReader, BytesIO
from pathlib import Path

_HELD = 1 << 25
"""Bytes that can be read again: more than a parser takes for one text."""
_END = re.compile(rb"""[.}]\s*(?:\#[^"']*)?$""")
"""Of a line with which a statement ends, or a graph of TriG."""


class Statements:
    """Turtle and its like, which can be read again from the statement behind a broken one.

    A parser that meets a quote which is not closed, or half a character, goes on behind the next quote, and so takes
    texts for what stands between them, to the end of the file.

    Args:
        file: an open one.
    """

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._again = BytesIO()
        self._hold(b"", 1)

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        some = self._again.read(size) or self._file.read(size)
        self._held.append(some)
        self._size += len(some)
        while self._size > _HELD:
            gone = self._held.popleft()
            self._size -= len(gone)
            self._number += gone.count(b"\n")
        return some

    def begin_behind(self, number: int, prolog: bytes) -> int | None:
        """Begins again behind a broken statement, where the parser may have lost track.

        Args:
            number: the line where it is broken.
            prolog: the line to begin with.

        Returns:
            The number of that line, so that those behind it are right; None where the parser had better go on.
        """
        text = b"".join(self._held)
        start = _start(text, number - self._number)
        if start is None:
            return None
        if not _misleads(text[start:].partition(b"\n")[0]):
            self._hold(text[start:], number)
            return None
        left = BytesIO(text[start:] + self._again.read())
        while row := left.readline():
            row += b"" if row.endswith(b"\n") else self._file.readline()
            if _END.search(row):
                break
            number += 1
        self._again = BytesIO(prolog + left.read())
        self._hold(b"", number)
        return number

    def _hold(self, text: bytes, number: int) -> None:
        """Holds but this; it begins in the line of that number."""
        self._held, self._size, self._number = deque([text]), len(text), number


def _start(text: bytes, behind: int) -> int | None:
    """Where the line begins that stands so many lines behind the first one; None where it is not there."""
    ahead = text.count(b"\n") - behind
    if behind < 0 or ahead < 0:
        return None
    at = len(text)
    for _ in range(ahead + 1):  # from the end, as a parser reads but little ahead
        at = text.rfind(b"\n", 0, at)
    return at + 1


def _misleads(row: bytes) -> bool:
    """Whether a parser may lose track behind a line that is broken: it has a quote without its other one, half a
    character, which may hide one, or the end of a graph of TriG that was begun before the parser."""
    try:
        row.decode()
    except UnicodeDecodeError:
        return True
    quotes = row.replace(b'\\"', b"").count(b'"')
    return quotes % 2 == 1 or (not quotes and b"'" in row) or b"}" in row


class Xml:
    """XML, held against its grammar: a parser of RDF tells neither the line where it breaks, nor that its end is cut.

    Args:
        file: an open one.

    Raises:
        ValueError: while it is read, where it has entities that may be more than fits into memory.
    """

    def __init__(self, file: BufferedReader) -> None:
        from xml.parsers.expat import ParserCreate

        self._file = file
        self._checker = ParserCreate()
        self._checker.EntityDeclHandler = self._declared
        self._has_entities = False
        self._checked = BytesIO()
        self._stalled = 0
        self._last = b""
        self._lines = 1, 1
        self.broken: tuple[int, str] | None = None
        """The first line where it is no XML, and why."""

    def read(self, size: int = -1) -> bytes:
        """The next bytes, none of which has not been checked."""
        some = self._checked.read(size)
        if not some:
            self._checked = BytesIO(self._next(size))
            some = self._checked.read(size)
        return some

    def _next(self, size: int) -> bytes:
        """Read some bytes and check them.

        Within a long tag or text they double in number: the checker begins it anew each time that it is given more.
        """
        from xml.parsers.expat import ExpatError

        some = self._file.read(max(size, self._stalled))
        if self.broken is None:
            before = self._checker.CurrentByteIndex
            try:
                self._checker.Parse(some, not some)
                self._lines = self._lines[1], self._checker.CurrentLineNumber
            except ExpatError as error:
                self.broken = error.lineno, f"{error}"
            self._stalled = self._stalled + len(some) if self._checker.CurrentByteIndex == before else 0
        if self.broken is not None and (self._has_entities or b"<!ENTITY" in self._last + some):
            line, why = self.broken
            raise ValueError(f"it has entities and is broken in line {line}, behind which they are not checked: {why}")
        self._last = some
        return some

    def place(self, path: Path) -> str:
        """Where that was which was read last, as far as that is known."""
        first, last = self._lines
        return f"{path}" if self.broken else f"{path}:{first}" if first == last else f"{path}:{first}-{last}"

    def _declared(self, name: str, _is_parameter: bool, value: str | None, *_: str | None) -> None:
        """Sees to it that an entity stands for a text alone; one that lies elsewhere has no value, and is not fetched.

        The checker itself stops where they stand for a hundred times what the file has.
        """
        self._has_entities = True
        if value is not None and ("&" in value or "%" in value):
            raise ValueError(f"the entity {name!r} is made of others; put in what they stand for")
