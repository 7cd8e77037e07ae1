"""Input streams for RDF parsers that can locate errors or restart after them."""

from __future__ import annotations

import re
from collections import deque
from io import BufferedReader, BytesIO
from pathlib import Path

_REPLAY_BYTES = 1 << 25
"""Number of bytes that are kept to be read again; more than a parser accepts for one text."""
_STATEMENT_END = re.compile(rb"""[.}]\s*(?:\#[^"']*)?$""")
"""Pattern of the end of a line that closes a statement, or a graph of TriG."""


class RestartableStream:
    """Stream of Turtle or a similar syntax that can restart after a broken statement.

    After an unclosed quote or an incomplete character, a parser itself would go on at the next quote, and take the text
    between literals for literals up to the end of the file.
    """

    def __init__(self, file: BufferedReader) -> None:
        self._file = file
        self._replayed = BytesIO()
        self._restart_at(b"", 1)

    def read(self, size: int = -1) -> bytes:
        """Read the next bytes."""
        chunk = self._replayed.read(size) or self._file.read(size)
        self._recent_reads.append(chunk)
        self._size += len(chunk)
        while self._size > _REPLAY_BYTES:
            dropped = self._recent_reads.popleft()
            self._size -= len(dropped)
            self._number += dropped.count(b"\n")
        return chunk

    def restart_after(self, number: int, prolog: bytes) -> int | None:
        """Restart after the broken statement at line `number`, with `prolog`, a line of prefixes, inserted.

        Return the number of the statement's last line; None if the parser can continue.
        """
        text = b"".join(self._recent_reads)
        start = _line_offset(text, number - self._number)
        if start is None:
            return None
        if not _can_mislead_parser(text[start:].partition(b"\n")[0]):
            self._restart_at(text[start:], number)
            return None
        remaining = BytesIO(text[start:] + self._replayed.read())
        while row := remaining.readline():
            row += b"" if row.endswith(b"\n") else self._file.readline()
            if _STATEMENT_END.search(row):
                break
            number += 1
        self._replayed = BytesIO(prolog + remaining.read())
        self._restart_at(b"", number)
        return number

    def _restart_at(self, text: bytes, number: int) -> None:
        """Forget all recent reads, and begin with `text`, whose first line has the number `number`."""
        self._recent_reads, self._size, self._number = deque([text]), len(text), number


def _line_offset(text: bytes, line_count: int) -> int | None:
    """Return the offset of the line `line_count` lines after the first; None if the text is shorter."""
    ahead = text.count(b"\n") - line_count
    if line_count < 0 or ahead < 0:
        return None
    at = len(text)
    for _ in range(ahead + 1):  # from the end, as a parser reads little ahead
        at = text.rfind(b"\n", 0, at)
    return at + 1


def _can_mislead_parser(row: bytes) -> bool:
    """Return whether a broken line may make the parser misread later lines.

    The reasons are an unpaired quote, an incomplete character, which may hide a quote, and the end of a TriG graph
    whose start the restarted parser has not seen.
    """
    try:
        row.decode()
    except UnicodeDecodeError:
        return True
    quotes = row.replace(b'\\"', b"").count(b'"')
    return quotes % 2 == 1 or (not quotes and b"'" in row) or b"}" in row


class CheckedXmlStream:
    """Stream of XML that is checked while it is read; the RDF parser reports neither lines of errors nor a missing end.

    Raises:
        ValueError: The bytes read have an XML entity that refers to others, or entities and an XML error.
    """

    def __init__(self, file: BufferedReader) -> None:
        from xml.parsers.expat import ParserCreate

        self._file = file
        self._checker = ParserCreate()
        self._checker.EntityDeclHandler = self._refuse_entity
        self._has_entities = False
        self._checked = BytesIO()
        self._stalled = 0
        self._last = b""
        self._lines = 1, 1
        self.broken: tuple[int, str] | None = None
        """Line and cause of the first XML error."""

    def read(self, size: int = -1) -> bytes:
        """Read and check the next bytes."""
        chunk = self._checked.read(size)
        if not chunk:
            self._checked = BytesIO(self._read_checked(size))
            chunk = self._checked.read(size)
        return chunk

    def _read_checked(self, size: int) -> bytes:
        """Read and check at least `size` bytes.

        The number doubles within a long tag or text, since the checker parses it from its start with each call.
        """
        from xml.parsers.expat import ExpatError

        chunk = self._file.read(max(size, self._stalled))
        if self.broken is None:
            before = self._checker.CurrentByteIndex
            try:
                self._checker.Parse(chunk, not chunk)
                self._lines = self._lines[1], self._checker.CurrentLineNumber
            except ExpatError as error:
                self.broken = error.lineno, f"{error}"
            self._stalled = self._stalled + len(chunk) if self._checker.CurrentByteIndex == before else 0
        if self.broken is not None and (self._has_entities or b"<!ENTITY" in self._last + chunk):
            line, why = self.broken
            raise ValueError(f"it has entities, and is broken in line {line}, after which none can be checked: {why}")
        self._last = chunk
        return chunk

    def place(self, path: Path) -> str:
        """Return the path with the numbers of the lines that were read last; only the path if they are unknown."""
        first, last = self._lines
        return f"{path}" if self.broken else f"{path}:{first}" if first == last else f"{path}:{first}-{last}"

    def _refuse_entity(self, name: str, _is_parameter: bool, value: str | None, *_: str | None) -> None:
        """Raise a `ValueError` if an XML entity refers to others.

        External entities have no value and are not fetched. The checker itself stops if entities expand to a hundred
        times the size of the file.
        """
        self._has_entities = True
        if value is not None and ("&" in value or "%" in value):
            raise ValueError(f"the entity {name!r} refers to others; replace them by their values")
