"""Entry point of the command line: compose the settings, run the pipeline, print each error as one line."""

from __future__ import annotations

import gc
import os
import re
import sys
import traceback
from collections.abc import Iterable, Sequence
from typing import NoReturn

from factprobe.asking.interrupts import EXIT_CODE, STOPPED, ignore_interrupts
from factprobe.cli.process import error_line, exit_code, is_interrupt, print_missing, set_up, show_traceback
from factprobe.config import compose, from_omegaconf, resource
from factprobe.errors import ConfigError, FactprobeError
from factprobe.progress import say
from factprobe.secrecy import refuse_argument

_DEBUG = re.compile(r"^\+{0,2}debug=(true|yes|on|1)$", re.IGNORECASE)
_UNPICKLING_FLAG = "--experimental-rerun"
"""Hydra's flag that unpickles an earlier run; it may be abbreviated."""
_FLAGS_HINT = "factprobe --hydra-help lists the flags"
_DASHED_SETTING = re.compile(r"-(?!c[dnp]=)[a-z][\w.@/]+=", re.IGNORECASE)
"""Pattern of a setting after a dash (`-model=x`), whose first letter Hydra would take for a flag."""


def main() -> None:
    """Run the command `factprobe`; `factprobe.errors.EXIT_CODES` lists the exit codes."""
    arguments = sys.argv[1:]
    set_up()
    try:
        if not arguments or {"--help", "-h"}.intersection(arguments):  # without arguments no exam is run
            from factprobe.cli.help import help_text

            text = help_text(arguments)
            gc.freeze()  # as `_run_single` does
            say(text)
        elif "--version" in arguments:
            from factprobe import __version__

            say(f"factprobe {__version__}")
        # Hydra's own main composes twice and loads every launcher, which takes longer than many steps.
        elif not any(argument.startswith("-") or "hydra" in argument for argument in arguments):
            _run_single(arguments)
        else:
            _check_flags(argument for argument in arguments if argument.startswith("-"))
            _run_hydra()
    except BrokenPipeError:  # the reader of the output, such as `head`, has ended
        _discard_output()
        sys.exit(1)
    except KeyboardInterrupt:
        _exit_interrupted()
    except Exception as error:
        if is_interrupt(error):
            _exit_interrupted()
        line = error_line(error)
        if line is None:
            raise
        if any(_DEBUG.match(argument) for argument in arguments):
            show_traceback(type(error), error, None)
        _exit_with_error(f"error: {line}", exit_code(error))


def _exit_interrupted() -> NoReturn:
    ignore_interrupts()
    say(STOPPED, sys.stderr)
    sys.exit(EXIT_CODE)


def _check_flags(flags: Iterable[str]) -> None:
    """Raise a `ConfigError` if a flag has a secret, is a setting after a dash, or makes Hydra load a pickle."""
    for flag in flags:
        refuse_argument(flag)  # before an error shows it
        if _DASHED_SETTING.match(flag):
            raise _unknown_flag_error(flag)
        name = flag.partition("=")[0]
        if len(name) > 2 and _UNPICKLING_FLAG.startswith(name):
            raise ConfigError("loads a pickle, which may run anything", where=name, hint="give the settings themselves")


def _move_flags_last(arguments: Sequence[str]) -> list[str]:
    """Move all settings before the flags, since Hydra rejects settings on both sides of a flag.

    Raises:
        ConfigError: A flag is unknown, or lacks its value.
    """
    from factprobe.config.hydra_internals import get_args_parser

    def refuse(message: str) -> NoReturn:
        if unknown := re.search(
            r"unrecognized arguments: (\S+)|(?:ambiguous option: |explicit argument )(\S+)", message
        ):
            raise _unknown_flag_error(unknown[1] or unknown[2])
        raise ConfigError(message, hint=_FLAGS_HINT)

    parser = get_args_parser()
    parser.error = refuse  # type: ignore[method-assign]  # its only hook
    settings = parser.parse_intermixed_args(arguments).overrides
    flags = list(arguments)
    for setting in settings:
        flags.remove(setting)
    return [*settings, *flags]


def _unknown_flag_error(flag: str) -> ConfigError:
    name, _, value = flag.lstrip("-").partition("=")
    setting = f"{name.replace('-', '_')}={value or '...'}"
    return ConfigError(f"{flag} is no flag", hint=f"settings are written without dashes: {setting}; {_FLAGS_HINT}")


def _run_single(arguments: Sequence[str]) -> None:
    from factprobe.pipeline import run

    try:
        config = from_omegaconf(compose(arguments, from_shell=True))
    finally:
        gc.freeze()  # collecting objects that live until the end takes longer than a small step
    print_missing(run(config))


def _run_hydra() -> None:
    import hydra

    from factprobe.cli.sweeps import Job, Sweep
    from factprobe.config.loader import install

    install()
    os.environ["HYDRA_FULL_ERROR"] = "1"  # raise errors of composition instead of printing them
    _offer_launchers()
    sys.argv[1:] = _move_flags_last(sys.argv[1:])
    job = Job()
    with Sweep(job.started) as sweep:
        try:
            hydra.main(config_path=str(resource("conf")), config_name="config", version_base="1.3")(job)()
        except Exception as error:
            if not sweep.has_begun and isinstance(error, ValueError) and _is_of_hydra(error):
                raise ConfigError(str(error), hint=_FLAGS_HINT) from error  # flags that exclude each other
            if not sweep.has_begun or error_line(error):
                raise
            what = f"the launcher gave up: {type(error).__name__}: {error}"
            raise FactprobeError(what, hint="the same command resumes; debug=true shows the traceback") from error
    if job.stopped:
        raise job.stopped[0]
    if summary := sweep.summary():
        say(summary)
    if failures := sweep.failures():
        _exit_with_error(*failures)
    print_missing(sweep.unanswered_line())


def _is_of_hydra(error: Exception) -> bool:
    """Return whether Hydra's own code raised an error."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return str(frame.f_globals.get("__name__")).startswith("hydra.")


def _offer_launchers() -> None:
    """Make the settings in `conf/launcher` replace the defaults of the installed launchers.

    Files in `conf/hydra/launcher` would have the same effect, but Hydra warns about each.
    """
    from hydra.core.config_store import ConfigStore
    from hydra.core.plugins import Plugins
    from omegaconf import OmegaConf

    Plugins.instance()  # registers the defaults of each installed launcher
    store = ConfigStore.instance()
    for path in (resource("conf") / "launcher").glob("*.yaml"):
        if path.name in store.list("hydra/launcher"):
            stored = store.load(f"hydra/launcher/{path.name}")
            node = OmegaConf.merge(stored.node, OmegaConf.load(path))
            store.store(path.stem, node, "hydra/launcher", stored.package, stored.provider)


def _discard_output() -> None:
    """Send what is still buffered for stdout to the null device, since Python would fail on it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_with_error(message: str, code: int) -> None:
    say(f"factprobe: {message}", sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    sys.exit(code)
