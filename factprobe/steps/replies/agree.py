"""The step `agree`: graders, judges and human labels on the same items."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from factprobe.config import LabelSource, path_of
from factprobe.errors import DataError
from factprobe.inputs.table_formats import Json
from factprobe.labelling.label_rater import are_labels, rater_records
from factprobe.metrics.agreement.matching import match_ratings
from factprobe.metrics.agreement.raters import Ratings, agreements
from factprobe.progress import say
from factprobe.reports.agreement import agreement_table
from factprobe.steps.base import Run, Step, StepResult
from factprobe.storage import Lines, Problems, jsonl_files, read_json, write_csv, write_json

log = logging.getLogger(__name__)
_STRICT = Problems(True, "fix it: a line left out would put labels beside those of other items")


def agree(run: Run) -> StepResult:
    """Compare the raters in `labels`."""
    config = run.config
    raters = config.raters.items()
    sources = {name: LabelSource(path=source) if isinstance(source, str) else source for name, source in raters}
    files = {name: files_of(name, source) for name, source in sources.items()}
    records = {name: read_records(paths) for name, paths in files.items()}
    ratings = match_raters(sources, records, config.gold)
    rows = agreements(ratings, config.gold, config.seed)
    write_csv(run.layout.agreement_csv, rows)
    write_json(run.layout.agreement_json, rows)
    say(agreement_table(rows))
    inputs = [path for paths in files.values() for path in paths]
    counts = {name: len(rated) for name, rated in ratings.items()}
    return StepResult(f"{len(ratings)} raters → {run.layout.agreement_json}", inputs, {"items": counts})


def match_raters(
    sources: Mapping[str, LabelSource], records: Mapping[str, list[dict[str, Any]]], gold: str | None
) -> dict[str, Ratings]:
    """Return the ratings of each rater on the items that all have rated; with `gold`, only pairs with it are compared.

    Raises:
        DataError: The records of a rater cannot be used, or the items do not match.
    """
    own = {name: _select_records(sources[name], rated) for name, rated in records.items()}
    return match_ratings(sources, _with_same_prompts(own), gold)


def _select_records(source: LabelSource, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of a rater: of its system only and, for labels of people, one record for each reply."""
    if source.system is not None:
        records = [record for record in records if record.get("system") == source.system]
    if are_labels(records):
        return rater_records(records, source.path, Problems(), source.annotator)
    if source.annotator is not None:
        raise DataError("holds no labels of step=label", where=source.path, hint="leave out annotator")
    return records


def _with_same_prompts(records: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the records, without questions that were asked with several different prompts."""
    hashed = (record for rows in records.values() for record in rows if record.get("prompts_hash"))
    asked = {(str(record.get("question_id")), str(record["prompts_hash"])) for record in hashed}
    differing = {question for question, count in Counter(question for question, _ in asked).items() if count > 1}
    if not differing:
        return records
    hint = "run step=answer and step=evaluate again for all raters"
    log.warning("labels: %s questions were asked in different words, and are left out; %s", f"{len(differing):,}", hint)
    return {
        name: [record for record in rows if str(record.get("question_id")) not in differing]
        for name, rows in records.items()
    }


def files_of(name: str, source: LabelSource) -> list[Path]:
    """Return the file of a rater, or the files in its folder; raise a `DataError` if there are none."""
    path = path_of(source.path)
    files = jsonl_files(path)
    if not files:
        hint = f"set labels.{name} to a file or to a folder such as grades/<generator>/<model>"
        raise DataError("holds no .jsonl file", where=path, hint=hint)
    return files


def read_records(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """Return the records in files that are JSON lists or JSON Lines; raise a `DataError` if one is broken."""
    records: list[dict[str, Any]] = []
    for path in paths:
        is_list = Json(path, _STRICT).is_list()
        whole = read_json(path, list[dict[str, Any]]) if is_list else Lines(path, dict[str, Any], _STRICT)
        records.extend(whole)
    return records


STEP = Step(run=agree, makes=("agreement.csv", "agreement.json"), settings=("labels", "gold", "seed"))
