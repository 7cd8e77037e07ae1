"""Rule ids of earlier versions, which settings and files of grades may still have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

FORMER_IDS: dict[str, tuple[str, ...]] = {
    "abstention": (
        "response.declines_only",
        "true_false.declines",
        "options.declines",
        "single.declines",
        "set.declines",
    ),
    "alias": ("single.alias",),
    "both_labels": ("true_false.both_labels",),
    "choice_letter": ("options.letter",),
    "choice_place": ("options.model",),
    "choice_text": ("options.text",),
    "choice_words": ("options.similar",),
    "conclusion": ("true_false.conclusion",),
    "cut_listing": ("options.cut_in_list",),
    "cut_off": ("response.cut_off",),
    "doubt": ("single.hedged", "set.hedged"),
    "elimination": ("options.elimination",),
    "empty": ("response.empty",),
    "exact": ("single.exact",),
    "exact_set": ("set.exact",),
    "filtered": ("response.filtered",),
    "fuzzy": ("true_false.misspelt_label", "single.misspelt"),
    "fuzzy_set": ("set.misspelt",),
    "label": ("true_false.label_alone", "true_false.label", "true_false.label_beside_other_words"),
    "mention": ("single.mention",),
    "negated": ("single.negated",),
    "no_answer": ("single.no_answer", "set.no_answer"),
    "no_choice": ("options.no_choice",),
    "no_label": ("true_false.no_label", "true_false.lists_candidates"),
    "no_match": ("single.no_known_name", "set.no_match"),
    "no_option": ("options.none_right",),
    "no_response": ("response.failed",),
    "nobody": ("response.no_such_entity",),
    "other_entity": ("single.other_entity",),
    "outdated": ("single.outdated", "set.outdated"),
    "partial_set": ("set.partial",),
    "rank": ("ranked.rank",),
    "refused": ("response.refused",),
    "restated": ("true_false.restated_with_pronoun", "true_false.entailment"),
    "several_answers": ("single.several", "response.lists_candidates"),
    "several_choices": ("options.several", "options.other_name"),
    "value": ("single.value",),
}
"""The ids that replaced each former one, of which several rules had the same."""
_FORMER_ID = {new: former for former, ids in FORMER_IDS.items() for new in ids}


def former_id(rule: str) -> str:
    """Return the id that a rule had in earlier versions, or the same id if it was never renamed."""
    return _FORMER_ID.get(rule, rule)


def count_grades(counts: Counter[str], rules: Iterable[str]) -> int:
    """Return how many grades some rules decided, including those under their former ids."""
    ids = set(rules)
    return sum(counts[one] for one in ids | set(map(former_id, ids)))
