"""Checker that uses natural-language inference, with passages as premises and claims as hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from factprobe.checkers.base import Checker
from factprobe.checkers.merging import Merge, merge_verdicts
from factprobe.components.base import PartSettings
from factprobe.config import Filled
from factprobe.errors import ConfigError, format_list, require
from factprobe.models.hf.pair_classifier import PairClassifier
from factprobe.records import CLAIM_LABELS, ClaimedText, ClaimLabel, ClaimVerdict

_BATCH_TEXTS = 64
_PREFIX_LENGTH = 6
"""Length of the prefix that identifies a label in a model's config (`contradiction`, `CONTRADICTS`, `entail`)."""


class NliSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the NLI checker."""

    path: Filled = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
    """Sequence-classification model: name on the hub, or folder."""
    revision: str | None = None
    """Branch, tag or commit on the hub; the main branch by default."""
    labels: tuple[ClaimLabel, ...] | None = None
    """Labels of the model's outputs, in order; by default taken from its config."""
    device: str = "auto"
    """Device: `cuda`, `cuda:1`, `mps` or `cpu`; `auto` takes the first one available."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Precision of the weights; `auto` keeps the checkpoint's."""
    batch_tokens: Annotated[int, Meta(ge=1)] = 8_192
    """Maximum number of tokens in a batch."""
    overlap: Annotated[int, Meta(ge=0)] = 64
    """Overlap, in tokens, of the windows of a passage that is longer than the model's input."""
    merge: Merge = "any"
    """Policy that merges the verdicts of a text's passages: `any` prefers Entailment to Contradiction, `strict`
    Contradiction to Entailment."""


class NliChecker(Checker):
    """Checker that uses a transformers sequence-classification model (`pip install 'factprobe[hf]'`).

    Raises:
        ConfigError: `labels` is set, and does not list the three labels.
        MissingExtraError: Torch or transformers is not installed.
    """

    settings_type: ClassVar[type[PartSettings]] = NliSettings

    def __init__(self, settings: NliSettings) -> None:
        super().__init__(settings)
        require("torch", "transformers", extra="hf", where="checker=nli")
        if settings.labels is not None and sorted(settings.labels) != sorted(CLAIM_LABELS):
            hint = f"list {', '.join(CLAIM_LABELS)} once each, in the order of the model's outputs"
            raise ConfigError("are not the three labels", where="checker.labels", hint=hint)
        self._model = PairClassifier(settings.path, settings.revision, settings.device, settings.dtype, "checker")

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """Yield the model's verdicts on each text's claims; a `ConfigError` is raised without the three outputs."""
        settings = self.settings
        for start in range(0, len(texts), _BATCH_TEXTS):
            batch = texts[start : start + _BATCH_TEXTS]
            pairs = {
                (i, claim, number): (reference, of_claim.text)
                for i, text in enumerate(batch)
                for claim, of_claim in enumerate(text.claims)
                for number, reference in enumerate(text.item.references)
                if reference.strip()
            }
            verdicts: dict[tuple[int, int], list[ClaimVerdict]] = {}
            if pairs:
                labels = _labels(self._model.labels, settings)
                rows = self._model.probabilities(list(pairs.values()), settings.overlap, settings.batch_tokens)
                for (i, claim, number), windows in zip(pairs, rows, strict=True):
                    verdicts.setdefault((i, claim), []).extend(_verdicts(windows, labels, number))
            for i, text in enumerate(batch):
                yield tuple(
                    merge_verdicts(verdicts.get((i, claim), ()), settings.merge) for claim in range(len(text.claims))
                )


def _verdicts(windows: Sequence[tuple[float, ...]], labels: Sequence[ClaimLabel], passage: int) -> list[ClaimVerdict]:
    if not windows:
        return [ClaimVerdict(None, "the claim is too long for the model")]
    verdicts = []
    for row in windows:
        if not all(map(isfinite, row)):
            return [ClaimVerdict(None, "the model gives no numbers")]
        by_label = dict(zip(labels, row, strict=True))
        probabilities = {label: by_label[label] for label in CLAIM_LABELS}
        label = max(CLAIM_LABELS, key=probabilities.__getitem__)
        verdicts.append(ClaimVerdict(label, probabilities=probabilities, passage=passage))
    return verdicts


def _labels(names: Sequence[str], settings: NliSettings) -> Sequence[ClaimLabel]:
    """Return the three labels of a model's outputs, from the settings or its config, or raise a `ConfigError`."""
    stems = {label[:_PREFIX_LENGTH].lower(): label for label in CLAIM_LABELS}
    by_stem = [label for name in names if (label := stems.get(name[:_PREFIX_LENGTH].lower()))]
    labels = settings.labels or by_stem
    if not len(names) == len(labels) == len(set(labels)) == len(CLAIM_LABELS):
        what = f"the model's {len(names)} outputs are {format_list(names)}, not entailment, neutral and contradiction"
        hint = "name a model of natural-language inference, or what three outputs mean with checker.labels=[...]"
        raise ConfigError(what, where=settings.path, hint=hint)
    return labels
