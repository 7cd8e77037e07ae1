"""Claims checked by several checkers: what most of them say."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from factprobe.checkers.base import Checker
from factprobe.errors import NoAnswersError
from factprobe.parts.base import PartSettings
from factprobe.records import ClaimedText, ClaimLabel, ClaimVerdict

log = logging.getLogger(__name__)


class MajoritySettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the checker that has several vote."""

    checkers: Annotated[tuple[str | dict[str, Any], ...], Meta(min_length=1)]
    """Who votes, by name or with settings: `[graph, nli, {name: llm, joint: true}]`; two of a kind need two names, and
    `method: llm` for what they are."""
    tie: ClaimLabel | None = None
    """The verdict where several labels have the most votes; by default none, and the claim is reported as such."""


class MajorityChecker(Checker):
    """Has several checkers vote on each claim: the label with the most votes is the verdict.

    One that has no verdict on a claim is left out of its vote; one whose every call fails, of every vote.
    """

    settings_type: ClassVar[type[PartSettings]] = MajoritySettings
    parts: Sequence[Checker] = ()
    """Who votes, with names that differ; whoever builds this checker gives them."""

    def __init__(self, settings: MajoritySettings) -> None:
        super().__init__(settings)
        self.left_out: Counter[str] = Counter()

    @property
    def wants_references(self) -> bool:  # type: ignore[override]  # it goes by those who vote
        """Whether all of those who vote do: one that does not can vote alone."""
        return all(part.wants_references for part in self.parts)

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """See the base class.

        Raises:
            NoAnswersError: nobody is left to vote.
        """
        self.left_out.clear()
        said: dict[str, list[tuple[ClaimVerdict, ...]]] = {}
        fault: NoAnswersError | None = None
        for part in self.parts:
            name = part.settings.name
            try:
                said[name] = list(part.check(texts))
            except NoAnswersError as error:
                log.warning("%s has no vote: %s", name, error)
                self.left_out[name] += sum(len(text.claims) for text in texts)
                fault = error
        if fault is not None and not said:
            raise fault
        for i, text in enumerate(texts):
            yield tuple(
                self._vote({name: verdicts[i][claim] for name, verdicts in said.items()})
                for claim in range(len(text.claims))
            )

    def _vote(self, said: Mapping[str, ClaimVerdict]) -> ClaimVerdict:
        self.left_out.update(name for name, verdict in said.items() if verdict.label is None)
        votes = Counter(verdict.label for verdict in said.values() if verdict.label is not None)
        told = ", ".join(f"{name}: {verdict.label or f'none ({verdict.why})'}" for name, verdict in said.items())
        if not votes:
            return ClaimVerdict(None, f"nobody has a verdict: {told}")
        most = max(votes.values())
        first = [label for label, count in votes.items() if count == most]
        label = first[0] if len(first) == 1 else self.settings.tie
        voters = [verdict for verdict in said.values() if verdict.label == label is not None]
        facts = dict.fromkeys(fact for verdict in voters for fact in verdict.facts)
        passage = next((verdict.passage for verdict in voters if verdict.passage is not None), None)
        return ClaimVerdict(label, told if len(first) == 1 else f"a tie: {told}", facts=tuple(facts), passage=passage)
