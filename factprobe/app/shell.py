"""Shared elements of the pages: header, cards, and `Notice`, which runs slow work and shows its progress and errors."""

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

_STYLE_SHEET = Path(__file__).with_name("style.css")
_PAGES = {"/": "Check a text", "/probe": "Probe a model"}
"""Titles of the pages of `step=app` by address."""
_WORKER = ThreadPoolExecutor(1, "app")
"""Thread that runs one job at a time for all visitors, since neither models nor Hydra run two at once."""
_SLOW_SECONDS = 0.5
"""Seconds after which the page says that it is working or waiting."""
_WAITING_TEXT = "Waits until what was asked for before is done, perhaps on another page."
_WORKING_TEXT = "Works …"


async def drain_worker() -> None:
    """Wait for the work in progress, and discard work that has not begun."""
    await asyncio.to_thread(_WORKER.shutdown, cancel_futures=True)


@contextmanager
def page(path: str, lead: str, pages: Mapping[str, str] = _PAGES) -> Iterator[None]:
    """Start a page with its header; elements created in the `with` block form its body.

    `lead` is the sentence below the title, empty for none; `pages` has the titles of all pages by address.
    """
    ui.add_css(_STYLE_SHEET)
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
    """Start a card with a title, and a number if the card is one of several steps."""
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
    """Runner of slow work, with lines on a page that show its progress and its error."""

    def __init__(self) -> None:
        self._line = text("", "notice").props('role="alert"')
        self._progress = text("", "soft", "progress").props('role="status"')
        self._set_line("")
        self.clear()

    def show(self, line: str) -> None:
        """Show a message if the page is still open."""
        if not self._line.is_deleted:
            self._line.set_text(line)
            self._line.set_visibility(True)

    def clear(self) -> None:
        """Hide the message."""
        self._line.set_visibility(False)

    def _set_line(self, line: str) -> None:
        if not self._progress.is_deleted:
            self._progress.set_text(line)
            self._progress.set_visibility(bool(line))

    async def _show_progress(self, has_begun: Event) -> None:
        """Show after a moment that work waits for other visitors' work, or that it has begun.

        `has_begun` is set when the work begins; one thread serves all visitors.
        """
        await asyncio.sleep(_SLOW_SECONDS)
        while not has_begun.is_set():
            self._set_line(_WAITING_TEXT)
            await asyncio.sleep(_SLOW_SECONDS)
        self._set_line(_WORKING_TEXT)

    async def run(self, work: Callable[[], T], button: ui.button | None = None, group: str | None = None) -> T | None:
        """Run work outside the event loop and return its result; after an error, show it and return None.

        The button is disabled until the work is done. `group` is the key of `FIELD_LABELS` for the field where another
        choice may help after an error. If the work succeeds for a page that was closed in the meantime, a
        `CancelledError` is raised.
        """
        self.clear()
        has_begun = Event()

        def begin_work() -> T:
            has_begun.set()
            return work()

        progress_task = asyncio.create_task(self._show_progress(has_begun))
        if button is not None:
            button.props("loading")
            button.disable()
        try:
            result = await asyncio.get_running_loop().run_in_executor(_WORKER, begin_work)
            if self._line.is_deleted:
                raise asyncio.CancelledError  # the page was closed
            return result
        except FactprobeError as error:
            self.show(hide(error_text(error, group)))
        except Exception as error:  # no error may break the page
            log.exception("the app failed")
            self.show(f"factprobe itself is at fault ({type(error).__name__}); the terminal shows where")
        finally:
            progress_task.cancel()
            self._set_line("")
            if button is not None and not button.is_deleted:
                button.props(remove="loading")
                button.enable()
        return None
