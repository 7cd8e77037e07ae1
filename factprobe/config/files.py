"""Config files, with an error that names the file and the place. Imported with Hydra only."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from hydra.plugins.config_source import ConfigResult
from omegaconf import OmegaConf
from omegaconf._utils import get_yaml_loader
from omegaconf.errors import OmegaConfBaseException

from factprobe.config.hydra_internals import FileConfigSource
from factprobe.errors import ConfigError
from factprobe.storage import open_utf8, to_utf8

_TEXT, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"
_HINT = "mend it: a config file is YAML in UTF-8, 'name: value' a line, indented by spaces"

_ADDED = 100_000
"""Most values and characters that aliases may add to those of a text."""


def key_text(plain: str) -> str:
    """Return an unquoted key as its JSON text."""
    return plain.lower() if plain.lower() in ("true", "false", "null") else plain


class _Loader(get_yaml_loader()):  # type: ignore[misc]  # a SafeLoader, made anew by each call
    """YAML loader with JSON's keys and texts: every key is a text, and surrogate escapes form one character."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        """Construct a mapping; refuse repeated keys."""
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                key.tag, key.value = _TEXT, key.value if key.style else key_text(key.value)
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        """Construct a text; raise ValueError for half a surrogate pair."""
        return super().construct_scalar(node).encode("utf-16", "surrogatepass").decode("utf-16")


def from_yaml(text: str, where: str) -> Any:
    """Read YAML of plain values without repeated keys or exploding aliases.

    Raises:
        yaml.YAMLError: it is none.
        ConfigError: a value does not fit its tag, of which PyYAML's constructors raise what they happen to meet; or
            the aliases stand for too much.
    """
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is not None and _size(node, {}) > len(text) + _ADDED:
            hint = "name fewer, or write out what is meant"
            raise ConfigError("holds aliases (*name) of aliases that stand for too much", where=where, hint=hint)
        return None if node is None else loader.construct_document(node)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        what = "holds a value that cannot be read, by its tag (such as !!int), its escapes or its length"
        raise ConfigError(what, where=where, hint="leave out the tag, or put the value between quotes") from error


_read = lru_cache(maxsize=128)(from_yaml)
"""Cached read of a config file, which every job of a sweep composes again; callers copy the result."""


def _size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """Count the values and characters of a node, repeated by aliases; recursive nodes are refused elsewhere."""
    if id(node) not in sizes:
        sizes[id(node)] = 0
        match node:
            case yaml.ScalarNode():
                size = len(node.value)
            case yaml.MappingNode():
                size = sum(_size(part, sizes) for pair in node.value for part in pair)
            case _:
                size = sum(_size(part, sizes) for part in node.value)
        sizes[id(node)] = 1 + size
    return sizes[id(node)]


class Files(FileConfigSource):
    """A folder of config files."""

    def is_config(self, config_path: str) -> bool:
        """Return whether the path exists; `load_config` reports folders and broken links."""
        return os.path.lexists(self.file(config_path))

    def load_config(self, config_path: str) -> ConfigResult:
        """Read a config file.

        Raises:
            DataError: it cannot be read, or is in another encoding.
            ConfigError: it is no mapping in YAML.
        """
        path = self.file(config_path)
        with open_utf8(path) as file:
            content = file.read()
        try:
            text = content.decode()
            loaded = _read(text, str(path))
            if not isinstance(loaded, dict | None):
                raise ConfigError(f"holds a {type(loaded).__name__}, not settings", where=path, hint=_HINT)
            return ConfigResult(
                self.provider, self.full_path(), OmegaConf.create(loaded or {}), self._get_header_dict(text[:512])
            )
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ConfigError("is not UTF-8", where=f"{path}:{line}", hint=to_utf8(path.name)) from error
        except RecursionError as error:
            raise ConfigError("is nested too deep", where=path, hint=_HINT) from error
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
            raise ConfigError(f"is broken: {error.problem}", where=where, hint=_HINT) from error
        except (yaml.YAMLError, OmegaConfBaseException, ValueError) as error:
            raise ConfigError(f"is broken: {error}", where=path, hint=_HINT) from error

    def file(self, config_path: str) -> Path:
        """Return the path of a config's file."""
        return Path(self.path, self._normalize_file_name(config_path))
