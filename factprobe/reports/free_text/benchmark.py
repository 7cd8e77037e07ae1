"""Rows and tables for RefChecker's benchmark: rates by human labels, and the agreement of a checker with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from factprobe.inputs.refchecker import AnnotationFile
from factprobe.metrics.agreement.claims import ClaimRates, LabelAgreement, RateCorrelations
from factprobe.reports.document import Block, Column, Figure, Row, Table
from factprobe.reports.terminal import plain_text


class Compared(Struct, frozen=True, kw_only=True):
    """Comparison of a checker with people on the responses of one file."""

    checker: str
    checker_models: tuple[str, ...] = ()
    claims_of: str
    """Origin of the claims: `people`, or the name of a claim extractor.

    Claims from people are compared with the checker's labels one by one; for others only the rates are comparable.
    """
    extractor_models: tuple[str, ...] = ()
    claim_format: str
    claims: int
    unclear: int
    """Number of claims without a clean verdict."""
    labels: LabelAgreement | None = None
    rates: RateCorrelations | None = None


class BenchmarkRow(Struct, frozen=True, kw_only=True):
    """Rates of the responses of one model in one setting."""

    setting: str
    dataset: str
    model: str
    responses: int
    unlabelled: int
    """Number of responses whose claims have no labels; they are not in the rates."""
    claims: int
    entailment: float | None
    """Mean share of Entailment over the responses, in [0, 1]; None without responses. The next fields are alike."""
    neutral: float | None
    contradiction: float | None
    abstain: float | None
    intervals: dict[str, tuple[float, float]]
    with_claims: dict[str, float]
    """Number of responses with claims, and the rates over only these."""
    agreement: tuple[Compared, ...] = ()


def benchmark_row(file: AnnotationFile, rates: ClaimRates, agreement: Sequence[Compared]) -> BenchmarkRow:
    """Compute the row of a file from the rates of its responses by human labels."""
    found = {label.lower(): interval for label, interval in rates.rates.items()}
    estimates = {name: found[name].estimate if found else None for name in _LABELS}
    return BenchmarkRow(
        setting=file.setting,
        dataset=file.dataset,
        model=file.model,
        responses=rates.responses,
        unlabelled=len(file.texts) - rates.responses,
        claims=sum(len(text.people) for text in file.texts),
        **estimates,
        intervals={name: (interval.low, interval.high) for name, interval in found.items()},
        with_claims={
            "responses": rates.with_claims,
            **{label.lower(): interval.estimate for label, interval in rates.rates_with_claims.items()},
        },
        agreement=tuple(agreement),
    )


_LABELS = ("entailment", "neutral", "contradiction", "abstain")
_SHORT = {
    "responses": "n",
    "entailment": "entail.",
    "contradiction": "contrad.",
    "F1 factual": "F1 fact.",
    "F1 non-factual": "F1 non-f.",
}


def benchmark_table(rows: Sequence[BenchmarkRow]) -> str:
    """Format the rates of each file, and the agreement of a checker with people, with intervals below the figures."""
    title = "What people say of the claims\n(rates in %, 95% intervals, every response counts alike)"
    blocks: list[Block] = [_make_table(title, ["responses", "claims", *_LABELS], map(_rates_row, rows))]
    tried = [row for row in rows if row.agreement]
    if tried:
        checker = _with_models(tried[0].agreement[-1].checker, tried[0].agreement[-1].checker_models)
        title = f"Labels by {checker} and by people, claim by claim\n(in %, 95% intervals)"
        heads = ["claims", "unclear", "accuracy", "F1 factual", "F1 non-factual"]
        lines = [_labels_row(row, one, one.labels) for row in tried for one in row.agreement if one.labels]
        blocks.append(_make_table(title, heads, lines))
        title = f"Rates of Entailment by {checker} and by people, response by response\n(correlations, 95% intervals)"
        heads = ["claims", "unclear", "responses", "Pearson", "Spearman"]
        lines = [_correlations_row(row, one, one.rates) for row in tried for one in row.agreement if one.rates]
        blocks.append(_make_table(title, heads, lines))
    return plain_text(blocks)


def _make_table(title: str, heads: Sequence[str], rows: Iterable[Row]) -> Table:
    return Table(title, [""], [Column(head, _SHORT.get(head, "")) for head in heads], [*rows])


def _with_models(name: str, models: Sequence[str]) -> str:
    return f"{name} ({', '.join(models)})" if models else name


def _rates_row(row: BenchmarkRow) -> Row:
    rates = [Figure(getattr(row, name), *row.intervals.get(name, (None, None))) for name in _LABELS]
    return Row([row.model], [row.responses, row.claims, *rates], f"{row.setting}\n{row.dataset}")


def _labels_row(row: BenchmarkRow, one: Compared, labels: LabelAgreement) -> Row:
    scores = (labels.accuracy, labels.f1_factual, labels.f1_nonfactual)
    return Row([one.checker], [one.claims, one.unclear, *map(Figure.of, scores)], _group_name(row))


def _correlations_row(row: BenchmarkRow, one: Compared, rates: RateCorrelations) -> Row:
    found = (rates.pearson["Entailment"], rates.spearman["Entailment"])
    name = f"{_with_models(one.claims_of, one.extractor_models)}: {one.claim_format}s"
    figures = (Figure.of(r, "decimal") for r in found)
    return Row([name], [one.claims, one.unclear, rates.responses, *figures], _group_name(row))


def _group_name(row: BenchmarkRow) -> str:
    return f"{row.setting}\n{row.dataset}\n{row.model}"
