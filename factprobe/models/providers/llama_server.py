"""What llama.cpp's server is asked for beside replies: see `Beginnings`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

from factprobe.errors import CallError
from factprobe.models.base import short_hash

_MOST = 8
"""Beginnings that are kept, those asked for last: questions of several types, each with its own, take turns."""


class Beginnings:
    """What prompts begin with, all messages but the last, read once and put back before each prompt that has it.

    llama.cpp's numbers depend on the pieces in which a prompt is read, and its server reads anew only what differs
    from the prompt before. Here the pieces are always the same two, so that what was asked before changes no answer.
    """

    def __init__(self) -> None:
        from shutil import rmtree
        from tempfile import mkdtemp

        self.folder = Path(mkdtemp(prefix="factprobe-"))
        """Where the server, which must be told of it, keeps what it has read."""
        finalize(self, rmtree, self.folder, ignore_errors=True)
        self._kept: dict[str, bool] = {}
        """Whether each could be read by itself."""

    def put_back(self, server: Any, messages: Sequence[Mapping[str, str]]) -> bool:
        """Has a server with one slot hold nothing but what these messages begin with.

        Returns:
            Whether it does: not where the chat template takes no such messages.

        Raises:
            CallError: it cannot be kept, or put back.
        """
        beginning = messages[:-1]
        if not beginning:
            return False
        name = short_hash(beginning)
        is_kept = self._kept.pop(name, None)
        if is_kept is None:
            while len(self._kept) >= _MOST:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                (self.folder / oldest).unlink(missing_ok=True)
            is_kept = self._read(server, beginning, name)
        elif is_kept:
            post(server, "/slots/0?action=restore", {"filename": name})
        self._kept[name] = is_kept
        return is_kept

    @staticmethod
    def _read(server: Any, beginning: Sequence[Mapping[str, str]], name: str) -> bool:
        body = {"messages": beginning, "add_generation_prompt": False, "max_tokens": 0, "cache_prompt": False}
        if "choices" not in server.handle_chat_completions(body):
            return False
        post(server, "/slots/0?action=save", {"filename": name})
        return True


def post(server: Any, path: str, body: Mapping[str, object]) -> Any:
    """What a server of xllamacpp replies to what it takes by HTTP alone.

    Raises:
        CallError: it cannot.
    """
    import httpx2

    url = f"{server.listening_address}{path}"
    try:  # without `verify=False` it loads certificates for each call, which are for HTTPS
        reply = httpx2.post(url, json=body, trust_env=False, verify=False, timeout=None)
        return reply.raise_for_status().json()
    except httpx2.HTTPError as error:
        raise CallError(f"llama.cpp: {error}") from error
