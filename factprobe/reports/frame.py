"""Score table as a data frame of pandas, and as a Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from factprobe.errors import require
from factprobe.metrics import metrics
from factprobe.metrics.scores import score_type
from factprobe.records import AnswerGrade, Score
from factprobe.storage import whole_file

if TYPE_CHECKING:
    from pandas import DataFrame


def score_frame(rows: Sequence[Score]) -> DataFrame:
    """Return a data frame with a column for each field of a row; metrics are float64, NaN where nothing was counted.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    table = metrics.every()
    frame = _frame(rows, score_type(table))
    return frame.astype({column: "float64" for metric in table for column in metric.columns})


def grade_frame(rows: Sequence[AnswerGrade]) -> DataFrame:
    """Return a data frame with a row for each reply, in order, and a column for each field of its grade.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    return _frame(rows, AnswerGrade)


def _frame(rows: Sequence[Struct], of: type[Struct]) -> DataFrame:
    require("pandas", extra="frame", where="to_frame")
    from pandas import DataFrame

    return DataFrame([asdict(row) for row in rows], columns=list(of.__struct_fields__))


def write_parquet(path: Path, rows: Sequence[Score]) -> None:
    """Write the table atomically; null where nothing was counted.

    Raises:
        MissingExtraError: pandas or pyarrow is not installed.
    """
    frame = score_frame(rows)
    require("pyarrow", extra="frame", where="parquet=true")
    with whole_file(path) as file:
        frame.to_parquet(file, engine="pyarrow", index=False)
