"""The errors that factprobe raises on purpose.

    FactprobeError
    ├── ConfigError            a setting is wrong
    │   ├── UnknownNameError   no such KG, generator, model, step ...
    │   └── NameClashError     two implementations claim one name
    ├── DataError              a file holds what cannot be used
    ├── MissingStepError       a step was run before the one it needs
    ├── MissingExtraError      an optional dependency is not installed
    ├── BusyError              another process works in the same folder
    ├── IncompleteError        some questions have no answer, and the run was to say so
    └── ModelError             a model could not be loaded, or does not answer
        ├── NoAnswersError     no question gets an answer, or none any more
        ├── CallError          one call gave no reply; the run goes on
        └── CostLimitError     the next call could cost more than the limit

Each prints as one line: what is wrong, where, what to do; the command line ends with the `exit_code` of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from pathlib import Path
from typing import ClassVar

EXIT_CODES = {
    0: "the steps are done; where questions have no answer, the last line says so",
    1: "whoever reads the output has gone, or factprobe itself is at fault (with a traceback)",
    2: "an error that the last line says how to mend",
    3: "a model answers no question, or none any more; what was answered is kept",
    4: "questions have no answer, and fail_on_missing=true",
    130: "Ctrl-C; finished files and responses are kept",
}
"""How the command line ends, for scripts; a sweep ends with the lowest code that is not 0 of its jobs'."""

_NAMED = 50
"""Names of a list that a message has."""


def listed(names: Collection[str]) -> str:
    """Names as a message tells them: all of a few, the first of many and how many there are beside; "none"."""
    more = len(names) - _NAMED
    return ", ".join(islice(names, _NAMED)) + (f" and {more:,} more" if more > 0 else "") or "none"


class FactprobeError(Exception):
    """What is wrong, where it is, and what the user can do about it, in one line."""

    exit_code: ClassVar[int] = 2
    """That of the command line, one of `EXIT_CODES`."""

    def __init__(self, what: str, *, where: str | Path | None = None, hint: str | None = None) -> None:
        self.what, self.where, self.hint = what, where, hint
        line = (f"{where}: " if where is not None else "") + what + (f"; {hint}" if hint else "")
        super().__init__(" ".join(line.split()))

    def reword(self, reword: Callable[[str], str]) -> None:
        """Changes the words of what is wrong and what to do."""
        self.what, self.hint = reword(self.what), self.hint and reword(self.hint)
        self.args = (reword(str(self)),)

    def __reduce__(
        self,
    ) -> tuple[Callable[..., FactprobeError], tuple[type[FactprobeError], tuple[object, ...], dict[str, object]]]:
        """So that it travels from one process to another, whatever its class takes."""
        return _restore, (type(self), self.args, self.__dict__)


class ConfigError(FactprobeError):
    """A setting is wrong."""


class UnknownNameError(ConfigError):
    """A name that nothing is registered under; the message suggests the nearest one that is."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, where: str | None = None, hint: str | None = None
    ) -> None:
        names = sorted(known)
        near = nearest(name, names)
        suggestion = f"did you mean {near!r}? " if near else ""
        hint = hint or f"{suggestion}known: {listed(names)}"
        super().__init__(f"unknown {kind} {name!r}", where=where, hint=hint)


class NameClashError(ConfigError):
    """Two implementations claim one name."""


class DataError(FactprobeError):
    """A file holds what cannot be used; `where` is its path, with the line where there is one."""


class MissingStepError(FactprobeError):
    """A step needs the files of an earlier one that has not run."""


class MissingExtraError(FactprobeError):
    """An optional dependency is not installed.

    Args:
        what: that it is not installed.
        where: what needs it.
        extra: the extra of factprobe that it comes with.
        hint: how it is installed where no extra brings it.
    """

    def __init__(
        self, what: str, *, where: str | Path | None = None, extra: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(what, where=where, hint=f"pip install 'factprobe[{extra}]'" if extra else hint)


class IncompleteError(FactprobeError):
    """Some questions have no answer, and `fail_on_missing` is set."""

    exit_code = 4


class ModelError(FactprobeError):
    """A model could not be loaded, or does not answer."""


class NoAnswersError(ModelError):
    """No question gets an answer, or none any more: the endpoint, the key or the model is at fault."""

    exit_code = 3


class CallError(ModelError):
    """One call gave no reply; the question counts as failed and is asked again by the next run.

    Args:
        what: the reason.
        transient: the same call may succeed later, and is tried again.
        congested: the endpoint has too much to do: fewer calls at once help.
        retry_after: seconds that the endpoint asks to wait.
        hopeless: no other call can succeed either: the key is wrong, there is no such model.
        charged: the endpoint may have counted tokens all the same.
        hint: what to do about it; whoever ends the run for it says so, and not the reason of each question.
        filtered: a content filter refused the prompt, which is all the answer there is.
        unreached: no connection came about: nothing listens there.
    """

    def __init__(
        self,
        what: str,
        *,
        transient: bool = False,
        congested: bool = False,
        retry_after: float | None = None,
        hopeless: bool = False,
        charged: bool = False,
        hint: str | None = None,
        filtered: bool = False,
        unreached: bool = False,
    ) -> None:
        super().__init__(what)
        self.hint = hint
        self.transient, self.congested, self.retry_after = transient, congested, retry_after
        self.hopeless, self.charged, self.filtered, self.unreached = hopeless, charged, filtered, unreached


class CostLimitError(ModelError):
    """The next call could cost more than `max_cost_usd` leaves."""


class BusyError(FactprobeError):
    """Another process works in the same folder."""


def _restore(cls: type[FactprobeError], args: tuple[object, ...], state: dict[str, object]) -> FactprobeError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(state)
    return error


def require(*modules: str, extra: str, where: str, called: str | None = None) -> None:
    """Sees to it that optional dependencies are installed, without importing them.

    Args:
        modules: as Python imports them.
        extra: the extra of factprobe that they come with.
        where: what needs them.
        called: what people call them; by default as Python does.

    Raises:
        MissingExtraError: one of them is not installed.
    """
    from importlib.util import find_spec

    if any(find_spec(module) is None for module in modules):
        verb = "are" if len(modules) > 1 else "is"
        what = f"{called or ' and '.join(modules)} {verb} not installed"
        raise MissingExtraError(what, where=where, extra=extra)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that a mistyped one most likely means, or None."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(name.lower(), list(known), scorer=fuzz.ratio, processor=str.lower, score_cutoff=60)
    return found[0] if found else None
