"""Claims without a language model: which relation the words of a sentence tell of two names."""

from __future__ import annotations

import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.claims.facts import GraphFacts
from factprobe.claims.graph import ClaimReader, GraphClaims
from factprobe.extractors.triplets import summed_up
from factprobe.kgs import kgs
from factprobe.parts.base import PartSettings
from factprobe.records import Claim, Entity, Item, Relation
from tests.claims.graphs import summary, world
from tests.tables import for_each_row

READER = ClaimReader(GraphFacts(world()))
BUNDLED = Path(factprobe.__file__).parents[1] / "kgs/trex"


def claims(text: str) -> list[Claim]:
    return list(READER.claims(text))


def said(text: str) -> list[tuple[str, str, str]]:
    """The claims of a text: head and tail as they stand there, the relation's id, with `not` where it is denied."""
    return [(claim.parts[0], _relation(claim), claim.parts[2]) for claim in claims(text)]


def _relation(claim: Claim) -> str:
    return f"not {claim.uris[1]}" if claim.parts[1].startswith("not ") else claim.uris[1]


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("Albert Einstein was born in Paris.", [("Albert Einstein", "P19", "Paris")]),
        ("ALBERT EINSTEIN IS BORN IN ULM", [("ALBERT EINSTEIN", "P19", "ULM")]),
        ("Albert Einstein, a physicist, was born in the old city of Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("Albert Einstein’s birthplace is Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("The birthplace of Albert Einstein was Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("Ulm is the birthplace of Albert Einstein.", [("Albert Einstein", "P19", "Ulm")]),
        ("Albert Einstein (born in Ulm) was a physicist.", [("Albert Einstein", "P19", "Ulm")]),
        ("Maria Skłodowska was born in Warsaw.", [("Maria Skłodowska", "P19", "Warsaw")]),
        ("Paris is the capital of France.", [("France", "P36", "Paris")]),
        ("Paris is the capital and the largest city of France.", [("France", "P36", "Paris")]),
        ("Paris, the capital of Germany, is old.", [("Germany", "P36", "Paris")]),
        ("France's capital, Paris, is old.", [("France", "P36", "Paris")]),
        ("France has its capital in Berlin.", [("France", "P36", "Berlin")]),
        ("Ulm is in Germany.", [("Ulm", "P17", "Germany")]),
        ("Ulm is located in Spain.", [("Ulm", "P17", "Spain")]),
        ("France borders Germany.", [("France", "P47", "Germany")]),
        ("France shares borders with Germany.", [("France", "P47", "Germany")]),
        ("J. R. R. Tolkien wrote The Hobbit.", [("The Hobbit", "P50", "J. R. R. Tolkien")]),
        ("The Hobbit was written by J. R. R. Tolkien.", [("The Hobbit", "P50", "J. R. R. Tolkien")]),
        ("The author of The Hobbit is J.R.R. Tolkien.", [("The Hobbit", "P50", "J.R.R. Tolkien")]),
        ("French is an official language of Switzerland.", [("Switzerland", "P37", "French")]),
        (
            "The two official languages of Switzerland are German and French.",
            [("Switzerland", "P37", "German"), ("Switzerland", "P37", "French")],
        ),
        ("Ulm and Berlin are cities in Germany.", [("Ulm", "P17", "Germany"), ("Berlin", "P17", "Germany")]),
        ("France is bordered by Germany.", [("France", "P47", "Germany")]),
    ],
)
def test_paraphrases_of_a_relation_make_a_claim(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    ("text", "expected"),
    [
        (
            "Switzerland's official languages are German and French.",
            [("Switzerland", "P37", "German"), ("Switzerland", "P37", "French")],
        ),
        (
            "France borders Spain, Germany and Poland.",
            [("France", "P47", "Spain"), ("France", "P47", "Germany"), ("France", "P47", "Poland")],
        ),
        ("Spain and Germany border France.", [("Spain", "P47", "France"), ("Germany", "P47", "France")]),
        (
            "Paris is the capital of France and Berlin is the capital of Germany.",
            [("France", "P36", "Paris"), ("Germany", "P36", "Berlin")],
        ),
        (
            "Paris is the capital of France; Berlin is in Germany.",
            [("France", "P36", "Paris"), ("Berlin", "P17", "Germany")],
        ),
        ("Albert Einstein was born in Ulm, Germany.", [("Albert Einstein", "P19", "Ulm"), ("Ulm", "P17", "Germany")]),
        (
            "Berlin is in Germany and is the capital of Germany.",
            [("Berlin", "P17", "Germany"), ("Germany", "P36", "Berlin")],
        ),
        (
            "Albert Einstein knew Marie Curie, who was born in Warsaw.",
            [("Marie Curie", "P19", "Warsaw")],
        ),
    ],
)
def test_lists_and_statements_in_one_sentence(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    "text",
    [
        "",
        "Nothing of this is known.",
        "Albert Einstein loved Ulm.",
        "Albert Einstein and Marie Curie.",
        "Albert Einstein was not born in Ulm or Paris.",
        "Neither Ulm nor Paris is the birthplace of Albert Einstein.",
        "Albert Einstein was not necessarily born in Ulm.",
        "France has no border with Spain.",
        "Paris was not the capital of Germany.",
        "It is not true that Albert Einstein was born in Ulm.",
        "It is a myth that Albert Einstein was born in Ulm.",
        "Albert Einstein was born in Ulm? No.",
        "Was Albert Einstein born in Ulm?",
        "I am not sure whether Albert Einstein was born in Ulm.",
        "Many people believe that Albert Einstein was born in Ulm.",
        "Hermann Curie was born in Warsaw.",
        "Albert Einstein was born near Ulm University.",
        "Albert Einstein studied. Ulm was born.",
        "Paris Hilton was born in Warsaw.",
    ],
)
def test_questions_and_doubts_make_no_claim(text: str) -> None:
    assert said(text) == []


GAPPED = [("France", "P36", "Paris"), ("Germany", "P36", "Berlin")]
BORN = [("Albert Einstein", "P19", "Ulm"), ("Marie Curie", "P19", "Warsaw")]


@for_each_row(
    ("text", "expected"),
    [
        ("Paris is the capital of France, and Berlin that of Germany.", GAPPED),
        ("Paris is the capital of France, Berlin the capital of Germany.", GAPPED),
        ("Paris is the capital of France and Berlin of Germany.", GAPPED[:1]),
        ("Paris is the capital of France, Berlin of Germany and Madrid of Spain.", GAPPED[:1]),
        ("Paris is the capital of France and Berlin of the land to the east.", GAPPED[:1]),
        ("The capital of France is Paris, that of Germany, Berlin.", GAPPED[:1]),
        ("The capital of France is Paris, and of Germany Berlin.", GAPPED[:1]),
        ("The capitals of France and Germany are Paris and Berlin.", GAPPED),
        ("Paris and Berlin are the capitals of France and Germany.", GAPPED),
        ("Paris and Berlin are the capitals of France and Germany respectively.", GAPPED),
        ("From Paris, the capital of France, to Berlin, the capital of Germany.", GAPPED),
        ("Albert Einstein was born in Ulm and Marie Curie in Warsaw.", BORN),
        ("Albert Einstein was born in Ulm, Marie Curie in Warsaw.", BORN),
        ("Albert Einstein was not born in Ulm and Marie Curie in Warsaw.", [("Albert Einstein", "not P19", "Ulm")]),
        ("Albert Einstein was born in Ulm but Marie Curie in Warsaw.", BORN[:1]),
        ("Albert Einstein was born in Springfield and Marie Curie in Warsaw.", []),
        ("Albert Einstein was born in Springfield, Marie Curie in Warsaw.", []),
        ("Albert Einstein was born in 1879, Marie Curie in 1867.", [("Albert Einstein", "P569", "1879")]),
        ("Albert Einstein was born in Ulm and Marie Curie was a chemist and born in Warsaw.", BORN),
        ("Paris, the capital of France, and Berlin, the capital of Germany, are old.", GAPPED),
        ("The capital of France is Paris, the capital of Germany is Berlin.", GAPPED),
        ("The capital of France, Paris, is larger than the capital of Germany, Berlin.", GAPPED[:1]),
        ("Paris (capital of France), Berlin (capital of Germany).", GAPPED),
        ("Paris is the capital of France, and so is Berlin of Germany.", GAPPED[:1]),
        ("Paris is the capital of France, and Berlin, of Germany.", GAPPED[:1]),
        ("France, with its capital Paris, and Germany, with its capital Berlin, are old.", GAPPED),
        (
            "France borders Spain and Germany, and its capital is Paris.",
            [("France", "P47", "Spain"), ("France", "P47", "Germany"), ("France", "P36", "Paris")],
        ),
        ("France borders Spain, and Germany Poland.", [("France", "P47", "Spain")]),
        ("France, with Paris as its capital, borders Germany, with Berlin as its capital.", []),
        ("Paris or Berlin is the capital of Germany.", []),
        ("Albert Einstein was born in either Ulm or Paris.", []),
    ],
)
def test_gapped_clause_makes_its_own_claim(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    "text",
    [
        "If Paris were the capital of Germany, it would be larger.",
        "If Ulm is old and Paris is the capital of Germany, it is larger.",
        "Were Paris the capital of Germany, it would be larger.",
        "Unless Paris is the capital of Germany, this is odd.",
        "Whether Paris is the capital of Germany is a good question.",
        "Paris is the capital of Germany only if this is right.",
        "Paris is seen as if it were the capital of Germany.",
        "Suppose Paris is the capital of Germany.",
        "Perhaps Paris is the capital of Germany.",
        "Paris could have been the capital of Germany.",
        "Paris may be the capital of Germany.",
        "Paris should be the capital of Germany.",
        "Paris will be the capital of Germany.",
        "Paris was supposed to be the capital of Germany.",
        "Paris hopes to become the capital of Germany.",
        "Paris is said to be the capital of Germany.",
        "He says that Paris is the capital of Germany.",
        "Before Paris became the capital of Germany, it was a village.",
        "When Paris was the capital of Germany, it was larger.",
        "While Paris was the capital of Germany, it was larger.",
        "Until 1990 Paris was the capital of Germany.",
        "Until 1990, the capital of Germany was Paris.",
        "Paris was the capital of Germany until 1990.",
        "Paris was the capital of Germany from 1949 to 1990.",
        "Paris was the capital of Germany before Berlin.",
        "Paris, the former capital of Germany, is old.",
        "The former capital of Germany is Paris.",
        "The capital of Germany before 1990 was Paris.",
        "In the 1940s Paris was the capital of Germany.",
        "Paris is larger than the capital of Germany.",
        "Paris was replaced as the capital of Germany.",
        "Paris was once the capital of Germany.",
        "Paris was the first capital of Germany.",
        "Paris used to be the capital of Germany.",
    ],
)
def test_conditional_or_reported_statement_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "If I remember correctly, Paris is the capital of France.",
        "If you visit Paris, the capital of France, you should see it.",
        "You could visit Paris, which is the capital of France.",
        "Whatever you may say, Paris is the capital of France.",
        "If it rains it is wet, but Paris is the capital of France.",
        "I believe that Paris is the capital of France.",
        "Before the war it was small; Paris is the capital of France.",
    ],
)
def test_unrelated_condition_keeps_the_claim(text: str) -> None:
    assert said(text) == [("France", "P36", "Paris")]


def test_a_relation_that_is_worded_with_what_may_be_is_told() -> None:
    treats = Relation("treats", "[X] may treat [Y].", "may treat")
    drug, other, illness = Entity("d", "aspirin"), Entity("e", "codeine"), Entity("i", "headache")
    reader = ClaimReader(GraphFacts([summary(treats, [(drug, illness), (other, illness)])]))
    assert [claim.uris for claim in reader.claims("Aspirin may treat headache.")] == [("d", "treats", "i")]
    assert not list(reader.claims("Aspirin could treat headache."))


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was not born in Ulm.", [("Albert Einstein", "not P19", "Ulm")]),
        ("Albert Einstein wasn't born in Ulm.", [("Albert Einstein", "not P19", "Ulm")]),
        ("Albert Einstein was never born in Ulm.", [("Albert Einstein", "not P19", "Ulm")]),
        ("The birthplace of Albert Einstein was not Ulm.", [("Albert Einstein", "not P19", "Ulm")]),
        (
            "France does not border Spain and Germany.",
            [("France", "not P47", "Spain"), ("France", "not P47", "Germany")],
        ),
        ("Ulm was not in France.", []),
        (
            "Paris is not the capital of Germany. Berlin is the capital of Germany.",
            [("Germany", "not P36", "Paris"), ("Germany", "P36", "Berlin")],
        ),
    ],
)
def test_negated_statement_makes_a_negated_claim(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected
    assert all(claim.parts[1].startswith("not ") or "not" not in text for claim in claims(text)[:1])


@for_each_row(
    ("text", "tail"),
    [
        ("Albert Einstein was born on 14 March 1879 in Ulm.", "14 March 1879"),
        ("Albert Einstein was born in 1879.", "1879"),
        ("Albert Einstein (born March 14, 1879) was a physicist.", "March 14, 1879"),
        ("Albert Einstein's date of birth is 15 March 1879.", "15 March 1879"),
    ],
)
def test_date_is_extracted_whole(text: str, tail: str) -> None:
    assert ("Albert Einstein", "P569", tail) in said(text)
    assert [claim for claim in said(text) if claim[1] == "P19"] == (
        [("Albert Einstein", "P19", "Ulm")] if "Ulm" in text else []
    )


def test_a_claim_says_where_it_stands_and_what_it_means() -> None:
    text = "Yes. In short, Marie Curie was born in  Warsaw, I think."
    [claim] = claims(text)
    assert claim.parts == ("Marie Curie", "place of birth", "Warsaw")
    assert [text[start:end] for start, end in claim.spans] == ["Marie Curie", "was born in", "Warsaw"]
    assert claim.uris == ("Q7186", "P19", "Q270")


def test_the_relation_picks_among_namesakes_and_leaves_open_what_it_cannot() -> None:
    [claim] = claims("Paris is the capital of France.")
    assert claim.uris == ("Q142", "P36", "Q90")
    [claim] = claims("Tbilisi is the capital of Georgia.")
    assert claim.uris == ("", "P36", "Q994")


def test_offsets_hold_where_folding_shifts_them() -> None:
    text = "İİİ ßß \ufb01: Kemal. Maria Skłodowska was born in Warsaw."
    [claim] = claims(text)
    assert [text[start:end] for start, end in claim.spans] == ["Maria Skłodowska", "was born in", "Warsaw"]


WORDS = (
    "Albert Einstein|Ulm|Paris|Georgia|was born in|is the capital of|borders|and|,|;|not|?|.|\n|1879|İ|the|"
    "J. R. R. Tolkien"
)


@given(st.lists(st.sampled_from(WORDS.split("|")) | st.text(max_size=3), max_size=14).map(" ".join))
def test_any_text_has_claims_with_names_of_its_own(text: str) -> None:
    for claim in READER.claims(text):
        head, _, tail = claim.spans
        assert (text[slice(*head)], text[slice(*tail)]) == (claim.parts[0], claim.parts[2])
        assert all(0 <= start <= end <= len(text) for start, end in claim.spans)
        assert claim.uris[1] in READER.facts.relations
        assert all(uri in READER.facts.entities for uri in claim.uris[::2] if uri)


def test_every_fact_of_the_bundled_graph_is_found_in_its_sentence() -> None:
    kg = kgs.get("trex")(BUNDLED, "trex")
    summaries = [summed_up(kg, relation) for relation in kg.load_relations()]
    reader = ClaimReader(GraphFacts(summaries))
    count = 0
    for one in summaries:
        template = one.relation_info.template
        for subject, object_ in one.facts():
            labels = (reader.facts.label(subject), reader.facts.label(object_))
            [claim] = reader.claims(template.replace("[X]", labels[0]).replace("[Y]", labels[1]))
            assert claim.parts[::2] == labels
            count += 1
    assert count == 560


def test_the_extractor_goes_text_by_text() -> None:
    extractor = GraphClaims(PartSettings(name="graph"))
    extractor.graph = world
    items = [Item("1", "Albert Einstein was born in Ulm."), Item("2", ""), Item("3", "Ulm is in Germany.")]
    found = list(extractor.extract(items))
    assert [one.item for one in found] == items
    assert [len(one.claims) for one in found] == [1, 0, 1]
    assert not any(one.fault for one in found)


@for_each_row(
    "piece",
    [
        "Ulm, ",
        "nothing ",
        "France borders Spain, ",
        "Ulm and ",
        "Ulm 1879 ",
        "Albert Einstein was born in Ulm and ",
        "İ",
    ],
)
def test_the_time_grows_with_the_text_alone(piece: str) -> None:
    def seconds(times: int) -> float:
        start = time.process_time()
        claims(piece * times)
        return time.process_time() - start

    seconds(10)
    assert seconds(800) < 40 * seconds(80) + 0.5


def test_the_time_grows_with_a_list_alone() -> None:
    def seconds(names: int) -> float:
        start = time.process_time()
        assert claims(f"France borders {'Spain, ' * names}Germany and Poland.")
        return time.process_time() - start

    seconds(10)
    assert seconds(4000) < 40 * seconds(400) + 0.3


@for_each_row(
    ("text", "count"),
    [
        ("Paris is the capital of\nFrance.", 1),
        ("Paris is the capital of \r\n France.", 1),
        ("Paris is\nthe capital of France.", 1),
        ("Paris is the capital of\n\nFrance.", 0),
        ("Paris is the capital\n- of France.", 0),
        ("I know Paris\nFrance borders Spain", 1),
    ],
)
def test_sentence_may_span_lines(text: str, count: int) -> None:
    found = claims(text)
    assert len(found) == count
    for claim in found:
        head, _, tail = claim.spans
        assert (text[slice(*head)], text[slice(*tail)]) == (claim.parts[0], claim.parts[2])


@for_each_row(
    ("text", "expected"),
    [
        ("Marie Curie, born in 1867, published a book in 1913.", ["1867"]),
        ("Marie Curie (born 1867, died 1934) was a chemist.", ["1867"]),
        ("Marie Curie was born two years before 1913.", []),
        ("Marie Curie was born two years later.", []),
        ("Marie Curie was born on 7 November 1867.", ["7 November 1867"]),
    ],
)
def test_date_of_another_event_is_no_date_of_birth(text: str, expected: list[str]) -> None:
    assert [tail for _, _, tail in said(text)] == expected


@for_each_row(
    ("text", "count"),
    [
        ("Shakira speaks English, Portuguese and Italian.", 0),
        ("Shakira spoke English.", 0),
        ("Shakira speaks English natively.", 1),
        ("Shakira is a native speaker of English.", 1),
    ],
)
def test_speaker_of_a_language_is_no_native_speaker(text: str, count: int) -> None:
    native = Relation("P103", "[X] grew up speaking [Y].", "native language", type="N-1")
    languages = [Entity(f"L{n}", name) for n, name in enumerate(("Spanish", "English", "Portuguese", "Italian"))]
    people = [Entity(f"H{n}", name) for n, name in enumerate(("Shakira", "Ann Lee", "Bo Ray", "Cy Day"))]
    reader = ClaimReader(GraphFacts([summary(native, zip(people, languages, strict=True))]))
    assert len(list(reader.claims(text))) == count
