"""Text of `--help`, made from the settings types.

Hydra is not loaded, since that takes longer than making the text. The help of Hydra itself is `--hydra-help`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from factprobe.config import EvaluatorConfig, RunConfig, known_names, load_plugins, resource
from factprobe.config.defaults import (
    COMPONENTS,
    DEFAULT_CHOICES,
    MISSING,
    class_name,
    defaults,
    evaluator_types,
    fields,
    registered_config,
    run_defaults,
    settings_type,
)
from factprobe.config.plugins import plugins_of
from factprobe.errors import EXIT_CODES, UnknownNameError
from factprobe.registry import registry
from factprobe.step_table import ALIASES, STEPS, named_steps, step_choices

_HELP = """\
factprobe asks a language model what a knowledge graph knows, and grades the answers.

Usage: factprobe [SETTING=VALUE ...]      (in a checkout: python run.py [SETTING=VALUE ...])

Steps, each run after those above it:
{steps}

Examples:
  factprobe step=all kg=trex model=smollm2 limit=5
  factprobe step=extract kg=umls kg.data_dir=/data/umls
  factprobe step=all kg=bear model=openai model.model=gpt-4o-mini relations=[P30,P36]
  factprobe -m step=all kg=trex,umls model=smollm2,scripted    runs each combination
  factprobe step=grade input=answers.csv                       grades replies from a file, without a graph
  factprobe step=extract_check input=texts.json kg=trex        checks what texts claim against a graph
  factprobe model=openai --help            shows the settings of that model
  factprobe step=compare --help            shows what that step needs and makes, and its settings, on one screen

Flags: --help, --version, -m (runs each combination), --hydra-help (those of Hydra, which reads the settings)
"""

_CHOICE = re.compile(
    rf"^\+{{0,2}}((?:kg|generator|model|evaluator|compat|{'|'.join(COMPONENTS)}|collect)(?:@[\w.]+)?)=([\w.,-]+)$"
)
_VALUE_LINE = re.compile(r"^(\w+): *(\S.*)$", re.MULTILINE)
_COMPOSED_GROUP = re.compile(r"^ +- /?\w+@(\w+)(?:\.|: (?!null))", re.MULTILINE)
_DEFAULT_CHOICE = re.compile(r"^ +- ((?!experiment)\w+(?:@judge)?): (\w+)$", re.MULTILINE)
_EXTENDED_FILE = re.compile(r"^ +- (\w+)$", re.MULTILINE)
_FROM_ENVIRONMENT = re.compile(r"^\$\{oc\.env:(\w+),null\}$")
_MAX_SETTING_WIDTH = 40
_DEFAULT_WIDTH = 120
"""Width of a line in characters if the output is not a terminal."""
_OTHER_LINES = 9
"""Number of lines above and below the settings of a step, including the shell's prompt."""
_MORE_HELP = "factprobe --help has all steps and settings in full; factprobe model=openai --help those of a choice."
COMMON_SETTINGS = ("output_dir", "strict", "workers", "fail_on_missing", "plugins", "debug")


def help_text(arguments: Sequence[str] = ()) -> str:
    """Return the text of `--help`: all steps, all groups, and the settings of the choices in use.

    If `arguments` name steps, the text has only these steps with their settings, and the choices in the arguments. The
    settings of a step that do not fit on the screen are cut to one line each.

    Raises:
        ConfigError: A plugin cannot be imported.
    """
    load_plugins(plugins_of(arguments))
    steps_named = [*chain.from_iterable(named_steps(arguments))]
    explicit = {match[1]: match[2] for argument in arguments if (match := _CHOICE.match(argument))}
    chosen = _group_choices(steps_named) | explicit
    steps = "\n".join(f"  step={step:<14}  {line}" for step, line in step_choices())
    composed = _run_settings(chosen)
    first = [line for step in steps_named for line in _describe_step(ALIASES.get(step, step), composed)]
    if first:
        return "\n".join([*first, *_describe_choices(explicit), _MORE_HELP])
    lines = [_HELP.format(steps=steps), "Groups, one of each; the one in use here is marked:"]
    for group, name in chosen.items():
        names = sorted({*known_names(group.partition("@")[0]), name} - {""})
        lines.append(f"  {group}=" + " | ".join(f"[{choice}]" if choice == name else choice for choice in names))
    lines += ["", "Settings:", *(line for line, _ in _align_settings([*_list_rows("", RunConfig, _run_settings({}))]))]
    lines += ["", "Exit codes:", *(f"  {code:<3}  {meaning}" for code, meaning in EXIT_CODES.items())]
    return "\n".join([*lines, *_describe_choices(chosen)])


def _describe_step(name: str, settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a step; none for an unknown step or `all`."""
    if name not in STEPS:
        return
    from factprobe.steps.base import load_step  # a step's imports load slowly

    step, screen = load_step(name), get_terminal_size((_DEFAULT_WIDTH, 0))
    rows = step_settings(name, settings)
    lines = [_fill_line(line, screen.columns, column) for line, column in _align_settings(rows)]
    if screen.lines and sum(line.count("\n") + 1 for line in lines) + _OTHER_LINES > screen.lines:
        lines = [*_shorten_settings(rows, screen.columns)]
    yield _fill_line(f"Step {name}: {first_paragraph(step.run)}", screen.columns, 4)
    yield f"  needs: {', '.join(step.needs) or 'no other step'}"
    yield f"  settings, and as for every step {', '.join(COMMON_SETTINGS)}:"
    yield from lines
    yield _fill_line(f"  makes: {', '.join((*step.elsewhere, *step.makes)) or 'no files'}", screen.columns, 9)
    yield ""


def _fill_line(line: str, width: int, indent: int) -> str:
    return fill(line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def _shorten_settings(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Yield a line for each setting, cut to a width; nested settings are only named, in a line below their parent."""
    grouped: dict[str, str] = {}
    names: dict[str, list[str]] = defaultdict(list)
    for setting, text in rows:
        parent, dot, name = setting.partition("=")[0].partition(".")
        if dot and (line := f"{parent}={{...}}") in grouped:
            names[line].append(name)
        else:
            grouped[setting] = text
    for (setting, _), (line, column) in zip(grouped.items(), _align_settings([*grouped.items()]), strict=True):
        yield line if len(line) <= width else line[: width - 3].rpartition(" ")[0] + " ..."
        if setting in names:
            yield _fill_line(" " * column + ", ".join(names[setting]), width, column)


def step_settings(name: str, settings: Mapping[str, Any] | None = None) -> list[tuple[str, str]]:
    """Return the settings (by default the defaults) that a step reads, each as `name=value` with its help."""
    from factprobe.steps.base import load_step  # a step's imports load slowly

    values = settings or _run_settings(_group_choices([name]))
    keys = {_setting_field(key): key for key in values}
    own = {keys[field]: values[keys[field]] for field in load_step(name).settings}
    return [*_list_rows("", RunConfig, own, name)]


def _group_choices(steps: Iterable[str]) -> dict[str, str]:
    """Return the default choice of each group, given the steps to run; empty for a group without one."""
    preset = (resource("conf") / "config.yaml").read_text(encoding="utf-8")
    chosen = {group: name.replace("null", "") for group, name in _DEFAULT_CHOICE.findall(preset)}
    return chosen | {group: choice for step in steps for group, choice in DEFAULT_CHOICES.get(step, {}).items()}


def _run_settings(chosen: Mapping[str, str]) -> dict[str, Any]:
    return {**run_defaults(), **_file_settings("config"), **{group: name or None for group, name in chosen.items()}}


def _setting_field(setting: str) -> str:
    """Return the name of a group's field in `RunConfig`: `judge` for `model@judge`."""
    return setting.rpartition("@")[2]


def _describe_choices(chosen: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines with the settings of each choice; none for unknown ones."""
    for group, choice in chosen.items():
        for name in choice.split(",") if choice and group != "collect" else ():  # a prompt, which has no settings
            if description := choice_settings(group, name):
                yield f"\nSettings of {group}={name}: {description[0]}"
                yield from (line for line, _ in _align_settings(description[1]))


def choice_settings(group: str, name: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the description of a choice, and its settings as `name=value` with their help; None if it is unknown."""
    folder, _, package = group.partition("@")
    prefix, folder = f"{package or folder}.", "evaluator" if folder == "compat" else folder
    values = _file_settings(f"{folder}/{name}")
    if not values:
        try:
            values = registered_config(folder, name)
        except UnknownNameError:
            return None
    settings_class = settings_type(folder, values)
    if settings_class is None:
        return None
    values = {**defaults(settings_class), **values}
    if settings_class is not EvaluatorConfig:
        registered = registry(folder).get(class_name(folder, values))
        return first_paragraph(registered), [*_list_rows(prefix, settings_class, values)]
    del values["settings"]
    types = evaluator_types(msgspec.convert(values, EvaluatorConfig))
    rows = [row for type_ in types for row in _list_rows(f"{prefix}settings.", type_, defaults(type_))]
    return first_paragraph(settings_class), [*_list_rows(prefix, settings_class, values), *rows]


def _file_settings(name: str) -> dict[str, str]:
    """Return the settings in a config file and in the files that it extends, without loading a YAML parser."""
    path = resource("conf") / f"{name}.yaml"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    own = {**dict.fromkeys(_COMPOSED_GROUP.findall(text), "{...}"), **dict(_VALUE_LINE.findall(text))}
    folder = name.rpartition("/")[0]
    bases = [_file_settings(f"{folder}/{base}") for base in _EXTENDED_FILE.findall(text) if base != "_self_"]
    return {key: value for source in (*bases, own) for key, value in source.items()}


def _align_settings(rows: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    """Yield a line for each setting with its help, and the column at which the help begins."""
    width = min(max((len(setting) for setting, _ in rows), default=0), _MAX_SETTING_WIDTH)
    for setting, text in rows:
        yield f"  {setting:{width}}  {text}".rstrip(), max(width, len(setting)) + 4


def _list_rows(prefix: str, cls: type[Struct], values: Mapping[str, Any], step: str = "") -> Iterator[tuple[str, str]]:
    """Yield each setting as `name=value` with its help, required ones first.

    Nested settings follow the setting that contains them. With a step, the help is the first sentence about that step.
    """
    docstrings, types = field_help(cls), {field.name: field.type for field in fields(cls)}
    rows = {name: f"{prefix}{name}={_format_value(value)}" for name, value in values.items()}
    for name, setting in sorted(rows.items(), key=lambda pair: values[pair[0]] != MISSING):
        field = _setting_field(name)
        required = "required: " if values[name] == MISSING else ""
        choices = [*get_args(types[field])] if get_origin(types[field]) is Literal else []
        if step and (names := known_names(name.partition("@")[0])):
            choices = names
        text = _first_sentence(docstrings.get(field, ""), step) if step else docstrings.get(field, "")
        text = (STEPS[step].model if step and field == "model" else "") or text
        yield setting, f"{required}{text}" + (f" ({' | '.join(choices)})" if choices else "")
        if isinstance(inner := types[field], type) and issubclass(inner, Struct) and isinstance(values[name], dict):
            yield from _list_rows(f"{prefix}{name}.", inner, values[name], step)


def _first_sentence(text: str, step: str) -> str:
    """Return the first sentence after `step=<step>` in a help text, or else the first sentence of the text."""
    own = re.search(rf"step={step}\b[^:]*: (.+)", text)
    about = own[1] if own else text
    return re.split(r"(?<=\.) (?=[A-Z`]|step=)", about, maxsplit=1)[0]


def _format_value(value: Any) -> str:
    """Format a value as on the command line."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_format_value, value))}]"
    if value and isinstance(value, dict):
        return "{...}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return "..." if value == MISSING else _FROM_ENVIRONMENT.sub(r"$\1", str(value))


def field_help(struct: type[Struct]) -> dict[str, str]:
    """Return the docstring of each field of a settings type, also of inherited fields."""
    docstrings: dict[str, str] = {}
    for cls in reversed(struct.__mro__):
        if issubclass(cls, Struct) and cls is not Struct:
            docstrings |= _field_docstrings(cls)
    return docstrings


def _field_docstrings(cls: type[Struct]) -> dict[str, str]:
    """Read the docstrings of a class's fields from its source, since Python discards them; empty without source."""
    path = Path(getattr(sys.modules[cls.__module__], "__file__", None) or "")
    text = path.read_text(encoding="utf-8") if path.suffix == ".py" and path.is_file() else ""
    block = re.search(rf"^class {cls.__name__}\b.*?(?=^[^\s)#]|\Z)", text, re.MULTILINE | re.DOTALL)
    if block is None:
        return {}
    [parsed] = ast.parse(block[0]).body
    assert isinstance(parsed, ast.ClassDef)
    docstrings = {}
    for field, below in zip(parsed.body, parsed.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(docstring))):
                docstrings[name] = " ".join(docstring.replace("`", "").split())
    return docstrings


def first_paragraph(documented: Any) -> str:
    """Return the first paragraph of an object's docstring in one line."""
    return " ".join((documented.__doc__ or "").partition("\n\n")[0].replace("`", "").split())
