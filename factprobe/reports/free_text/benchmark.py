"""Report on RefChecker's benchmark: rates of claim labels by people, and the agreement of a checker with people."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from factprobe.inputs.refchecker import AnnotationFile
from factprobe.metrics.agreement.claims import ClaimRates, LabelAgreement, RateCorrelations
from factprobe.reports.document import Block, Column, Figure, Row, Table
from factprobe.reports.terminal import plain_text


class CheckerComparison(Struct, frozen=True, kw_only=True):
    """Comparison of a checker with human labels on the responses of one file."""

    checker: str
    checker_models: tuple[str, ...] = ()
    claims_of: str
    """Origin of the claims: `people` (the annotated ones), or the name of a claim extractor.

    Labels of annotated claims are compared one by one. For extracted claims, only the rates can be compared.
    """
    extractor_models: tuple[str, ...] = ()
    claim_format: str
    claims: int
    unclear: int
    """Number of claims on which the checker has no verdict."""
    labels: LabelAgreement | None = None
    rates: RateCorrelations | None = None


class BenchmarkRow(Struct, frozen=True, kw_only=True):
    """Rates by human labels of one model's responses in one setting."""

    setting: str
    dataset: str
    model: str
    responses: int
    unlabelled: int
    """Number of responses whose claims have no labels; they are excluded from the rates."""
    claims: int
    entailment: float | None
    """Mean over the responses of the share of entailed claims, in [0, 1]; None without responses."""
    neutral: float | None
    """Mean over the responses of the share of neutral claims."""
    contradiction: float | None
    """Mean over the responses of the share of contradicted claims."""
    abstain: float | None
    """Share of responses without claims."""
    intervals: dict[str, tuple[float, float]]
    """Lower and upper end of the 95% interval of each rate, by its name."""
    with_claims: dict[str, float]
    """Number of responses with claims (`responses`), and the rates over these alone."""
    agreement: tuple[CheckerComparison, ...] = ()


def benchmark_row(file: AnnotationFile, rates: ClaimRates, agreement: Sequence[CheckerComparison]) -> BenchmarkRow:
    """Compute the row of a file from the rates of its responses by human labels."""
    intervals = {label.lower(): interval for label, interval in rates.rates.items()}
    with_claims = {label.lower(): interval.estimate for label, interval in rates.rates_with_claims.items()}
    return BenchmarkRow(
        setting=file.setting,
        dataset=file.dataset,
        model=file.model,
        responses=rates.responses,
        unlabelled=len(file.texts) - rates.responses,
        claims=sum(len(text.people) for text in file.texts),
        **{name: intervals[name].estimate if intervals else None for name in _LABELS},
        intervals={name: (interval.low, interval.high) for name, interval in intervals.items()},
        with_claims={"responses": rates.with_claims, **with_claims},
        agreement=tuple(agreement),
    )


_LABELS = ("entailment", "neutral", "contradiction", "abstain")
_SHORT_HEADS = {
    "responses": "n",
    "entailment": "entail.",
    "contradiction": "contrad.",
    "F1 factual": "F1 fact.",
    "F1 non-factual": "F1 non-f.",
}


def benchmark_table(rows: Sequence[BenchmarkRow]) -> str:
    """Format the rates of each file and the agreement of a checker with people, with intervals, as text."""
    rates, labels, correlations = list[Row](), list[Row](), list[Row]()
    for row in rows:
        group = f"{row.setting}\n{row.dataset}"
        figures = [Figure(getattr(row, name), *row.intervals.get(name, (None, None))) for name in _LABELS]
        rates.append(Row([row.model], [row.responses, row.claims, *figures], group))
        for one in row.agreement:
            of_model = f"{group}\n{row.model}"
            if one.labels:
                scores = map(Figure.of, (one.labels.accuracy, one.labels.f1_factual, one.labels.f1_nonfactual))
                labels.append(Row([one.checker], [one.claims, one.unclear, *scores], of_model))
            if one.rates:
                measures = (one.rates.pearson["Entailment"], one.rates.spearman["Entailment"])
                name = f"{_with_models(one.claims_of, one.extractor_models)}: {one.claim_format}s"
                figures = [Figure.of(r, "decimal") for r in measures]
                correlations.append(Row([name], [one.claims, one.unclear, one.rates.responses, *figures], of_model))
    title = "What people say of the claims\n(rates in %, 95% intervals, every response counts alike)"
    blocks: list[Block] = [_make_table(title, ["responses", "claims", *_LABELS], rates)]
    if latest := next((row.agreement[-1] for row in rows if row.agreement), None):
        checker = _with_models(latest.checker, latest.checker_models)
        title = f"Labels by {checker} and by people, claim by claim\n(in %, 95% intervals)"
        blocks.append(_make_table(title, ["claims", "unclear", "accuracy", "F1 factual", "F1 non-factual"], labels))
        title = f"Rates of Entailment by {checker} and by people, response by response\n(correlations, 95% intervals)"
        blocks.append(_make_table(title, ["claims", "unclear", "responses", "Pearson", "Spearman"], correlations))
    return plain_text(blocks)


def _make_table(title: str, heads: Sequence[str], rows: Sequence[Row]) -> Table:
    return Table(title, [""], [Column(head, _SHORT_HEADS.get(head, "")) for head in heads], rows)


def _with_models(name: str, models: Sequence[str]) -> str:
    return f"{name} ({', '.join(models)})" if models else name
