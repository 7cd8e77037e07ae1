"""Conversion of overrides to Hydra's grammar, which allows few characters; imported only with Hydra."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import suppress
from typing import Any
from urllib.parse import quote, unquote

import yaml
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Quote, QuotedString
from hydra.errors import HydraException

from factprobe.config.explain import HELP
from factprobe.config.yaml_files import from_yaml, key_text
from factprobe.errors import ConfigError
from factprobe.secrecy import refuse_argument

_PLAIN = r"[\w/\-+.%*@?|:]+"
_USUAL = re.compile(rf"[+~]{{0,2}}[a-z_]\w*(?:[/@.]\w+)*=(?:{_PLAIN}(?:,{_PLAIN})*)?", re.ASCII | re.IGNORECASE)
_PART = re.compile(r"\$\{[^{}]*\}|\\.|[^,\\$]+|.", re.DOTALL)
_INTERPOLATION = re.compile(r"\$\{[^{}]*\}")
_ESCAPED = re.compile(r"\\([\\()\[\]{}:=, \t])")
_PIECE = re.compile(
    r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\$\{[^{}]*\}|\\.|[^\[\]{},:])*?)(\s*(?:[\[\]{},:]\s*|$))""", re.DOTALL
)
"""Pattern of a text between brackets, commas and colons, with the character that ends it."""
_WORD = re.compile(r"(?!(?:true|false|null|inf|nan)$)[a-z_][\w-]*", re.ASCII | re.IGNORECASE)
_ENCODED = "@%"
"""Prefix of an encoded key, for keys that Hydra's grammar reads as numbers or rejects; see `decode_keys`."""
_STARTS = ("[", "{", "'", '"')
_LONGEST = 80


def quote_override(override: str) -> str:
    """Quote an override where Hydra's grammar needs it, as for `~` and `é`.

    Lists and mappings may be written as in YAML or JSON, and text between double quotes is read as in both. Keys that
    Hydra cannot read are encoded; `decode_keys` restores them.

    Raises:
        ConfigError: The text is not an override.
    """
    if _USUAL.fullmatch(override):
        return override
    try:
        return _quote_override(override)
    except ConfigError as error:
        broken = error
    refuse_argument(override)  # errors and tracebacks would show a secret
    raise broken


def decode_keys(value: Any) -> Any:
    """Restore encoded keys in a value that Hydra read from an override of `quote_override`."""
    if isinstance(value, list):
        return [decode_keys(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {_decode_key(key): decode_keys(inner) for key, inner in value.items()}


def decode_text(quoted: str) -> str:
    """Restore encoded keys in the text of overrides, for display."""
    return re.sub(rf"(?<=[{{,]){_ENCODED}([^:\s]*)", lambda found: unquote(found[1]), quoted)


def _quote_override(override: str) -> str:
    shown = override if len(override) <= _LONGEST else f"{override[:_LONGEST]}..."
    try:
        override.encode()
        name, equals, value = override.partition("=")
        tidy = f"{name}={_tidy_value(value, shown)}" if value.lstrip().startswith(_STARTS) else override
        tidy.encode()
        if name.strip("+~ ") and _is_read(tidy):
            return tidy
        if name.strip("+~ ") and equals and _is_read(f"{name}=1"):
            again = f"{name}={_quote_value(value, shown)}"
            if _is_read(again):
                return again
            whole = shlex.quote(f"{name}={json.dumps(value, ensure_ascii=False)}")
            hint = HELP if _is_nested(value) else f"to use it as plain text, write {whole}"
            raise ConfigError("the value cannot be read", where=shown, hint=f"close each bracket and quote; {hint}")
    except UnicodeEncodeError as error:
        raise ConfigError("is not UTF-8", where=ascii(shown), hint=HELP) from error
    except RecursionError as error:
        raise ConfigError("is nested too deep", where=shown, hint=HELP) from error
    hint = "put an override with spaces or brackets between single quotes: 'labels={a: x.jsonl}'"
    raise ConfigError("is not of the form SETTING=VALUE", where=shown or "''", hint=hint)


def _is_read(override: str) -> bool:
    try:
        OverridesParser.create().parse_overrides([override])
    except HydraException:
        return False
    return True


def _is_nested(value: str) -> bool:
    return value.lstrip().startswith(("[", "{"))


def _tidy_value(value: str, where: str) -> str:
    """Convert a value with brackets or quotes to one line with single quotes, and with keys that Hydra can read."""
    tidy = ""
    opened: list[set[str] | None] = []
    """Keys of each open mapping so far, or None for an open list."""
    for piece, end in _PIECE.findall(value.lstrip()):
        text, mark = _unquote_text(piece), end.strip()
        if mark == ":" and tidy.rstrip().endswith(("{", ",")) and opened and (keys := opened[-1]) is not None:
            if text in keys:
                raise ConfigError(f"has the key {text!r} twice", where=where, hint="remove one of them")
            keys.add(text)
            tidy += _quote_key(text)
        else:
            tidy += _quote_string(text) if piece.startswith('"') and text != piece else piece
        tidy += re.sub(r"\s+", " ", end)
        if mark in ("[", "{"):
            opened.append(set() if mark == "{" else None)
        elif mark in ("]", "}"):
            opened = opened[:-1]
    return tidy


def _unquote_text(piece: str) -> str:
    """Return the text of a key or value, without quotes, escapes and encoding; invalid JSON is unchanged."""
    if piece[:1] == '"':
        with suppress(ValueError):
            return str(json.loads(piece, strict=False))
        return piece
    if piece[:1] == "'" == piece[-1:]:
        return piece[1:-1].replace("\\'", "'")
    return _decode_key(piece) if piece.startswith(_ENCODED) else key_text(_ESCAPED.sub(r"\1", piece))


def _decode_key(key: Any) -> Any:
    return unquote(key.removeprefix(_ENCODED)) if isinstance(key, str) and key.startswith(_ENCODED) else key


def _quote_key(text: str) -> str:
    return text if _WORD.fullmatch(text) else _ENCODED + quote(text, safe="").replace("~", "%7E")


def _quote_value(value: str, where: str) -> str:
    """Quote a value, or each of several between commas, if Hydra can then read it."""
    if _is_nested(value):
        try:
            loaded = from_yaml(f"[{value}]", where)
        except yaml.YAMLError:
            return value
        return ",".join(map(_format_value, loaded))
    elements = [""]
    for part in _PART.findall(value):
        if part == ",":
            elements.append("")
        else:
            elements[-1] += part
    found = [element.strip() for element in elements]
    brackets = re.search(r"[()\[\]{}]", _ESCAPED.sub("", _INTERPOLATION.sub("", value)))
    if brackets and all("://" in element for element in found):  # IPv6 addresses contain brackets
        return ",".join(map(_quote_string, found))
    if brackets or any(element[:1] in ("", "'", '"') for element in found):
        return value
    return ",".join(one if _is_read(f"x={one}") else _quote_string(_ESCAPED.sub(r"\1", one)) for one in found)


def _format_value(value: Any) -> str:
    """Format a value in Hydra's grammar."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quote_key(k)}:{_format_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_format_value, value)) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _quote_string(value) if isinstance(value, str) else str(value)


def _quote_string(text: str) -> str:
    return QuotedString(text, Quote.single).with_quotes()
