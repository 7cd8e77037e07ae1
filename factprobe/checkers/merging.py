"""From what several passages, or the parts of a long one, say of a claim to one verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from factprobe.records import ClaimLabel, ClaimVerdict

Merge = Literal["any", "strict"]
"""What goes before: `any` that one passage entails the claim, `strict` that one contradicts it."""
MERGES: Mapping[Merge, tuple[ClaimLabel, ...]] = {
    "any": ("Entailment", "Contradiction", "Neutral"),
    "strict": ("Contradiction", "Entailment", "Neutral"),
}
"""The labels of each policy: of those that are there the first is the verdict."""
NO_REFERENCE = ClaimVerdict(None, "there is no reference to check it against")


def merged(verdicts: Sequence[ClaimVerdict], merge: Merge) -> ClaimVerdict:
    """One verdict of several, each with the number of its passage.

    Of those with the label that goes before, the one of the highest probability is taken, where there are any; of
    neutral ones the one of the lowest, which comes closest to saying something. Where one without a label could have
    gone before, there is none.
    """
    if not verdicts:
        return NO_REFERENCE
    missing = next((verdict for verdict in verdicts if verdict.label is None), None)
    for label in MERGES[merge]:
        found = [verdict for verdict in verdicts if verdict.label == label]
        if found:
            best = max(found, key=_strength(label))
            return best if label != "Neutral" else replace(best, passage=None)
        if missing is not None:
            break
    assert missing is not None, "a verdict has a label or none"
    return missing


def _strength(label: ClaimLabel) -> Callable[[ClaimVerdict], float]:
    sign = -1 if label == "Neutral" else 1
    return lambda verdict: sign * (verdict.probabilities or {}).get(label, 0.0)
