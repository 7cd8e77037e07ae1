"""Merging of the verdicts on a claim by several passages into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from factprobe.records import ClaimLabel, ClaimVerdict

Merge = Literal["any", "strict"]
"""Merge policy: `any` prefers Entailment to Contradiction, `strict` the reverse."""
MERGES: Mapping[Merge, tuple[ClaimLabel, ...]] = {
    "any": ("Entailment", "Contradiction", "Neutral"),
    "strict": ("Contradiction", "Entailment", "Neutral"),
}
"""Precedence of labels in each policy; the first label that occurs is the verdict."""
NO_REFERENCE = ClaimVerdict(None, "there is no reference to check it against")


def merge_verdicts(verdicts: Sequence[ClaimVerdict], merge: Merge) -> ClaimVerdict:
    """Merge the verdicts of several passages on one claim.

    Return the most probable verdict among those whose label has the highest precedence. Among neutral verdicts, return
    the least probable, which is closest to another label. If a passage has no verdict, and its label could have had a
    higher precedence, the result has no label.
    """
    if not verdicts:
        return NO_REFERENCE
    missing = next((verdict for verdict in verdicts if verdict.label is None), None)
    for label in MERGES[merge]:
        candidates = [verdict for verdict in verdicts if verdict.label == label]
        if candidates:
            strengths = [(verdict.probabilities or {}).get(label, 0.0) for verdict in candidates]
            if label == "Neutral":
                return replace(candidates[strengths.index(min(strengths))], passage=None)
            return candidates[strengths.index(max(strengths))]
        if missing is not None:
            break
    assert missing is not None, "a verdict has a label or none"
    return missing
