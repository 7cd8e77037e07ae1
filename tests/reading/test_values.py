"""Years, dates and numbers: which texts say the same value."""

from __future__ import annotations

from datetime import date
from itertools import chain, product

from hypothesis import given
from hypothesis import strategies as st

from factprobe.reading.values.units import UNITS
from factprobe.reading.values.value_parsing import value_in_template, value_of, values_in
from tests.tables import for_each_row

SAME = [
    ("CHF 91.4 billion", "91.4 billion Swiss francs"),
    ("¥45.1 trillion", "45.1tn yen"),
    ("A$5 million", "5 million Australian dollars"),
    ("2970 ± 10 °C", "2970 °C"),
    ("4.54 ± 0.05 billion years", "4.54 billion years"),
    ("4.54 billion years", "4.54 +/- 0.05 billion years"),
    ("1920", "21 July 1920"),
    ("1920", "nineteen twenty"),
    ("2001", "two thousand and one"),
    ("2021", "twenty twenty-one"),
    ("21 July 1920", "1920-07-21"),
    ("21 July 1920", "July 21st, 1920"),
    ("21 July 1920", "07/21/1920"),
    ("21 July 1920", "21.7.1920"),
    ("21 July 1920", "the twenty-first of July 1920"),
    ("21 July 1920", "+1920-07-21T00:00:00Z"),
    ("21 July 1920", "1920年7月21日"),
    ("21 July 1920", "1920 年 7 月 21 日"),
    ("21 July 1920", "1920년 7월 21일"),
    ("44 BC", "March 44 BC"),
    ("44 BC", "44 av. J.-C."),
    ("44 BC", "44 a.C."),
    ("March 44 BC", "March 15, 44 BC"),
    ("3 April 1920", "03/04/1920"),
    ("3 April 1920", "04/03/1920"),
    ("July 1920", "21 July 1920"),
    ("44 BC", "44 BCE"),
    ("-0044", "44 BC"),
    ("-0044", "15 March 44 BC"),
    ("-0044-03-15T00:00:00Z", "March 15, 44 BC"),
    ("-0044-00-00T00:00:00Z", "44 BCE"),
    ("-753", "753 BC"),
    ("-0356", "July 356 BC"),
    ("753 BC", "-0753"),
    ("753 BC", "-753"),
    ("+0044", "44 AD"),
    ("31 October", "October 31st"),
    ("31 October", "31 October 2017"),
    ("1939–1945", "1939-45"),
    ("1939–1945", "1939 to 1945"),
    ("1.4 million", "1,400,000"),
    ("12", "a dozen"),
    ("1205", "one thousand, two hundred and five"),
    ("1/3", "one third"),
    ("1/3", "a third"),
    ("2/3", "two-thirds"),
    ("0.5", "half"),
    ("3/4", "three quarters"),
    ("3/4", "three-fourths"),
    ("0.01", "one hundredth"),
    ("1.5", "one and a half"),
    ("1½", "one and a half"),
    ("2.5 hours", "two and a half hours"),
    ("2.5 hours", "2 and a half hours"),
    ("22.5", "twenty-two and a half"),
    ("2¾", "two and three quarters"),
    ("30 minutes", "half an hour"),
    ("45 minutes", "three quarters of an hour"),
    ("1.5 million", "one and a half million"),
    ("500,000", "half a million"),
    ("6", "half a dozen"),
    ("8,849", "8849 m"),
    ("50%", "fifty percent"),
    ("third", "3rd"),
    ("-3", "minus three"),
    ("-40", "negative 40"),
    ("-3", "–3"),
    ("-40 °C", "−40 degrees Celsius"),
    ("-40 °C", "-40 degrees"),
    ("5 km", "5"),
    ("5 km", "5-kilometre"),
    ("5 km", "5 KM"),
    ("5 km²", "5 square kilometres"),
    ("5 sq mi", "5 square miles"),
    ("9.8 m/s^2", "9.8 meters per second squared"),
    ("60 km/h", "60 kilometers per hour"),
    ("300 K", "300 kelvin"),
    ("300 kelvin", "300K"),
    ("12 V", "12 volts"),
    ("20 minutes", "20 min"),
    ("50%", "50 per cent"),
    ("30 lb", "30 pounds"),
    ("£5", "5 pounds"),
    ("$5", "US$5"),
    ("$5", "5 US$"),
    ("5 euros", "€5"),
    ("$5 million", "5 million dollars"),
    ("-$5", "minus 5 dollars"),
    ("1906-08", "August 1906"),
    ("1906-08", "30 August 1906"),
    ("1906-08", "1906–1908"),
    ("1906–1908", "1906-08"),
    ("1998-03", "March 1998"),
    ("-0356-07", "July 356 BC"),
    ("1850", "In 1850 A great fire"),
    ("19th century", "the 1800s"),
    ("1800s", "nineteenth century"),
    ("19th century", "19. Jahrhundert"),
    ("19th century", "XIXe siècle"),
    ("siglo XIX", "19th century"),
    ("19世纪", "XIX век"),
    ("5th century BC", "fifth century BCE"),
    ("1990s", "the '90s"),
    ("1990s", "1990–1999"),
    ("1990s", "May 1995"),
    ("21st century", "twenty-first century"),
    ("2 August 1970", "8/2/70"),
    ("2 August 1970", "2-Aug-1970"),
    ("2 August 1970", "2 августа 1970 года"),
    ("August 1970", "08/1970"),
    ("0.5", "1/2"),
    ("2500", "2.500"),
    ("--06-20", "June 20"),
    ("1955-04-18T00:00:00+01:00", "18 April 1955"),
    ("AD 79", "79 AD"),
    ("AD 79", "79 CE"),
    ("70 CE", "A.D. 70"),
    ("AD 79", "79"),
    ("AD1066", "1066"),
    ("31 BC", "BC 31"),
    ("2962.06 m", "2962,06 m"),
    ("4805.59 m", "4.805,59 m"),
    ("67750000", "67,75 Millionen"),
    ("4.25%", "4,25 %"),
    ("1500000", "1.5 millions"),
    ("1500000", "1.5 Mio"),
    ("30000", "3万"),
    ("15 March 44 BC", "March 15, 44 B.C."),
    ("15 March 44 BC", "15. März 44 v. Chr."),
    ("15 March 44 BC", "le 15 mars 44 av. J.-C."),
    ("15 March 44 BC", "15 mars 44 avant J.-C."),
    ("15 March 44 BC", "the 15th of March in 44 BCE"),
    ("-0044-03-15", "15 March 44 before Christ"),
    ("19 August AD 14", "August 19, 14 CE"),
    ("19 August AD 14", "August 19, A.D. 14"),
    ("August AD 14", "August 14 AD"),
    ("14 July", "the 14th of July"),
    ("1 May", "le 1er mai"),
    ("6 p.m.", "18:00"),
    ("8:30", "08:30"),
    ("08:30:00", "8:30 a.m."),
    ("08:30:00Z", "8:30"),
    ("08:30:00-05:00", "8:30 EST"),
    ("20:15", "8.15 pm"),
    ("20:15", "20.15 Uhr"),
    ("20:15", "20h15"),
    ("20:15", "20:15:40"),
    ("12:00", "noon"),
    ("12:00", "12 p.m."),
    ("12:00", "à midi"),
    ("00:00", "midnight"),
    ("00:00", "24:00"),
    ("1969-07-20T20:17:00Z", "20 July 1969, 20:17 UTC"),
    ("1969-07-20T20:17:00Z", "20:17 UTC on Sunday, July 20, 1969"),
    ("20 July 1969", "1969-07-20T20:17:00Z"),
    ("1969", "20 July 1969 at 20:17"),
    ("20:15", "20:15 on 5 May 2012"),
    ("1234.567", "1.234,567"),
    ("0.874", "0,874"),
    ("12.3456", "12,3456"),
    ("350 m", "0.35 km"),
    ("-40 °C", "-40 °F"),
    ("300,000,000 euros", "€300m"),
    ("350 million", "350m"),
    ("350 metres", "350m"),
    ("67 inches", "about 5 ft 7 in or so"),
    ("67 inches", "5' 7\" tall"),
    ("1 m 78 cm", "1,780 mm"),
]
OTHER = [
    ("33", "33e307"),
    ("5 km", "5e-400 km"),
    ("A$5 million", "$5 million"),
    ("2970 ± 10 °C", "2980 °C"),
    ("2970 ± 10 °C", "10 °C"),
    ("1/3", "two thirds"),
    ("1/3", "third"),
    ("3", "one third"),
    ("third", "one third"),
    ("2.5 hours", "three and a half hours"),
    ("2.5 hours", "two hours"),
    ("23", "twenty thirds"),
    ("--06-20", "June 21"),
    ("2.713", "2713"),
    ("1.250 kg", "1250 kg"),
    ("2962.06", "2962,60 m"),
    ("AD 79", "79 BC"),
    ("31 BC", "AD 31"),
    ("1920", "1921"),
    ("1920", "1920–1925"),
    ("44 BC", "44 AD"),
    ("-0044", "44 AD"),
    ("-0044", "43 BC"),
    ("-44", "44"),
    ("31 October", "30 October"),
    ("31 October", "October"),
    ("31 October", "31"),
    ("21 July 1920", "1920"),
    ("21 July 1920", "July 1920"),
    ("21 July 1920", "21 July 1921"),
    ("21 July 1920", "22 July 1920"),
    ("21 July 1920", "1920년 7월 22일"),
    ("44 BC", "44 ap. J.-C."),
    ("1939–1945", "1939"),
    ("1.4 million", "1.4"),
    ("100 m", "100 km"),
    ("8", "8,000"),
    ("2 h 30 min", "2 h, and 30 people"),
    ("1.005 km", "1 km and 5 m"),
    ("3", "minus 3"),
    ("-3", "three"),
    ("40 °C", "40 °F"),
    ("100 °C", "100"),
    ("100 °C", "100 K"),
    ("5 km", "5 cm"),
    ("5 km²", "5 km"),
    ("5 MW", "5 mW"),
    ("50%", "50‰"),
    ("50 Hz", "50 kHz"),
    ("30 kg", "30 pounds"),
    ("60 km/h", "60 mph"),
    ("20 minutes", "20 hours"),
    ("$5", "€5"),
    ("$5 million", "€5 million"),
    ("1906-08", "1906"),
    ("1906-08", "July 1906"),
    ("1998-03", "1998"),
    ("19th century", "1900s"),
    ("19th century", "1750"),
    ("5th century BC", "5th century"),
    ("1990s", "1890s"),
    ("1995", "1990s"),
    ("2 August 1970", "8/3/70"),
    ("1/2", "2/1"),
    ("15 March 44 BC", "March 15, 44 AD"),
    ("15 March 44 BC", "15 March 44"),
    ("15 March 44 BC", "15 March 43 BC"),
    ("19 August AD 14", "19 August 14 BC"),
    ("6 p.m.", "6 a.m."),
    ("08:30", "8:30 pm"),
    ("8:30 pm", "8:30"),
    ("8:30 pm", "8.30"),
    ("20:15:40", "20:15"),
    ("12:00", "midnight"),
    ("20:15", "20 hours 15 min"),
    ("1969-07-20T20:17:00Z", "20 July 1969"),
    ("1969-07-20T20:17:00Z", "20:17"),
    ("1969-07-20T20:17:00Z", "20 July 1969 at 8:17 a.m."),
    ("1969-07-20T20:17:00Z", "21 July 1969, 20:17"),
]
DATES = st.dates(min_value=date(1000, 1, 1))


def says(right: str, said: str) -> bool:
    value, found = value_of(right), values_in(said)
    assert value is not None
    return any(one.answers(value) for one in found)


@for_each_row(("right", "said"), SAME)
def test_the_same_value(right: str, said: str) -> None:
    assert says(right, said)


@for_each_row(("right", "said"), OTHER)
def test_another_value(right: str, said: str) -> None:
    assert not says(right, said)


@for_each_row(
    "label",
    [
        "Ulm",
        "Blink-182",
        "May",
        "14 Bis",
        "21st Century Fox",
        "Boeing 747",
        "",
        "...",
        "1984 (novel)",
        "High Noon",
        "Half Moon",
    ],
)
def test_a_name_is_no_value(label: str) -> None:
    assert value_of(label) is None


@for_each_row(
    "text", ["Tennessee", "tennis", "Oneida", "Sixtus", "hundreds of people", "firstmay", "noonday", "midnightly"]
)
def test_a_word_that_begins_as_a_number_is_no_value(text: str) -> None:
    assert values_in(text) == []


@given(DATES)
def test_a_date_is_read_in_every_order(day: date) -> None:
    right = f"{day:%Y-%m-%d}"
    for shape in ("{d} {m} {y}", "{m} {d}, {y}", "{d}. {m} {y}", "{y}/{n}/{d}", "{d}.{n}.{y}", "the {d}th of {m}, {y}"):
        said = shape.format(d=day.day, m=f"{day:%B}", y=day.year, n=day.month)
        assert says(right, said), said


@for_each_row(
    ("text", "numbers"),
    [
        ("192.168.100.1", [192.168]),
        ("1.234.567.25", [1.234]),
        ("7.257.257.257.25 m", [7.257]),
        ("1.2.3", [1.2]),
        ("1.234.567.", [1_234_567]),
        ("1.234.567.890", [1_234_567_890]),
        ("1,234,567.25", [1_234_567.25]),
        ("-1 234 567.25", [-1_234_567.25]),
    ],
)
def test_dots_part_thousands_or_decimals_not_both(text: str, numbers: list[float]) -> None:
    assert [value.number for value in values_in(text)] == numbers


@for_each_row(
    ("text", "numbers"),
    [
        ("two, three, five and seven", [2, 3, 5, 7]),
        ("first, second and third", [1, 2, 3]),
        ("twenty, thirty and forty", [20, 30, 40]),
        ("one hundred and two, two hundred and three thousand, one hundred", [102, 203_100]),
        ("a third person, the second half, two and three", [3, 2, 2, 3]),
    ],
)
def test_number_words_of_a_list_are_separate(text: str, numbers: list[float]) -> None:
    assert [value.number for value in values_in(text)] == numbers


def test_figures_joined_by_any_marks_are_read() -> None:
    for joints in product([*".,-/ "], repeat=3):
        for figures in product(["7", "257", "1950"], repeat=4):
            text = "".join(chain(*zip(figures, (*joints, ""), strict=True)))
            assert all(value.start < value.end <= len(text) for value in values_in(text))
            value_of(text)


@given(st.text(alphabet="0123456789 ,.-/–JulymarchofBCadth'stwentyone年月日:TZh", max_size=30) | st.text(max_size=30))
def test_any_text_is_read(text: str) -> None:
    for value in values_in(text):
        assert 0 <= value.start < value.end <= len(text)
    value_of(text)


@given(st.integers(0, 10**9))
def test_a_number_is_read_with_and_without_separators(number: int) -> None:
    assert says(f"{number:,}", str(number))
    assert says(str(number), f"{number:,}")


@given(st.sampled_from(sorted(UNITS)), st.integers(2, 99))
def test_a_number_with_any_unit_is_itself_and_no_other_number(unit: str, number: int) -> None:
    value = value_of(f"{number} {unit}")
    assert value is not None
    assert value.answers(value)
    assert not any(one.answers(value) for one in values_in(f"-{number} {unit}"))
    assert not any(one.answers(value) for one in values_in(f"{number + 1} {unit}"))


@given(st.integers(2**53, 10**40), st.integers(1, 9))
def test_long_integers_that_differ_are_different_numbers(number: int, more: int) -> None:
    assert says(str(number), f"{number:,}")
    assert not says(str(number), str(number + more))


@for_each_row(
    ("right", "said", "rounds"),
    [
        ("380,793", "381,000", True),
        ("380,793", "380,000", True),
        ("€75.9 billion", "€76 billion", True),
        ("45.1 trillion", "45 trillion", True),
        ("299,792,458 m/s", "300,000 km/s", True),
        ("1,003,000", "1 million", True),
        ("1,030,000", "1 million", False),
        ("380,793", "400,000", False),
        ("277,000", "280,000", False),
        ("206", "210", False),
        ("3.11", "3.1", False),
        ("1847", "1850", False),
        ("€75.9 billion", "$76 billion", False),
        ("381,000", "380,793", False),
        ("42.195 km", "42.2 km", True),
        ("8848 m", "8.85 km", True),
        ("8848 m", "8.86 km", False),
        ("8848 m", "8.85 kg", False),
        ("8848 m", "9 km", False),
    ],
)
def test_a_number_may_be_rounded(right: str, said: str, rounds: bool) -> None:
    value, other = value_of(said), value_of(right)
    assert value is not None
    assert other is not None
    assert value.rounds(other) is rounds


@for_each_row(
    ("template", "label", "expected"),
    [
        ("[X] has an area of [Y] km².", "41,285", "41,285 km²"),
        ("[X] is [Y] km long.", "2850", "2850 km"),
        ("[X] is [Y] km long.", "2850 m", "2850 m"),
        ("[X] is [Y] km long.", "long", "long"),
        ("[X] is [Y] long.", "2850", "2850"),
        ("[X] costs $[Y].", "5", "$5"),
        ("Of 3 km, [X] is the [Y].", "second", "second"),
        ("", "5", "5"),
    ],
)
def test_value_in_a_template_has_its_unit(template: str, label: str, expected: str) -> None:
    assert value_in_template(template, label) == expected


@for_each_row(
    ("said", "right", "expected"),
    [("4.8 km", "4806 m", True), ("4.81 km", "4806 m", True), ("4.9 km", "4806 m", False), ("4.8 kg", "4806 m", False)],
)
def test_a_quantity_may_be_rounded_in_another_unit(said: str, right: str, expected: bool) -> None:
    value, other = value_of(said), value_of(right)
    assert value is not None
    assert other is not None
    assert value.is_rounded(other) is expected
