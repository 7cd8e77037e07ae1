"""Numbers and dates as options: the same in another writing, or coarser, is no wrong answer."""

from __future__ import annotations

from itertools import permutations

import pytest

from factprobe.generators.distractor_sampler import DistractorSampler
from factprobe.generators.sampling.distractors import Candidate, CandidateNames
from factprobe.generators.wording.same_values import value_names
from factprobe.records import Entity, Relation
from tests.generators.graphs import graph, make

SAME = [
    ("1000", "1000.0", "1.0e3", "01000", "1,000", "+1000", "1E3"),
    ("1906-12-09", "9 December 1906", "December 9, 1906", "1906-12-09T00:00:00Z", "+1906-12-09"),
    ("1906-12", "December 1906", "1906-12-00"),
    ("1906", "1906-00-00", "1906.0"),
    ("5 km", "5.0 km", "5km"),
    ("12345678901234567", "12,345,678,901,234,567"),
    ("$500", "500 dollars", "500.0 dollars"),
    ("0.5", ".5", "0.50", "5e-1", "½", "1/2"),
    ("4", "four", "4.0"),
    ("5th", "fifth"),
    ("1 km", "1000 m", "1,000 metres", "1 000 m", "0.001 Mm"),
    ("12 742 km", "12742 km", "12,742 kilometres", "12742000 m"),
    ("500 mg", "0.5 g", "500,000 µg", "500000 micrograms"),
    ("500 ml", "0.5 l", "0.5 L", "50 cl", "0.0005 m³"),
    ("1 GHz", "1000 MHz", "10^9 Hz", "1,000,000 kHz"),
    ("1 MPa", "1000 kPa", "1.0 megapascals"),
    ("1 kWh", "3.6 MJ", "3600 kJ"),
    ("12 in", "1 ft"),
    ("6 ft 2 in", "6'2\"", "74 inches"),
    ("1 m²", "10000 cm²", "1 square metre", "1 m^2"),
    ("26 km²", "26 square kilometres", "2600 ha"),
    ("36 km/h", "10 m/s", "0.01 km/s"),
    ("5 mmol/L", "5 mol/m³", "0.005 mol/l"),
    ("10^6", "1000000", "1×10^6", "10⁶", "1,000,000", "1 000 000"),
    ("150000000 km", "1.5×10⁸ km", "1.5×10^11 m"),
    ("AD 79", "79 CE", "79 AD", "79", "0079"),
    ("AD 1066", "1066", "1066 CE", "circa 1066"),
    ("EUR 5", "€5", "5 euros"),
    ("3 years", "36 months", "P3Y", "P36M", "P2Y12M", "P3Y0M"),
    ("PT90M", "PT1H30M", "90 minutes"),
    ("100 °C", "212 °F"),
    ("500 µg", "500 mcg"),
    ("5 l", "5 dm³"),
    ("5 acres", "5 ac"),
    ("2h 49m", "169 min"),
    ("€300 million", "300,000,000 euros", "EUR 300 million"),
    ("20:15", "8:15 pm", "20:15:00", "20.15 Uhr", "20h15"),
    ("noon", "12:00", "12 p.m."),
    ("midnight", "00:00", "12 am"),
    ("14 July", "July 14th", "the 14th of July", "14. Juli", "le 14 juillet"),
    ("15 March 44 BC", "March 15, 44 BCE", "-0044-03-15"),
    ("1969-07-20T20:17:00Z", "20 July 1969, 20:17 UTC", "July 20, 1969, 8:17 p.m."),
]
SAME_NAME = [
    ("World War II", "World War 2", "World War Two", "Second World War", "2nd World War"),
    ("Henry VIII", "Henry the Eighth", "Henry the 8th"),
    ("O-", "O negative", "O−"),
    ("Fifth Avenue", "5th Avenue"),
    ("Elizabeth II of England", "Elizabeth 2 of England"),
    ("Köln", "Koeln"),
    ("Rhythm & Blues", "Rhythm and Blues"),
    ("TNF-α", "TNF-alpha", "TNFα", "TNF alpha", "TNF-Alpha"),
    ("NF-κB", "NF-kappa B", "NFκB"),
    ("NF-κB", "NF-kB"),
    ("α-tocopherol", "alpha-tocopherol", "Alpha tocopherol"),
    ("Ω-3 acid", "omega-3 acid", "Omega 3 acid"),
    ("IL-6", "IL6", "IL 6", "IL‑6"),
    ("IL-6 receptor", "IL6 receptor"),
    ("COVID19", "COVID-19", "COVID 19", "Covid-19"),
    ("e-mail", "email", "E-Mail"),
    ("Node.js", "Nodejs", "node.js"),
    ("5-HT", "5HT"),
]
COARSER = [
    ("1906-12-09", "1906-12"),
    ("1906-12-09", "1906"),
    ("9 December 1906", "1906"),
    ("1906-12", "1906"),
    ("1906-12-09T10:30:00Z", "9 December 1906"),
    ("10:30:15", "10:30"),
    ("8:15 pm", "8:15"),
    ("20:15 UTC", "20:15"),
    ("1800", "1800s"),
    ("1975", "the 1970s"),
    ("1972–1974", "20th century"),
    ("1970s", "'70s"),
    ("44 BC", "1st century BC"),
    ("5 km", "5"),
    ("20 years", "20"),
]
ELSE = [
    ("1000", "10000"),
    ("1906-12-09", "1906-12-10"),
    ("1906-12", "1906-11"),
    ("1906-12-09", "1907"),
    ("5 km", "5 miles"),
    ("1.5", "15"),
    ("12345678901234567", "12345678901234568"),
    ("12,345,678,901,234,567", "12,345,678,901,234,568"),
    ("-12345678901234567", "-12345678901234568"),
    ("2001: A Space Odyssey", "2001"),
    ("Apollo 11", "11"),
    ("9 December", "1906"),
    ("1900", "1800s"),
    ("1979–1981", "1970s"),
    ("44 BC", "1st century"),
    ("the eighties", "1970s"),
    ("5 °C", "5"),
    ("5 km", "5 kg"),
    ("1 km", "1 m"),
    ("World War II", "World War I"),
    ("Henry VIII", "Henry VII"),
    ("Malcolm X", "Malcolm"),
    ("P3Y", "P3M"),
    ("P53", "53"),
    ("500 mg", "5 g"),
    ("1 m²", "100 cm²"),
    ("1 m", "1 m²"),
    ("26 km²", "26002 m"),
    ("5 l", "5 m"),
    ("1 kHz", "1 kPa"),
    ("12 742 km", "742 km"),
    ("10^6", "10^7"),
    ("10^6", "106"),
    ("1234567891 people", "1234567892 people"),
    ("AD 79", "79 BC"),
    ("B12", "B1"),
    ("B-12", "B-1"),
    ("B12", "B-1 2"),
    ("IL-6", "IL-16"),
    ("IL-1 6", "IL-16"),
    ("CD4", "CD40"),
    ("1-2", "12"),
    ("1-propanol", "2-propanol"),
    ("TNF-α", "TNF-β"),
    ("IL-6", "IL-8"),
    ("20:15", "8:15 am"),
    ("1969-07-20T20:17:00Z", "1969-07-20T09:05:00Z"),
    ("44 BC", "44 AD"),
    ("15 March 44 BC", "15 March AD 44"),
]


def clashes(one: str, other: str) -> bool:
    names = CandidateNames()
    names.add(Candidate(Entity("a", one)))
    return names.clash(Candidate(Entity("b", other)))


@pytest.mark.parametrize(("one", "other"), [pair for same in SAME for pair in permutations(same, 2)])
def test_the_same_value_cannot_stand_beside_itself(one: str, other: str) -> None:
    assert clashes(one, other)
    assert value_names(one)[0] == value_names(other)[0]


@pytest.mark.parametrize(("one", "other"), [pair for same in SAME_NAME for pair in permutations(same, 2)])
def test_a_name_cannot_stand_beside_itself_in_another_notation(one: str, other: str) -> None:
    assert clashes(one, other)


@pytest.mark.parametrize(
    "names",
    [
        "St. Louis|Saint Louis",
        "St Louis|Saint Louis",
        "Mt Everest|Mount Everest",
        "Ste-Marie|Sainte-Marie",
        "Ft Worth|Fort Worth",
        "King Jr.|King Junior",
        "UK|United Kingdom",
        "U.S.|United States",
        "USA|United States",
        "United States of America|US",
        "IBM|International Business Machines",
    ],
)
def test_an_abbreviated_name_cannot_stand_beside_the_whole_one(names: str) -> None:
    labels = [*names.split("|"), "San Louis", "Paris", "Moab King"]
    facts = graph([(f"s{label}", label) for label in labels], Relation("c", "[X] is in [Y].", "city"))
    asked = [question for question in make(facts).questions if question.form == "multi_choices_obj"]
    assert len(asked) == len(labels)
    assert not any({*labels[:2]} <= {*question.choices} for question in asked)
    assert any({labels[0], *labels[2:4]} <= {*question.choices} for question in asked)


@pytest.mark.parametrize(("fine", "coarse"), COARSER)
def test_a_date_cannot_stand_beside_one_that_says_less_of_it(fine: str, coarse: str) -> None:
    assert clashes(fine, coarse)
    assert clashes(coarse, fine)


@pytest.mark.parametrize(("one", "other"), ELSE)
def test_other_values_can(one: str, other: str) -> None:
    assert not clashes(one, other)
    assert not clashes(other, one)


EQUAL = ["5 km|3.1 miles", "5 ft 7 in|170 cm", "100 kg|220 lb", "42.195 km|26.2 miles", "8,848 m|29,029 ft"]
EQUAL += ["70 mph|113 km/h", "1 mile|1.61 km", "37 °C|98.6 °F|98.7 °F", "5 ft 7 in|1.7 m|170 cm|67 inches"]
UNEQUAL = ["5 km|3.2 miles", "5 ft 7 in|175 cm", "100 kg|210 lb", "5 km|4,990 m", "37 °C|97 °F", "5 km|3.1 kg"]


@pytest.mark.parametrize(("labels", "is_equal"), [(one, True) for one in EQUAL] + [(one, False) for one in UNEQUAL])
def test_quantities_that_graders_take_for_equal_are_no_wrong_answers(labels: str, is_equal: bool) -> None:
    values = labels.split("|")
    sizes = graph([*((f"s {value}", value) for value in values), ("far", "900 GHz")], POPULATION).summary()
    sought, given = DistractorSampler(sizes, "object"), DistractorSampler(sizes, "subject")
    for value in values:
        space = sought.answer_space(sought.given_entity(f"s {value}"), sought.sought_entity(value))
        assert {one.uri for one in space} == {"900 GHz", *([value] if is_equal else values)}
        assert {*given.answers(value)} == {f"s {one}" for one in (values if is_equal else [value])}


def test_a_number_whose_dot_may_part_thousands_cannot_stand_beside_either() -> None:
    assert all(clashes(*pair) for number in ("169176", "169.176") for pair in permutations(("169.176", number)))


def test_no_wrong_answer_is_a_right_one_in_another_writing() -> None:
    pop = graph(
        [("Aton", "1000"), ("Beton", "1000.0"), ("Ceton", "01000"), ("Deton", "1.0e3"), ("Eton", "7"), ("Fton", "7.0")],
        Relation("pop", "[X] has [Y] inhabitants.", "population"),
    )
    for question in make(pop).questions:
        values = [value_names(option)[0] for option in question.choices]
        assert len(values) == len({*values}) <= 2
        if question.question_type == "binary_answer" and question.subject_uri == "Aton":
            assert ("has 7" in question.prompts[0].content) == (question.answers == "incorrect")


def test_no_wrong_answer_says_less_or_more_of_the_right_day() -> None:
    died = graph(
        [("Aton", "1906-12-09"), ("Eton", "1906"), ("Fton", "1906-12"), ("Gton", "1815-12-10")],
        Relation("d", "[X] died on [Y].", "date of death"),
    )
    for question in make(died).questions:
        assert sum("1906" in option for option in question.choices) <= 1
        if question.question_type == "binary_answer":
            right = ("1906" in question.prompts[0].content) == (question.subject_uri != "Gton")
            assert right == (question.answers == "correct")


BORN_ON = Relation("b", "[X] was born on [Y].", "born on")
POPULATION = Relation("p", "[X] has [Y] inhabitants.", "population")
BIRTHS = {"Ann": "1970-12-01", "Ben": "1 December 1970", "Cy": "1990", "Di": "1990-03", "Ed": "1970", "Fay": "1800"}
SIZES = {"Aton": "116,250", "Beton": "116250", "Ceton": "4,808 m", "Deton": "4808 m", "Eton": "7"}
HOLDS = [
    (BIRTHS, BORN_ON, {"1970-12-01": "Ann Ben", "1990": "Cy Di", "1990-03": "Di", "1970": "Ann Ben Ed"}),
    (SIZES, POPULATION, {"116250": "Aton Beton", "4,808 m": "Ceton Deton", "7": "Eton"}),
]


@pytest.mark.parametrize(("facts", "relation", "holds"), HOLDS)
def test_who_holds_a_value_in_another_writing_or_more_of_it_is_right(
    facts: dict[str, str], relation: Relation, holds: dict[str, str]
) -> None:
    short = ["single_answer", "multiple_answer"]
    questions = make(graph(facts.items(), relation), ask="subject", question_types=short).questions
    assert all(
        {answer.uri for answer in question.answers if not isinstance(answer, str)}
        == {*holds[question.object_uri].split()}
        for question in questions
        if question.object_uri in holds
    )
    assert {*holds} <= {question.object_uri for question in questions}


@pytest.mark.parametrize("facts", [BIRTHS, SIZES])
def test_nobody_is_wrong_who_may_hold_the_value(facts: dict[str, str]) -> None:
    of = graph(facts.items(), POPULATION)
    for question in (question for seed in range(10) for question in make(of, seed, ask="subject").questions):
        wrong = {*question.choices} - {question.subject_uri}
        wrong |= {question.shown} if question.form == "binary_sub_incorrect" else set()
        assert not any(clashes(facts[one], question.object_uri) for one in wrong)
        assert wrong or question.form in ("ask_subject", "binary_correct")
    sampler = DistractorSampler(of.summary(), "subject")
    for subject, object_ in facts.items():
        space = sampler.answer_space(sampler.given_entity(object_), sampler.sought_entity(subject))
        rest = [other for other, value in facts.items() if other == subject or not clashes(value, object_)]
        assert [entity.uri for entity in space] == rest


def test_what_a_year_holds_need_not_be_of_each_event_in_it() -> None:
    held = graph([("1990", "a"), ("1990-03", "b"), ("1,000", "c"), ("1000", "d")], Relation("e", "In [X] fell [Y]."))
    questions = make(held, question_types=["single_answer", "multiple_answer"]).questions
    right = {
        question.subject_uri: [one.uri for one in question.answers if not isinstance(one, str)]
        for question in questions
    }
    assert right == {"1990": ["a"], "1990-03": ["b"], "1,000": ["c", "d"], "1000": ["d", "c"]}
