"""Claims below the sentences that make them, and texts whose claims could not be extracted."""

from __future__ import annotations

import re
from pathlib import Path

from factprobe.records import CheckedText, Claim, ClaimedText, ClaimVerdict, GraphFact, Item, Spans
from factprobe.reports.free_text.sentence_verdicts import judged_sentences, sentence_lines, write_sentences
from tests.tables import for_each_row

SNOWDON = (
    "Snowdon is the highest mountain in Wales. It is 1,085 metres high. "
    "It was first climbed in 1639 by the botanist Thomas Johnson."
)
BEES = (
    "Honeybees form a cluster in winter. The queen stays at the edge of the cluster. They eat stored honey. "
    "They do not hibernate."
)
COMPOSERS = "Puccini composed Tosca. Puccini composed Turandot. He died in Brussels."
FAULT = "the reply has no list of triplets"


def checked(response: str, *claims: Claim, fault: str = "") -> CheckedText:
    claimed = ClaimedText(Item("a", response), claims, fault)
    return CheckedText(claimed, (ClaimVerdict("Neutral"),) * len(claims), None)


def sentence_of(response: str, *parts: str, spans: Spans = ()) -> str:
    """The sentence below which a claim stands; empty for the text as a whole."""
    [found] = [one.sentence for one in judged_sentences([checked(response, Claim(parts, spans))]) if one.claims]
    return found


@for_each_row(
    ("response", "parts", "beginning"),
    [
        (SNOWDON, ("Snowdon", "is the highest mountain in", "Wales"), "Snowdon is the"),
        (SNOWDON, ("Snowdon", "is high", "1,085 metres"), "It is 1,085"),
        (SNOWDON, ("Snowdon", "was first climbed in", "1639"), "It was first"),
        (SNOWDON, ("Snowdon", "first climber", "Thomas Johnson"), "It was first"),
        (SNOWDON, ("Snowdon was first climbed by Thomas Johnson.",), "It was first"),
        (BEES, ("Honeybees", "eat", "stored honey"), "They eat"),
        (BEES, ("Honeybees", "do not", "hibernate"), "They do not"),
        (COMPOSERS, ("Turandot", "composer", "Puccini"), "Puccini composed Turandot"),
        (COMPOSERS, ("Puccini", "place of death", "Brussels"), "He died"),
        (COMPOSERS, ("Norma", "librettist", "Romani"), ""),
        ("", ("Norma", "composer", "Bellini"), ""),
    ],
)
def test_a_claim_stands_below_the_sentence_that_has_most_of_its_words(
    response: str, parts: tuple[str, ...], beginning: str
) -> None:
    found = sentence_of(response, *parts)
    assert found.startswith(beginning)
    assert bool(found) == bool(beginning)


def test_spans_of_some_parts_do_not_place_a_claim() -> None:
    tail = SNOWDON.index("1639")
    assert sentence_of(SNOWDON, "Snowdon", "was climbed in", "1639", spans=((0, 7), (tail, tail + 4))).endswith("son.")


def test_spans_of_all_parts_place_a_claim() -> None:
    spans = tuple((COMPOSERS.rindex(word), COMPOSERS.rindex(word) + len(word)) for word in ("He", "died", "Brussels"))
    assert sentence_of(COMPOSERS, "Puccini", "composed", "Tosca", spans=spans) == "He died in Brussels."


def test_a_failed_extraction_is_no_absence_of_claims(tmp_path: Path) -> None:
    page = tmp_path / "claims.html"
    texts = [checked("It rains."), checked("It snows.", fault=FAULT), checked("…", fault="no reply")]
    write_sentences(page, "3 texts", texts)
    terminal = sentence_lines(texts, page)
    assert "a: It rains.\n    no claim found\n" in terminal
    assert f"a: It snows.\n    no claim could be extracted: {FAULT}\n" in terminal
    assert "a, of the text as a whole:\n    no claim could be extracted: no reply\n" in terminal
    html = page.read_text()
    assert html.count("no claim found") == 1
    assert html.count("no claim could be extracted: ") == 2
    assert "Texts whose claims could not all be extracted" in html


FACT = GraphFact(("Puccini", "composed", "Tosca"), ("Q7311", "P86", "Q165437"))


def page_rows(page: Path, *verdicts: ClaimVerdict) -> list[list[str]]:
    """The rows of a page with these verdicts on one claim, each as the HTML of its cells."""
    claims = (Claim(("Puccini", "composed", "Tosca")),) * len(verdicts)
    text = ClaimedText(Item("a", "Puccini composed Tosca."), claims)
    write_sentences(page, "1 text", [CheckedText(text, verdicts, None)])
    _, *rows = re.findall("<tr>(.*?)</tr>", page.read_text(), re.DOTALL)
    return [re.findall("<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]


def test_verdicts_differ_in_their_look(tmp_path: Path) -> None:
    verdicts = [ClaimVerdict(label) for label in ("Entailment", "Neutral", "Contradiction", None)]
    looks = [re.sub(">.*", "", row[2]) for row in page_rows(tmp_path / "page.html", *verdicts)]
    assert all(looks)
    assert len(set(looks)) == len(looks)


def test_what_a_verdict_rests_on_is_shown(tmp_path: Path) -> None:
    reasons = (
        ClaimVerdict("Contradiction", "the graph has Turandot", facts=(FACT,)),
        ClaimVerdict("Entailment", facts=(FACT,)),
        ClaimVerdict("Entailment", probabilities={"Entailment": 0.937, "Neutral": 0.063}),
        ClaimVerdict("Neutral"),
    )
    *_, whys = zip(*page_rows(tmp_path / "page.html", *reasons), strict=True)
    assert whys[0] == "the graph has Turandot"
    assert "Puccini | composed | Tosca" in whys[1]
    assert "0.94" in whys[2]
    assert whys[3] == ""
    [row] = page_rows(tmp_path / "page.html", ClaimVerdict("Neutral"))
    assert len(row) == 3  # text, claim and verdict
