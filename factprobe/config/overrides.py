"""Conversion of overrides to the grammar of Hydra, which allows few characters; imported only with Hydra."""

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

_UNQUOTED_VALUE = r"[\w/\-+.%*@?|:]+"
_UNQUOTED_OVERRIDE = re.compile(
    rf"[+~]{{0,2}}[a-z_]\w*(?:[/@.]\w+)*=(?:{_UNQUOTED_VALUE}(?:,{_UNQUOTED_VALUE})*)?", re.ASCII | re.IGNORECASE
)
_VALUE_TOKEN = re.compile(r"\$\{[^{}]*\}|\\.|[^,\\$]+|.", re.DOTALL)
_INTERPOLATION = re.compile(r"\$\{[^{}]*\}")
_ESCAPED_CHARACTER = re.compile(r"\\([\\()\[\]{}:=, \t])")
_ELEMENT = re.compile(
    r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\$\{[^{}]*\}|\\.|[^\[\]{},:])*?)(\s*(?:[\[\]{},:]\s*|$))""", re.DOTALL
)
"""Pattern of an element of a list or mapping, and of the bracket, comma or colon after it."""
_PLAIN_KEY = re.compile(r"(?!(?:true|false|null|inf|nan)$)[a-z_][\w-]*", re.ASCII | re.IGNORECASE)
_ENCODED_KEY_PREFIX = "@%"
"""Prefix of an encoded key, which replaces a key that Hydra would reject or read as a number."""
_OPENING_CHARACTERS = ("[", "{", "'", '"')
_MAX_SHOWN_LENGTH = 80


def quote_override(override: str) -> str:
    """Quote the parts of an override that Hydra's grammar would not read, such as `~` and `é`.

    Lists and mappings may be written as in YAML or JSON, with JSON's escapes between double quotes. Keys that Hydra
    cannot read are encoded; `decode_keys` restores them.

    Raises:
        ConfigError: The text is not an override.
    """
    if _UNQUOTED_OVERRIDE.fullmatch(override):
        return override
    try:
        return _quote_override(override)
    except ConfigError as error:
        broken = error
    refuse_argument(override)  # errors and tracebacks would show a secret
    raise broken


def decode_keys(value: Any) -> Any:
    """Restore the keys that `quote_override` has encoded, in a value that Hydra has read."""
    if isinstance(value, list):
        return [decode_keys(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {_decode_key(key): decode_keys(inner) for key, inner in value.items()}


def decode_text(quoted: str) -> str:
    """Restore the keys that `quote_override` has encoded, in the text of overrides, for display."""
    return re.sub(rf"(?<=[{{,]){_ENCODED_KEY_PREFIX}([^:\s]*)", lambda match: unquote(match[1]), quoted)


def _quote_override(override: str) -> str:
    excerpt = override if len(override) <= _MAX_SHOWN_LENGTH else f"{override[:_MAX_SHOWN_LENGTH]}..."
    try:
        override.encode()
        name, equals, value = override.partition("=")
        tidy = f"{name}={_tidy_value(value, excerpt)}" if value.lstrip().startswith(_OPENING_CHARACTERS) else override
        tidy.encode()
        if name.strip("+~ ") and _is_read(tidy):
            return tidy
        if name.strip("+~ ") and equals and _is_read(f"{name}=1"):
            quoted = f"{name}={_quote_value(value, excerpt)}"
            if _is_read(quoted):
                return quoted
            as_text = shlex.quote(f"{name}={json.dumps(value, ensure_ascii=False)}")
            hint = HELP if _is_nested(value) else f"to use it as plain text, write {as_text}"
            raise ConfigError("the value cannot be read", where=excerpt, hint=f"close each bracket and quote; {hint}")
    except UnicodeEncodeError as error:
        raise ConfigError("is not UTF-8", where=ascii(excerpt), hint=HELP) from error
    except RecursionError as error:
        raise ConfigError("is nested too deep", where=excerpt, hint=HELP) from error
    hint = "put an override with spaces or brackets between single quotes: 'labels={a: x.jsonl}'"
    raise ConfigError("is not of the form SETTING=VALUE", where=excerpt or "''", hint=hint)


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
    """For each open bracket, the keys so far if it is a mapping, or None if it is a list."""
    for piece, end in _ELEMENT.findall(value.lstrip()):
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
    """Return the text of a key or value without quotes, escapes and encoding; return invalid JSON unchanged."""
    if piece[:1] == '"':
        with suppress(ValueError):
            return str(json.loads(piece, strict=False))
        return piece
    if piece[:1] == "'" == piece[-1:]:
        return piece[1:-1].replace("\\'", "'")
    return (
        _decode_key(piece) if piece.startswith(_ENCODED_KEY_PREFIX) else key_text(_ESCAPED_CHARACTER.sub(r"\1", piece))
    )


def _decode_key(key: Any) -> Any:
    return (
        unquote(key.removeprefix(_ENCODED_KEY_PREFIX))
        if isinstance(key, str) and key.startswith(_ENCODED_KEY_PREFIX)
        else key
    )


def _quote_key(text: str) -> str:
    return text if _PLAIN_KEY.fullmatch(text) else _ENCODED_KEY_PREFIX + quote(text, safe="").replace("~", "%7E")


def _quote_value(value: str, where: str) -> str:
    """Quote a value, or each of several between commas; return it unchanged if quotes do not make it readable."""
    if _is_nested(value):
        try:
            loaded = from_yaml(f"[{value}]", where)
        except yaml.YAMLError:
            return value
        return ",".join(map(_format_value, loaded))
    elements = [""]
    for part in _VALUE_TOKEN.findall(value):
        if part == ",":
            elements.append("")
        else:
            elements[-1] += part
    stripped = [element.strip() for element in elements]
    brackets = re.search(r"[()\[\]{}]", _ESCAPED_CHARACTER.sub("", _INTERPOLATION.sub("", value)))
    if brackets and all("://" in element for element in stripped):  # IPv6 addresses contain brackets
        return ",".join(map(_quote_string, stripped))
    if brackets or any(element[:1] in ("", "'", '"') for element in stripped):
        return value
    return ",".join(
        element if _is_read(f"x={element}") else _quote_string(_ESCAPED_CHARACTER.sub(r"\1", element))
        for element in stripped
    )


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
