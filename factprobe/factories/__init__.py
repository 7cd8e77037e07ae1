"""Objects made from settings: what probing needs, and the components of the free-text steps."""

from factprobe.factories.components import (
    NO_DEPENDENCIES,
    PARTS,
    Dependencies,
    asked_models,
    build_part,
    described,
    named_settings,
)
from factprobe.factories.probing import (
    build_generator,
    build_judges,
    build_kg,
    build_model,
    check_calls,
    check_generator,
    check_judge_rules,
)
from factprobe.factories.roles import JUDGE, PHRASER, Role, in_words_of, settings_of, warn_if_tiny

__all__ = [
    "JUDGE",
    "NO_DEPENDENCIES",
    "PARTS",
    "PHRASER",
    "Dependencies",
    "Role",
    "asked_models",
    "build_generator",
    "build_judges",
    "build_kg",
    "build_model",
    "build_part",
    "check_calls",
    "check_generator",
    "check_judge_rules",
    "described",
    "in_words_of",
    "named_settings",
    "settings_of",
    "warn_if_tiny",
]
