"""Serves the app, on this machine alone unless the settings say otherwise."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from factprobe.asking.interrupts import one_at_a_time
from factprobe.config import RunConfig
from factprobe.errors import ConfigError
from factprobe.progress import say

if TYPE_CHECKING:
    from factprobe.app.asking import AtOnce


def serve(config: RunConfig) -> None:
    """Serves both pages until Ctrl-C.

    Args:
        config: the run's settings.

    Raises:
        ConfigError: the address or the port cannot be used.
    """
    from nicegui import app, ui
    from nicegui.server import Server
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    from factprobe.app.asking import AtOnce
    from factprobe.app.shell import finish

    host, port = config.app.host, _free(config.app.host, config.app.port)
    asking = AtOnce(config)
    _add_pages(config, asking)
    written = f"[{host}]" if ":" in host else host
    if _is_loopback(host):  # what a page from elsewhere calls by a name of its own is not let in
        names = [host, written, "localhost", "127.0.0.1"]
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=names)

    async def tell() -> None:
        while not Server.instance.started:  # what starts up does not listen yet
            await asyncio.sleep(0.01)
        say(f"app: http://{written}:{port} (Ctrl-C ends it)")

    app.on_startup(tell)
    app.on_shutdown(asking.close)
    app.on_shutdown(finish)
    with one_at_a_time() as take_over:
        app.on_startup(take_over)
        ui.run(host=host, port=port, reload=False, show=False, tailwind=False, show_welcome_message=False)


def _add_pages(config: RunConfig, asking: AtOnce) -> None:
    from nicegui import ui

    from factprobe.app.check import CheckPage
    from factprobe.app.desk import Desk
    from factprobe.app.exam import Exam
    from factprobe.app.probe import ProbePage

    exam, desk = Exam(config, asking), Desk(config, asking)

    @ui.page("/")
    def check() -> None:
        CheckPage(desk)

    @ui.page("/probe")
    async def probe() -> None:
        shown = ProbePage(exam)
        await ui.context.client.connected()
        await shown.open()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _free(host: str, port: int) -> int:
    """The port, or a free one for 0.

    Raises:
        ConfigError: nothing can listen there.
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
        raise ConfigError(what, where="app", mend="set app.port=0 for a free port, or another app.host") from error
