"""Environment variables that affect HTTP calls: API keys, proxies and certificate authorities."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from ssl import SSLCertVerificationError
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import proxy_bypass

from factprobe.errors import ConfigError
from factprobe.secrecy import hide

T = TypeVar("T")
_AUTHORITY_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXY_VARIABLES = ("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


def with_environment(build: Callable[[], T]) -> T:
    """Call a function that builds an HTTP client; explain its failure if environment variables are the cause.

    Raises:
        ConfigError: `build` fails because of variables for proxies or certificates, which the message names.
        Exception: `build` fails for another reason.
    """
    try:
        return build()
    except Exception as error:
        unusable = _unusable_variables(build)
        if not unusable:
            raise
        authorities = [name for name in unusable if name.upper() in _AUTHORITY_VARIABLES]
        names = authorities or unusable  # the error is that of the certificates, which are read first
        values = " and ".join(dict.fromkeys(hide(os.environ[name]) for name in names))
        several, them = ("s", "them") if len(names) > 1 else ("", "it")
        what = f"{'their values' if several else 'its value'} {values} cannot be used: {error}"
        hint = f"set {them} to a readable file of certificates" if authorities else f"write {them} as http://host:port"
        where = f"the environment variable{several} {' and '.join(names)}"
        raise ConfigError(what, where=where, hint=f"{hint}, or unset {them}") from error


def _unusable_variables(build: Callable[[], object]) -> list[str]:
    """Return the variables for proxies and certificates that make `build` fail; empty if it fails without them too."""
    values = {name: os.environ[name] for name in _set_variables(*_AUTHORITY_VARIABLES, *_PROXY_VARIABLES)}
    unusable: list[str] = []
    try:
        for name in values:
            os.environ.pop(name, None)
        if not _succeeds(build):
            return []
        for name, value in values.items():
            os.environ[name] = value
            if not _succeeds(build):
                unusable.append(name)
                os.environ.pop(name)
    finally:
        os.environ.update(values)
    return unusable


def _succeeds(build: Callable[[], object]) -> bool:
    try:
        build()
    except Exception:
        return False
    return True


def environment_hint(error: BaseException, url: str) -> str:
    """Return a hint on environment variables that may be the cause of a failed call; empty if none may be."""
    if any(isinstance(cause, SSLCertVerificationError) for cause in _iterate_causes(error)):
        names = _set_variables(*_AUTHORITY_VARIABLES)
        if names:
            return f"check that {' and '.join(names)} in the environment has the authority of the server's certificate"
        return "set SSL_CERT_FILE in the environment to the file with the authority of the server's certificate"
    address = urlsplit(url)
    names = _set_variables(f"{address.scheme.upper()}_PROXY", "ALL_PROXY")[:1]
    if not names or proxy_bypass(address.hostname or ""):
        return ""
    return f"check the proxy in the environment variable {names[0]}, or unset it"


def _iterate_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _set_variables(*names: str) -> list[str]:
    """Return the names of the given environment variables that are set, each in lower case and then as given."""
    return [form for name in names for form in (name.lower(), name) if os.environ.get(form)]


def read_key(variable: str, setting: str, *, needed: bool = True) -> str | None:
    """Return the API key in an environment variable; None if it is not set and not needed.

    `setting` is the setting that names the variable (`model.api_key_env`), for errors.

    Raises:
        ConfigError: A required variable is not set, or its value cannot be a key.
    """
    key, where = os.environ.get(variable, "").strip(), setting.rpartition(".")[0]
    if not key:
        if not needed:
            return None
        hint = f"export {variable}=..., or set {setting}= to another variable"
        raise ConfigError(f"the environment variable {variable} is not set", where=where, hint=hint)
    if not (key.isascii() and key.isprintable()):
        what = f"the environment variable {variable} has characters that no key has"
        raise ConfigError(what, where=where, hint="set it again")
    return key
