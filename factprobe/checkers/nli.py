"""Claims checked by a model of natural-language inference: a passage is the premise, the claim the hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from factprobe.checkers.base import Checker
from factprobe.checkers.merging import Merge, merged
from factprobe.config import Filled
from factprobe.errors import ConfigError, format_list, require
from factprobe.models.hf.pair_classifier import PairClassifier
from factprobe.parts.base import PartSettings
from factprobe.records import CLAIM_LABELS, ClaimedText, ClaimLabel, ClaimVerdict

_AT_ONCE = 64
"""Texts whose claims are put into batches together."""
_STEM = 6
"""Letters by which a model's name for a label is known: `contradiction`, `CONTRADICTS`, `entail`."""


class NliSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the checker by natural-language inference."""

    path: Filled = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
    """A sequence-classification model: a name on the hub, or a folder."""
    revision: str | None = None
    """Branch, tag or commit on the hub; by default its main branch."""
    labels: tuple[ClaimLabel, ...] | None = None
    """What the model's outputs mean, in their order; by default as its config says."""
    device: str = "auto"
    """`cuda`, `cuda:1`, `mps`, `cpu`; `auto` takes the first that there is."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """The precision; `auto` is that of the checkpoint."""
    batch_tokens: Annotated[int, Meta(ge=1)] = 8_192
    """Tokens that go through the model at once."""
    overlap: Annotated[int, Meta(ge=0)] = 64
    """Tokens that the windows of a passage have in common that is longer than the model."""
    merge: Merge = "any"
    """How the verdicts by several passages, or by the windows of a long one, become one: `any` takes Entailment where
    one entails the claim, else Contradiction where one contradicts it; `strict` Contradiction before Entailment."""


class NliChecker(Checker):
    """Has a sequence-classification model of transformers say whether a passage entails a claim:
    `pip install 'factprobe[hf]'`.

    Raises:
        ConfigError: `labels` are not the three labels.
        MissingExtraError: torch or transformers is not installed.
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
        """See the base class.

        Raises:
            ModelError: the model cannot be loaded, or the memory does not hold a batch.
            ConfigError: its config does not say what its outputs mean.
        """
        for start in range(0, len(texts), _AT_ONCE):
            yield from self._check(texts[start : start + _AT_ONCE])

    def _check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        settings = self.settings
        asked = {
            (i, claim, number): (reference, found.text)
            for i, text in enumerate(texts)
            for claim, found in enumerate(text.claims)
            for number, reference in enumerate(text.item.references)
            if reference.strip()
        }
        verdicts: dict[tuple[int, int], list[ClaimVerdict]] = {}
        if asked:
            labels = _labels(self._model.labels, settings)
            rows = self._model.probabilities(list(asked.values()), settings.overlap, settings.batch_tokens)
            for (i, claim, number), windows in zip(asked, rows, strict=True):
                verdicts.setdefault((i, claim), []).extend(_verdicts(windows, labels, number))
        for i, text in enumerate(texts):
            yield tuple(merged(verdicts.get((i, claim), ()), settings.merge) for claim in range(len(text.claims)))


def _verdicts(windows: Sequence[tuple[float, ...]], labels: Sequence[ClaimLabel], passage: int) -> list[ClaimVerdict]:
    if not windows:
        return [ClaimVerdict(None, "the claim is too long for the model")]
    found = []
    for row in windows:
        if not all(map(isfinite, row)):
            return [ClaimVerdict(None, "the model gives no numbers")]
        by_label = dict(zip(labels, row, strict=True))
        probabilities = {label: by_label[label] for label in CLAIM_LABELS}
        label = max(CLAIM_LABELS, key=probabilities.__getitem__)
        found.append(ClaimVerdict(label, probabilities=probabilities, passage=passage))
    return found


def _labels(names: Sequence[str], settings: NliSettings) -> Sequence[ClaimLabel]:
    """What the outputs of a model mean, by the settings, or by the names that its config gives them.

    Raises:
        ConfigError: they are not recognisable as the three labels.
    """
    stems = {label[:_STEM].lower(): label for label in CLAIM_LABELS}
    known = [label for name in names if (label := stems.get(name[:_STEM].lower()))]
    found = settings.labels or known
    if not len(names) == len(found) == len(set(found)) == len(CLAIM_LABELS):
        what = f"the model's {len(names)} outputs are {format_list(names)}, not entailment, neutral and contradiction"
        hint = "name a model of natural-language inference, or what three outputs mean with checker.labels=[...]"
        raise ConfigError(what, where=settings.path, hint=hint)
    return found
