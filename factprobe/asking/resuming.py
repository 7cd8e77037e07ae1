"""What is left to ask: the requests in files, less those that are answered already."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate, compress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from factprobe.asking.log import ResponseLog, Shard
from factprobe.asking.runner import Exchange
from factprobe.records import Request, Response
from factprobe.storage import Lines, Problems

R_co = TypeVar("R_co", bound=Request, covariant=True)

_ANSWERED = 1


class Todo(Generic[R_co]):
    """What is left to ask, and which responses are there.

    Args:
        files: by any name, such as a relation, a file of requests and that of the responses to them.
        kind: the record that the requests are.
        settings_hash: of the model that is asked.
        shard: the part of the requests that is asked here, or None for all.
        hint: what to do about a file of requests that is broken.

    Raises:
        DataError: a file of requests is broken.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[Path, Path]],
        kind: type[R_co],
        settings_hash: str,
        shard: Shard | None = None,
        hint: str = "make it again",
    ) -> None:
        self.files = [requests for requests, _ in files.values()]
        self._names = list(files)
        self._requests = [Lines(path, kind, Problems(True, hint)) for path in self.files]
        self._logs = [ResponseLog(responses, shard) for _, responses in files.values()]
        self._states = [
            log.resume(requests, settings_hash) for requests, log in zip(self._requests, self._logs, strict=True)
        ]
        self._kind, self._shard = kind, shard
        self._ends = list(accumulate(state.count(0) for state in self._states))
        self.kept = sum(state.count(_ANSWERED) for state in self._states)
        self.count = self._ends[-1] if self._ends else 0

    def requests(self) -> Iterator[R_co]:
        """Those that are left to ask, read one after the other."""
        decode = msgspec.json.Decoder(self._kind).decode
        for requests, state in zip(self._requests, self._states, strict=True):
            if 0 in state:
                lines = Lines(requests.path, msgspec.Raw, requests.problems)
                yield from (decode(line) for line in compress(lines, (not found for found in state)))

    def keep(self, asked: Exchange) -> None:
        """Writes the response to one of those that were left to ask.

        Raises:
            OSError: the disk is full, say.
        """
        self._logs[bisect_right(self._ends, asked.place)].append(asked.response)

    def settle(self) -> None:
        """Puts the responses in the order of the requests, so that the same answers make the same files.

        Those of a shard are put in order with the others, by the run without a shard.
        """
        if self._shard is not None:
            return
        for requests, log in zip(self._requests, self._logs, strict=True):
            log.settle(requests)

    def answers(self, name: str) -> Iterator[tuple[R_co, Response | None]]:
        """Each request of one file with its response as it is worded now, the failed ones too, or None."""
        place = self._names.index(name)
        return self._logs[place].answers(self._requests[place])
