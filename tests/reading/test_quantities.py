"""Quantities in one or several units: which texts give the same amount."""

from __future__ import annotations

from factprobe.reading.values.units import Quantity
from factprobe.reading.values.value_parsing import value_of
from tests.tables import for_each_row

SAME = [
    ("5 ft 7 in", "5'7\""),
    ("5 ft 7 in", "5 ft 7"),
    ("5 ft 7 in", "170 cm"),
    ("1.78 m", "1 m 78 cm"),
    ("178 cm", "1.78 metres"),
    ("12 stone 4", "12 st 4 lb"),
    ("195 minutes", "3 hours 15 minutes"),
    ("1 min 30 s", "90 seconds"),
    ("2 weeks", "14 days"),
    ("18 months", "1.5 years"),
    ("26 miles 385 yards", "42.195 km"),
    ("8,848 m", "29,029 feet"),
    ("300 km", "186 miles"),
    ("150 lb", "68 kg"),
    ("2:05", "2 min 5 s"),
    ("2:05", "125 minutes"),
    ("2:05:30", "2 h 5 min 30 s"),
    ("P3Y", "36 months"),
    ("PT1H30M", "90 minutes"),
    ("P14D", "two weeks"),
    ("2h 49m", "169 min"),
    ("2h49m", "2:49"),
    ("5 lb 3 oz", "five pounds and three ounces"),
    ("5 lb 3 oz", "2.35 kg"),
    ("26 km²", "2,600 hectares"),
    ("26 km²", "10 sq mi"),
    ("100 °C", "212 °F"),
    ("20 °C", "293 K"),
    ("500 µg", "0.5 mg"),
    ("500 µg", "500 mcg"),
    ("5 l", "5 dm³"),
    ("100 km/h", "62 mph"),
]
OTHER = [
    ("5 ft 7 in", "7 ft 5 in"),
    ("5 ft 7 in", "5 ft 8 in"),
    ("5 ft 7 in", "175 cm"),
    ("8,848 m", "8,849 m"),
    ("300 km", "200 miles"),
    ("2 h 30 min", "2 h 13 min"),
    ("2 weeks", "2 months"),
    ("3 kg", "3 g"),
    ("41°24′N", "41°24′S"),
    ("P3Y", "P3M"),
    ("P", "PT"),
    ("26 km²", "26 km"),
    ("2h 49m", "2h 39m"),
    ("1.80 m", "181 cm"),
    ("8,848 m", "8.849 km"),
    ("100 °C", "210 °F"),
    ("5 l", "5 m³"),
]


def quantities_of(text: str) -> list[Quantity]:
    value = value_of(text)
    return value.quantities() if value else []


def is_same(one: str, other: str) -> bool:
    return any(left.equals(right) for left in quantities_of(one) for right in quantities_of(other))


@for_each_row(("one", "other"), SAME)
def test_the_same_amount(one: str, other: str) -> None:
    assert is_same(one, other)
    assert is_same(other, one)


@for_each_row(("one", "other"), OTHER)
def test_another_amount(one: str, other: str) -> None:
    assert not is_same(one, other)
    assert not is_same(other, one)


@for_each_row("text", ["Paris", "12", "5 apples", "3 kg of salt", "ft", "7 in 5 ft", "6 p.m.", "20:75"])
def test_a_text_that_is_no_quantity(text: str) -> None:
    assert not quantities_of(text)
