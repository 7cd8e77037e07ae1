"""Errors for settings that contain secrets, and removal of secrets from texts."""

from __future__ import annotations

import os
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from factprobe.errors import FETCH_BY_HAND, ConfigError

_STARS = "***"
_MIN_HALVED = 24
"""Minimum length of a secret that is also found by its first or last 12 characters, since libraries truncate it."""
_MIN_LENGTH = 8
"""Minimum length of a secret; shorter values such as `none` or `EMPTY` may be ordinary words."""

_SECRET = re.compile(
    r"(api_?key|(access|account|auth|master|private|secret|shared|signing|subscription)_?key(_?id)?|authori[sz]ation|cookie"
    r"|credential|pass_?(word|wd|phrase)|secret"
    r"|(access|(?<![a-z])ad|api|auth|bearer|hf|hub|login|refresh|security|session)_?token)s?$"
)
"""Pattern of names of settings and environment variables whose values are secret."""
_QUALIFIED = re.compile(rf"(?:{_SECRET.pattern.removesuffix('$')}|pass)(_[a-z0-9]+)+$")
"""Pattern of a secret name with a suffix, such as `API_KEY_PROD`; a value counts only if it looks like a key."""
_AMBIGUOUS = re.compile(r"(^|_)(auth|bearer|jwt|pwd|token|(?P<key>key))$|pass$")
"""Pattern of names whose values may be secret, such as `token`; a value counts only if it looks like a key."""
_SECRET_VARIABLE = re.compile(r"(^|_)(creds?|pat|pw|(?<!desktop_)session)$")
"""Pattern of names that are secret only for environment variables, since they have other meanings in settings."""
_LIKE_A_KEY = re.compile(r"(?=.*\d)[\w~+=-]{8,}|[A-Za-z0-9]{20,}")
_SPECIAL_TOKEN = re.compile(r"[a-z]{1,15}(_[a-z]{1,15})*(_\d{1,5})*", re.IGNORECASE)
"""Pattern of special tokens of tokenizers, such as `image_0001` or `reserved_special_token_250`."""
_SCHEMA_KEYS = ("properties", "definitions", "$defs")
"""Keys of a JSON schema under which the keys are names of properties."""
_PLACEHOLDER_KEYS = {"", "-", "dummy", "empty", "no-key", "none", "not-needed", "null"}
_PLACEHOLDER_KEYS |= {"lm-studio", "local", "no-key-required", "ollama", "sk-no-key-required", "test", "token-abc123"}
"""Texts that manuals of servers without keys give in place of a key."""
_MAX_WORD_LENGTH = 15

_VARIABLE_OF = re.compile(r"(key|token|secret|password)_env$")
_VARIABLE = re.compile(r"(?!.*[A-Z0-9]{20})[A-Z_][A-Z0-9_]*")
_ADDRESS_OF = re.compile(r"(^|_)((base|api|endpoint)_url|api_base)$")
_LOGIN = re.compile(r"://[^\s/?#@]*@")
_PASSWORD = re.compile(r"://[^\s/?#@:]*:([^\s@]+)@")
_ACCESS_NAME = re.compile("^(auth|bearer|jwt|key|pwd|sig|token)$|signature$", re.IGNORECASE)
"""Pattern of names of query parameters that grant access, whatever their value."""
_QUERY = re.compile(r"[?&]([\w.~-]+)=([^\s&#]+)")
_KEY = re.compile(
    r"(?<![\w-])((?:sk-|gsk_|hf_|gh[op]_|github_pat_|glpat-|xai-|pplx-|r8_|AIza|AKIA|ASIA)"
    r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z0-9]{16})[\w-]+"
    r"|eyJ[\w-]{8,}\.eyJ[\w.-]{8,}|(?i:bearer)\s+(?=\S*\d)(?:[\w.~+/=]{8,}|[\w.~+/=-]{20,})|(?i:basic)\s+(?=\S*\d)[\w+/=]{16,})"
)
"""Pattern of keys in the formats of known providers."""
_QUOTED = re.compile(r"%[0-9a-fA-F]{2}")
_SETTING = re.compile(r"[+~]{0,2}(\w+(?:\.\w+)+)=")
_ASSIGNMENT = re.compile(r"""(?<![\w@.-])([\w@.-]+)["']?\s*[:=][\s{\["']*(?=([^\s,{}\[\]"']+))""")

_SWEEPS, _LAUNCHER = "hydra.sweeper.params.", "hydra.launcher."
"""Prefixes of settings of Hydra that contain several values of one setting, or shell commands."""

_WRITTEN = "settings are written to files and must not contain a key"
_PUT = "put the key into an environment variable and set its name with"
_HINTS = {
    "kg.archive.": FETCH_BY_HAND,
    "fetch.": FETCH_BY_HAND,
    "kg.": f"{_PUT} kg.token_env",
    "retriever.": f"{_PUT} retriever.api_key_env",
    "": f"{_PUT} model.api_key_env; litellm reads the variable of the provider by itself",
}
"""Hint for a key in a setting, by prefix of the setting."""

_named: set[str] = set()
"""Environment variables that settings have named as the source of a key."""


def refuse(settings: Any, where: str = "") -> None:
    """Raise a `ConfigError`, which does not show it, if settings have a secret, or an address that may have one.

    `where` is the name of the setting whose value is `settings`; it is empty for all settings.
    """
    leaves = list(_leaves(settings, where))
    _named.update(text for path, text in leaves if _VARIABLE_OF.search(_words(path)) and _VARIABLE.fullmatch(text))
    hide_secrets = make_hider()
    for path, text in leaves:
        fault, assignment = _fault(path, text), f"{path}={text}"
        if fault is None and hide_secrets(assignment) != assignment:
            fault = _explain_environment_secret(assignment)
        if fault is not None:
            raise ConfigError(fault[0], where=hide_secrets(_KEY.sub(_STARS, path)) or "the settings", hint=fault[1])


def refuse_argument(text: str) -> None:
    """Raise a `ConfigError` if an argument of the command line has a secret, even if it is no valid setting."""
    faults = (_fault(path, value) for path, value in _ASSIGNMENT.findall(text))
    has_secret = re.search(r"://\S*@", text) or any(faults) or _KEY.search(text)
    if has_secret or hide(text) != text:
        setting = _SETTING.match(text)
        where = setting[1] if setting and not _KEY.search(setting[1]) else "the command line"
        what, hint = (_WRITTEN, _hint(where)) if has_secret else _explain_environment_secret(text)
        raise ConfigError(what, where=hide(where), hint=hint)


def hide(text: str) -> str:
    """Replace the secrets of the environment in a text by stars, also where they are encoded."""
    return make_hider()(text)


def make_hider() -> Callable[[str], str]:
    """Return a function that hides secrets in texts and looks them up in the environment only once."""
    secrets = tuple(sorted(_secrets(), key=len, reverse=True))
    return lambda text: _pattern(secrets, _is_escaped(text)).sub(_STARS, text)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of each plain value in settings; the items of a list have the path of the list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, path)
    elif value not in (None, "???") and not isinstance(value, bool):
        yield from ((path, part) for part in (str(value).split(",") if path.startswith(_SWEEPS) else [str(value)]))
        if path.startswith(_LAUNCHER):
            yield from ((f"{path}.{name}", assigned) for name, assigned in _ASSIGNMENT.findall(str(value)))


@lru_cache(maxsize=4096)  # the same settings are checked when given, composed and written
def _fault(path: str, text: str) -> tuple[str, str] | None:
    """Return error and hint for a setting whose value is secret or may contain a secret; None if it is neither."""
    name = _words(path)
    if _VARIABLE_OF.search(name):
        if text.startswith("${") or _VARIABLE.fullmatch(text):
            return None
        what = "is not the name of an environment variable in capitals; a key would be written to files"
        return what, "set the name of the variable, such as OPENAI_API_KEY"
    if _is_secret(name, text) or _is_below_secret(path, text) or _KEY.search(text) or _KEY.search(path):
        return _WRITTEN, _hint(path)
    is_address = _ADDRESS_OF.search(name) and "${" not in text
    keys = (key for key, value in _QUERY.findall(text) if _ACCESS_NAME.search(key) or _is_secret(_words(key), value))
    if any(keys) or _LOGIN.search(text) or (is_address and re.search("[@?#]", text)):
        what = "an address is written to files and must not contain a key"
        return what, f"remove user, password{', query and fragment' if is_address else ' and key'}; {_hint(path)}"
    if is_address and not _is_address(text):
        return "is not the address of an endpoint", "write it as http://127.0.0.1:8000/v1"
    return None


def _hint(path: str) -> str:
    """Return the hint for a key in a setting."""
    setting = path.removeprefix(_SWEEPS)
    return next(hint for above, hint in _HINTS.items() if setting.startswith(above))


def _explain_environment_secret(text: str) -> tuple[str, str]:
    """Return error and hint for a text that contains a secret of the environment."""
    escaped = _is_escaped(text)
    variable = next(name for secret, name in _secrets().items() if _pattern((secret,), escaped).search(text))
    hint = f"remove it; or, if {variable} is not a secret, unset or rename this variable"
    return f"must not contain the key in {variable}: settings are written to files", hint


def _is_address(text: str) -> bool:
    """Return whether a text can be the address of an endpoint; otherwise it may be a key in the wrong place."""
    try:
        address = urlsplit(text)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:
        return False


def _is_secret(name: str, text: str) -> bool:
    """Return whether a value is secret according to the name of its setting."""
    if text.strip().lower() in _PLACEHOLDER_KEYS:
        return False
    if _SECRET.search(name):
        return True
    if _QUALIFIED.search(name):
        return _is_like_a_key(text)
    if name.endswith("_token") and _SPECIAL_TOKEN.fullmatch(text):
        return False
    match = _AMBIGUOUS.search(name)
    min_length = _MIN_HALVED if match and match["key"] else 0  # `key` often means one of a cache or table
    return bool(match and len(text) >= min_length and _LIKE_A_KEY.fullmatch(text))


def _is_like_a_key(text: str) -> bool:
    """Return whether a text looks like a key and is not a number."""
    return not text.isdecimal() and _LIKE_A_KEY.fullmatch(text) is not None


def _is_below_secret(path: str, text: str) -> bool:
    """Return whether a value is inside a mapping that has a secret name."""
    names = path.split(".")
    return any(
        above not in _SCHEMA_KEYS and _is_secret(_words(name), text)
        for above, name in zip(["", *names], names[:-1], strict=False)
    )


@lru_cache(maxsize=4096)
def _words(path: str) -> str:
    """Return the last name in the path of a setting in snake case: `api_key` for `model.headers.Api-Key`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+", "_", path.rpartition(".")[2]).lower()


def _secrets() -> dict[str, str]:
    """Return the secrets in the environment, each with the name of its variable.

    Secrets are the values of variables that a setting has named as the source of a key, values of variables with secret
    names unless they are words or existing absolute paths, and passwords in addresses such as those of proxies. A
    password that is a word is found only where it follows a colon and precedes an `@`.
    """
    secrets = {}
    for variable, raw_value in os.environ.items():
        value, name = raw_value.strip(), _words(variable)
        patterns = [_SECRET, _SECRET_VARIABLE] if value.isalpha() else [_SECRET, _SECRET_VARIABLE, _AMBIGUOUS]
        has_secret_name = any(pattern.search(name) for pattern in patterns)
        has_secret_name |= _QUALIFIED.search(name) is not None and _is_like_a_key(value)
        is_key = variable in _named or (has_secret_name and not _is_word(value) and not _is_path(value))
        if is_key and value.lower() not in _PLACEHOLDER_KEYS:
            secrets[value] = variable
        if login := _PASSWORD.search(value):
            password = login[1]
            spellings = [f":{password}@"] if _is_word(password) else [password, unquote(password)]
            secrets.update(dict.fromkeys(spellings, variable))
    return {secret: variable for secret, variable in secrets.items() if len(secret) >= _MIN_LENGTH}


def _is_path(text: str) -> bool:
    """Return whether a text is an existing absolute path; a relative name may be a key."""
    return Path(text).is_absolute() and os.access(text, os.F_OK)


def _is_word(text: str) -> bool:
    """Return whether a text is an ordinary word or name, such as `template` or `true_false`."""
    one_case = text in (text.lower(), text.upper(), text.capitalize())
    return one_case and text.replace("_", "").isalpha() and len(text) <= _MAX_WORD_LENGTH


def _is_escaped(text: str) -> bool:
    """Return whether a text may contain escaped characters; the search for these is slower."""
    return "\\" in text or "&" in text or ("%" in text and bool(_QUOTED.search(text)))


@cache
def _pattern(secrets: tuple[str, ...], escaped: bool) -> re.Pattern[str]:
    """Return a pattern of secrets in plain form, hexadecimal and base64; with `escaped` also of their escaped forms."""
    return re.compile("|".join(form for secret in secrets for form in _forms(secret, escaped)) or "(?!)")


def _forms(secret: str, escaped: bool) -> Iterator[str]:
    """Yield patterns of a secret and of its encodings; with `escaped` they match escaped characters as well."""
    write = _character if escaped else re.escape
    characters = [write(character) for character in secret]
    yield "".join(characters)
    if len(secret) >= _MIN_HALVED:
        yield "".join(characters[: _MIN_HALVED // 2]) + r"[\w.~+/=-]*"
        yield "".join(characters[-_MIN_HALVED // 2 :])
    encoded = secret.encode(errors="surrogateescape")
    hexadecimal = re.sub("[a-f]", lambda digit: f"[{digit[0]}{digit[0].upper()}]", encoded.hex(" "))
    yield hexadecimal.replace(" ", r"(?:,?\s?(?:0x)?|[:-])")  # 736b, 73 6b, 73:6b, 0x73, 0x6b
    line_end = r"(?:\s|\\{1,4}[rn]|%0[aAdD])*" if escaped else r"\s*"
    for before in range(3):  # in base64, bytes before the secret, such as a user name, shift its bits
        bits = 8 * (before + len(encoded))
        for whole in dict.fromkeys(alphabet(bytes(before) + encoded) for alphabet in (b64encode, urlsafe_b64encode)):
            inner = whole.decode()[-(-8 * before // 6) : bits // 6]
            parts = (character if character.isalnum() else write(character) for character in inner)
            yield line_end.join(parts) + line_end + (r"[\w+/-]?" if bits % 6 else "") + "={0,2}"


def _character(character: str) -> str:
    """Return a pattern of one character in all its escaped forms."""
    from html import escape

    code = ord(character)
    encoded = character.encode(errors="surrogateescape")
    forms = [
        re.escape(character),
        *([] if character.isalnum() else [rf"\\{{1,4}}{re.escape(character)}"]),
        "".join(f"%(?:25){{0,2}}(?i:{byte:02x})" for byte in encoded),
        "".join(rf"\\{{1,4}}(?:x(?i:{byte:02x})|{byte:03o})" for byte in encoded),
        rf"\\{{1,4}}(?:[uU](?:0000)?(?i:{code:04x})|u\{{0*(?i:{code:x})\}}|x(?i:{code:02x})|{code:03o})",
        f"&(?:amp;){{0,2}}#(?:0*{code}|[xX]0*(?i:{code:x}));?",
        *([] if escape(character) == character else [re.escape(escape(character))]),
    ]
    return f"(?:{'|'.join(forms)})"
