"""Settings: types, files shipped with factprobe, and composition."""

from factprobe.config.compose import compose, from_omegaconf
from factprobe.config.converting import Filled, NotEmpty, convert
from factprobe.config.explain import explain
from factprobe.config.paths import data_dir, fetched_dir, known_names, name_of, path_of, resource, user_cache
from factprobe.config.plugins import load_plugins
from factprobe.config.step_types import (
    AnnotateConfig,
    CollectConfig,
    Columns,
    LabelConfig,
    LabelSource,
    PerturbConfig,
    StudyConfig,
)
from factprobe.config.types import (
    MIDDLE,
    CacheMode,
    EvaluatorConfig,
    KgConfig,
    Probability,
    RunConfig,
    Seed,
    plain_settings,
)

__all__ = [
    "MIDDLE",
    "AnnotateConfig",
    "CacheMode",
    "CollectConfig",
    "Columns",
    "EvaluatorConfig",
    "Filled",
    "KgConfig",
    "LabelConfig",
    "LabelSource",
    "NotEmpty",
    "PerturbConfig",
    "Probability",
    "RunConfig",
    "Seed",
    "StudyConfig",
    "compose",
    "convert",
    "data_dir",
    "explain",
    "fetched_dir",
    "from_omegaconf",
    "known_names",
    "load_plugins",
    "name_of",
    "path_of",
    "plain_settings",
    "resource",
    "user_cache",
]
