"""Web server of the app; it listens on this machine only, unless the settings change that."""

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

_LARGEST = 1_000_000
"""Maximum number of bytes of a message from a page."""
_NO_FRAMES = {"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY"}
"""Headers that forbid frames; the second is for browsers that do not know the first."""


def serve(config: RunConfig, step: str, add_pages: Callable[[], None]) -> None:
    """Serve pages until Ctrl-C.

    Args:
        config: The run's settings.
        step: Name of the step, for printed lines.
        add_pages: Function that adds the pages and the handlers for the server's end.

    Raises:
        ConfigError: The address or the port cannot be used.
    """
    from nicegui import app, ui
    from nicegui.server import Server

    from factprobe.app.shell import finish

    host, port = config.app.host, _find_port(config.app.host, config.app.port)
    add_pages()
    written = f"[{host}]" if ":" in host else host
    _refuse_foreign_pages([host, written, "localhost", "127.0.0.1"] if _is_loopback(host) else [])

    async def announce_address() -> None:
        while not Server.instance.started:  # what starts up does not listen yet
            await asyncio.sleep(0.01)
        say(f"{step}: http://{written}:{port} (Ctrl-C ends it)")

    app.on_startup(announce_address)
    app.on_shutdown(finish)
    with guard_interrupts() as take_over:
        app.on_startup(take_over)
        ui.run(
            host=host,
            port=port,
            reload=False,
            show=False,
            tailwind=False,
            show_welcome_message=False,
            ws_max_size=_LARGEST,
        )


def _refuse_foreign_pages(names: Sequence[str]) -> None:
    """Refuse requests of pages of other sites, since calls of models cost money.

    Such pages may neither call the app by another name, nor open its socket, nor show it in a frame.

    Args:
        names: Host names by which the app may be called; empty for any.
    """
    from nicegui import app, core
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    if names:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=names)
    server = core.sio.eio
    server.cors_allowed_origins = None  # which stands for that of the app itself; NiceGUI lets any in
    server.max_http_buffer_size = _LARGEST

    @app.middleware("http")
    async def forbid_frames(request: Request, call_next: RequestResponseEndpoint) -> Response:
        response = await call_next(request)
        response.headers.update(_NO_FRAMES)
        return response


def add_check_and_probe(config: RunConfig) -> None:
    """Add the pages of `step=app`, whose model calls end with the server.

    Args:
        config: The run's settings.
    """
    from nicegui import app, ui

    from factprobe.app.check import CheckPage
    from factprobe.app.check_controller import CheckController
    from factprobe.app.model_calls import ModelCalls
    from factprobe.app.probe import ProbePage
    from factprobe.app.probe_controller import ProbeController

    asking = ModelCalls(config)
    app.on_shutdown(asking.close)
    exam, desk = ProbeController(config, asking), CheckController(config, asking)

    @ui.page("/", dark=None)
    def check() -> None:
        CheckPage(desk)

    @ui.page("/probe", dark=None)
    async def probe() -> None:
        shown = ProbePage(exam)
        await ui.context.client.connected()
        await shown.open()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _find_port(host: str, port: int) -> int:
    """Return the port, or a free one for 0.

    Raises:
        ConfigError: The address or port cannot be listened on.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, proto) as found:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(address)
            return int(found.getsockname()[1])
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        what = f"nothing can listen on {host}:{port}: {reason}"
        raise ConfigError(what, where="app", hint="set app.port=0 for a free port, or another app.host") from error
