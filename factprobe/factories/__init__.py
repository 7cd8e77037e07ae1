"""Objects made from settings: what probing needs, and the components of the free-text steps."""

from factprobe.factories.components import (
    PARTS,
    Dependencies,
    asked_models,
    build_aggregator,
    build_checker,
    build_claim_extractor,
    build_detector,
    build_part,
    build_retriever,
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
    "PARTS",
    "PHRASER",
    "Dependencies",
    "Role",
    "asked_models",
    "build_aggregator",
    "build_checker",
    "build_claim_extractor",
    "build_detector",
    "build_generator",
    "build_judges",
    "build_kg",
    "build_model",
    "build_part",
    "build_retriever",
    "check_calls",
    "check_generator",
    "check_judge_rules",
    "described",
    "in_words_of",
    "named_settings",
    "settings_of",
    "warn_if_tiny",
]
