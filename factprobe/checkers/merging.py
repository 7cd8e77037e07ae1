"""Merging of the verdicts of several passages, or parts of one, on a claim."""

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


def merged(verdicts: Sequence[ClaimVerdict], merge: Merge) -> ClaimVerdict:
    """Merge the verdicts of several passages on one claim.

    Among the verdicts with the label of highest precedence, the most probable one is returned; among neutral ones the
    least probable, since it is closest to another label. If a verdict is missing that could have taken precedence,
    the result has no label.
    """
    if not verdicts:
        return NO_REFERENCE
    missing = next((verdict for verdict in verdicts if verdict.label is None), None)
    for label in MERGES[merge]:
        found = [verdict for verdict in verdicts if verdict.label == label]
        if found:
            strengths = [(verdict.probabilities or {}).get(label, 0.0) for verdict in found]
            if label == "Neutral":
                return replace(found[strengths.index(min(strengths))], passage=None)
            return found[strengths.index(max(strengths))]
        if missing is not None:
            break
    assert missing is not None, "a verdict has a label or none"
    return missing
