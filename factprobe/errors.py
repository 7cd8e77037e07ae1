"""Exceptions that factprobe raises on purpose.

    FactprobeError
    ├── ConfigError            a setting is wrong
    │   ├── UnknownNameError   no such KG, generator, model, step ...
    │   └── NameClashError     two implementations claim one name
    ├── DataError              the content of a file cannot be used
    ├── MissingStepError       a step was run before a step that it depends on
    ├── MissingExtraError      an optional dependency is not installed
    ├── BusyError              another process works in the same folder
    ├── IncompleteError        most questions have no answer, or no claim is extracted or checked
    ├── GateError              a model fails `fail_below` or `fail_if_worse`
    └── ModelError             a model could not be loaded, or does not answer
        ├── NoAnswersError     the model answers no question, or stops answering
        ├── CallError          one call has no reply; the run continues
        └── CostLimitError     the next call could cost more than the limit

Each error prints as one line: what is wrong, where, what to do. The command line exits with the `exit_code` of its
class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from pathlib import Path
from typing import ClassVar

EXIT_CODES = {
    0: "the steps are done; if questions have no answer, the last line says so",
    1: "the output pipe was closed, or factprobe has a bug (with a traceback)",
    2: "an error; the last line says how to fix it",
    3: "a model answers no question, or stops answering; earlier responses are kept",
    4: "most of the questions asked have no answer, or any with fail_on_missing; or no claim is extracted or checked",
    5: "a model fails fail_below or fail_if_worse",
    130: "Ctrl-C; finished files and responses are kept",
}
"""Exit codes of the command line and their meanings; a sweep has the lowest nonzero code of its jobs."""

FETCH_BY_HAND = "fetch it with a browser, unpack it, and name its folder with kg.data_dir="
"""Hint for an archive that cannot be downloaded."""
_MAX_LISTED = 50
"""Maximum number of names listed in a message."""


def format_list(names: Collection[str], most: int = _MAX_LISTED) -> str:
    """Format names for a message: at most `most` of them, then the number of the others."""
    more = len(names) - most
    return ", ".join(islice(names, most)) + (f" and {more:,} more" if more > 0 else "") or "none"


class FactprobeError(Exception):
    """Base class of errors; each prints in one line what is wrong, where, and what to do."""

    exit_code: ClassVar[int] = 2
    """Exit code of the command line, one of `EXIT_CODES`."""

    def __init__(self, what: str, *, where: str | Path | None = None, hint: str | None = None) -> None:
        self.what, self.where, self.hint = what, where, hint
        line = (f"{where}: " if where is not None else "") + what + (f"; {hint}" if hint else "")
        super().__init__(" ".join(line.split()))

    def reword(self, reword: Callable[[str], str]) -> None:
        """Apply a function to the message and the hint."""
        self.what, self.hint = reword(self.what), self.hint and reword(self.hint)
        self.args = (reword(str(self)),)

    def __reduce__(
        self,
    ) -> tuple[Callable[..., FactprobeError], tuple[type[FactprobeError], tuple[object, ...], dict[str, object]]]:
        """Support pickling of subclasses with any constructor."""
        return _restore, (type(self), self.args, self.__dict__)


class ConfigError(FactprobeError):
    """Error for a wrong setting."""


class UnknownNameError(ConfigError):
    """Error for an unknown name; its hint suggests the most similar known name."""

    def __init__(
        self, kind: str, name: str, known: Iterable[str], *, where: str | None = None, hint: str | None = None
    ) -> None:
        names = sorted(known)
        near = nearest(name, names)
        suggestion = f"did you mean {near!r}? " if near else ""
        hint = hint or f"{suggestion}known: {format_list(names)}"
        super().__init__(f"unknown {kind} {name!r}", where=where, hint=hint)


class NameClashError(ConfigError):
    """Error for a name under which two implementations are registered."""


class DataError(FactprobeError):
    """Error for content of a file that cannot be used; `where` is its path, with the line if possible."""


class MissingStepError(FactprobeError):
    """Error for missing files of an earlier step that has not run."""


class MissingExtraError(FactprobeError):
    """Error for an optional dependency that is not installed.

    `extra` is the extra of factprobe that includes it; `hint` says how to install one that is in no extra.
    """

    def __init__(
        self, what: str, *, where: str | Path | None = None, extra: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(what, where=where, hint=f"pip install 'factprobe[{extra}]'" if extra else hint)


class IncompleteError(FactprobeError):
    """Error for a run in which most questions have no answer, or any if `fail_on_missing` is set.

    It is also raised if no claim could be extracted, or none could be decided.
    """

    exit_code = 4


class GateError(FactprobeError):
    """Error for a model that fails `fail_below` or `fail_if_worse`."""

    exit_code = 5


class ModelError(FactprobeError):
    """Error for a model that cannot be loaded, or does not answer."""


class NoAnswersError(ModelError):
    """Error for a model that answers no question, or stops answering."""

    exit_code = 3


class CallError(ModelError):
    """Error for a call without a reply; the question counts as failed, and the next run asks it again.

    Args:
        what: Reason of the failure.
        transient: True if a retry may succeed.
        congested: True if the endpoint is overloaded, so that fewer concurrent calls may help.
        retry_after: Seconds that the endpoint asks to wait.
        hopeless: True if no other call can succeed either, as with a wrong key or an unknown model.
        charged: True if the endpoint may have counted tokens.
        hint: Hint, which is shown if the error ends the run.
        filtered: True if a content filter refused the prompt; this counts as an answer.
        unreached: True if no connection was made, e.g. since no server listens at the address.
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
    """Error for a call that could exceed `max_cost_usd`."""


class BusyError(FactprobeError):
    """Error for a folder in which another process works."""


def _restore(cls: type[FactprobeError], args: tuple[object, ...], state: dict[str, object]) -> FactprobeError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(state)
    return error


def require(*modules: str, extra: str, where: str, called: str | None = None) -> None:
    """Raise a `MissingExtraError` if a module of an extra is missing; nothing is imported.

    `where` is the setting or path that needs the modules, `called` their name in the message.
    """
    from importlib.util import find_spec

    if any(find_spec(module) is None for module in modules):
        verb = "are" if len(modules) > 1 else "is"
        what = f"{called or ' and '.join(modules)} {verb} not installed"
        raise MissingExtraError(what, where=where, extra=extra)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to a mistyped one; None if none is similar."""
    from rapidfuzz import fuzz, process

    best = process.extractOne(name.lower(), list(known), scorer=fuzz.ratio, processor=str.lower, score_cutoff=60)
    return best[0] if best else None
