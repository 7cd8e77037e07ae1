"""Records of any kind: what cannot be used is named and left out, and the others are read."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from factprobe.inputs import AnsweredQuestion, ReplyFiles
from factprobe.inputs.answer_options import find_right_option
from factprobe.inputs.base import UnusableError
from factprobe.storage import Problems
from tests.inputs.replies import ROWS, json_lines, lm_eval_sample

DIGITS = ["1" * 309, "9" * 310, "7" * 5000, "-" + "8" * 309, "1e400", "NaN", "-Infinity"]
"""Numbers in JSON that are beyond those of the computer, or none."""
FIELDS = [*ROWS[0], "choices", "human", "loglikelihoods", "question_type", "finish_reason"]
CHOSEN = {"arguments": [["Q", " Paris"], ["Q", " Lima"]], "target": "0", "resps": [[[-1.5, True]], [[-2.5, True]]]}
numbers = st.integers() | st.floats() | st.integers(10**308, 10**310)
texts = st.text(max_size=5) | st.sampled_from(["ß", "ı", "²", "٣", "9" * 5000, "[", "{'a': 1}", "0", "A"])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def read(path: Path) -> tuple[list[AnsweredQuestion], list[str]]:
    problems = Problems()
    return list(ReplyFiles([str(path)]).read(problems)), problems.messages


def encoded(record: dict[str, Any], field: str, value: str) -> str:
    return json.dumps({**record, field: "§"}).replace('"§"', value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(field=st.sampled_from([*lm_eval_sample(ROWS[0])]), value=values, chosen=st.booleans())
def test_any_field_of_a_sample(tmp_path: Path, field: str, value: Any, chosen: bool) -> None:
    other = lm_eval_sample(ROWS[0], **(CHOSEN if chosen else {}))
    path = tmp_path / "samples_x_2026-01-01T00-00-00.jsonl"
    path.write_text(f"{json_lines([lm_eval_sample(ROWS[1])])}{json.dumps({**other, field: value})}\n")
    assert read(path)[0][0].id == "q2"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    field=st.sampled_from(FIELDS),
    value=values,
)
def test_any_field_of_a_row(tmp_path: Path, field: str, value: Any) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{json_lines([ROWS[1]])}{json.dumps({**ROWS[0], field: value})}\n")
    assert read(path)[0][0].id == "q2"


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("field", ["doc_id", "doc", "target", "arguments", "resps", "filter"])
def test_numbers_out_of_range(tmp_path: Path, field: str, digits: str) -> None:
    for number, more in enumerate(({}, CHOSEN)):
        path = tmp_path / f"samples_{number}_2026-01-01T00-00-00.jsonl"
        sample = lm_eval_sample(ROWS[0], **more)
        odd = digits if field != "resps" else f"[[[{digits},true]],[[-2.5,true]]]"
        path.write_text(f"{json_lines([lm_eval_sample(ROWS[1])])}{encoded(sample, field, odd)}\n")
        assert read(path)[0][0].id == "q2"


@pytest.mark.parametrize("arguments", [1.5, True, "text", {"gen_args_0": 1}, [1.5], [[]], None])
def test_invalid_arguments(tmp_path: Path, arguments: Any) -> None:
    path = tmp_path / "samples_x_2026-01-01T00-00-00.jsonl"
    path.write_text(json_lines([lm_eval_sample(ROWS[0], arguments=arguments)]))
    [found] = read(path)[0]
    assert found.question.bare == ROWS[0]["question"]


@pytest.mark.parametrize("name", ["ß", "ı", "ŉ", "²", "٣", "7" * 5000, "Z", "["])
@pytest.mark.parametrize("by_number", [True, False])
def test_answer_that_names_no_option(name: str, by_number: bool) -> None:
    with pytest.raises(UnusableError, match="is none of the options"):
        find_right_option(name, ("Paris", "Lima"), by_number=by_number)


def test_invalid_utf8_in_parquet_loses_one_row(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    cells = [b"Paris", b"\xff\xfe", b"Lima", b"\xc3"]
    starts = struct.pack("<5i", 0, 5, 7, 11, 12)
    replies = pyarrow.StringArray.from_buffers(4, pyarrow.py_buffer(starts), pyarrow.py_buffer(b"".join(cells)))
    questions = [f"Question {number}?" for number in range(4)]
    path = tmp_path / "a.parquet"
    write_table(pyarrow.table({"question": questions, "answers": ["Paris"] * 4, "response": replies}), path)
    found, messages = read(path)
    assert [reply.response.response for reply in found] == ["Paris", "Lima"]
    assert [message.partition(": broken record: 'utf-8' codec")[0] for message in messages] == [
        f"{path}, record 2",
        f"{path}, record 4",
    ]


def test_date_out_of_range_loses_one_row(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    times = pyarrow.array([0, 2**62], pyarrow.int64()).cast(pyarrow.timestamp("ms"))
    path = tmp_path / "a.parquet"
    columns = {name: ["It", "It"] for name in ("question", "answers", "response")}
    write_table(pyarrow.table({**columns, "at": times}), path)
    found, messages = read(path)
    assert len(found) == 1
    assert messages[0].startswith(f"{path}, record 2: broken record: ")
