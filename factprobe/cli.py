"""The command line: Hydra composes the settings, the pipeline runs them, and every error is one line."""

from __future__ import annotations

import gc
import io
import logging
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from factprobe.config import explain, from_omegaconf, known_names, load_plugins, resource
from factprobe.errors import FactprobeError

if TYPE_CHECKING:
    from omegaconf import DictConfig

_HELP = """\
factprobe asks a language model what a knowledge graph knows, and grades the answers.

Usage: factprobe [SETTING=VALUE ...]      (in a checkout: python run.py [SETTING=VALUE ...])

Steps, each run after those above it:
  step=extract     triplets and relation summaries from a graph
  step=generate    questions from the triplets
  step=answer      a model's responses; goes on where it was stopped
  step=evaluate    grades of the responses
  step=report      the score table, scores.csv, scores.json and report.html
  step=all         all of them (the default)

Examples:
  factprobe step=all kg=trex model=smollm2 limit=5
  factprobe step=extract kg=umls kg.data_dir=/data/umls
  factprobe step=all kg=bear model=openai model.model=gpt-4o-mini relations=[P30,P36]
  factprobe model=openai --help            shows the settings of that model
"""

_CHOICE = re.compile(r"^\+{0,2}(kg|generator|model|evaluator)=([\w.,-]+)$")
_PLUGINS = re.compile(r"^\+{0,2}plugins=\[?([^\]]*)\]?$")
_DEBUG = re.compile(r"^\+{0,2}debug=(true|yes|on|1)$", re.IGNORECASE)


def main() -> None:
    """Runs `factprobe` or `python run.py`; exit code 2 on an error that the user can mend, 130 on Ctrl-C."""
    arguments = sys.argv[1:]
    gc.set_threshold(100_000)  # the steps make millions of small records and hardly a cycle to collect
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without an arrow shows a question mark
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    if {"--help", "-h"}.intersection(arguments):
        print(help_text(arguments))
        return
    try:
        _offer_plugins(arguments)
        _hydra()
    except BrokenPipeError:  # whoever reads the output has had enough, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        _end("stopped; what was answered is kept, the same command goes on from there", 130)
    except Exception as error:
        if any(_DEBUG.match(argument) for argument in arguments):
            traceback.print_exc()
        elif not _is_expected(error):
            raise
        _end(f"error: {error if isinstance(error, FactprobeError) else _one_line(error)}", 2)


def help_text(arguments: Sequence[str] = ()) -> str:
    """What `--help` prints: the steps, the groups, and the config files that apply, with their comments.

    Hydra's own help would load all of Hydra and drop the comments; `--hydra-help` still gives it.
    """
    chosen = {"kg": "trex", "generator": "template", "model": "smollm2", "evaluator": "rules"}
    chosen.update((found[1], found[2]) for argument in arguments if (found := _CHOICE.match(argument)))
    lines = [_HELP, "Groups, one of each; the one in use here is marked:"]
    for group, name in chosen.items():
        names = sorted({*known_names(group), name})
        lines.append(f"  {group}=" + " | ".join(f"[{known}]" if known == name else known for known in names))
    for file in ["config", *(f"{group}/{name}" for group, name in chosen.items())]:
        path = resource("conf") / f"{file}.yaml"
        if path.is_file():
            prefix = file.partition("/")[0] + "." if "/" in file else ""
            lines += ["", f"Settings {prefix}* (conf/{file}.yaml):" if prefix else "Settings (conf/config.yaml):"]
            lines += [f"  {line}" for line in _settings_of(path.read_text(encoding="utf-8"))]
    return "\n".join(lines)


def _settings_of(text: str) -> list[str]:
    """The settings and comments of a config file, without what only Hydra reads."""
    blocks = re.split(r"\n(?=\S)", text.strip())
    return [
        line for block in blocks if not block.startswith(("defaults:", "hydra:")) for line in block.rstrip().split("\n")
    ]


def _hydra() -> None:
    import hydra

    stopped: list[BaseException] = []

    @hydra.main(config_path=str(resource("conf")), config_name="config", version_base="1.3")
    def run(config: DictConfig) -> None:
        from factprobe.pipeline import run as run_pipeline

        try:
            run_pipeline(from_omegaconf(config))
        except (Exception, KeyboardInterrupt) as error:  # kept from Hydra, which would print about it
            stopped.append(error)

    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors in composing the config come through as exceptions
    run()
    if stopped:
        raise stopped[0]


def _offer_plugins(arguments: list[str]) -> None:
    """Makes `kg=mykg` work for a class from `plugins=[...]` or an entry point that has no config file of its own."""
    for argument in arguments:
        if found := _PLUGINS.match(argument):
            load_plugins([name.strip(" '\"") for name in found[1].split(",") if name.strip()])
    for argument in arguments:
        if found := _CHOICE.match(argument):
            for name in set(found[2].split(",")) - set(known_names(found[1])):
                _offer(found[1], name)


def _offer(group: str, name: str) -> None:
    from hydra.core.config_store import ConfigStore

    from factprobe.build import default_settings
    from factprobe.errors import UnknownNameError

    try:
        node: Any = default_settings(group, name)
    except UnknownNameError:
        return  # a config file of the user's own may have this name; if none has, Hydra says so
    ConfigStore.instance().store(group=group, name=name, node=node)


def _is_expected(error: Exception) -> bool:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    return isinstance(error, FactprobeError | HydraException | OmegaConfBaseException | OSError)


def _one_line(error: Exception) -> str:
    from hydra.errors import HydraException

    if isinstance(error, OSError) and not isinstance(error, HydraException):
        return f"{error.filename or 'a file'}: {error.strerror or error}"
    return str(explain(error))


def _end(message: str, code: int) -> None:
    print(f"factprobe: {message}", file=sys.stderr)
    sys.exit(code)
