"""Contextual perturbation as for HaDes: mask words of a paragraph, refill them, and keep the likeliest text.

Source: Liu et al. 2022, ACL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from msgspec import Struct

from factprobe.calls.loops import run_coroutine
from factprobe.config import PerturbConfig
from factprobe.errors import CallError
from factprobe.models import Model
from factprobe.models.embedders import Embedder
from factprobe.models.hf.refilling import Refiller
from factprobe.perturbing.replaceable_units import TextUnit, TokenisedParagraph
from factprobe.reading.tokenisation.tags import Tagger

_MAX_SEED = 2**63


class PerturbedSpan(Struct, frozen=True):
    """Span of a perturbed paragraph."""

    id: str
    """Id of the paragraph, a hyphen and the number of the span from 1."""
    text: str
    """Whole perturbed paragraph."""
    start: int
    """Offset in `text` of the first character."""
    end: int
    """Offset in `text` after the last character."""
    original: str
    """Words of the original paragraph at this place."""
    is_perturbed: bool
    """False for a span that was left unchanged."""


class PerturbedTexts(NamedTuple):
    """Result of perturbing paragraphs."""

    spans: list[PerturbedSpan]
    failures: dict[str, int]
    """Number of paragraphs without a result, by reason."""
    dropped: int
    """Number of replaced spans that were dropped by a filter."""


class _RefilledText(NamedTuple):
    text: str
    spans: list[tuple[int, int]]
    """Spans of the replaced units in the new text."""


class Perturber:
    """Perturber of paragraphs: it replaces random units (words and entities) and keeps the likeliest of several texts.

    `model` ranks the texts by their perplexity. With an embedder, replacements that are too similar to the original are
    dropped. The random choices for a paragraph depend only on the seed and the id of the paragraph.
    """

    def __init__(
        self,
        settings: PerturbConfig,
        refiller: Refiller,
        model: Model,
        embedder: Embedder | None,
        tag: Tagger,
        seed: int,
    ) -> None:
        self._settings, self._refiller, self._model = settings, refiller, model
        self._embedder, self._tag, self._seed = embedder, tag, seed

    def perturb(self, paragraphs: Iterable[TokenisedParagraph]) -> PerturbedTexts:
        """Perturb the paragraphs and return their spans, in the order of the paragraphs.

        Raises:
            ModelError: A model cannot be loaded, or gives no log-probabilities.
        """
        return run_coroutine(self._perturb(paragraphs))

    async def _perturb(self, paragraphs: Iterable[TokenisedParagraph]) -> PerturbedTexts:
        spans: list[PerturbedSpan] = []
        failures: dict[str, int] = {}
        dropped = 0
        async with self._model:
            for paragraph in paragraphs:
                rng = Random(f"{self._seed} {paragraph.id}")
                units = [unit for unit in paragraph.units if rng.random() < self._settings.rate]
                try:
                    if not units:
                        raise CallError("no unit was chosen")
                    best = await self._likeliest_refill(paragraph, units, rng)
                except CallError as error:
                    failures[str(error)] = failures.get(str(error), 0) + 1
                    continue
                kept_indices = self._filter_units(paragraph, units, best)
                dropped += len(units) - len(kept_indices)
                spans += self._spans(paragraph, units, best, kept_indices, rng)
        return PerturbedTexts(spans, failures, dropped)

    async def _likeliest_refill(
        self, paragraph: TokenisedParagraph, units: Sequence[TextUnit], rng: Random
    ) -> _RefilledText:
        """Return the refilled text with the lowest perplexity under the causal model."""
        spans = [(unit.start, unit.end) for unit in units]
        number = 1 if self._settings.decoding == "greedy" else self._settings.candidates
        seeds = [rng.randrange(_MAX_SEED) for _ in range(number)]
        refills = [self._refiller.refill(paragraph.text, spans, seed) for seed in seeds]
        candidates = [_replace_spans(paragraph.text, spans, words) for words in refills]
        by_text = {candidate.text: candidate for candidate in candidates}
        if len(by_text) == 1:
            return candidates[0]
        perplexities = {text: await self._log_perplexity(text, spans[0][0]) for text in by_text}
        return by_text[min(perplexities, key=lambda text: perplexities[text])]

    async def _log_perplexity(self, text: str, start: int) -> float:
        """Return the log perplexity of a text from the offset `start` on; before it, all candidates are the same."""
        return -fmean(token.logprob for token in await self._model.token_logprobs(text, start))

    def _filter_units(self, paragraph: TokenisedParagraph, units: Sequence[TextUnit], best: _RefilledText) -> list[int]:
        """Return the indices of the units whose replacement is kept.

        Names replaced by names, dates by dates, replacements without a word, and replacements more similar to the
        original than `max_similarity` are dropped.
        """
        old = [paragraph.text[unit.start : unit.end] for unit in units]
        pairs = list(zip(old, (best.text[start:end] for start, end in best.spans), strict=True))
        similarities = self._embedder.similarities(pairs) if self._embedder else [0.0] * len(pairs)
        words = self._tag(best.text)
        indices = []
        for number, (unit, (start, end)) in enumerate(zip(units, best.spans, strict=True)):
            new = [word for word in words if word.start < end and word.end > start]
            keeps_type = (unit.is_name and any(word.is_name for word in new)) or (
                unit.is_date and any(word.is_date for word in new)
            )
            if new and not keeps_type and similarities[number] <= self._settings.max_similarity:
                indices.append(number)
        return indices

    def _spans(
        self,
        paragraph: TokenisedParagraph,
        units: Sequence[TextUnit],
        best: _RefilledText,
        indices: Sequence[int],
        rng: Random,
    ) -> Iterator[PerturbedSpan]:
        spans = [(best.spans[at], paragraph.text[units[at].start : units[at].end], True) for at in indices]
        others = [unit for unit in paragraph.units if unit not in units] if self._settings.controls else []
        for unit in rng.sample(others, min(len(indices), len(others))):
            at = sum(other.start < unit.start for other in units)
            offset = best.spans[at - 1][1] - units[at - 1].end if at else 0
            spans.append(((unit.start + offset, unit.end + offset), paragraph.text[unit.start : unit.end], False))
        for number, ((start, end), original, is_perturbed) in enumerate(sorted(spans), 1):
            yield PerturbedSpan(f"{paragraph.id}-{number}", best.text, start, end, original, is_perturbed)


def _replace_spans(text: str, spans: Sequence[tuple[int, int]], words: Sequence[str]) -> _RefilledText:
    parts, places, at, size = [], [], 0, 0
    for (start, end), word in zip(spans, words, strict=True):
        begin = size + start - at
        parts += [text[at:start], word]
        at, size = end, begin + len(word)
        places.append((begin, size))
    return _RefilledText("".join((*parts, text[at:])), places)
