"""Pending requests: requests in files that have no response yet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate, compress
from operator import attrgetter
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from factprobe.asking.log import ResponseLog, Shard
from factprobe.asking.runner import Exchange
from factprobe.records import Request, Response
from factprobe.storage import Lines, Problems, UniqueLines

R_co = TypeVar("R_co", bound=Request, covariant=True)

_ANSWERED_STATE = 1


class PendingRequests(Generic[R_co]):
    """Pending requests of some files, with the responses of earlier runs.

    `files` has the path of each file of requests and of that of their responses, by name (such as a relation).
    Responses under other settings than those of `settings_hash` do not count. With `shard` only this part of the
    requests may be pending. `hint` is that of the `DataError` for a broken file of requests.
    """

    def __init__(
        self,
        files: Mapping[str, tuple[Path, Path]],
        request_type: type[R_co],
        settings_hash: str,
        shard: Shard | None = None,
        hint: str = "make it again",
    ) -> None:
        self.files = [requests for requests, _ in files.values()]
        self._names = list(files)
        self._requests = [
            UniqueLines(path, request_type, Problems(True, hint), attrgetter("question_id")) for path in self.files
        ]
        self._logs = [ResponseLog(responses, shard) for _, responses in files.values()]
        pairs = zip(self._requests, self._logs, strict=True)
        self._states = [log.resume(requests, settings_hash) for requests, log in pairs]
        self._request_type, self._shard = request_type, shard
        self._ends = list(accumulate(state.count(0) for state in self._states))
        self.answered_count = sum(state.count(_ANSWERED_STATE) for state in self._states)
        self.count = self._ends[-1] if self._ends else 0

    def requests(self) -> Iterator[R_co]:
        """Yield the pending requests, without keeping them in memory."""
        decode = msgspec.json.Decoder(self._request_type).decode
        for requests, state in zip(self._requests, self._states, strict=True):
            if 0 in state:
                lines = Lines(requests.path, msgspec.Raw, requests.problems)
                yield from (decode(line) for line in compress(lines, (not number for number in state)))

    def save(self, exchange: Exchange) -> None:
        """Write the response to a pending request."""
        self._logs[bisect_right(self._ends, exchange.position)].append(exchange.response)

    def sort_responses(self) -> None:
        """Sort the responses in the order of the requests, so that equal responses make equal files.

        With a shard nothing is sorted; the next run without a shard does it.
        """
        if self._shard is not None:
            return
        for requests, log in zip(self._requests, self._logs, strict=True):
            log.sort_responses(requests)

    def answers(self, name: str) -> Iterator[tuple[R_co, Response | None]]:
        """Yield each request of a file with its response, also a failed one; None without a response."""
        index = self._names.index(name)
        return self._logs[index].answers(self._requests[index])
