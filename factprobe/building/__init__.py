"""Objects made from settings: what probing needs, and the components of the free-text steps."""

from factprobe.building.parts import (
    PARTS,
    Means,
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
from factprobe.building.probing import (
    build_generator,
    build_judges,
    build_kg,
    build_model,
    check_calls,
    check_generator,
    check_judge_rules,
)
from factprobe.building.roles import JUDGE, PHRASER, Role, in_words_of, settings_of

__all__ = [
    "JUDGE",
    "PARTS",
    "PHRASER",
    "Means",
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
]
