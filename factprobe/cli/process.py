"""Set-up of each process of the command line, and formatting of its errors."""

from __future__ import annotations

import gc
import io
import logging
import os
import sys
import traceback
from pathlib import Path
from types import TracebackType

from factprobe.config import explain
from factprobe.errors import FactprobeError
from factprobe.progress import printable, say
from factprobe.secrecy import hide
from factprobe.storage import DISK_FULL_ERRORS


class SafeLogRecord(logging.LogRecord):
    """Log record whose message has no secrets."""

    def getMessage(self) -> str:  # noqa: N802  # its name in the base class
        """Return the message without secrets."""
        if self.exc_info and not self.exc_text:  # formatters use this text if it is set
            self.exc_text = hide("".join(traceback.format_exception(*self.exc_info)).rstrip())
        return hide(super().getMessage())


def set_up() -> None:
    """Set up garbage collection, streams, logging and tracebacks of a process before a run."""
    open_closed_streams()
    gc.set_threshold(100_000)  # the steps make millions of small records and hardly a cycle to collect
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without an arrow shows a question mark
    sys.excepthook = show_traceback
    logging.setLogRecordFactory(SafeLogRecord)
    logging.captureWarnings(True)  # pydantic's warnings may show a response
    handler = logging.StreamHandler()
    handler.setFormatter(_PrintableFormatter("%(levelname)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


def open_closed_streams() -> None:
    """Open the null device for each standard stream that is closed (`2>&-`).

    Otherwise the next opened file would get the number of the stream, and libraries would print into it.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
            except OSError:
                null = os.open(os.devnull, os.O_RDWR)
                os.dup2(null, number)
                if null != number:
                    os.close(null)
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # to the end of the process


class _PrintableFormatter(logging.Formatter):
    """Log formatter that escapes control codes."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its control codes escaped."""
        return printable(super().format(record))


def show_traceback(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
    """Print the traceback of an error as Python does, without secrets."""
    say("".join(traceback.format_exception(error)).rstrip("\n"), sys.stderr)


def print_missing(line: str | None, prefix: str = "") -> None:
    """Print a line on unanswered questions to stderr, after `prefix`; do nothing if the line is None."""
    if line is not None:
        say(f"factprobe: {prefix}{line}", sys.stderr)


def error_line(error: Exception) -> str | None:
    """Return the message of an error that the user can fix, as one line; None for other errors."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    if isinstance(error, FactprobeError):
        return str(error)
    if isinstance(error, HydraException | OmegaConfBaseException):
        return str(explain(error))
    if isinstance(error, OSError):
        hint = "; make room, and run the same command again" if error.errno in DISK_FULL_ERRORS else ""
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}{hint}"
    if isinstance(error, RecursionError):  # other readers report the place
        return "what was read is nested too deep; debug=true shows where"
    return None


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error was caused by Ctrl-C, which omegaconf may replace by an error of its own."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__context__
    return False


def exit_code(error: Exception) -> int:
    """Return the exit code for an error."""
    if isinstance(error, FactprobeError):
        return error.exit_code
    return FactprobeError.exit_code if error_line(error) else 1
