"""The rows about endpoints: what they answer, and that they do not."""

from __future__ import annotations

import json
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import cache
from http.server import BaseHTTPRequestHandler
from math import inf
from typing import Any
from urllib.parse import quote

from fault_bench.attempt import MISSING, NOTHING, Attempt, hold
from fault_bench.calls import Ends, Fault, Script, row, to
from tests.models.faults import (
    DECLARED,
    ECHOES,
    ENCODED,
    FILTERED,
    FINAL,
    FORMS,
    NOT_FILTERED,
    ODD_TEXTS,
    ODD_VALUES,
    PASSING,
    UNREADABLE,
    UNREADABLE_VALUES,
    Wrong,
)
from tests.models.server import Endpoint, completion, drip, endpoint, fault, raw, send, silence

_BOMB = 300
"""Megabytes, unpacked."""

Play = Callable[[Attempt], Wrong]


def _always(wrong: Wrong) -> Play:
    return lambda _: wrong


def _any(wrongs: Iterable[Wrong]) -> Play:
    known = list(wrongs)
    return lambda attempt: attempt.random.choice(known)


def _says(text: str, finish_reason: str | None = "stop") -> Play:
    return _always((200, completion(text, finish_reason)))


def _message(message: Any) -> Wrong:
    return 200, {"choices": [{"message": message}]}


def _too_many(retry_after: str) -> Wrong:
    return send(json.dumps(fault("too many")).encode(), 429, Retry_After=retry_after)


def _waits(retry_after: str) -> Play:
    return _always(_too_many(retry_after))


def _late(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
    """A 429 that asks to wait until a date, which is now or in a second."""
    send(b"{}", 429, Retry_After=formatdate(time.time() + 0.5, usegmt=True))(here, handler)


@cache
def _packed(mode: int) -> bytes:
    """Very many zeros, by zlib (15) or gzip (31)."""
    packer, part = zlib.compressobj(9, wbits=mode), bytes(1_000_000)
    return b"".join([*(packer.compress(part) for _ in range(_BOMB)), packer.flush()])


def _bomb(mode: int, coding: str) -> Play:
    return lambda _: send(_packed(mode), Content_Encoding=coding)


def _flood(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
    """A body that is too long by far, as it is."""
    send(b"", Content_Length=str(_BOMB * 1_000_000))(here, handler)
    for _ in range(_BOMB):
        handler.wfile.write(bytes(1_000_000))


def _with_key(form: Callable[[str], Wrong]) -> Play:
    return lambda attempt: form(attempt.key)


def _raw(head: str) -> Play:
    return _with_key(lambda key: raw(head.replace("KEY", key).encode()))


def _in_text(form: Callable[[str], str]) -> Play:
    return _with_key(lambda key: (200, completion(f"My key is {form(key)}.")))


_ENDS: dict[str, Ends] = {"402": "gone", "404": "gone", "no quota": "gone", "an error that ends the run": "gone"}
_BIG = Fault(_always(_flood), "failed", settings=("model.max_concurrency=1",), most=1, shapes=("some",))
_TIMED = Fault(_always(silence), settings=("model.timeout=1.5",), timed=True, shapes=("passing",))
_AGAIN = ("no completion", "a cut", "no choices")
"""The echoes with status 200, which are tried again."""

FAULTS: dict[str, Fault] = {
    "any that passes": Fault(_any(PASSING.values())),
    **{f"passes: {name}": Fault(_always(wrong)) for name, wrong in PASSING.items()},
    "no completion": Fault(_any(send(content) for content, _ in UNREADABLE)),
    **{f"final: {name}": Fault(_always(wrong), _ENDS.get(name, "once")) for name, (wrong, _) in FINAL.items()},
    "429, Retry-After in seconds": Fault(_waits("0.02")),
    "429, Retry-After a date": Fault(_always(_late), shapes=("passing",)),
    "429, Retry-After a date of the past": Fault(_waits("Wed, 21 Oct 2015 07:28:00 GMT")),
    "429, Retry-After nonsense": Fault(_any(map(_too_many, ("soon", "", "-5", "nan", "0x10")))),
    "429, Retry-After in 30 years": Fault(_waits("1e9"), "gone", "asks to wait"),
    "a stall": _TIMED,
    "a drip": _TIMED._replace(play=_always(drip)),
    "a bomb, gzip": _BIG._replace(play=_bomb(31, "gzip")),
    "a bomb, deflate": _BIG._replace(play=_bomb(15, "deflate")),
    "a flood": _BIG,
    "an odd form": Fault(_any([*ENCODED.values(), *(_message(one) for one, text in FORMS if text)]), "answer"),
    "a value that cannot be read": Fault(
        _any(map(send, [*UNREADABLE_VALUES.values(), *ODD_VALUES.values()])),
        "answer",
        settings=("model.logprobs=true",),
    ),
    "a text that is no strict JSON": Fault(_any(send(content) for content, _ in ODD_TEXTS.values()), "answer"),
    "an encoding that is not UTF-8": Fault(_any(answer for answer, _ in DECLARED.values()), "answer"),
    "an empty message": Fault(_any(_message(one) for one, text in FORMS if not text), "either"),
    "finish_reason length, no text": Fault(_says("", "length"), "either", "max_tokens"),
    "finish_reason length": Fault(_says("The capital of", "length"), "either", "max_tokens"),
    "finish_reason content_filter": Fault(_says("", "content_filter"), "either", "filter"),
    "a filter's error": Fault(_any(FILTERED.values()), "either", "filter"),
    "an error that speaks of filters": Fault(_any(NOT_FILTERED.values()), "once"),
    "tool calls in place of content": Fault(_says("", "tool_calls"), "either"),
    "finish_reason error": Fault(_says("", "error"), "failed"),
    "an odd finish_reason": Fault(
        _any((200, completion("Paris", one)) for one in ("tool_calls", "\x1b[2J\x07\n", "x" * 100_000, "", "=cmd()")),
        "either",
    ),
    "control codes in an error": Fault(_always((400, fault("\x1b]0;title\x07\x1b[2Jred\r\n\x9b31m"))), "once"),
    "an error of 1 MB": Fault(_always((400, fault("x " * 500_000))), "once"),
    **{
        f"a key in {name}": Fault(_with_key(echo), "again" if name in _AGAIN else _ENDS.get(name, "once"))
        for name, echo in ECHOES.items()
    },
    "a key in an answer": Fault(_in_text(str), "answer"),
    "a key in an answer, URL-quoted": Fault(_in_text(lambda key: quote(key, safe="")), "answer"),
    "a key in an answer, in base64": Fault(_in_text(lambda key: b64encode(key.encode()).decode()), "answer"),
    "a key in finish_reason": Fault(_with_key(lambda key: (200, completion("Paris", key))), "either"),
    "a key in a header that is none": Fault(_raw("HTTP/1.1 200 OK\r\nContent-Length: KEY\r\n\r\n{}")),
    "a key in a status line": Fault(_raw("HTTP/1.1 KEY\r\n\r\n")),
    "a key in an address to go to": Fault(
        _with_key(lambda key: send(b"", 302, Location=f"http://127.0.0.1:1/?key={quote(key)}")), "gone"
    ),
}


def _silent(attempt: Attempt) -> None:
    """An endpoint that never answers: the time to give up hangs on the timeout and the tries, not on the questions."""
    timeout, retries = 1.0, 8
    changes = (f"model.timeout={timeout}", f"model.max_retries={retries}", "model.max_concurrency=8")
    with endpoint(lambda _: silence) as server:
        run = ["step=all", *to(server.base_url, *changes)]
        ended = attempt.run(*run, codes=(2, NOTHING), longest=3 * timeout * (retries + 1))
    hold("no answer within" in ended.last, f"the last line is {ended.last}")


def _exit_codes(attempt: Attempt) -> None:
    """Whether a script can tell by the exit code what came of the calls."""
    [one] = attempt.random.sample(list(attempt.texts.values()), 1)
    script = Script(lambda: (400, fault("too long")), dict.fromkeys(attempt.texts.values(), inf))
    with endpoint(script) as server:
        attempt.run("step=all", *to(server.base_url), codes=(NOTHING,))
        script.times = {one: inf}
        attempt.run("step=all", *to(server.base_url), "fail_on_missing=true", codes=(MISSING,))
        attempt.run("step=all", *to(server.base_url), codes=(0,))
        script.times = {}
        attempt.run("step=all", *to(server.base_url), "fail_on_missing=true", codes=(0,))
    attempt.check_answered()


ROWS: dict[str, Callable[[Attempt], None]] = {
    **{name: row(one) for name, one in FAULTS.items()},
    "a stall for ever": _silent,
    "exit codes of failed calls": _exit_codes,
}
