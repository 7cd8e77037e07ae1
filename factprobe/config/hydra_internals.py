"""Names from Hydra that are not part of its public API; no other module imports such names.

Hydra's public functions compose with its own loader and config sources only. factprobe needs its own: settings types
complete the config before overrides are applied, secrets are refused before Hydra prints or writes them, config files
are read with an error that names the line, and a single run skips Hydra's own settings, which take most of the time of
composition. A minor version of Hydra may move these names; the tests run with the lowest and the newest version that
pyproject.toml allows.
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
