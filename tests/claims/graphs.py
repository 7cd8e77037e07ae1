"""A small graph with what makes texts hard to link: namesakes, aliases, dates, one place within another, ways back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from factprobe.kgs.summaries import Facts
from factprobe.records import Entity, Relation, RelationSummary, Triplet

EINSTEIN = Entity("Q937", "Albert Einstein", ("A. Einstein",), ("human",))
CURIE = Entity("Q7186", "Marie Curie", ("Maria Skłodowska",), ("human",))
ATATURK = Entity("Q5152", "Kemal Atatürk", (), ("human",))
TOLKIEN = Entity("Q892", "J. R. R. Tolkien", (), ("human",))
FRANCE, GERMANY, SPAIN, POLAND = (
    Entity(*names)
    for names in (("Q142", "France"), ("Q183", "Germany"), ("Q29", "Spain"), ("Q36", "Poland", ("Republic of Poland",)))
)
GEORGIA, GEORGIA_US = Entity("Q230", "Georgia"), Entity("Q1428", "Georgia")
PARIS, PARIS_TEXAS = Entity("Q90", "Paris", ("City of Light",)), Entity("Q830149", "Paris")
BERLIN, ULM, WARSAW, MADRID, TBILISI, ATLANTA = (
    Entity(uri, name)
    for uri, name in (
        ("Q64", "Berlin"),
        ("Q3012", "Ulm"),
        ("Q270", "Warsaw"),
        ("Q2807", "Madrid"),
        ("Q994", "Tbilisi"),
        ("Q23556", "Atlanta"),
    )
)
SALZBURG = Entity("Q34713", "Salzburg")
MOZART = Entity("Q254", "Wolfgang Amadeus Mozart", ("Mozart",), ("human",))
USA = Entity("Q30", "United States", ("USA",))
SWITZERLAND = Entity("Q39", "Switzerland")
GERMAN, FRENCH, ENGLISH = Entity("Q188", "German"), Entity("Q150", "French"), Entity("Q1860", "English")
HOBBIT, SILMARILLION = Entity("Q74287", "The Hobbit"), Entity("Q79762", "The Silmarillion")

BORN = Relation("P19", "[X] was born in [Y].", "place of birth", type="N-1")
CAPITAL = Relation("P36", "[Y] is the capital of [X].", "capital", type="1-1")
COUNTRY = Relation("P17", "[X] lies in the country of [Y].", "country", type="N-1")
BORDER = Relation("P47", "[X] has a land border with [Y].", "shares border with", type="N-M")
LANGUAGE = Relation("P37", "[Y] is an official language of [X].", "official language", type="N-M")
BIRTHDAY = Relation("P569", "[X] was born on [Y].", "date of birth", type="N-1")
AUTHOR = Relation("P50", "[X] was written by [Y].", "author", type="N-1")

BORDERS = [(FRANCE, GERMANY), (GERMANY, FRANCE), (FRANCE, SPAIN), (SPAIN, FRANCE), (POLAND, GERMANY), (GERMANY, POLAND)]
"""All but that of Switzerland and France stand in the graph from both sides."""
FACTS: dict[Relation, list[tuple[Entity, Entity]]] = {
    BORN: [(EINSTEIN, ULM), (CURIE, WARSAW), (MOZART, SALZBURG)],
    CAPITAL: [
        (FRANCE, PARIS),
        (GERMANY, BERLIN),
        (SPAIN, MADRID),
        (POLAND, WARSAW),
        (GEORGIA, TBILISI),
        (GEORGIA_US, ATLANTA),
    ],
    COUNTRY: [(ULM, GERMANY), (PARIS, FRANCE), (PARIS_TEXAS, USA), (BERLIN, GERMANY)],
    BORDER: [*BORDERS, (SWITZERLAND, FRANCE)],
    LANGUAGE: [(SWITZERLAND, GERMAN), (SWITZERLAND, FRENCH), (USA, ENGLISH)],
    BIRTHDAY: [(EINSTEIN, Entity("V1", "14 March 1879")), (CURIE, Entity("V2", "1867"))],
    AUTHOR: [(HOBBIT, TOLKIEN), (SILMARILLION, TOLKIEN)],
}


def summary(relation: Relation, facts: Iterable[tuple[Entity, Entity]]) -> RelationSummary:
    return Facts(
        Triplet(
            one.label,
            other.label,
            other.uri,
            one.uri,
            relation,
            one.aliases,
            other.aliases,
            one.types,
            other.types,
        )
        for one, other in facts
    ).summary(relation)


def world() -> Iterator[RelationSummary]:
    """The relations of the graph."""
    return (summary(relation, facts) for relation, facts in FACTS.items())


def named(*names: str) -> list[RelationSummary]:
    """A graph of entities that have nothing but a name: the first is N0, the second N1."""
    end = Entity("E", "")
    return [summary(AUTHOR, [(Entity(f"N{number}", name), end) for number, name in enumerate(names)])]
