"""The settings: their types, where the files lie that come with factprobe, and how a run's are composed."""

from factprobe.config.compose import compose, from_omegaconf
from factprobe.config.explain import explain
from factprobe.config.places import data_dir, known_names, name_of, path_of, resource, user_cache
from factprobe.config.plugins import load_plugins
from factprobe.config.types import (
    MIDDLE,
    AnnotateConfig,
    CacheMode,
    CollectConfig,
    Columns,
    EvaluatorConfig,
    Filled,
    KgConfig,
    LabelSource,
    PerturbConfig,
    RunConfig,
    StudyConfig,
    convert,
    plain,
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
    "LabelSource",
    "PerturbConfig",
    "RunConfig",
    "StudyConfig",
    "compose",
    "convert",
    "data_dir",
    "explain",
    "from_omegaconf",
    "known_names",
    "load_plugins",
    "name_of",
    "path_of",
    "plain",
    "resource",
    "user_cache",
]
