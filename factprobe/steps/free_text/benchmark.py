"""The step `benchmark`: agreement of a checker with the human annotations of RefChecker."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from factprobe.checkers.aggregators import shares
from factprobe.checkers.text_checking import check_texts
from factprobe.claims.base import format_of
from factprobe.components.base import Component
from factprobe.config import RunConfig, path_of
from factprobe.errors import DataError
from factprobe.factories import Dependencies, asked_models, build_component
from factprobe.inputs.refchecker import AnnotationFile, ReferenceSource, read_annotations, read_sources
from factprobe.inputs.texts import InputText, input_path, writes_list
from factprobe.metrics.agreement.claims import PersonLabels, SharesOf, claim_rates, label_agreement, rate_correlations
from factprobe.progress import progress, say
from factprobe.records import CheckedText, ClaimedText, Item
from factprobe.relations import RunFacts
from factprobe.reports.free_text.benchmark import CheckerComparison, benchmark_row, benchmark_table
from factprobe.reports.free_text.checked import write_records
from factprobe.steps.base import Run, StepResult, exclusive_lock
from factprobe.steps.calls import StepModelCalls
from factprobe.steps.claim_steps import EXTRACTING, REQUEST_FILES, SHARED, text_step
from factprobe.steps.components import Components
from factprobe.steps.outputs import check_not_read, output_file
from factprobe.text import format_count

log = logging.getLogger(__name__)

_COMPONENTS = (*EXTRACTING, "checker", "retriever")
_SETTINGS = (*SHARED, *_COMPONENTS, "references", "seed")
_PEOPLE = "people"
_SOFT_AGGREGATOR = {"name": "soft"}


def benchmark(run: Run) -> StepResult:
    """Count the human labels of claims, and compare a checker with them.

    The table has one row for each file. The comparison needs `references`; it uses the annotated claims and those of
    `claim_extractor`.
    """
    config, target = run.config, _output_path(run)
    every = read_annotations(input_path(config.inputs), run.problems)
    files = [file._replace(texts=file.texts[: config.limit]) for file in every]
    check_not_read(target, config, [file.path for file in files])
    calls, facts = StepModelCalls(run, "benchmark"), RunFacts(config)
    inputs, components = [file.path for file in files], Components()
    compared: Sequence[Sequence[CheckerComparison]] = [()] * len(files)
    if config.references:
        inputs.append(path_of(config.references))
        sources = read_sources(inputs[-1], run.problems)
        components = Components.of(config, _COMPONENTS, Dependencies(facts.summaries, calls.asker_of, run.problems))
        compared = _Comparison(config, components).compare(files, sources)
        calls.end_dry_run()
    rates = [claim_rates([shares for text in file.texts if (shares := _human_rates(text))]) for file in files]
    rows = [benchmark_row(*row) for row in zip(files, rates, compared, strict=True)]
    write_records(target, rows, as_list=writes_list(target, input_path(config.inputs)))
    say(benchmark_table(rows))
    counts = {name: sum(getattr(row, name) for row in rows) for name in ("responses", "claims", "unlabelled")}
    if unlabelled := counts["unlabelled"]:
        log.warning("%s without labels of people: left out of the rates", format_count(unlabelled, "response"))
    recorded = {**counts, "left_out": components.left_out, **run.skipped(), "models": calls.counts()}
    without = "" if config.references else "; a checker's agreement with people needs references=FILE"
    responses = f"{format_count(counts['responses'], 'response')} with {format_count(counts['claims'], 'claim')}"
    message = f"{format_count(len(rows), 'file')}, {responses} → {target}{without}"
    return StepResult(message, [*inputs, *facts.files, *components.files], recorded, [target], calls.unanswered())


class _CheckableResponse(NamedTuple):
    """Annotated response whose question and reference are known, so that it can be checked."""

    file: int
    """Index of its file."""
    text: InputText
    """Record with the annotation."""
    item: Item
    """Response with its question and references."""


class _Comparison:
    """Comparison of a checker with people, on the annotated claims and on claims extracted from the same responses."""

    def __init__(self, config: RunConfig, components: Components) -> None:
        self._seed = config.seed
        assert components.checker is not None, "Components.of builds what is named, or fails"
        assert components.extractor is not None, "Components.of builds what is named, or fails"
        self._checker, self._extractor, self._retriever = components.checker, components.extractor, components.retriever
        self._format = format_of(components.extractor, config.claim_format)

    def compare(
        self, files: Sequence[AnnotationFile], sources: Mapping[str, ReferenceSource]
    ) -> list[tuple[CheckerComparison, ...]]:
        """Return the rows of the comparison for each file; `sources` has question and reference by id of the response.

        Raises:
            DataError: `sources` lacks all responses.
        """
        checkable = list(_annotated_responses(files, sources))
        total = sum(_human_rates(text) is not None for file in files for text in file.texts)
        if not total:
            return [()] * len(files)
        if not checkable:
            hint = "it supplies question and reference by id"
            raise DataError("has the id of no response", where="references", hint=hint)
        if unknown := total - len(checkable):
            what = f"{unknown:,} of {total:,} responses"
            log.warning("references: of %s it is not known what was asked", what)
        items = [response.item for response in checkable]
        extracted = list(progress(self._extractor.extract(items, self._format), "extract", "text"))
        annotated = [
            ClaimedText(replace(response.item, id=f"/{_PEOPLE}/{response.item.id}"), response.text.claims or ())
            for response in checkable
        ]
        aggregator = build_component("aggregator", _SOFT_AGGREGATOR)
        verdicts = check_texts([*annotated, *extracted], self._checker, aggregator, self._retriever)
        checked = list(progress(verdicts, "check", "text"))
        pairs = list(zip(checkable, checked[: len(checkable)], checked[len(checkable) :], strict=True))
        return [self._compare_file([pair for pair in pairs if pair[0].file == number]) for number in range(len(files))]

    def _compare_file(
        self, pairs: Sequence[tuple[_CheckableResponse, CheckedText, CheckedText]]
    ) -> tuple[CheckerComparison, ...]:
        if not pairs:
            return ()
        people = [one.text.people for one, _, _ in pairs]
        rates = [_human_rates(one.text) for one, _, _ in pairs]
        usual = Counter(label for labels in people for label in labels if label).most_common(1)
        baseline: list[PersonLabels] = [[usual[0][0] if usual else None] * len(labels) for labels in people]
        name, models = self._checker.settings.name, _model_names(self._checker)
        predicted: list[PersonLabels] = [[verdict.label for verdict in one.verdicts] for _, one, _ in pairs]
        judged = [pair for both in zip(people, predicted, strict=True) for pair in zip(*both, strict=True) if pair[0]]
        of_majority = CheckerComparison(
            checker="majority class",
            claims_of=_PEOPLE,
            claim_format="triplet",
            claims=len(judged),
            unclear=0,
            labels=label_agreement(people, baseline, self._seed),
        )
        return (
            of_majority,
            replace(
                of_majority,
                checker=name,
                checker_models=models,
                unclear=sum(label is None for _, label in judged),
                labels=label_agreement(people, predicted, self._seed),
                rates=rate_correlations(rates, [_checked_shares(one) for _, one, _ in pairs], self._seed),
            ),
            CheckerComparison(
                checker=name,
                checker_models=models,
                claims_of=self._extractor.settings.name,
                extractor_models=_model_names(self._extractor),
                claim_format=self._format,
                claims=sum(len(one.verdicts) for _, _, one in pairs),
                unclear=sum(verdict.label is None for _, _, one in pairs for verdict in one.verdicts),
                rates=rate_correlations(rates, [_checked_shares(one) for _, _, one in pairs], self._seed),
            ),
        )


def _annotated_responses(
    files: Sequence[AnnotationFile], sources: Mapping[str, ReferenceSource]
) -> Iterator[_CheckableResponse]:
    """Yield the annotated responses whose question and reference are in `sources`."""
    for number, file in enumerate(files):
        for text in file.texts:
            source = sources.get(text.item.id)
            if source and _human_rates(text):
                item = Item(f"{file.name}/{text.item.id}", text.item.response, source.question, source.references)
                yield _CheckableResponse(number, text, item)


def _human_rates(text: InputText) -> SharesOf | None:
    """Return the share of each human label among the claims; None if a response has no annotated claims or labels."""
    labels = [label for label in text.people if label is not None]
    return None if text.claims is None or (text.claims and not labels) else shares(labels)


def _model_names(component: Component) -> tuple[str, ...]:
    return tuple(dict.fromkeys(model.name for model in asked_models(component)))


def _checked_shares(text: CheckedText) -> SharesOf | None:
    return None if text.aggregate is None else shares(text.labels)


def _output_path(run: Run) -> Path:
    return output_file(run.config, run.layout.benchmark, input_path(run.config.inputs))


STEP = text_step(benchmark, ("benchmark.json", *REQUEST_FILES), _SETTINGS, _output_path, exclusive_lock)
