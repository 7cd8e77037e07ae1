"""Names from Hydra that are not part of its public API; no other module imports such names.

Hydra's public functions compose settings only with Hydra's own loader and config sources. factprobe has its own loader
and sources: they add the defaults of settings types before overrides are applied, raise an error for a secret before
Hydra prints or writes it, name the line of an error in a config file, and let a single run skip Hydra's own settings,
which take most of the time. A minor version of Hydra may move these names; the tests run with the lowest and the newest
version that pyproject.toml allows.
"""

from hydra._internal import hydra as hydra_main
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import ConfigRepository
from hydra._internal.config_search_path_impl import ConfigSearchPathImpl
from hydra._internal.core_plugins.file_config_source import FileConfigSource
from hydra._internal.core_plugins.structured_config_source import StructuredConfigSource
from hydra._internal.defaults_list import Overrides, create_defaults_list
from hydra._internal.sources_registry import SourcesRegistry
from hydra._internal.utils import create_config_search_path, get_args_parser

__all__ = [
    "ConfigLoaderImpl",
    "ConfigRepository",
    "ConfigSearchPathImpl",
    "FileConfigSource",
    "Overrides",
    "SourcesRegistry",
    "StructuredConfigSource",
    "create_config_search_path",
    "create_defaults_list",
    "get_args_parser",
    "hydra_main",
]
