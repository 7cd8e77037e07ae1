"""Sentences that fit the names in them, and values as people write them."""

from __future__ import annotations

import pytest

from factprobe.generators.wording.articles import agree
from factprobe.generators.wording.written_values import are_quantities, as_written
from factprobe.records import Answer, Entity, Relation
from factprobe.templating import Template
from tests.generators.graphs import graph, make


def said(template: str, subject: str, object_: str) -> tuple[str, str, str]:
    """The statement with what stands at its ends."""
    statement = agree(Template(Relation("r", template), "").fill(subject, object_))
    return statement.text, statement.at("subject"), statement.at("object")


@pytest.mark.parametrize(
    ("name", "article"),
    [
        *(("actor", "an"), ("hour", "an"), ("umbrella maker", "an"), ("8-bit computer", "an"), ("MP", "an")),
        *(("honest man", "an"), ("X-ray", "an"), ("Élysée", "an"), ("unimportant town", "an"), ("urban area", "an")),
        *(("FBI agent", "an"), ("MRI technician", "an"), ("NBA player", "an"), ("SIM card", "a"), ("FLAK gun", "a")),
        *(("poet", "a"), ("European country", "a"), ("university", "a"), ("one-act play", "a"), ("UFO", "a")),
        *(
            ("user", "a"),
            ("utopia", "a"),
            ("Ukrainian", "a"),
            ("NASA engineer", "a"),
            ("house", "a"),
            ("11 m pool", "an"),
        ),
    ],
)
@pytest.mark.parametrize("written", ["a", "an"])
def test_the_article_fits_the_name(name: str, article: str, written: str) -> None:
    assert said(f"[X] is {written} [Y].", "Ada", name) == (f"Ada is {article} {name}.", "Ada", name)


def test_articles_of_both_ends() -> None:
    text = said("A [X] is used by a [Y].", "axe", "engineer")
    assert text == ("An axe is used by an engineer.", "axe", "engineer")


@pytest.mark.parametrize(
    ("template", "subject", "object_"),
    [
        ("[X] arbeitet an [Y].", "Ada", "Büchern"),  # a preposition in German
        ("[X] va a [Y].", "Ada", "Ulm"),
        ("[X] is a-[Y].", "Ada", "actor"),
        ("The grade is A [X], said [Y].", "b", "c"),
    ],
)
def test_what_is_no_article_stays(template: str, subject: str, object_: str) -> None:
    text = template.replace("[X]", subject).replace("[Y]", object_)
    assert said(template, subject, object_) == (text, subject, object_)


def test_a_blank_keeps_the_article() -> None:
    statement = Template(Relation("r", "[X] is a [Y]."), "").fill("Ada", "____", "object")
    assert agree(statement) == statement


@pytest.mark.parametrize(
    ("template", "name", "text"),
    [
        ("The gene [X] is linked to [Y].", "SEMA3D Gene", "The gene SEMA3D is linked to Ulm."),
        ("The [X] gene is linked to [Y].", "SEMA3D Gene", "The SEMA3D gene is linked to Ulm."),
        ("The river [X] crosses [Y].", "River Thames", "The river Thames crosses Ulm."),
        ("The city of [X] twins with [Y].", "New York City", "The city of New York City twins with Ulm."),
        ("The gene [X] is linked to [Y].", "Gene", "The gene Gene is linked to Ulm."),
        ("The gene [X] is linked to [Y].", "Regulatory Gene", "The Regulatory Gene is linked to Ulm."),
        ("The faulty gene [X] is linked to [Y].", "Red Gene", "The faulty gene Red Gene is linked to Ulm."),
        ("The [X] gene is linked to [Y].", "Regulatory Gene", "The Regulatory gene is linked to Ulm."),
        ("A gene [X] is linked to [Y].", "Oncotic Gene", "An Oncotic Gene is linked to Ulm."),
        ("The gene [X] is linked to [Y].", "SEMA3D", "The gene SEMA3D is linked to Ulm."),
        ("The band from [X] plays in [Y].", "From Hell", "The band from From Hell plays in Ulm."),
        ("The gene ([X] Gene) is linked to [Y].", "SEMA3D Gene", "The gene (SEMA3D Gene) is linked to Ulm."),
    ],
)
def test_no_word_is_said_twice(template: str, name: str, text: str) -> None:
    found, subject, object_ = said(template, name, "Ulm")
    assert (found, object_) == (text, "Ulm")
    assert subject in name


XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize(
    ("label", "types", "shown"),
    [
        ("1879-03-14", (), "14 March 1879"),
        ("1879-03-14T00:00:00Z", (), "14 March 1879"),
        ("1879-03-14+01:00", (), "14 March 1879"),
        ("1879Z", (), "1879"),
        ("1879-03", (), "March 1879"),
        ("1879-03-00", (), "March 1879"),
        ("1955-04-18T00:00:00+01:00", (), "18 April 1955"),
        ("1955-04-18T00:00:00.000-08:00", (), "18 April 1955"),
        ("1955-04-18T01:00:00+01:00", (), "1955-04-18T01:00:00+01:00"),
        ("--06-20", (f"{XSD}gMonthDay",), "20 June"),
        ("--06-02Z", (), "2 June"),
        ("--12", (f"{XSD}gMonth",), "December"),
        ("0033", (f"{XSD}gYear",), "AD 33"),
        ("0033", (), "0033"),
        ("PT162M", (f"{XSD}duration",), "162 minutes"),
        ("PT3H15M", (f"{XSD}dayTimeDuration",), "3 hours 15 minutes"),
        ("P0DT2H04M0.5S", (f"{XSD}duration",), "2 hours 4 minutes 0.5 seconds"),
        ("P1Y", (f"{XSD}yearMonthDuration",), "1 year"),
        ("PT0S", (f"{XSD}duration",), "PT0S"),
        ("P3Y", (), "P3Y"),  # which may be a code
        ("1879", (), "1879"),
        ("0843-08-10", (), "10 August 843"),
        ("-0753", (), "753 BC"),
        ("-0753-04-21", (), "21 April 753 BC"),
        ("-753", (), "-753"),  # which may be a number
        ("1879-13-14", (), "1879-13-14"),
        ("1821-07-28T12:00:00Z", (), "1821-07-28T12:00:00Z"),
        ("1.0E3", (), "1,000"),
        ("1e5", (), "1e5"),  # which may be a code
        ("1e5", (f"{XSD}double",), "100,000"),
        ("33000000", (f"{XSD}integer",), "33,000,000"),
        ("33000000.0", (f"{XSD}double",), "33,000,000"),
        ("33000000", (), "33000000"),  # which may be an id
        ("1984", (f"{XSD}integer",), "1984"),
        ("-1500", (), "1500 BC"),
        ("-1500", (f"{XSD}gYear",), "1500 BC"),
        ("-1500", (f"{XSD}integer",), "-1500"),
        ("-1500", (f"{XSD}decimal",), "-1500"),
        ("-0750", (f"{XSD}short",), "-0750"),
        ("+1500", (f"{XSD}integer",), "+1500"),
        ("-15000", (f"{XSD}negativeInteger",), "-15,000"),
        ("65535", (f"{XSD}unsignedShort",), "65,535"),
        ("00501", (f"{XSD}integer",), "00501"),
        ("Ulm", (), "Ulm"),
        ("3-2-1", (), "3-2-1"),
    ],
)
def test_values_are_shown_as_people_write_them(label: str, types: tuple[str, ...], shown: str) -> None:
    found = as_written(Entity("u", label, ("other",), types))
    assert found.label == shown
    assert found.aliases == (("other",) if shown == label else (label, "other"))


@pytest.mark.parametrize(
    ("labels", "label", "expected"),
    [
        (("33000000", "4105268", "96000"), "population", True),
        (("33000000", "4105268", "960"), "population", True),
        (("33000000", "41052680", "960"), "GeoNames ID", False),
        (("33000", "41052", "96000"), "population", False),  # ids often have one length
        (("33000000", "4105268", "00960"), "population", False),
        (("33000000", "4105268", "none"), "population", False),
        (("33000000", "960"), "population", False),  # too few to tell
    ],
)
def test_numbers_of_many_lengths_are_quantities(labels: tuple[str, ...], label: str, expected: bool) -> None:
    relation = Relation("r", f"The {label} of [X] is [Y].", label)
    assert are_quantities(relation, [Entity(name, name) for name in labels]) is expected
    assert as_written(Entity("u", "33000000"), is_quantity=expected).label == ("33,000,000" if expected else "33000000")


def test_a_population_is_asked_about_as_people_write_it() -> None:
    facts = [("Peru", "33000000"), ("Malta", "519562"), ("Nauru", "12511"), ("Chile", "19116201")]
    made = make(graph(facts, Relation("P1082", "[X] has a population of [Y].", "population")))
    [asked] = [question for question in made.of("ask_object") if question.subject_uri == "Malta"]
    assert asked.answers == (Answer("519562", "519,562", ("519562",)),)
    assert {option for question in made.questions for option in question.choices} <= {
        *("33,000,000", "519,562", "12,511", "19,116,201")
    }
