"""Scores, grades and records as data frames of pandas; scores as a Parquet file.

The functions raise MissingExtraError if pandas, or pyarrow for a file, is not installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict

from factprobe.collection.replies import reply_cells
from factprobe.errors import require
from factprobe.metrics import metrics
from factprobe.metrics.score_table import score_type
from factprobe.records import Question, Response, Score
from factprobe.storage import flat_records, whole_file

if TYPE_CHECKING:
    from pandas import DataFrame

Reply = tuple[Question, Response]


def score_frame(rows: Sequence[Score]) -> DataFrame:
    """Return a data frame with a column for each field of a row; metrics are float64, NaN if nothing was counted."""
    table = metrics.every()
    frame = _records_frame(rows, score_type(table))
    return frame.astype({column: "float64" for metric in table for column in metric.columns})


def grade_frame(rows: Sequence[Struct], row_type: type[Struct], replies: Iterable[Reply]) -> DataFrame:
    """Return a data frame of grades, with question, right answers and response after the first column (the id)."""
    frame = _records_frame(rows, row_type)
    texts = [reply_cells(*reply) for reply in replies]
    for at, name in enumerate(("question", "answers", "response"), 1):
        frame.insert(at, name, [text[at - 1] for text in texts])
    return frame


def record_frame(rows: Sequence[Struct], row_type: type[Struct]) -> DataFrame:
    """Return a data frame of records; nested fields have columns of their own, as in CSV files."""
    flat = flat_records(rows)
    return _data_frame(flat, list(flat[0]) if flat else list(row_type.__struct_fields__))


def _records_frame(rows: Sequence[Struct], row_type: type[Struct]) -> DataFrame:
    return _data_frame([asdict(row) for row in rows], list(row_type.__struct_fields__))


def _data_frame(rows: list[dict[str, Any]], columns: list[str]) -> DataFrame:
    require("pandas", extra="frame", where="to_frame")
    from pandas import DataFrame

    return DataFrame(rows, columns=columns)


def write_parquet(path: Path, rows: Sequence[Score]) -> None:
    """Write the score table to a Parquet file, atomically; metrics are null if nothing was counted."""
    frame = score_frame(rows)
    require("pyarrow", extra="frame", where="parquet=true")
    with whole_file(path) as file:
        frame.to_parquet(file, engine="pyarrow", index=False)
