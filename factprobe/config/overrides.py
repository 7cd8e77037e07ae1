"""Overrides of the command line as Hydra's grammar has them, which knows few characters; imported with Hydra only."""

from __future__ import annotations

import re
import shlex
from typing import Any

import yaml
from hydra._internal.grammar.utils import escape_special_characters
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Quote, QuotedString
from hydra.errors import HydraException

from factprobe.config.explain import HELP
from factprobe.config.files import from_yaml
from factprobe.errors import ConfigError
from factprobe.secrecy import refuse_argument

_PLAIN = r"[\w/\-+.%*@?|:]+"
_USUAL = re.compile(rf"[+~]{{0,2}}[a-z_]\w*(?:[/@.]\w+)*=(?:{_PLAIN}(?:,{_PLAIN})*)?", re.ASCII | re.IGNORECASE)
_PART = re.compile(r"\$\{[^{}]*\}|\\.|[^,\\$]+|.", re.DOTALL)
_INTERPOLATION = re.compile(r"\$\{[^{}]*\}")
_ESCAPED = re.compile(r"\\([\\()\[\]{}:=, \t])")
_LONGEST = 80


def spelled(override: str) -> str:
    """An override as Hydra reads it: with quotes around what its grammar has no word for, such as `~` and `é`.

    A list or mapping may also be written as in YAML or JSON.

    Raises:
        ConfigError: it is no override, whatever is put between quotes.
    """
    if _USUAL.fullmatch(override):
        return override
    try:
        return _spelled(override)
    except ConfigError as error:
        broken = error
    refuse_argument(override)  # the error shows it, and so would a traceback of both
    raise broken


def _spelled(override: str) -> str:
    shown = override if len(override) <= _LONGEST else f"{override[:_LONGEST]}..."
    try:
        override.encode()
        name, equals, value = override.partition("=")
        if name.strip("+~ ") and _is_read(override):
            return override
        if name.strip("+~ ") and equals and _is_read(f"{name}=1"):
            again = f"{name}={_quoted(value, shown)}"
            if _is_read(again):
                return again
            whole = shlex.quote(f"{name}={_string(value)}")
            mend = HELP if _is_nested(value) else f"to take it as it stands, write {whole}"
            raise ConfigError("the value cannot be read", where=shown, mend=f"close each bracket and quote; {mend}")
    except UnicodeEncodeError as error:
        raise ConfigError("is not UTF-8", where=ascii(shown), mend=HELP) from error
    except RecursionError as error:
        raise ConfigError("is nested too deep", where=shown, mend=HELP) from error
    mend = "put what has spaces or brackets between single quotes: 'labels={a: x.jsonl}'"
    raise ConfigError("is not of the form SETTING=VALUE", where=shown or "''", mend=mend)


def _is_read(override: str) -> bool:
    try:
        OverridesParser.create().parse_overrides([override])
    except HydraException:
        return False
    return True


def _is_nested(value: str) -> bool:
    return value.lstrip().startswith(("[", "{"))


def _quoted(value: str, where: str) -> str:
    """A value, or several between commas, with quotes where they are needed; itself where that does not help."""
    if _is_nested(value):
        try:
            loaded = from_yaml(f"[{value}]", where)
        except yaml.YAMLError:
            return value
        return ",".join(map(_written, loaded))
    elements = [""]
    for part in _PART.findall(value):
        if part == ",":
            elements.append("")
        else:
            elements[-1] += part
    found = [element.strip() for element in elements]
    brackets = re.search(r"[()\[\]{}]", _ESCAPED.sub("", _INTERPOLATION.sub("", value)))
    if brackets and all("://" in element for element in found):  # as an address of IPv6 has them
        return ",".join(map(_string, found))
    if brackets or any(element[:1] in ("", "'", '"') for element in found):
        return value
    return ",".join(one if _is_read(f"x={one}") else _string(_ESCAPED.sub(r"\1", one)) for one in found)


def _written(value: Any) -> str:
    """What was read from YAML in Hydra's grammar."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{escape_special_characters(str(k))}:{_written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _string(value) if isinstance(value, str) else str(value)


def _string(text: str) -> str:
    return QuotedString(text, Quote.double).with_quotes()
