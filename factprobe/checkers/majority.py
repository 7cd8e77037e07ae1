"""Checker that takes the majority vote of several checkers."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.checkers.base import Checker
from factprobe.components.base import PartSettings
from factprobe.errors import NoAnswersError
from factprobe.records import ClaimedText, ClaimLabel, ClaimVerdict

log = logging.getLogger(__name__)


class MajoritySettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the majority checker."""

    checkers: Annotated[tuple[str | dict[str, Any], ...], Meta(min_length=1)]
    """Checkers that vote, by name or with settings: `[graph, nli, {name: llm, joint: true}]`; to use one checker twice,
    give each a `name` and name the checker in `method` (`{name: second, method: llm}`)."""
    tie: ClaimLabel | None = None
    """Verdict if several labels have the most votes; without it, such a claim is undecided."""


class MajorityChecker(Checker):
    """Checker that lets several checkers vote on each claim and returns the most frequent label.

    A checker without a verdict on a claim has no vote on it; a checker whose calls all fail has no vote at all.
    """

    settings_type: ClassVar[type[PartSettings]] = MajoritySettings
    parts: Sequence[Checker] = ()
    """Checkers that vote, with distinct names; set by the caller that builds the checker."""

    def __init__(self, settings: MajoritySettings) -> None:
        super().__init__(settings)
        self.left_out: Counter[str] = Counter()

    @property
    def wants_references(self) -> bool:  # type: ignore[override]  # depends on the voting checkers
        """True if all voting checkers need references; a checker that needs none can vote alone."""
        return all(part.wants_references for part in self.parts)

    @property
    def reads_references(self) -> bool:
        """True if any voting checker reads references."""
        return any(part.reads_references for part in self.parts)

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """Yield the labels with the most votes on each text's claims."""
        self.left_out.clear()
        by_name: dict[str, list[tuple[ClaimVerdict, ...]]] = {}
        fault: NoAnswersError | None = None
        for part in self.parts:
            name = part.settings.name
            try:
                by_name[name] = list(part.check(texts))
            except NoAnswersError as error:
                log.warning("%s has no vote: %s", name, error)
                self.left_out[name] += sum(len(text.claims) for text in texts)
                fault = error
        if fault is not None and not by_name:
            raise fault
        for i, text in enumerate(texts):
            votes = (
                {name: verdicts[i][claim] for name, verdicts in by_name.items()} for claim in range(len(text.claims))
            )
            yield tuple(map(self._vote, votes))

    def _vote(self, verdicts: Mapping[str, ClaimVerdict]) -> ClaimVerdict:
        self.left_out.update(name for name, verdict in verdicts.items() if verdict.label is None)
        votes = Counter(verdict.label for verdict in verdicts.values() if verdict.label is not None)
        votes_text = ", ".join(
            f"{name}: {verdict.label or f'none ({verdict.why})'}" for name, verdict in verdicts.items()
        )
        if not votes:
            return ClaimVerdict(None, f"nobody has a verdict: {votes_text}")
        maximum = max(votes.values())
        leading = [label for label, count in votes.items() if count == maximum]
        label = leading[0] if len(leading) == 1 else self.settings.tie
        voters = [verdict for verdict in verdicts.values() if verdict.label == label is not None]
        facts = dict.fromkeys(fact for verdict in voters for fact in verdict.facts)
        passage = next((verdict.passage for verdict in voters if verdict.passage is not None), None)
        return ClaimVerdict(
            label, votes_text if len(leading) == 1 else f"a tie: {votes_text}", facts=tuple(facts), passage=passage
        )
