"""Web server of the app, which can only be reached from this machine by default."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from factprobe.asking.interrupts import guard_interrupts
from factprobe.config import RunConfig
from factprobe.errors import ConfigError
from factprobe.progress import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.middleware.base import RequestResponseEndpoint
    from starlette.requests import Request
    from starlette.responses import Response

_MAX_MESSAGE_BYTES = 1_000_000
"""Maximum size in bytes of a message that a browser sends."""
_NO_FRAMES = {"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY"}
"""Headers that forbid other sites to show a page in a frame; the second is for old browsers."""


def serve(config: RunConfig, step: str, add_pages: Callable[[], None]) -> None:
    """Serve pages until Ctrl-C; the name of the step is printed before the address.

    `add_pages` adds the pages, and handlers that are called when the server ends.

    Raises:
        ConfigError: The address or the port cannot be used.
    """
    from nicegui import app, ui
    from nicegui.server import Server

    from factprobe.app.shell import drain_worker

    host, port = config.app.host, _find_port(config.app.host, config.app.port)
    add_pages()
    address = f"[{host}]" if ":" in host else host
    _refuse_foreign_pages([host, address, "localhost", "127.0.0.1"] if _is_loopback(host) else [])

    async def announce_address() -> None:
        while not Server.instance.started:  # the port is not open until then
            await asyncio.sleep(0.01)
        say(f"{step}: http://{address}:{port} (Ctrl-C ends it)")

    app.on_startup(announce_address)
    app.on_shutdown(drain_worker)
    with guard_interrupts() as take_over:
        app.on_startup(take_over)
        ui.run(
            host=host,
            port=port,
            reload=False,
            show=False,
            tailwind=False,
            show_welcome_message=False,
            ws_max_size=_MAX_MESSAGE_BYTES,
        )


def _refuse_foreign_pages(names: Sequence[str]) -> None:
    """Refuse requests from pages of other sites, since calls of models cost money.

    Such pages can neither call the app under another host name, nor open its socket, nor show it in a frame.

    Args:
        names: Host names under which the app may be called; empty for any.
    """
    from nicegui import app, core
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    if names:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=names)
    server = core.sio.eio
    server.cors_allowed_origins = None  # None allows the app's own origin; NiceGUI allows any
    server.max_http_buffer_size = _MAX_MESSAGE_BYTES

    @app.middleware("http")
    async def forbid_frames(request: Request, call_next: RequestResponseEndpoint) -> Response:
        response = await call_next(request)
        response.headers.update(_NO_FRAMES)
        return response


def add_check_and_probe(config: RunConfig) -> None:
    """Add the pages of `step=app`; when the server ends, no further model is called."""
    from nicegui import app, ui

    from factprobe.app.check import CheckPage
    from factprobe.app.check_controller import CheckController
    from factprobe.app.model_calls import ModelCalls
    from factprobe.app.probe import ProbePage
    from factprobe.app.probe_controller import ProbeController

    model_calls = ModelCalls(config)
    app.on_shutdown(model_calls.close)
    probe_controller, check_controller = ProbeController(config, model_calls), CheckController(config, model_calls)

    @ui.page("/", dark=None)
    def check() -> None:
        CheckPage(check_controller)

    @ui.page("/probe", dark=None)
    async def probe() -> None:
        probe_page = ProbePage(probe_controller)
        await ui.context.client.connected()
        await probe_page.open()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _find_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0; raise a `ConfigError` if it cannot be listened on."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as test_socket:
            test_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            test_socket.bind(address)
            return int(test_socket.getsockname()[1])
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        what = f"nothing can listen on {host}:{port}: {reason}"
        raise ConfigError(what, where="app", hint="set app.port=0 for a free port, or another app.host") from error
