"""Free texts from Python: claims, their verdicts, and detection of hallucinations.

    import factprobe

    checked = factprobe.check(["Melbourne lies in Australia. Paris is the capital of Italy."])
    print(checked)
    print(checked[0].aggregate, [verdict.label for verdict in checked[0].verdicts])
    print(checked.records[0]["triplets"])
    print(factprobe.detect("val.json", "judge")[0].label)

Texts are strings, or records in the form that `step=extract_check` and `step=detect` read. The settings are those of
the command line, and no files are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from factprobe.asking.in_memory import ask_model
from factprobe.checkers import text_checking as checking
from factprobe.checkers.aggregators import shares
from factprobe.claims.base import ClaimExtractor, format_of, warn_if_no_claims
from factprobe.components.base import Ask
from factprobe.config import KgConfig
from factprobe.errors import DataError
from factprobe.factories import Dependencies, build_component, build_kg, describe_component, named_settings
from factprobe.inputs.base import Record
from factprobe.inputs.records import as_records
from factprobe.inputs.shroom import detection_record, items_from_records, read_items
from factprobe.inputs.texts import InputText, read_texts, texts_of
from factprobe.kgs import Graph
from factprobe.kgs.summaries import summaries
from factprobe.metrics.agreement.claims import ClaimRates, claim_rates
from factprobe.models import Model
from factprobe.models.providers.function import ModelFunction, as_model
from factprobe.records import CheckedText, ClaimedText, ClaimFormat, Detection, RelationSummary
from factprobe.reports.free_text.checked import checked_record, claimed_record, rates_table
from factprobe.storage import Problems
from factprobe.text import format_count

TextSource = str | Path | Iterable[str | Mapping[str, Any]]
"""File of records, or an iterable of texts and records."""
Chosen = str | Mapping[str, Any]
"""Name of a component's config, or a mapping with its name and changed settings: `{"name": "llm", "joint": True}`."""


class ClaimedTexts(list[ClaimedText]):
    """Texts with their claims."""

    records: list[dict[str, Any]]
    """Records in the form that `step=extract_claims` writes."""


class CheckedTexts(list[CheckedText]):
    """Texts with verdicts on their claims, printed as on the command line."""

    records: list[dict[str, Any]]
    """Records in the form that `step=extract_check` writes."""
    rates: ClaimRates
    """Rates of the verdicts in all texts."""
    checked_by: str
    """Name of the checker, followed by the models that it asks: `llm (gpt-4o-mini)`."""

    def __init__(self, checked: Iterable[CheckedText], by: str) -> None:
        super().__init__(checked)
        self.rates = claim_rates([shares(text.labels) for text in self if text.aggregate is not None])
        self.checked_by = by

    def __str__(self) -> str:
        return rates_table(f"{format_count(len(self), 'text')} checked by {self.checked_by}", self.rates, self)


class DetectedTexts(list[Detection]):
    """Scores of a detector, one for each text."""

    records: list[dict[str, Any]]
    """Records in the form that `step=detect` writes."""


def detect(
    source: TextSource, detector: Chosen = "shroom", *, model: Model | ModelFunction | None = None
) -> DetectedTexts:
    """Label texts as hallucinated or not, with probabilities, as `step=detect` does.

    Args:
        source: A file, texts, or records with `hyp`, `output` or `response`, or of HaDes or Mu-SHROOM.
        detector: The detector.
        model: The model that the detector asks; by default the one in its settings.

    Raises:
        ConfigError: A setting is wrong, the detector is not trained, or it has no examples of a text's task.
        DataError: There is nothing to read, or a record cannot be used.
        NoAnswersError: The model answers nothing.
    """
    if isinstance(source, str | Path):
        texts = read_items(Path(source))
    else:
        texts = items_from_records(_records(source, "output"), "the texts")
    dependencies = Dependencies(_facts("trex"), _asking)
    made = _build_component("detector", detector, dependencies, model)
    result = DetectedTexts(made.detect([text.item for text in texts]))
    by = describe_component(made)
    result.records = [detection_record(text.record, item, by) for text, item in zip(texts, result, strict=True)]
    return result


def extract_claims(
    source: TextSource,
    claim_extractor: Chosen = "graph",
    *,
    claim_format: ClaimFormat | None = None,
    kg: str | Graph = "trex",
    model: Model | ModelFunction | None = None,
    strict: bool = False,
) -> ClaimedTexts:
    """Extract the claims of texts, as `step=extract_claims` does.

    Args:
        source: A file, texts, or records with a `response`.
        claim_extractor: The claim extractor.
        claim_format: The format of the claims; by default the first format of the extractor.
        kg: The graph, for an extractor that reads one.
        model: The model that the extractor asks; by default the one in its settings.
        strict: Raise at a broken record instead of skipping it with a warning.

    Raises:
        ConfigError: A setting is wrong, or the extractor gives no claims of that format.
        DataError: There is nothing to read.
        NoAnswersError: The model answers nothing.
    """
    texts = _texts(source, strict)
    extractor = _build_component("claim_extractor", claim_extractor, _dependencies(kg, strict), model)
    written = format_of(extractor, claim_format)
    result = ClaimedTexts(_extract_claims(texts, extractor, written, kg))
    result.records = [claimed_record(text.record, item, written) for text, item in zip(texts, result, strict=True)]
    return result


def check(
    source: TextSource | ClaimedTexts,
    checker: Chosen = "graph",
    *,
    claim_extractor: Chosen = "graph",
    claim_format: ClaimFormat | None = None,
    aggregator: Chosen = "soft",
    retriever: Chosen | None = None,
    kg: str | Graph = "trex",
    model: Model | ModelFunction | None = None,
    strict: bool = False,
) -> CheckedTexts:
    """Check the claims of texts, as `step=check` does; if a text comes without claims, they are extracted first.

    Args:
        source: A file, texts, records with a `response` and optionally a `reference` and `triplets` or `claims`, or the
            result of `extract_claims`.
        checker: The checker.
        claim_extractor: The claim extractor for texts without claims.
        claim_format: The format of the claims; by default the first format of the extractor.
        aggregator: The rule that combines the verdicts on a text.
        retriever: The retriever of references for texts without any.
        kg: The graph, for components that read one.
        model: The model that checker and extractor ask; by default those in their settings.
        strict: Raise at a broken record instead of skipping it with a warning.

    Raises:
        ConfigError: A setting is wrong, or there is nothing to check against.
        DataError: There is nothing to read.
        NoAnswersError: A model answers nothing.
    """
    texts, dependencies = _texts(source, strict), _dependencies(kg, strict)
    judge = _build_component("checker", checker, dependencies, model)
    finder = None if retriever is None else _build_component("retriever", retriever, dependencies)
    checking.check_items([text.item for text in texts], judge, finder)
    claimed, written = _with_claims(texts, claim_extractor, claim_format, kg, dependencies, model)
    verdicts = checking.check_texts(claimed, judge, _build_component("aggregator", aggregator, dependencies), finder)
    result = CheckedTexts(verdicts, describe_component(judge))
    result.records = [checked_record(text.record, item, written) for text, item in zip(texts, result, strict=True)]
    return result


def _with_claims(
    texts: Sequence[InputText],
    chosen: Chosen,
    claim_format: ClaimFormat | None,
    kg: str | Graph,
    dependencies: Dependencies,
    model: Model | ModelFunction | None,
) -> tuple[list[ClaimedText], ClaimFormat]:
    """Return the texts with their claims, which are extracted if they come without, and the format of the claims."""
    without_claims = [text for text in texts if text.claims is None]
    extractor = _build_component("claim_extractor", chosen, dependencies, model) if without_claims else None
    written = format_of(extractor, claim_format)
    extracted = iter(_extract_claims(without_claims, extractor, written, kg) if extractor else ())
    return [next(extracted) if text.claims is None else text.claimed for text in texts], written


def _build_component(
    group: str, chosen: Chosen, dependencies: Dependencies, model: Model | ModelFunction | None = None
) -> Any:
    model_to_ask = None if model is None else as_model(model)
    return build_component(group, named_settings(group, chosen), dependencies, model_to_ask)


def _extract_claims(
    texts: Sequence[InputText], extractor: ClaimExtractor, claim_format: ClaimFormat, kg: str | Graph
) -> Sequence[ClaimedText]:
    claimed = list(extractor.extract([text.item for text in texts], claim_format))
    warn_if_no_claims(claimed, extractor, kg if isinstance(kg, str) else kg.name)
    return claimed


def _texts(source: TextSource | ClaimedTexts, strict: bool) -> list[InputText]:
    problems = Problems(strict)
    if isinstance(source, str | Path):
        return read_texts(Path(source), problems)
    if isinstance(source, ClaimedTexts):
        source = source.records
    return texts_of(_records(source, "response"), problems, "the texts")


def _records(source: Any, column: str) -> Iterator[tuple[str, Record]]:
    """Yield each record after its number; an item that is no mapping becomes a record with the key `column`."""
    if hasattr(source, "columns"):
        return as_records(source)
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        what = f"are no list or table, but of the type {type(source).__name__}"
        raise DataError(what, where="the texts", hint="give the path of a file, or a list of texts or records")
    return as_records(item if isinstance(item, Mapping) else {column: item} for item in source)


def _dependencies(kg: str | Graph, strict: bool) -> Dependencies:
    return Dependencies(_facts(kg), _asking, Problems(strict))


@lru_cache(maxsize=4)
def _facts(kg: str | Graph) -> Callable[[], Iterator[RelationSummary]]:
    """Return a function that reads a graph's relations; it is cached, so that each graph is indexed once."""
    return lambda: summaries(build_kg(KgConfig(name=kg)) if isinstance(kg, str) else kg)


def _asking(model: Model, *_: object) -> Ask:
    return lambda _, requests: ask_model(model, list(requests))
