"""RefChecker's benchmark as rows and tables: the rates by people's labels, and how well a checker agrees with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from factprobe.metrics.claims import ClaimRates, LabelAgreement, RateCorrelations
from factprobe.metrics.intervals import Interval
from factprobe.reports.terminal import fitted


class Compared(Struct, frozen=True, kw_only=True):
    """A checker beside people, on the responses of one file."""

    checker: str
    claims_of: str
    """Who took the claims out of the responses: `people`, whose labels are held against the checker's one by one, or a
    claim extractor, of which only the rates of the responses can be."""
    claim_format: str
    claims: int
    unclear: int
    """Claims without a clean verdict."""
    labels: LabelAgreement | None = None
    rates: RateCorrelations | None = None


class BenchmarkRow(Struct, frozen=True, kw_only=True):
    """One model's responses in one setting."""

    setting: str
    dataset: str
    model: str
    responses: int
    """Those that people have looked at."""
    unlabelled: int
    """Further ones, whose claims nobody has labelled; they have no part in the rates."""
    claims: int
    entailment: float | None
    """This and the next three: the mean over the responses of each one's share, in [0, 1]; None without responses."""
    neutral: float | None
    contradiction: float | None
    abstain: float | None
    intervals: dict[str, tuple[float, float]]
    """The 95 % intervals of these."""
    with_claims: dict[str, float]
    """How many responses have claims, and the rates over these alone."""
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
    """A row of the rates by people's labels."""
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


def benchmark_table(rows: Sequence[BenchmarkRow]) -> str:
    """The rates of each file, and where a checker was tried its agreement with people."""
    heads = ["responses", "claims", *_LABELS]
    settings = dict.fromkeys(row.setting for row in rows)
    sections = [[[setting], *(_rates(row) for row in rows if row.setting == setting)] for setting in settings]
    text = fitted("What people say of the claims (rates in %, every response counts alike)", "", heads, sections)
    if not any(row.agreement for row in rows):
        return text
    heads = ["claims", "unclear", "accuracy", "F1 factual", "F1 non-factual", "Pearson", "Spearman"]
    compared = [[[_name(row)], *_compared(row)] for row in rows if row.agreement]
    title = "Agreement with people (in %; correlations of the rates of Entailment)"
    return f"{text}\n\n{fitted(title, '', heads, compared)}"


def _name(row: BenchmarkRow) -> str:
    return f"{row.setting} · {row.dataset} · {row.model}"


def _rates(row: BenchmarkRow) -> list[str]:
    rates = (getattr(row, name) for name in _LABELS)
    name = f"  {row.dataset} · {row.model}"
    return [name, f"{row.responses:,}", f"{row.claims:,}", *("–" if r is None else f"{100 * r:.1f}" for r in rates)]


def _compared(row: BenchmarkRow) -> Iterator[list[str]]:
    for one in row.agreement:
        labels, rates = one.labels, one.rates
        scores = (labels.accuracy, labels.f1_factual, labels.f1_nonfactual) if labels else (None, None, None)
        correlations = (rates.pearson["Entailment"], rates.spearman["Entailment"]) if rates else (None, None)
        yield [
            f"  {one.checker}, {one.claim_format}s of {one.claims_of}",
            f"{one.claims:,}",
            f"{one.unclear:,}",
            *(_percent(score) for score in scores),
            *("–" if found is None else f"{found.estimate:z.2f}" for found in correlations),
        ]


def _percent(score: Interval | None) -> str:
    return "–" if score is None else f"{100 * score.estimate:.1f}"
