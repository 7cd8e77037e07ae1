"""Shared elements of the pages: head, cards, and notices, which run slow work and show its errors in one line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TypeVar

from nicegui import ui

from factprobe.app.error_texts import error_text
from factprobe.errors import FactprobeError
from factprobe.secrecy import hide

T = TypeVar("T")
log = logging.getLogger(__name__)

_STYLE = Path(__file__).with_name("style.css")
_PAGES = {"/": "Check a text", "/probe": "Probe a model"}
"""Pages of `step=app` by address."""
_ONE = ThreadPoolExecutor(1, "app")
"""Thread that runs one job at a time for all visitors, since neither models nor Hydra run two at once."""
_SLOW_AFTER = 0.5
"""Seconds after which a visitor learns that work is slow."""
_WAITS = "Waits until what was asked for before is done, perhaps on another page."
_WORKS = "Works …"


async def finish() -> None:
    """Wait for the work in progress, and start no other."""
    await asyncio.to_thread(_ONE.shutdown, cancel_futures=True)


@contextmanager
def page(path: str, lead: str, pages: Mapping[str, str] = _PAGES) -> Iterator[None]:
    """Open a page with its head; elements made within the context form its body.

    Args:
        path: Address of the page.
        lead: Sentence on the purpose of the page; empty for none.
        pages: Titles of all pages by address.
    """
    ui.add_css(_STYLE)
    ui.colors(primary="#0072b2", positive="#00754f", negative="#b3261e", warning="#8a5a00")
    ui.page_title(f"{pages[path]} · factprobe")
    with ui.element("header").classes("top"), ui.element("nav").props('aria-label="Pages"'):
        text("factprobe", "brand")
        for address, name in pages.items():
            ui.link(name, address).classes("tab").props('aria-current="page"' if address == path else "")
    with ui.element("div").classes("sheet"):
        text(pages[path], "title").props('role="heading" aria-level="1"')
        if lead:
            text(lead, "lead")
        yield


@contextmanager
def card(title: str, number: int | None = None) -> Iterator[None]:
    """Open a titled card, with a number if it is a step."""
    with ui.element("section").classes("card"):
        with ui.element("div").classes("cap"):
            if number is not None:
                text(str(number), "number")
            text(title, "heading").props('role="heading" aria-level="2"')
        yield


def text(words: str, *classes: str) -> ui.label:
    """Show text without interpreting markup."""
    return ui.label(words).classes(" ".join(classes))


class Notice:
    """Line that shows an error or the progress of slow work."""

    def __init__(self) -> None:
        self._line = text("", "notice").props('role="alert"')
        self._progress = text("", "soft", "progress").props('role="status"')
        self._set_line("")
        self.clear()

    def show(self, line: str) -> None:
        """Show a line if the page is still open."""
        if not self._line.is_deleted:
            self._line.set_text(line)
            self._line.set_visibility(True)

    def clear(self) -> None:
        """Hide the line."""
        self._line.set_visibility(False)

    def _set_line(self, line: str) -> None:
        if not self._progress.is_deleted:
            self._progress.set_text(line)
            self._progress.set_visibility(bool(line))

    async def _show_progress(self, begun: Event) -> None:
        """Show that work is slow or waits for other work, since one worker serves all visitors."""
        await asyncio.sleep(_SLOW_AFTER)
        while not begun.is_set():
            self._set_line(_WAITS)
            await asyncio.sleep(_SLOW_AFTER)
        self._set_line(_WORKS)

    async def done(self, work: Callable[[], T], button: ui.button | None = None, group: str | None = None) -> T | None:
        """Run work outside the event loop and return its result; return None after an error, which is shown.

        Args:
            work: Slow function; an error that the user can fix is shown in one line.
            button: Button that is disabled until the work is done.
            group: Key of `FIELDS` for the field where another choice may help after an error.
        """
        self.clear()
        begun = Event()

        def begin_work() -> T:
            begun.set()
            return work()

        telling = asyncio.create_task(self._show_progress(begun))
        if button is not None:
            button.props("loading")
            button.disable()
        try:
            found = await asyncio.get_running_loop().run_in_executor(_ONE, begin_work)
            if self._line.is_deleted:
                raise asyncio.CancelledError  # the visitor has gone, and what is shown next has no place
            return found
        except FactprobeError as error:
            self.show(hide(error_text(error, group)))
        except Exception as error:  # the page stays, whatever is wrong
            log.exception("the app failed")
            self.show(f"factprobe itself is at fault ({type(error).__name__}); the terminal shows where")
        finally:
            telling.cancel()
            self._set_line("")
            if button is not None and not button.is_deleted:
                button.props(remove="loading")
                button.enable()
        return None
