"""Page on which people judge replies, with buttons or keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from nicegui import ui
from nicegui.events import KeyEventArguments

from factprobe.app.label_figures import show_figures
from factprobe.app.shell import Notice, card, page, text
from factprobe.config import LabelConfig
from factprobe.inputs.labels import LabelVerdict
from factprobe.labelling.label_file import ADJUDICATION
from factprobe.labelling.session import LabelSession, LabelTask
from factprobe.labelling.status import Progress
from factprobe.text import format_count

_PAGES = {"/": "Judge replies"}
_MAX_NAME_LENGTH = 60


class VerdictButton(NamedTuple):
    """Button for a verdict, with its key on the keyboard and its label (`name`)."""

    verdict: LabelVerdict
    key: str
    name: str


CHOICES = (
    VerdictButton("correct", "c", "Correct"),
    VerdictButton("incorrect", "i", "Incorrect"),
    VerdictButton("abstained", "a", "Abstained"),
    VerdictButton("bad_question", "b", "Bad question"),
    VerdictButton("skip", "s", "Skip"),
)
_VERDICT_NAMES = {button.verdict: button.name.lower() for button in CHOICES}
_UNDO_KEY, _DISAGREEMENTS_KEY = "u", "d"


def add_page(session: LabelSession, config: LabelConfig) -> None:
    """Add the labelling page; it asks for the person's name unless the settings or the address give one."""

    @ui.page("/", dark=None)
    async def label(annotator: str = "") -> None:
        name = _clean_name(config.annotator or annotator)
        if not name:
            _ask_name()
            return
        label_page = LabelPage(session, name, config)
        await ui.context.client.connected()
        await label_page.open()


def _ask_name() -> None:
    """Show a form that asks for the person's name."""
    lead = "Is the reply right? Your verdicts show how far the grades can be trusted."
    with page("/", lead, _PAGES), card("Who judges?"), ui.element("div").classes("fields"):
        field = ui.input("Your name").props(f"outlined dense autofocus maxlength={_MAX_NAME_LENGTH}").classes("wide")

        def open_page() -> None:
            if name := _clean_name(field.value or ""):
                ui.navigate.to(f"/?annotator={quote(name)}")

        field.on("keydown.enter", open_page)
        ui.button("Begin", on_click=open_page).props("no-caps unelevated")


def _clean_name(name: str) -> str:
    """Return a name shortened for the file of labels; empty if it is reserved for adjudication."""
    short_name = " ".join(name.split())[:_MAX_NAME_LENGTH]
    return "" if short_name == ADJUDICATION else short_name


class LabelPage:
    """Labelling page of one person."""

    def __init__(self, session: LabelSession, annotator: str, config: LabelConfig) -> None:
        self._session, self._annotator = session, annotator
        self._show_verdict, self._count = config.show_verdict, config.count
        self._task: LabelTask | None = None
        self._shows_disagreements = False
        """True while replies with disagreements are shown instead of new ones."""
        self._is_busy = False
        ui.keyboard(self._handle_key, repeating=False, ignore=["input", "select", "textarea"])
        with page("/", "", _PAGES):
            self._standing = ui.element("div").classes("standing")
            self._notice = Notice()
            self._reply = ui.element("main").classes("card judged")
            self._last = ui.element("div").classes("last").props('role="status"')
            with ui.element("div").classes("verdict-bar").props('role="toolbar" aria-label="Verdict"'):
                for choice in CHOICES:
                    _add_button(choice.name, choice.key, partial(self._judge_reply, choice.verdict), choice.verdict)
                _add_button("Undo", _UNDO_KEY, self._undo_last, "undo")
            with card("So far"):
                self._figures = ui.element("dl").classes("facts figures")

    async def open(self) -> None:
        """Show the first reply."""
        await self._run_and_show_next(self._next_task)

    def _person_or_adjudication(self) -> str:
        return ADJUDICATION if self._shows_disagreements else self._annotator

    def _next_task(self) -> tuple[LabelTask | None, Progress]:
        return self._session.next_task(self._person_or_adjudication()), self._session.progress()

    async def _handle_key(self, event: KeyEventArguments) -> None:
        has_modifier = event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta
        if not event.action.keydown or has_modifier:
            return
        key = str(event.key.name).lower()
        for number, choice in enumerate(CHOICES, 1):
            if key in (choice.key, str(number)):
                await self._judge_reply(choice.verdict)
        if key in (_UNDO_KEY, "backspace"):
            await self._undo_last()
        if key == _DISAGREEMENTS_KEY:
            await self._switch_queue()

    async def _judge_reply(self, verdict: LabelVerdict) -> None:
        task = self._task
        if task is None:
            return

        def save_verdict() -> tuple[LabelTask | None, Progress]:
            self._session.judge(self._person_or_adjudication(), task.key, verdict)
            return self._next_task()

        if await self._run_and_show_next(save_verdict):
            self._show_last_reply(task, verdict)

    async def _undo_last(self) -> None:
        def restore_reply() -> tuple[LabelTask | None, Progress]:
            task = self._session.undo(self._person_or_adjudication())
            return (task, self._session.progress()) if task else self._next_task()

        if await self._run_and_show_next(restore_reply):
            self._last.clear()

    async def _switch_queue(self) -> None:
        """Switch between the replies with disagreements and the other replies."""
        if self._is_busy:
            return
        self._shows_disagreements = not self._shows_disagreements
        if await self._run_and_show_next(self._next_task):
            self._last.clear()

    async def _run_and_show_next(self, work: Callable[[], tuple[LabelTask | None, Progress]]) -> bool:
        """Run `work` and show the next reply; return False if the work failed, or if other work is in progress."""
        if self._is_busy:
            return False
        self._is_busy = True
        try:
            result = await self._notice.run(work)
        finally:
            self._is_busy = False
        if result is None:
            return False
        self._task, progress = result
        self._show_progress(progress)
        self._show_reply(progress)
        show_figures(self._figures, progress)
        return True

    def _show_progress(self, progress: Progress) -> None:
        self._standing.clear()
        with self._standing:
            with ui.element("div").classes("line"):
                text(
                    f"{progress.judged_count} of {format_count(progress.drawn_count, 'reply', 'replies')} judged",
                    "count",
                )
                text(f"About {self._count:,} were asked for (label.count)", "soft")
                text(f"You are {self._annotator}", "soft")
                if progress.disputed or self._shows_disagreements:
                    count = format_count(progress.disputed, "disagreement")
                    name = "Back to the replies" if self._shows_disagreements else f"Settle {count}"
                    _add_button(name, _DISAGREEMENTS_KEY, self._switch_queue, "switch")
            share = progress.judged_count / progress.drawn_count if progress.drawn_count else 1.0
            bar = ui.element("div").classes("gauge")
            bar.props(f'role="progressbar" aria-valuenow={100 * share:.0f} aria-label="Judged replies"')
            with bar:
                ui.element("div").style(f"width: {share:.2%}")

    def _show_reply(self, progress: Progress) -> None:
        self._reply.clear()
        with self._reply:
            if self._task is None:
                _show_end(progress, resolves=self._shows_disagreements)
                return
            reply = self._task.reply
            for name, words, kind in (
                ("Question", reply.question, "asked"),
                ("Right answer" if len(reply.answers) == 1 else "Right answers", " · ".join(reply.answers), "right"),
                ("Reply", reply.response or "(an empty reply)", "said"),
            ):
                text(name, "term").props('role="heading" aria-level="2"')
                text(words, kind)
            if self._shows_disagreements:
                for annotator, verdict in self._task.others.items():
                    text(f"{annotator}: {_VERDICT_NAMES[verdict]}", "chip", verdict)
            if self._show_verdict:
                _show_grade(self._task)
        ui.run_javascript("window.scrollTo(0, 0)")

    def _show_last_reply(self, task: LabelTask, verdict: LabelVerdict) -> None:
        self._last.clear()
        if verdict == "skip":
            return
        with self._last:
            text("You said", "soft")
            text(_VERDICT_NAMES[verdict], "chip", verdict)
            _show_grade(task)


def _show_grade(task: LabelTask) -> None:
    text("the grader said", "soft")
    text(task.reply.verdict, "chip", task.reply.verdict)
    if task.reply.why:
        text(f"({task.reply.why})", "soft", "why")


def _show_end(progress: Progress, *, resolves: bool) -> None:
    text("No disagreement is left" if resolves else "No reply is left for you", "heading")
    if resolves:
        hint = "Press d for the other replies."
    elif progress.disputed:
        hint = "Press d to settle the disagreements."
    else:
        hint = "For a narrower interval, start the page again with a larger label.count."
    text(hint, "soft")


def _add_button(name: str, key: str, action: Callable[[], Awaitable[None]], kind: str) -> None:
    """Add a button that can also be pressed with a key."""
    with (
        ui.button(on_click=action, color=None)
        .props(f'no-caps unelevated aria-keyshortcuts="{key}"')
        .classes(f"verdict {kind}")
    ):
        text(name)
        text(key, "key-name").props('aria-hidden="true"')
