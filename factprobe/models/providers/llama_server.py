"""Cache of prompt prefixes in llama.cpp's server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

from factprobe.errors import CallError
from factprobe.models.base import short_hash

_MOST = 8
"""Maximum number of cached prefixes; questions of several types, each with its own prefix, may alternate."""


class PromptPrefixCache:
    """Cache of prompt prefixes, which are all messages but the last.

    A prefix is read once, and its state is restored before each prompt that begins with it. llama.cpp's numbers depend
    on the pieces in which a prompt is read, and its server reads only the part that differs from the previous prompt.
    With the cache the pieces are always prefix and rest, so that earlier prompts do not change an answer.
    """

    def __init__(self) -> None:
        from shutil import rmtree
        from tempfile import mkdtemp

        self.folder = Path(mkdtemp(prefix="factprobe-"))
        """Folder for the server's saved state, which is a setting of the server."""
        finalize(self, rmtree, self.folder, ignore_errors=True)
        self._kept: dict[str, bool] = {}
        """For each cached prefix, whether the server accepted it as a prompt."""

    def restore(self, server: Any, messages: Sequence[Mapping[str, str]]) -> bool:
        """Restore the state of a server with one slot to the prefix; return whether its chat template accepts it.

        Raises:
            CallError: The state cannot be saved or restored.
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
    """Call a function of an xllamacpp server that it offers only over HTTP, and return its reply.

    Raises:
        CallError: The call fails.
    """
    import httpx2

    url = f"{server.listening_address}{path}"
    try:  # `verify=False` avoids loading certificates for each call over plain HTTP
        reply = httpx2.post(url, json=body, trust_env=False, verify=False, timeout=None)
        return reply.raise_for_status().json()
    except httpx2.HTTPError as error:
        raise CallError(f"llama.cpp: {error}") from error
