"""Implementation that the steps which extract and check claims share."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from factprobe.checkers.aggregators import shares
from factprobe.checkers.localisation import localise
from factprobe.checkers.text_checking import check_items, check_texts
from factprobe.claims.base import format_of, warn_if_no_claims
from factprobe.config import plain_settings
from factprobe.errors import DataError
from factprobe.factories import Dependencies, describe_component
from factprobe.inputs.texts import (
    CLAIMS,
    PLAIN_TEXT_ENDINGS,
    TRIPLETS,
    InputText,
    input_path,
    read_texts,
    sibling_path,
    writes_list,
)
from factprobe.metrics.agreement.claims import claim_rates
from factprobe.models.embedders import get_embedder
from factprobe.progress import progress, say
from factprobe.records import CheckedText, ClaimedText
from factprobe.relations import RunFacts
from factprobe.reports.free_text.checked import checked_record, claimed_record, rates_table, write_records
from factprobe.reports.free_text.sentence_verdicts import sentence_lines, write_sentences
from factprobe.steps import CALLS
from factprobe.steps.base import MAX_LISTED, DryRunEnd, Lock, Run, Step, StepResult, SweepClaim, exclusive_lock
from factprobe.steps.calls import StepModelCalls
from factprobe.steps.components import Components
from factprobe.steps.outputs import output_file
from factprobe.storage import open_utf8
from factprobe.text import format_count

log = logging.getLogger(__name__)

REQUEST_FILES = (
    "asked/<part>/<model>/questions/<round>.jsonl",
    "asked/<part>/<model>/responses/<round>.jsonl",
    "asked/<part>/<model>/responses/superseded/<round>.jsonl",
)
"""Files with the requests of components to their models, and with the responses."""
PAGE = "claims.html"
"""Page that shows each sentence with its claims and their verdicts."""
EXTRACTING = ("claim_extractor", "claim_format")
"""Settings of the extraction of claims."""
CHECKING = ("checker", "aggregator", "retriever", "localise", "localise_threshold", "embedder")
"""Settings of the check of claims."""
SHARED = ("input", "output", "limit", "kg", "relations", "model", *CALLS)
"""Settings that all steps of this kind have."""


class ClaimProcessing:
    """Processing of the input texts of a step by the components that the settings in `groups` choose."""

    def __init__(self, run: Run, step: str, groups: Iterable[str], target: Path) -> None:
        self.config, self._run, self._step = run.config, run, step
        self.source = input_path(self.config.inputs)
        self.target = target
        self._model_calls, self._facts = StepModelCalls(run, step), RunFacts(self.config)
        self._embedder = get_embedder(self.config.embedder) if self.config.localise else None
        dependencies = Dependencies(self._facts.summaries, self._model_calls.asker_of, run.problems)
        self.parts = Components.of(self.config, groups, dependencies)
        self._format = format_of(self.parts.extractor, self.config.claim_format)

    def run(self) -> StepResult:
        """Read the input, run the components, and write the output."""
        texts = read_texts(self.source, self._run.problems)[: self.config.limit]
        if self.parts.extractor is None:
            texts = self._with_claims(texts)
        if self.parts.checker is not None:
            check_items([text.item for text in texts], self.parts.checker, self.parts.retriever)
        try:
            claimed = self._extract_claims(texts)
        except DryRunEnd as end:
            raise DryRunEnd(f"{end}{'; what they claim is checked then' if self.parts.checker else ''}") from end
        return self._check_texts(texts, claimed) if self.parts.checker else self._write_claims(texts, claimed)

    def _with_claims(self, texts: Sequence[InputText]) -> list[InputText]:
        with_claims = [text for text in texts if text.claims is not None]
        for text in texts:
            if text.claims is None:
                self._run.problems.add("has no claims under triplets or claims", f"{self.source}, id {text.item.id}")
        if not with_claims:
            hint = f"take them out of it first: step=extract_check input={self.source}"
            raise DataError("holds no claims", where=self.source, hint=hint)
        if both := sum(bool(text.record.get(TRIPLETS) and text.record.get(CLAIMS)) for text in with_claims):
            what = f"{TRIPLETS} and {CLAIMS} the {TRIPLETS} are checked; the {CLAIMS} are left out"
            log.warning("of %s with %s", format_count(both, "text"), what)
        return with_claims

    def _extract_claims(self, texts: Sequence[InputText]) -> list[ClaimedText]:
        extractor = self.parts.extractor
        if extractor is None:
            return [text.claimed for text in texts]
        extracted = extractor.extract([text.item for text in texts], self._format)
        claimed = list(progress(extracted, "extract", "text"))
        warn_if_no_claims(claimed, extractor, self.config.kg.name)
        return claimed

    def _write_claims(self, texts: Sequence[InputText], claimed: Sequence[ClaimedText]) -> StepResult:
        self._model_calls.end_dry_run()
        pairs = zip(texts, claimed, strict=True)
        self._write_records([claimed_record(text.record, one, self._format) for text, one in pairs])
        return self._make_result(_result_message(claimed), _claim_counts(claimed), self._no_claims_warning(claimed))

    def _check_texts(self, texts: Sequence[InputText], claimed: Sequence[ClaimedText]) -> StepResult:
        """Check the claims of texts, write texts and verdicts, and show the rates of the verdicts."""
        parts = self.parts
        assert parts.checker is not None, "the step checks"
        assert parts.aggregator is not None, "the step sums up"
        verdicts = check_texts(claimed, parts.checker, parts.aggregator, parts.retriever)
        checked = list(progress(verdicts, "check", "text"))
        self._model_calls.end_dry_run()
        localised = self._localise_claims(checked)
        records = [checked_record(text.record, one, self._format) for text, one in zip(texts, localised, strict=True)]
        self._write_records(records)
        rates = claim_rates([shares(one.labels) for one in localised if one.aggregate is not None])
        title = f"{format_count(len(localised), 'text')} checked by {describe_component(parts.checker)}"
        page = self._run.layout.checked_page
        page.parent.mkdir(parents=True, exist_ok=True)
        write_sentences(page, title, localised)
        if self._run.sweep_started is None:
            say(f"{rates_table(title, rates, localised)}\n\n{sentence_lines(localised, page)}\n")
        labels = Counter(verdict.label or "unclear" for one in localised for verdict in one.verdicts)
        unclear = Counter(verdict.why for one in localised for verdict in one.verdicts if verdict.label is None)
        counts = {
            **_claim_counts(claimed),
            "labels": dict(labels),
            "unclear": dict(unclear.most_common(MAX_LISTED)),
            "left_out": parts.left_out,
            "retrieved": sum(bool(one.retriever) for one in localised),
            "rates": rates,
        }
        warning = self._no_claims_warning(claimed)
        if unclear and not labels.keys() - {"unclear"}:
            why = f"no claim has a clean verdict{_most_frequent_reason(unclear)}"
            warning = f"{why}; name another checker, or another model with checker.model="
        return self._make_result(_result_message(claimed, localised, parts.left_out), counts, warning)

    def _no_claims_warning(self, claimed: Sequence[ClaimedText]) -> str:
        """Return a warning if no text has a claim and the extraction has failed for most texts; otherwise empty."""
        faults = Counter(text.fault for text in claimed if text.fault)
        is_read = 2 * faults.total() <= len(claimed)
        if is_read or any(text.claims for text in claimed) or self.parts.extractor is None:
            return ""
        hint = "name another claim_extractor, or another model with claim_extractor.model="
        return f"no claim could be extracted{_most_frequent_reason(faults)}; {hint}"

    def _localise_claims(self, checked: list[CheckedText]) -> list[CheckedText]:
        """Add the places of each claim to the texts if the setting `localise` is on."""
        if self._embedder is None:
            return checked
        places = localise((text.claimed for text in checked), self._embedder, self.config.localise_threshold)
        located = zip(checked, progress(places, "localise", "text"), strict=True)
        return [replace(one, locations=locations) for one, locations in located]

    def _write_records(self, records: Sequence[dict[str, Any]]) -> None:
        models = {"models": names} if (names := self.parts.model_names()) else {}
        records = [{**record, **models} for record in records]
        write_records(self.target, records, as_list=writes_list(self.target, self.source))

    def _make_result(self, message: str, counts: dict[str, Any], warning: str) -> StepResult:
        skipped = self._run.problems.messages
        counts |= {**self._run.skipped(), "models": self._model_calls.counts()}
        left_out = f"; {format_count(len(skipped), 'record')} skipped" if skipped else ""
        inputs = [self.source, *self._facts.files, *self.parts.files]
        summary, unanswered = f"{message}{left_out} → {self.target}", self._model_calls.unanswered()
        return StepResult(summary, inputs, counts, [self.target], unanswered, warning=warning)


def _claim_counts(claimed: Sequence[ClaimedText]) -> dict[str, int]:
    return {
        "texts": len(claimed),
        "claims": sum(len(text.claims) for text in claimed),
        "without_claims": sum(not text.claims and not text.fault for text in claimed),
        "faults": sum(bool(one.fault) for one in claimed),
    }


def _result_message(
    claimed: Sequence[ClaimedText], checked: Sequence[CheckedText] = (), left_out: Mapping[str, int] = {}
) -> str:
    counts = _claim_counts(claimed)
    parts = [f"{format_count(len(claimed), 'text')} with {format_count(counts['claims'], 'claim')}"]
    if faults := Counter(text.fault for text in claimed if text.fault):
        parts.append(f"not all claims of {faults.total():,} of them could be extracted{_most_frequent_reason(faults)}")
    if unclear := Counter(verdict.why for text in checked for verdict in text.verdicts if verdict.label is None):
        parts.append(f"{unclear.total():,} of the claims without a clean verdict{_most_frequent_reason(unclear)}")
    parts += [f"without a vote on {format_count(count, 'claim')}: {name}" for name, count in left_out.items()]
    return "; ".join(parts)


def _most_frequent_reason(reasons: Counter[str]) -> str:
    why = reasons.most_common(1)[0][0]
    return f", most often: {why}" if why else ""


def locks(run: Run) -> list[Lock]:
    """Return the locks of the output folder, which is not created for a missing input."""
    with open_utf8(input_path(run.config.inputs)):  # it can be read
        return exclusive_lock(run)


def output_beside_input(infix: str, suffix: str | None = None) -> Callable[[Run], Path]:
    """Return a function that returns the output path of a run: `output`, by default `a.<infix>.json` for `a.json`."""

    def target(run: Run) -> Path:
        source = input_path(run.config.inputs)
        return output_file(run.config, sibling_path(source, infix, suffix), source)

    return target


def text_step(
    run: Callable[[Run], StepResult],
    makes: tuple[str, ...],
    settings: tuple[str, ...],
    target: Callable[[Run], Path],
    locks: Callable[[Run], list[Lock]] = locks,
    elsewhere: tuple[str, ...] = (),
) -> Step:
    """Return the declaration of a step on texts; the step is called like its function.

    `target` returns the path of the output; two jobs of a sweep may not write it with different settings.
    """
    name = run.__name__

    def sweep_claims(current_run: Run) -> list[SweepClaim]:
        used = {key: value for key, value in plain_settings(current_run.config).items() if key in settings}
        hint = "give each a file and a folder: output= and output_dir="
        return [SweepClaim(target(current_run), f"makes step={name}", used, hint)]

    return Step(run=run, makes=makes, elsewhere=elsewhere, settings=settings, locks=locks, sweep_claims=sweep_claims)


def claim_step(name: str, title: str, components: tuple[str, ...], infix: str, makes: tuple[str, ...] = ()) -> Step:
    """Return the declaration of a step that processes claims with the components in the settings `components`.

    `title` is the help of the step. Its output is `a.<infix>.json` for the input `a.json` or `a.txt`. `makes` are its
    files below the output folder, without those of model calls.
    """
    settings = (*SHARED, *components)

    def target(run: Run) -> Path:
        is_plain = input_path(run.config.inputs).suffix.lower() in PLAIN_TEXT_ENDINGS
        return output_beside_input(infix, ".json" if is_plain else None)(run)

    def perform(run: Run) -> StepResult:
        return ClaimProcessing(run, name, settings, target(run)).run()

    perform.__name__, perform.__doc__ = name, title
    return text_step(perform, (*makes, *REQUEST_FILES), settings, target, elsewhere=(f"<input>.{infix}.json",))
