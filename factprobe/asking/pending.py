"""Requests in files that have no response yet."""

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


class PendingRequests(Generic[R_co]):
    """Pending requests of files, with the responses of earlier runs.

    `files` has a pair of paths for each name (such as a relation): a file of requests and the file of their responses.
    `kind` is the type of the requests. With a shard, only its requests are pending. `hint` is the hint of the error for
    a broken file of requests.

    Raises:
        DataError: A file of requests is broken.
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
        pairs = zip(self._requests, self._logs, strict=True)
        self._states = [log.resume(requests, settings_hash) for requests, log in pairs]
        self._kind, self._shard = kind, shard
        self._ends = list(accumulate(state.count(0) for state in self._states))
        self.kept = sum(state.count(_ANSWERED) for state in self._states)
        self.count = self._ends[-1] if self._ends else 0

    def requests(self) -> Iterator[R_co]:
        """Yield the pending requests, without keeping them in memory."""
        decode = msgspec.json.Decoder(self._kind).decode
        for requests, state in zip(self._requests, self._states, strict=True):
            if 0 in state:
                lines = Lines(requests.path, msgspec.Raw, requests.problems)
                yield from (decode(line) for line in compress(lines, (not found for found in state)))

    def save(self, exchange: Exchange) -> None:
        """Write the response to a pending request."""
        self._logs[bisect_right(self._ends, exchange.place)].append(exchange.response)

    def sort_responses(self) -> None:
        """Sort the responses in the order of the requests, so that equal responses make equal files.

        With a shard nothing is sorted; the next run without one does it.
        """
        if self._shard is not None:
            return
        for requests, log in zip(self._requests, self._logs, strict=True):
            log.sort_responses(requests)

    def answers(self, name: str) -> Iterator[tuple[R_co, Response | None]]:
        """Yield each request of a file with the response to its current wording, even a failed one, or with None."""
        place = self._names.index(name)
        return self._logs[place].answers(self._requests[place])
