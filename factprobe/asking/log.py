"""File of responses, to which each is appended as it arrives, so that a killed run loses none."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Self, TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from factprobe.errors import ConfigError
from factprobe.models.base import request_hash
from factprobe.records import Request, Response
from factprobe.storage import (
    SUPERSEDED,
    Lines,
    Problems,
    SilentProblems,
    append_line,
    decode_json,
    repair_last_line,
    strip_bom,
    whole_file,
    write_lines,
)

R = TypeVar("R", bound=Request)

_SHARDS = "shards"


class Shard(NamedTuple):
    """Part of the requests for one of several processes; `2/8` is the third of eight."""

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a shard such as `2/8`; raise a `ConfigError` for another form, or a number not below the total."""
        match = re.fullmatch(r"(\d+)/(\d+)", text)
        if not match or int(match[1]) >= int(match[2]):
            hint = "set 0/8 for the first of eight, up to 7/8"
            raise ConfigError(f"{text!r} is not a shard", where="shard", hint=hint)
        return cls(int(match[1]), int(match[2]))

    def contains(self, request: Request) -> bool:
        """Return whether a request belongs to the shard, according to a hash of its id."""
        return crc32(request.question_id.encode()) % self.total == self.number


class ResponseLog:
    """File of one model's responses to the requests of one file, such as the questions of one relation.

    It has one response for each request. Responses to earlier wordings or removed requests, and responses under other
    settings of the model, are moved to the folder `superseded`; they are moved back when they match a request again.
    Failed responses are dropped. With a shard, responses are appended to a file of its own in the folder `shards`. All
    such files are read like the main file, and the next run without a shard merges them into it.
    """

    def __init__(self, path: Path, shard: Shard | None = None) -> None:
        folders = path.parent / _SHARDS
        self._main = path
        self._shard = shard
        self._aside = path.parent / SUPERSEDED / path.name
        self.path = folders / f"{shard.number}-of-{shard.total}" / path.name if shard else path

    def files(self) -> list[Path]:
        """Return the main file and the files of the shards."""
        return [path for path in (self._main, *self._list_shards()) if path.exists()]

    def all_responses(self) -> Iterator[Response]:
        """Yield all responses except failed ones, including superseded ones."""
        return self._iterate_wanted(lambda _, __: True)

    def resume(self, requests: Iterable[Request], settings_hash: str) -> bytearray:
        """Repair the files, and return the state of each request; without a shard, also merge and clean up the files.

        An incomplete last line of a killed run is dropped. Neither requests nor responses are kept in memory.

        Returns:
            State of each request: 0 if it is pending, 1 if it is answered, 2 if it belongs to another shard.

        Raises:
            ConfigError: With a shard, the files have responses under other settings of the model, which only a run
                without a shard can move to `superseded`.
        """
        indices: dict[int, int] = {}
        wordings: set[int] = set()
        state = bytearray()
        for request in requests:
            indices[hash((request.question_id, request_hash(request), settings_hash))] = len(state)
            if self._shard:
                wordings.add(hash((request.question_id, request_hash(request))))
            state.append(2 if self._shard and not self._shard.contains(request) else 0)
        repair_last_line(self.path, _decode)
        problems = Problems()
        tidy = not self._list_shards()
        for path in self._existing_files():
            for response in Lines(path, Response, problems):
                if wordings and path != self._aside:
                    _check_same_settings(response, wordings, settings_hash, path)
                index = indices.get(_hash_request_key(response))
                fits = index is not None and not response.failed and state[index] == 0
                tidy = tidy and fits == (path == self._main)
                if fits and index is not None:
                    state[index] = 1
        if self._shard is None and (not tidy or problems.messages):
            self._rewrite_files(indices)
        return state

    def _rewrite_files(self, indices: Mapping[int, int]) -> None:
        """Move each response to the main file or to the file of superseded responses.

        At each moment every response is in at least one of the files, so that none is lost if the process is killed.
        """
        write_lines(self._aside, self._iterate_wanted(lambda path, key: path == self._aside or key not in indices))
        write_lines(self._main, self._iterate_wanted(lambda _, key: key in indices))
        for path in self._list_shards():
            path.unlink()
        if not write_lines(self._aside, self._iterate_wanted(lambda _, key: key not in indices)):
            self._aside.unlink()

    def _iterate_wanted(self, is_wanted: Callable[[Path, int], bool]) -> Iterator[Response]:
        """Yield the responses for which `is_wanted(file, key)` is true, without failed ones and repetitions."""
        seen: set[int] = set()
        for path in self._existing_files():
            for response in Lines(path, Response, SilentProblems()):
                key = _hash_request_key(response)
                if not response.failed and key not in seen and is_wanted(path, key):
                    seen.add(key)
                    yield response

    def _existing_files(self) -> list[Path]:
        return [path for path in (self._main, *self._list_shards(), self._aside) if path.exists()]

    def _list_shards(self) -> list[Path]:
        return sorted((self._main.parent / _SHARDS).glob(f"*/{glob.escape(self._main.name)}"))

    def append(self, response: Response) -> None:
        """Append a response without buffering, so that it is not lost if the process is killed."""
        append_line(self.path, msgspec.json.encode(response))

    def sort_responses(self, requests: Iterable[Request]) -> None:
        """Sort the responses in the order of the requests, so that equal responses make equal files.

        The file is created if it is missing.
        """
        if not self._main.exists():
            write_lines(self._main, ())
        indices = {hash(request.question_id): index for index, request in enumerate(requests)}
        rows = [
            (indices[hash(response.question_id)], offset)
            for offset, response in Lines(self._main, _ResponseId, SilentProblems()).with_offsets()
            if hash(response.question_id) in indices
        ]
        ordered = sorted(rows)
        if rows == ordered:
            return
        with whole_file(self._main) as new, self._main.open("rb") as old:
            for _, offset in ordered:
                old.seek(offset)
                new.write(old.readline())

    def answers(self, requests: Iterable[R]) -> Iterator[tuple[R, Response | None]]:
        """Yield each request with the response to its current wording, which may have failed; None without a response.

        A response without a hash of the wording, as other programs write it, belongs to any wording.
        """
        paths = self.files()
        locations: dict[int, tuple[int, int]] = {}
        for number, path in enumerate(paths):
            for offset, response in Lines(path, Response, Problems()).with_offsets():
                locations[hash((response.question_id, response.prompts_hash))] = (number, offset)
        with ExitStack() as stack:
            files = [stack.enter_context(path.open("rb")) for path in paths]
            for request in requests:
                name = request.question_id
                location = locations.get(hash((name, request_hash(request)))) or locations.get(hash((name, "")))
                if location is None:
                    yield request, None
                    continue
                file = files[location[0]]
                file.seek(location[1])
                yield request, decode_json(strip_bom(file.readline()), _decode)  # as `Lines` does


class _ResponseId(Struct):
    question_id: str


_decode = msgspec.json.Decoder(Response).decode


def _hash_request_key(response: Response) -> int:
    return hash((response.question_id, response.prompts_hash, response.settings_hash))


def _check_same_settings(response: Response, wordings: Set[int], settings_hash: str, path: Path) -> None:
    """Raise a `ConfigError` if a response was given under other settings to the current wording of a request.

    `wordings` has a hash of id and wording for each request.
    """
    has_other_settings = not response.failed and response.settings_hash not in ("", settings_hash)
    if has_other_settings and hash((response.question_id, response.prompts_hash)) in wordings:
        what = "has responses under other settings of the model, which a shard cannot move away"
        hint = "use the earlier settings, set another model.name=, or run step=answer without shard first"
        raise ConfigError(what, where=path, hint=hint)
