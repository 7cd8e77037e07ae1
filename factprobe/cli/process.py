"""What every process of the command line begins with, and how it tells an error."""

from __future__ import annotations

import errno
import gc
import io
import logging
import sys

from factprobe.config import explain
from factprobe.errors import FactprobeError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def set_up() -> None:
    """Readies a process for a run."""
    gc.set_threshold(100_000)  # the steps make millions of small records and hardly a cycle to collect
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without an arrow shows a question mark
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)


def tell_missing(line: str | None, of: str = "") -> None:
    """Says which questions have no answer, where any have none; of a sweep's job, with what it was given."""
    if line is not None:
        print(f"factprobe: {of}{line}", file=sys.stderr, flush=True)


def error_line(error: Exception) -> str | None:
    """An error that the user can mend, in one line; None for any other."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    if isinstance(error, FactprobeError):
        return str(error)
    if isinstance(error, HydraException | OmegaConfBaseException):
        return str(explain(error))
    if isinstance(error, OSError):
        mend = "; make room, and run the same command again" if error.errno in _NO_ROOM else ""
        return f"{error.filename or 'a file'}: {error.strerror or error}{mend}"
    if isinstance(error, RecursionError):  # whatever was read; what is read in one piece is told with its place
        return "what was read is nested too deep; debug=true shows where"
    return None


def exit_code(error: Exception) -> int:
    """With which code the command ends on an error."""
    return error.exit_code if isinstance(error, FactprobeError) else FactprobeError.exit_code
