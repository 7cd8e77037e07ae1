"""Dates as graphs write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.periods import Day, holds, latest_period, parse_day
from factprobe.records import Period

NEW_YEAR = Day(2024, 1, 1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-01-31", Day(2024, 1, 31)),
        ("2024-01", Day(2024, 1)),
        ("1879", Day(1879)),
        ("+1879-03-14T00:00:00Z", Day(1879, 3, 14)),
        ("+1879-00-00T00:00:00Z", Day(1879)),
        ("1879-03-14Z", Day(1879, 3, 14)),
        ("1879-03-14-05:00", Day(1879, 3, 14)),
        ("1879-05:00", Day(1879)),
        ("-0044-03-15", Day(-44, 3, 15)),
        ("2024-13-01", None),
        ("2024-01-32", None),
        ("March 1879", None),
        ("", None),
    ],
)
def test_days(text: str, day: Day | None) -> None:
    assert parse_day(text) == day


@pytest.mark.parametrize(
    ("periods", "last"),
    [
        ([], Period()),
        ([Period("1885", "1889"), Period("1893", "2030")], Period("1893", "2030")),
        ([Period("2021"), Period("2015", "2019")], Period("2021")),
        ([Period("2010"), Period("2021"), Period("", "2040")], Period("2021")),
        ([Period("", "2019"), Period("2001", "2019-12")], Period("2001", "2019-12")),  # until the last day of either
        ([Period("2001", "2019"), Period("", "2019")], Period("2001", "2019")),
        ([Period("-0050", "-0044-03-15"), Period("-0100", "-0045")], Period("-0050", "-0044-03-15")),
    ],
    ids=str,
)
def test_period_that_ends_last(periods: list[Period], last: Period) -> None:
    assert latest_period(periods) == last


@given(st.text())
def test_any_text_is_handled(text: str) -> None:
    found = parse_day(text)
    assert found is None or (0 <= found.month <= 12 and 0 <= found.day <= 31)


@pytest.mark.parametrize(
    ("day", "text"),
    [(Day(2024, 1, 1), "1 January 2024"), (Day(2024, 5), "May 2024"), (Day(1879), "1879")],
)
def test_dates_in_words(day: Day, text: str) -> None:
    assert str(day) == text


@pytest.mark.parametrize(
    ("start", "end", "held"),
    [
        ("", "", True),
        ("2020", "", True),
        ("", "2020", False),
        ("2020", "2023-12-31", False),
        ("2020", "2024-01-01", True),
        ("2024-01-01", "", True),
        ("2024-01-02", "", False),
        ("2024", "", True),  # in that year, on whatever day
        ("", "2024", True),
        ("", "2023-12", False),
        ("2024-02", "", False),
    ],
)
def test_held_on_new_years_day(start: str, end: str, held: bool) -> None:
    assert holds([Period(start, end)], NEW_YEAR) == held


def test_fact_with_several_periods() -> None:
    assert holds([Period("2001", "2005"), Period("2023", "")], NEW_YEAR)
    assert not holds([Period("2001", "2005"), Period("2010", "2012")], NEW_YEAR)
    assert holds([], NEW_YEAR)
