"""Responses on disk: appended as they arrive, whole after a kill, and never asked for twice."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import ExitStack
from io import FileIO
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple, Self, TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from factprobe.errors import ConfigError
from factprobe.models.base import asked_hash
from factprobe.records import Request, Response
from factprobe.storage import (
    SUPERSEDED,
    UNREADABLE,
    AlreadyNamed,
    Lines,
    Problems,
    decoded,
    named,
    whole_file,
    without_bom,
    write_lines,
)

R = TypeVar("R", bound=Request)

_SHARDS = "shards"


class Shard(NamedTuple):
    """One part of a job that several processes share: `2/8` is the third of eight."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `2/8`.

        Raises:
            ConfigError: it is none.
        """
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if not found or int(found[1]) >= int(found[2]):
            raise ConfigError(f"{text!r} is no shard", where="shard", hint="set 0/8 for the first of eight, up to 7/8")
        return cls(int(found[1]), int(found[2]))

    def holds(self, request: Request) -> bool:
        """Whether a request is of this part; that depends on nothing but its id."""
        return crc32(request.question_id.encode()) % self.of == self.number


class ResponseLog:
    """The responses of one model to the requests of one file, such as the questions of one relation.

    The file holds one response a request. A response to an earlier wording of a request, to a request that is no
    longer made or under other settings of the model is set aside in the folder `superseded` and comes back when it
    fits again; only failed ones are dropped. The shards of a job append to files of their own, in the folder `shards`,
    which count as answers at once and are taken into the file by the next run without a shard.

    Args:
        path: the file.
        shard: the part of the requests that is asked here, or None for all.
    """

    def __init__(self, path: Path, shard: Shard | None = None) -> None:
        folders = path.parent / _SHARDS
        self._main = path
        self._shard = shard
        self._aside = path.parent / SUPERSEDED / path.name
        self.path = folders / f"{shard.number}-of-{shard.of}" / path.name if shard else path

    def files(self) -> list[Path]:
        """The files that hold responses: the file, and those of the shards."""
        return [path for path in (self._main, *self._shards()) if path.exists()]

    def every(self) -> Iterator[Response]:
        """Every response that there is, those to other wordings and under other settings too; no failed one."""
        return self._responses(lambda _, __: True)

    def has_probabilities(self) -> bool:
        """Whether any response tells how likely it was."""
        lines = (line for path in self.files() for line in Lines(path, _Probabilities, AlreadyNamed()))
        return any(line.scores or line.logprobs for line in lines)

    def resume(self, requests: Iterable[Request], settings_hash: str) -> bytearray:
        """Puts the file in order and tells what is left to ask.

        A last line that a kill left half-written is dropped. Neither requests nor responses are held.

        Raises:
            ConfigError: a shard, which sets nothing aside, would put its answers beside some under other settings.

        Returns:
            For each request 0 where it is left to ask, 1 where it is answered, 2 where it is another shard's.
        """
        places: dict[int, int] = {}
        worded: set[int] = set()
        state = bytearray()
        for request in requests:
            places[hash((request.question_id, asked_hash(request), settings_hash))] = len(state)
            if self._shard:
                worded.add(hash((request.question_id, asked_hash(request))))
            state.append(2 if self._shard and not self._shard.holds(request) else 0)
        _mend_end(self.path)
        problems = Problems()
        tidy = not self._shards()
        for path in self._sources():
            for response in Lines(path, Response, problems):
                if worded and path != self._aside:
                    _assert_same(response, worded, settings_hash, path)
                place = places.get(_key(response))
                fits = place is not None and not response.failed and state[place] == 0
                tidy = tidy and fits == (path == self._main)
                if fits and place is not None:
                    state[place] = 1
        if self._shard is None and (not tidy or problems.messages):
            self._rewrite(places)
        return state

    def _rewrite(self, places: Mapping[int, int]) -> None:
        """Sorts what there is into the file and what is set aside.

        At each moment every response lies in at least one of the files, so that a kill loses none.
        """
        write_lines(self._aside, self._responses(lambda path, key: path == self._aside or key not in places))
        write_lines(self._main, self._responses(lambda _, key: key in places))
        for path in self._shards():
            path.unlink()
        if not write_lines(self._aside, self._responses(lambda _, key: key not in places)):
            self._aside.unlink()

    def _responses(self, wanted: Callable[[Path, int], bool]) -> Iterator[Response]:
        """The first response of each key that is wanted, failed ones left out."""
        seen: set[int] = set()
        for path in self._sources():
            for response in Lines(path, Response, AlreadyNamed()):
                key = _key(response)
                if not response.failed and key not in seen and wanted(path, key):
                    seen.add(key)
                    yield response

    def _sources(self) -> list[Path]:
        return [path for path in (self._main, *self._shards(), self._aside) if path.exists()]

    def _shards(self) -> list[Path]:
        return sorted((self._main.parent / _SHARDS).glob(f"*/{glob.escape(self._main.name)}"))

    def append(self, response: Response) -> None:
        """Writes a response; it is with the operating system when this returns, so that a kill cannot lose it.

        Raises:
            OSError: the disk is full, say; the file ends with the response before.
        """
        left = memoryview(msgspec.json.encode(response) + b"\n")
        with named(self.path), self._opened() as file:
            end = file.tell()
            try:
                while left:
                    left = left[file.write(left) :]
            except OSError:
                file.truncate(end)
                raise

    def _opened(self) -> FileIO:
        try:
            return self.path.open("ab", buffering=0)
        except FileNotFoundError:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return self.path.open("ab", buffering=0)

    def settle(self, requests: Iterable[Request]) -> None:
        """Puts the responses in the order of the requests, so that the same answers make the same file.

        Where nothing is asked the file is empty: it says that there was nothing to answer.
        """
        if not self._main.exists():
            write_lines(self._main, ())
        places = {hash(request.question_id): place for place, request in enumerate(requests)}
        rows = [
            (places[hash(response.question_id)], offset)
            for offset, response in Lines(self._main, _Id, AlreadyNamed()).placed()
            if hash(response.question_id) in places
        ]
        ordered = sorted(rows)
        if rows == ordered:
            return
        with whole_file(self._main) as new, self._main.open("rb") as old:
            for _, offset in ordered:
                old.seek(offset)
                new.write(old.readline())

    def answers(self, requests: Iterable[R]) -> Iterator[tuple[R, Response | None]]:
        """Each request with its response as it is worded now, the failed ones too, or None.

        Responses without a hash, from elsewhere, are taken as they are.
        """
        paths = self.files()
        found: dict[int, tuple[int, int]] = {}
        for number, path in enumerate(paths):
            for offset, response in Lines(path, Response, Problems()).placed():
                found[hash((response.question_id, response.prompts_hash))] = (number, offset)
        with ExitStack() as stack:
            files = [stack.enter_context(path.open("rb")) for path in paths]
            for request in requests:
                name = request.question_id
                place = found.get(hash((name, asked_hash(request)))) or found.get(hash((name, "")))
                if place is None:
                    yield request, None
                    continue
                file = files[place[0]]
                file.seek(place[1])
                yield request, _decoded(file.readline())


class _Id(Struct):
    question_id: str


class _Probabilities(Struct):
    scores: tuple[float, ...] = ()
    logprobs: tuple[float, ...] = ()


_decode = msgspec.json.Decoder(Response).decode


def _decoded(line: bytes) -> Response:
    """Read a response as `Lines` does, so that a line which was read once can be read again."""
    return decoded(without_bom(line), _decode)


def _key(response: Response) -> int:
    return hash((response.question_id, response.prompts_hash, response.settings_hash))


def _assert_same(response: Response, worded: Set[int], settings_hash: str, path: Path) -> None:
    """Refuses an answer to one of the requests as they are worded now that was given under other settings."""
    others = not response.failed and response.settings_hash not in ("", settings_hash)
    if others and hash((response.question_id, response.prompts_hash)) in worded:
        what = "holds answers under other settings of the model, which a shard cannot set aside"
        hint = "use those settings, name these with model.name=, or run step=answer without shard first"
        raise ConfigError(what, where=path, hint=hint)


def _mend_end(path: Path) -> None:
    """Drops a last line that a kill left half-written, and ends one that only lacks its end."""
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("r+b") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        start = content.rfind(b"\n") + 1
        last = content[start:]
    if not last:
        return
    try:
        _decoded(last)
    except UNREADABLE:
        os.truncate(path, start)
    else:
        with named(path), path.open("ab") as ended:
            ended.write(b"\n")
