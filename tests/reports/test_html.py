"""The web page: whole, self-contained, safe with hostile text, the same for the same data."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from factprobe.collection.report_data import ReportData, RuleShare
from factprobe.evaluators.judge import RULE
from factprobe.reports import html
from factprobe.reports.document import Column, Document, Row, Table
from factprobe.reports.html import MAX_TEXT_LENGTH
from tests.optional import not_none
from tests.reports.pages import full_page, page, ranked_rows, render, sample
from tests.tables import for_each_row

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)> \"'`&amp; {{ 7*7 }} {% x %} ]]> \u202e"

NOTHING = ReportData("trex", 0, 0, (), (), (), (), (), (), (), 0, ())


class Page(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_every_part_is_there() -> None:
    parts = Page(render(page([sample("Lyon")])))
    text = " ".join(" ".join(parts.texts).split())
    for part in ("factprobe report", "trex", "By question type", "By relation", "Accuracy by relation", "Verdicts"):
        assert part in text
    assert {value for _, name, value in parts.attributes if name == "id"} >= {"scores", "plots", "samples"}
    assert "svg" in parts.tags
    assert "Lyon" in text


def test_rates_are_percent_and_what_is_not_defined_is_a_dash() -> None:
    text = render(page())
    assert "50.0%" in text
    row = not_none(re.search(r"<tr[^>]*>(?:(?!</tr>).)*P37(?:(?!</tr>).)*</tr>", text, re.DOTALL))
    assert "–" in row[0]
    assert "None" not in text
    assert "nan" not in text.partition("<script>")[0].lower()


def test_long_tables_and_plots_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = render(full_page())
    monkeypatch.setattr(html, "MAX_TABLE_ROWS", 1)
    cut = render(replace(full_page(), comparisons=full_page().comparisons * 3))
    assert "rows; scores.csv has them all" not in whole
    # total, question type and relation type have a micro and a macro row; two relations are in two tables and a plot
    assert cut.count("The first 1 of 2 rows; scores.csv has them all.") == 6
    assert cut.count("The first 1 of 3 rows; comparison.csv has them all.") == 1
    assert whole.count("P37") - cut.count("P37") == 3


def test_parts_that_only_some_runs_have() -> None:
    parts = Page(render(full_page([sample("x")])))
    text = " ".join(" ".join(parts.texts).split())
    ids = {value for _, name, value in parts.attributes if name == "id"}
    assert ids >= {"comparison", "calibration", "rules"}
    for part in ("Facts in all their forms", "By the rules of other tools", "A model judged 33.3% of them"):
        assert part in text
    none = {value for _, name, value in Page(render(page())).attributes if name == "id"}
    assert not none & {"comparison", "calibration", "rules"}


@pytest.mark.parametrize("data", [NOTHING, page(), full_page()], ids=["nothing", "some", "everything"])
def test_every_link_leads_to_a_part(data: ReportData) -> None:
    parts = Page(render(data))
    ids = {f"#{value}" for _, name, value in parts.attributes if name == "id"}
    assert {value for _, name, value in parts.attributes if name == "href"} <= ids


def test_what_was_taken_for_the_answer_and_why_stand_with_the_reply() -> None:
    told = replace(sample("It is Lyon, I think."), answer="Lyon", why="one name in the sentence")
    texts = Page(render(page([told]))).texts
    assert texts[texts.index("It is Lyon, I think.") + 1] == "Lyon"
    assert texts[texts.index("one name in the sentence") - 1] == "rule"
    silent = Page(render(page([sample("It is Lyon, I think.")])))
    assert "taken" not in [value for _, name, value in silent.attributes if name == "class"]


@pytest.mark.parametrize("place", ["reply", "question", "answer", "why", "setting", "name"])
def test_hostile_text_is_escaped(place: str) -> None:
    plain = page([sample("x")])
    if place == "name":
        text, plain = render(full_page([sample("x")], HOSTILE)), full_page([sample("x")])
    elif place == "setting":
        text = render(page([sample("x")], settings=((HOSTILE, HOSTILE),)))
    elif place in ("answer", "why"):
        plain = page([replace(sample("x"), **{place: "x"})])
        text = render(page([replace(sample("x"), **{place: HOSTILE})]))
    else:
        text = render(page([sample(HOSTILE) if place == "reply" else sample("x", question=HOSTILE)]))
        plain = page([sample("<think>x</think> x" if place == "reply" else "x")])  # a block before the answer is folded
    parts = Page(text)
    assert parts.tags.count("script") == 1
    assert Counter(parts.tags) == Counter(Page(render(plain)).tags)
    assert "img" not in parts.tags
    assert not [name for _, name, _ in parts.attributes if name.startswith("on")]
    assert "alert(1)" in " ".join(parts.texts)
    assert "{{ 7*7 }}" in text.replace("&#123;", "{")


def test_the_policy_allows_the_pages_own_style_and_script_alone() -> None:
    text = render(page([sample("x")]))
    [policy] = [
        v or ""
        for tag, name, v in Page(text).attributes
        if tag == "meta" and name == "content" and "default-src" in (v or "")
    ]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        blocks = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", text, re.DOTALL)
        assert len(blocks) == 1
        digest = base64.b64encode(hashlib.sha256(blocks[0].encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_it_needs_nothing_but_itself() -> None:
    parts = Page(render(page([sample("see https://example.org")])))
    assert not [found for found in parts.attributes if found[1] in ("src", "srcset", "action", "style")]
    assert all((value or "").startswith("#") for _, name, value in parts.attributes if name == "href")


def test_the_same_data_gives_the_same_page() -> None:
    data = page([sample("Lyon"), sample("Paris", "correct")])
    assert render(data) == render(data)


def test_the_samples_are_said_to_be_some_of_the_graded() -> None:
    text = " ".join(" ".join(Page(render(page([sample("x")]))).texts).split())
    assert "Showing 1 of 1 reply, a sample of the 6 graded." in text


def test_rows_carry_what_the_filters_ask_for() -> None:
    parts = Page(render(page([sample("x", "abstained")])))
    names = [value for tag, name, value in parts.attributes if (tag, name) == ("select", "name")]
    rows = {name: value for tag, name, value in parts.attributes if tag == "tr" and name.startswith("data-")}
    assert rows == {
        "data-verdict": "abstained",
        "data-type": "single_answer",
        "data-relation": "P36",
        "data-model": "tiny",
        "data-rule": "rule",
    }
    assert {f"data-{name}" for name in names} == set(rows)
    options = [value for tag, name, value in parts.attributes if (tag, name) == ("option", "value")]
    assert [value for value in options if value] == list(rows.values())


def test_models_to_be_compared_stand_together_and_generators_are_told_apart() -> None:
    data = page([sample("x")])
    other = tuple(replace(score, generator="llm") for score in data.scores)
    parts = Page(render(replace(data, scores=data.scores + other)))
    labels = [value or "" for tag, name, value in parts.attributes if (tag, name) == ("svg", "aria-label")]
    assert "tiny · template: 50.0% (5.5–94.5) of 5; tiny · llm: 50.0% (5.5–94.5) of 5" in labels
    texts = " ".join(" ".join(parts.texts).split())
    assert re.search(r"P36 · 1-1 · tiny · template .* P36 · 1-1 · tiny · llm .* P37 · N-M · tiny · template", texts)


def scored(**changes: float) -> ReportData:
    """A report whose scores have these values."""
    return replace(page(), scores=tuple(replace(score, **changes) for score in page().scores))


def ruled(*rules: str) -> ReportData:
    """A report of grades that these rules decided, one for each but five for the last of several."""
    shares = (RuleShare("trex", "template", "tiny", rule, 5 if at else 1, 0.5) for at, rule in enumerate(rules))
    return replace(page(), rules=tuple(shares))


LONG = '<div class="text long"'
ONE_RELATION = 'class="samples sortable one-relation"'
OWN_MODEL = "In rules, model means one that comes with factprobe, not the model that replied."
CLIPPED = "a" * MAX_TEXT_LENGTH


@for_each_row(
    ("data", "present", "absent"),
    [
        (scored(accuracy=-1e-9, accuracy_low=-2e-9, accuracy_high=0.5), ["0.0%"], ["-0.0%", "-0.0 to"]),
        (page(), ["There are no samples."], ["MRR", "of 6 questions"]),
        (replace(page(), scores=tuple(ranked_rows())), [">MRR</th>", "66.7%"], []),
        (NOTHING, ["There are no scores.", "There is nothing to plot.", "There are no samples."], []),
        (ruled(RULE, "judged"), ["A model judged 16.7% of them"], [OWN_MODEL]),
        (ruled("judged"), [], ["A model judged"]),
        (ruled("options.model", "judged"), [OWN_MODEL], []),
        (page([sample("It is **Paris <b>**, not 2**3**4.")]), ["It is <b>Paris &lt;b&gt;</b>, not 2**3**4."], []),
        (page([replace(sample("x"), rule="exact_<alias>")]), ["exact_<wbr>&lt;alias&gt;"], []),
        (page([sample("x")]), [ONE_RELATION], []),
        (page([sample("x"), replace(sample("y"), relation="P37")]), ['class="samples sortable"'], [ONE_RELATION]),
        (page([sample("a" * 601)]), [LONG], []),
        (page([sample("a\n" * 13)]), [LONG], []),
        (page([sample("a" * 600)]), [], [LONG]),
        (
            page([sample("a" * 1_000_000), sample("null \x00 lone \ud800")]),
            [CLIPPED],
            [CLIPPED + "a", "\x00", "\ud800"],
        ),
        (page([sample(f"reply number {i}") for i in range(1000)]), ["reply number 999"], []),
    ],
)
def test_the_page_shows(data: ReportData, present: list[str], absent: list[str]) -> None:
    text = render(data)
    assert [part for part in present if part not in text] == []
    assert [part for part in absent if part in text] == []


def test_a_symbol_keeps_its_letter_at_the_head_of_a_column() -> None:
    table = Table("of spans", ["detector"], [Column("ρ"), Column("exact")], [Row(["d"], ["0.5", "1"])])
    text = html.page(Document("Spans", "val", blocks=[table]))
    assert '<th scope="col" class="n">ρ</th><th scope="col" class="n">Exact</th>' in text
