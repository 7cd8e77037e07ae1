"""RefChecker's benchmark as rows and tables: rates by human labels, and agreement of a checker with them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from factprobe.metrics.agreement.claims import ClaimRates, LabelAgreement, RateCorrelations
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.terminal import fitted


class Compared(Struct, frozen=True, kw_only=True):
    """Comparison of a checker with people, on the responses of one file."""

    checker: str
    checker_models: tuple[str, ...] = ()
    """Models that the checker asks."""
    claims_of: str
    """Source of the claims: `people`, whose labels are compared with the checker's one by one, or a claim extractor,
    for which only the rates of the responses are comparable."""
    extractor_models: tuple[str, ...] = ()
    """Models that the extractor asks."""
    claim_format: str
    claims: int
    unclear: int
    """Number of claims without a clean verdict."""
    labels: LabelAgreement | None = None
    rates: RateCorrelations | None = None


class BenchmarkRow(Struct, frozen=True, kw_only=True):
    """Responses of one model in one setting."""

    setting: str
    dataset: str
    model: str
    responses: int
    """Number of annotated responses."""
    unlabelled: int
    """Number of responses whose claims have no labels, which the rates leave out."""
    claims: int
    entailment: float | None
    """Mean share of each label over the responses, in [0, 1], in this and the next three fields; None without
    responses."""
    neutral: float | None
    contradiction: float | None
    abstain: float | None
    intervals: dict[str, tuple[float, float]]
    """95 % intervals of the rates."""
    with_claims: dict[str, float]
    """Number of responses with claims, and the rates over these only."""
    agreement: tuple[Compared, ...] = ()


def benchmark_row(
    setting: str,
    dataset: str,
    model: str,
    claims: int,
    rates: ClaimRates,
    unlabelled: int,
    agreement: Sequence[Compared],
) -> BenchmarkRow:
    """Compute a row of rates by human labels."""
    found = {label.lower(): interval for label, interval in rates.rates.items()}
    estimates = {name: found[name].estimate if found else None for name in _LABELS}
    return BenchmarkRow(
        setting=setting,
        dataset=dataset,
        model=model,
        responses=rates.responses,
        unlabelled=unlabelled,
        claims=claims,
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
    """Format the rates of each file, and the agreement of a checker with people; intervals are below the figures."""
    files = dict.fromkeys((row.setting, row.dataset) for row in rows)
    sections = [
        [[f"{setting}\n{dataset}"], *(_rates(row) for row in rows if (row.setting, row.dataset) == (setting, dataset))]
        for setting, dataset in files
    ]
    title = "What people say of the claims\n(rates in %, 95% intervals, every response counts alike)"
    tables = [fitted(title, "", ["responses", "claims", *_LABELS], sections, _SHORT)]
    tried = [row for row in rows if row.agreement]
    if tried:
        checker = _with_models(tried[0].agreement[-1].checker, tried[0].agreement[-1].checker_models)
        title = f"Labels by {checker} and by people, claim by claim\n(in %, 95% intervals)"
        heads = ["claims", "unclear", "accuracy", "F1 factual", "F1 non-factual"]
        sections = [[[_name(row)], *(_labels(one) for one in row.agreement if one.labels)] for row in tried]
        tables.append(fitted(title, "", heads, sections, _SHORT))
        title = f"Rates of Entailment by {checker} and by people, response by response\n(correlations, 95% intervals)"
        heads = ["claims", "unclear", "responses", "Pearson", "Spearman"]
        sections = [[[_name(row)], *(_correlations(one) for one in row.agreement if one.rates)] for row in tried]
        tables.append(fitted(title, "", heads, sections, _SHORT))
    return "\n\n".join(tables)


def _name(row: BenchmarkRow) -> str:
    return f"{row.setting}\n{row.dataset}\n{row.model}"


def _with_models(name: str, models: Sequence[str]) -> str:
    return f"{name} ({', '.join(models)})" if models else name


def _rates(row: BenchmarkRow) -> list[str]:
    rates = {name: getattr(row, name) for name in _LABELS}
    figures = (_percent(rate if rate is None else Interval(rate, *row.intervals[name])) for name, rate in rates.items())
    return [f" {row.model}", f"{row.responses:,}", f"{row.claims:,}", *figures]


def _labels(one: Compared) -> list[str]:
    assert one.labels is not None, "only such are shown"
    scores = (one.labels.accuracy, one.labels.f1_factual, one.labels.f1_nonfactual)
    return [f" {one.checker}", f"{one.claims:,}", f"{one.unclear:,}", *map(_percent, scores)]


def _correlations(one: Compared) -> list[str]:
    assert one.rates is not None, "only such are shown"
    found = (one.rates.pearson["Entailment"], one.rates.spearman["Entailment"])
    name = f" {_with_models(one.claims_of, one.extractor_models)}: {one.claim_format}s"
    figures = ("–" if r is None else f"{r.estimate:z.2f}\n{r.low:z.2f}–{r.high:z.2f}" for r in found)
    return [name, f"{one.claims:,}", f"{one.unclear:,}", f"{one.rates.responses:,}", *figures]


def _percent(score: Interval | None) -> str:
    if score is None:
        return "–"
    return f"{100 * score.estimate:z.1f}\n{100 * score.low:z.1f}–{100 * score.high:z.1f}"
