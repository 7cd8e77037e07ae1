"""Search and reading of config files, with errors that name file and line; imported only with Hydra."""

from __future__ import annotations

import os
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import yaml
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import OmegaConf
from omegaconf._utils import get_yaml_loader
from omegaconf.errors import GrammarParseError, OmegaConfBaseException

from factprobe.config.explain import ESCAPE_HINT
from factprobe.config.hydra_internals import ConfigRepository, FileConfigSource
from factprobe.errors import ConfigError
from factprobe.storage import open_utf8, to_utf8

_TEXT, _MERGE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"
_HINT = "fix it: a config file is YAML in UTF-8, with 'name: value' on each line, indented by spaces"

_MAX_ALIAS_SIZE = 100_000
"""Maximum number of values and characters that aliases may add to a document."""


def key_text(plain: str) -> str:
    """Return the text of an unquoted key, with true, false and null in lower case, as in JSON."""
    return plain.lower() if plain.lower() in ("true", "false", "null") else plain


class _JsonLikeLoader(get_yaml_loader()):  # type: ignore[misc]  # each call makes a new SafeLoader class
    """YAML loader that reads keys and texts as JSON does: keys are texts, and surrogate pairs form one character."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        """Construct a mapping; raise an error for a repeated key."""
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                key.tag, key.value = _TEXT, key.value if key.style else key_text(key.value)
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        """Construct a scalar; raise ValueError for a lone surrogate in a text."""
        return super().construct_scalar(node).encode("utf-16", "surrogatepass").decode("utf-16")


def from_yaml(text: str, where: str) -> Any:
    """Read YAML with plain values only.

    Raises:
        yaml.YAMLError: The text is not YAML, or repeats a key.
        ConfigError: A value does not fit its tag, or aliases expand too far.
        RecursionError: The values are nested too deep.
    """
    try:
        loader = _JsonLikeLoader(text)
        node = loader.get_single_node()
        if node is not None and _node_size(node, {}) > len(text) + _MAX_ALIAS_SIZE:
            hint = "write the values in place of the aliases"
            raise ConfigError("has aliases (*name) of aliases that expand too far", where=where, hint=hint)
        return None if node is None else loader.construct_document(node)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        what = "has a value that cannot be read, because of its tag (such as !!int), its escapes or its length"
        raise ConfigError(what, where=where, hint="remove the tag, or put the value between quotes") from error


_read_cached = lru_cache(maxsize=128)(from_yaml)
"""Reader with a cache, since the jobs of a sweep read the same files; callers must copy the result."""


def _node_size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """Count the values and characters of a node with its aliases expanded; recursion counts as 0."""
    if id(node) not in sizes:
        sizes[id(node)] = 0
        match node:
            case yaml.ScalarNode():
                size = len(node.value)
            case yaml.MappingNode():
                size = sum(_node_size(part, sizes) for pair in node.value for part in pair)
            case _:
                size = sum(_node_size(part, sizes) for part in node.value)
        sizes[id(node)] = 1 + size
    return sizes[id(node)]


class ConfigFiles(FileConfigSource):
    """Hydra's config source for a folder of config files."""

    def is_config(self, config_path: str) -> bool:
        """Return whether something exists at a path; `load_config` reports folders and broken links."""
        return os.path.lexists(self.file(config_path))

    def load_config(self, config_path: str) -> ConfigResult:
        """Read a config file; raise a `DataError` if it is unreadable, a `ConfigError` if it is no YAML mapping."""
        path = self.file(config_path)
        with open_utf8(path) as file:
            content = file.read()
        try:
            text = content.decode()
            loaded = _read_cached(text, str(path))
            if not isinstance(loaded, dict | None):
                raise ConfigError(f"is a {type(loaded).__name__}, not a mapping", where=path, hint=_HINT)
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
            hint = ESCAPE_HINT if isinstance(error, GrammarParseError) else _HINT
            raise ConfigError(f"is broken: {error}", where=path, hint=hint) from error

    def file(self, config_path: str) -> Path:
        """Return the path of the file of a config."""
        return Path(self.path, self._normalize_file_name(config_path))


class OwnFirst(ConfigRepository):
    """Config repository that searches the folder of `--config-dir` first, then factprobe's own, then others.

    The primary config is that of factprobe, unless `--config-name` names another. Without this class Hydra would
    search its own files first, with a slower reader.
    """

    def initialize_sources(self, config_search_path: ConfigSearchPath) -> None:
        """Open the config sources in search order."""
        super().initialize_sources(config_search_path)
        self.sources = [
            ConfigFiles(source.provider, source.full_path()) if source.scheme() == ConfigFiles.scheme() else source
            for source in self.sources
        ]

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        """Shallow-copy the repository: Hydra deep-copies it for each composition, but its sources are immutable."""
        return copy(self)

    def load_config(self, config_path: str) -> ConfigResult | None:
        """Read a config; return None if there is none.

        Raises:
            DataError: The file cannot be read.
            ConfigError: The file is not a mapping, or its defaults list is invalid.
        """
        try:
            return super().load_config(config_path)
        except ValueError as error:  # raised for the defaults list
            hint = "each item of a defaults list is a name or 'group: name'"
            raise ConfigError(str(error), where=f"the config {config_path}", hint=hint) from error

    def _find_object_source(self, config_path: str, object_type: ObjectType | None) -> ConfigSource | None:
        in_group = "/" in config_path.strip("/")
        for provider in ("command-line", "main") if in_group else ("main",):
            for source in self.sources:
                if object_type is ObjectType.CONFIG and source.provider == provider and source.is_config(config_path):
                    return source
        return super()._find_object_source(config_path, object_type)
