"""Checked texts as records with RefChecker's keys and further details, and a table of their rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from factprobe.inputs.texts import retriever_of
from factprobe.metrics.agreement.claims import ClaimRates
from factprobe.records import RESPONSE_LABELS, CheckedText, Claim, ClaimedText, ClaimFormat, ClaimVerdict, Location
from factprobe.reports.document import Column, Figure, Row, Table
from factprobe.reports.terminal import plain_text
from factprobe.storage import write_json, write_lines
from factprobe.text import format_count

Record = Mapping[str, Any]
_RESULT_KEYS = ("triplets", "claims", "ys", "Y", "fault", "details", "models")
"""Keys of the results; they are removed from an input record, which an earlier run may have written."""


def claimed_record(record: Record, text: ClaimedText, claim_format: ClaimFormat = "triplet") -> dict[str, Any]:
    """Return a record extended by its claims, under `triplets` or `claims` (by `claim_format` if there are none)."""
    details = [_claim_details(claim, ()) for claim in text.claims]
    return {**_with_claims(record, text, claim_format), "details": details}


def _with_claims(record: Record, text: ClaimedText, claim_format: ClaimFormat) -> dict[str, Any]:
    fields = {key: value for key, value in record.items() if key not in _RESULT_KEYS}
    is_text = any(len(claim.parts) == 1 for claim in text.claims)
    if not text.claims:
        is_text = claim_format != "triplet" or ("claims" in record and "triplets" not in record)
    parts = [list(claim.parts) for claim in text.claims]
    fields["claims" if is_text else "triplets"] = [claim[0] if len(claim) == 1 else claim for claim in parts]
    if text.fault:
        fields["fault"] = text.fault
    return fields


def checked_record(record: Record, text: CheckedText, claim_format: ClaimFormat = "triplet") -> dict[str, Any]:
    """Return a record extended by its claims, verdicts (`ys`), aggregate (`Y`), and retrieved `reference` if any."""
    claimed = text.claimed
    fields = _with_claims(record, claimed, claim_format)
    if retriever_of(record):
        del fields["reference"], fields["retriever"]
    fields["ys"] = [verdict.label for verdict in text.verdicts]
    fields["Y"] = text.aggregate
    if text.retriever:
        passages = claimed.item.references
        fields["reference"] = passages[0] if len(passages) == 1 else list(passages)
        fields["retriever"] = text.retriever
    places = text.locations or ((),) * len(claimed.claims)
    pairs = zip(claimed.claims, text.verdicts, places, strict=True)
    return {**fields, "details": [_claim_details(claim, (verdict,), of) for claim, verdict, of in pairs]}


def write_records(path: Path, records: Iterable[Any], *, as_list: bool) -> None:
    """Write records to a file atomically, as one JSON list or as JSON Lines."""
    if as_list:
        write_json(path, list(records))
    else:
        write_lines(path, records)


def rates_table(title: str, rates: ClaimRates, texts: Sequence[CheckedText]) -> str:
    """Format the rates of claim labels with their intervals, and the numbers of claims and responses by label."""
    claims = Counter(label for text in texts for label in text.labels)
    whole = Counter(text.aggregate for text in texts if isinstance(text.aggregate, str))
    heads = ["claims", "rate", "with claims", *(["responses"] if whole else [])]
    rows = []
    for label in RESPONSE_LABELS:
        figures = [Figure.of(label_rates.get(label)) for label_rates in (rates.rates, rates.rates_with_claims)]
        counts = [whole[label]] if whole else []
        rows.append(Row([label], [claims[label] if label != "Abstain" else None, *figures, *counts]))
    over = f"(rates in % over {format_count(rates.responses, 'response')}, {rates.with_claims:,} with claims)"
    return plain_text([Table(f"{title}\n{over}", [""], [*map(Column, heads)], rows)])


def _claim_details(claim: Claim, verdicts: Sequence[ClaimVerdict], places: tuple[Location, ...] = ()) -> dict[str, Any]:
    """Return the details of a claim, of its verdict if any, and its locations, without parts and label."""
    parts = [*(msgspec.to_builtins(part) for part in (claim, *verdicts)), {"locations": places} if places else {}]
    detail = {key: value for part in parts for key, value in part.items() if key not in ("parts", "label")}
    as_read: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(detail))  # with lists, as from a file
    return as_read
