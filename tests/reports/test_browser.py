"""The web page in a real browser: sorted, searched and filtered by clicks and keys, with no error and no request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from factprobe.collection.report_data import Note
from tests.reports.pages import full_page, render, sample
from tests.reports.test_html import HOSTILE

pytestmark = pytest.mark.slow

Browser = webdriver.Chrome

SAMPLES = (
    replace(
        sample("Lyon", "incorrect", "The capital of France"),
        compat=(("llm_facteval", "correct"),),
        answer="Lyon",
        why="another name",
    ),
    replace(
        sample("Bern", "correct", "The capital of Switzerland"),
        rule="single.exact",
        compat=(("llm_facteval", "correct"),),
    ),
    sample("Ängelholm " + "long " * 400, "unparsed", "The capital of Sweden"),
    sample(HOSTILE, "abstained", "The capital of nowhere"),
)
RATES = ("guess_corrected_accuracy", "guess_corrected_precision", "exact_set_accuracy", "set_f1")
EVERY = {f"{rate}{end}": 0.999 for rate in RATES for end in ("", "_low", "_high")}
EVERY |= {f"{rate}{end}": -0.999 for rate in RATES[:2] for end in ("", "_low")}
EVERY |= {f"{rate}_high": 0.0 for rate in RATES[:2]}
"""What puts every column into the tables of scores."""
NOTE = Note("trex", "template", "tiny", "of 5 replies 1 (20.0 %) was cut off by max_tokens")
DATA = replace(
    full_page(),
    samples=SAMPLES,
    notes=(NOTE,),
    scores=tuple(replace(row, **EVERY, abstained=12_345) for row in full_page().scores),
)


@pytest.fixture
def report(chrome: Browser, tmp_path: Path) -> Iterator[Browser]:
    """The page, opened; when the test is done, nothing was asked of a network or said on the console."""
    path = tmp_path / "report.html"
    path.write_bytes(render(DATA).encode())
    chrome.set_window_size(1400, 900)
    for kind in ("browser", "performance"):
        chrome.get_log(kind)
    chrome.get(path.as_uri())
    yield chrome
    assert chrome.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in chrome.get_log("performance")]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert set(asked) == {path.as_uri()}


def shown(report: Browser, column: int = 1) -> list[str]:
    """The texts of a column of the questions that are to be seen, from the top."""
    script = """return [...document.querySelectorAll(".samples tbody tr")].filter((row) => row.offsetHeight)
        .map((row) => row.cells[arguments[0] - 1].innerText)"""
    texts = report.execute_script(script, column)
    return [text.strip().splitlines()[0].removeprefix("The capital of ") for text in texts]


def settled(report: Browser, expected: list[str]) -> None:
    """Waits until these questions are to be seen and no others."""
    WebDriverWait(report, 5).until(
        lambda _: shown(report) == expected, f"{expected} are not shown, {shown(report)} are"
    )


def head(report: Browser, name: str, table: str = ".samples") -> Any:
    """The head of the column of that name."""
    [found] = [
        head for head in report.find_elements(By.CSS_SELECTOR, f"{table} thead th") if head.text.startswith(name)
    ]
    return found


def test_a_click_sorts_and_another_turns_the_order(report: Browser) -> None:
    assert head(report, "Verdict").get_attribute("aria-sort") == "none"
    head(report, "Verdict").find_element(By.TAG_NAME, "button").click()
    assert head(report, "Verdict").get_attribute("aria-sort") == "ascending"
    assert shown(report, 4) == ["abstained", "correct", "incorrect", "unparsed"]
    head(report, "Verdict").find_element(By.TAG_NAME, "button").click()
    assert head(report, "Verdict").get_attribute("aria-sort") == "descending"
    assert shown(report, 4) == ["unparsed", "incorrect", "correct", "abstained"]


def test_a_key_sorts_and_one_column_alone_is_sorted(report: Browser) -> None:
    head(report, "Verdict").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    head(report, "Question").find_element(By.TAG_NAME, "button").send_keys(Keys.SPACE)
    assert shown(report) == ["France", "nowhere", "Sweden", "Switzerland"]
    sorts = [head.get_attribute("aria-sort") for head in report.find_elements(By.CSS_SELECTOR, ".samples thead th")]
    assert sorts == ["ascending", *["none"] * 7]


def test_scores_are_sorted_as_numbers_with_what_is_missing_last(report: Browser) -> None:
    table = 'table[data-level="relation"]'
    for order in (["50.0%", "–"], ["50.0%", "–"]):
        head(report, "Accuracy", table).find_element(By.TAG_NAME, "button").click()
        cells = report.find_elements(By.CSS_SELECTOR, f"{table} tbody td.main")
        assert [cell.text.splitlines()[0] for cell in cells] == order
    head(report, "Questions", table).find_element(By.TAG_NAME, "button").click()
    cells = report.find_elements(By.CSS_SELECTOR, f"{table} tbody td.main")
    assert [cell.text.splitlines()[0] for cell in cells] == ["–", "50.0%"]


def test_words_are_searched_for_in_every_column(report: Browser) -> None:
    search = report.find_element(By.CSS_SELECTOR, "input[type=search]")
    search.send_keys("capital BERN")
    settled(report, ["Switzerland"])
    assert report.find_element(By.ID, "shown").text == "1"
    search.send_keys(" nothing")
    settled(report, [])
    assert report.find_element(By.ID, "none").is_displayed()
    report.find_element(By.ID, "clear").click()
    settled(report, ["France", "Switzerland", "Sweden", "nowhere"])
    search.send_keys("another name")
    settled(report, ["France"])
    search.clear()
    search.send_keys("taken")  # which the style adds to the words
    settled(report, [])


def test_verdicts_rules_and_disagreements_are_filtered(report: Browser) -> None:
    for name, value, expected in (
        ("verdict", "abstained", ["nowhere"]),
        ("verdict", "", ["France", "Switzerland", "Sweden", "nowhere"]),
        ("rule", "single.exact", ["Switzerland"]),
        ("rule", "", ["France", "Switzerland", "Sweden", "nowhere"]),
        ("compat", "disagree", ["France"]),
    ):
        Select(report.find_element(By.NAME, name)).select_by_value(value)
        settled(report, expected)


def test_a_long_reply_opens_and_markup_in_one_is_text(report: Browser) -> None:
    long = report.find_element(By.CSS_SELECTOR, ".long")
    before = long.size["height"]
    report.find_element(By.CSS_SELECTOR, ".more").click()
    assert long.size["height"] > before
    texts = report.find_element(By.CSS_SELECTOR, ".samples").get_attribute("textContent") or ""
    assert "<script>alert(1)</script>" in texts
    assert "<img src=x" in texts
    assert not report.find_elements(By.TAG_NAME, "img")


def test_averages_over_relations_are_shown_on_request(report: Browser) -> None:
    script = "return [...document.querySelectorAll('#scores tr.macro')].filter((row) => row.offsetHeight).length"
    assert report.execute_script(script) == 0
    report.find_element(By.ID, "more").click()
    assert report.execute_script(script) > 0
    report.find_element(By.ID, "more").click()


@contextmanager
def phone(report: Browser, scheme: str = "light", media: str = "screen", width: int = 390) -> Iterator[None]:
    """The page on a phone, or on another device of that width."""
    metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    report.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
    try:
        yield
    finally:
        report.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        report.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_a_small_window_shows_the_main_metrics_and_the_rest_on_request(report: Browser) -> None:
    report.set_window_size(1060, 900)
    script = """return [...document.querySelectorAll(".scroll")].filter((box) => box.offsetWidth)
        .map((box) => [box.scrollWidth - box.clientWidth, box.querySelector("thead").innerText])"""
    found = report.execute_script(script)
    assert {over for over, _ in found} == {0}
    assert not report.find_element(By.CLASS_NAME, "sideways").is_displayed()
    [total] = report.find_elements(By.CSS_SELECTOR, 'table[data-level="total"] thead')
    assert all(name in total.text for name in ("Accuracy", "F1", "Corrected", "Questions", "Unparsed", "Failed"))
    assert "Set F1" not in total.text
    report.find_element(By.ID, "more").click()
    assert all(name in total.text for name in ("Coverage", "Attempted", "Set F1"))
    report.find_element(By.ID, "more").click()


@pytest.mark.parametrize(("columns", "goes_on"), [(("set_f1",), False), ((), True)])
def test_tables_that_go_on_to_the_right_are_told(
    columns: tuple[str, ...], goes_on: bool, chrome: Browser, tmp_path: Path
) -> None:
    ranks = ("mrr", "mrr_low", "mrr_high", "precision_at_5", "precision_at_10")
    lacking = dict.fromkeys(name for name in (*EVERY, *ranks) if columns and not name.startswith(columns))
    rows = tuple(replace(row, **{**EVERY, **dict.fromkeys(ranks, 0.999), **lacking}) for row in full_page().scores)
    (tmp_path / "report.html").write_bytes(render(replace(DATA, scores=rows)).encode())
    chrome.set_window_size(1260, 900)
    chrome.get((tmp_path / "report.html").as_uri())
    chrome.find_element(By.ID, "more").click()
    hint = chrome.find_element(By.CLASS_NAME, "sideways")
    assert hint.is_displayed() == goes_on
    chrome.set_window_size(700, 900)
    assert hint.is_displayed()


def test_no_figure_stands_on_the_end_of_its_interval(report: Browser) -> None:
    script = """return [...document.querySelectorAll("#plots .plot tbody g")].filter((bar) => bar.querySelector("line"))
        .map((bar) => bar.querySelector("text").getBoundingClientRect().left
            - Math.max(...[...bar.querySelectorAll("line")].map((line) => line.getBoundingClientRect().right)))"""
    gaps = report.execute_script(script)
    assert gaps
    assert min(gaps) >= 6
    order = "return getComputedStyle(document.querySelector('#plots .plot tbody text')).paintOrder"
    assert report.execute_script(order).startswith("stroke"), "lines of the scale go through the figures"


def test_a_phone_shows_scores_beside_their_names_wherever_they_are_scrolled_to(report: Browser) -> None:
    table = 'table[data-level="relation"]'
    ends = f"""const box = document.querySelector('{table}').closest('.scroll');
        box.scrollLeft = arguments[0];
        return [...document.querySelector('{table}').rows[1].cells]
            .map((cell) => [cell.getBoundingClientRect().left, cell.getBoundingClientRect().right])"""
    with phone(report):
        assert report.find_element(By.CLASS_NAME, "sideways").is_displayed()
        name, *figures = report.execute_script(ends, 0)
        assert sum(right <= 390 for _, right in figures) >= 3
        moved, *figures = report.execute_script(ends, 10_000)
        assert moved == name
        assert name[1] < figures[-3][0]
        assert figures[-1][1] <= 390


def test_paper_is_white(report: Browser) -> None:
    colours = "return ['--s0', '--card'].map((n) => getComputedStyle(document.documentElement).getPropertyValue(n))"
    with phone(report, "dark"):
        dark = report.execute_script(colours)
    with phone(report, "dark", "print"):
        printed = report.execute_script(colours)
    with phone(report, "light"):
        assert printed == report.execute_script(colours)
    assert not set(printed) & set(dark)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_without_scrolling_sideways(report: Browser, scheme: str) -> None:
    with phone(report, scheme):
        assert report.execute_script("return document.documentElement.scrollWidth") == 390
        page, ink = (
            report.execute_script(f"return getComputedStyle(document.body).{name}")
            for name in ("backgroundColor", "color")
        )
        light = [sum(map(int, value.removeprefix("rgb(").removesuffix(")").split(","))) for value in (page, ink)]
        assert (light[0] > light[1]) == (scheme == "light")


@pytest.mark.parametrize("width", [390, 1200])
def test_replies_in_a_narrow_window_have_a_label_for_each_value(report: Browser, width: int) -> None:
    labels = """return [...document.querySelector(".samples tbody tr").cells].filter((cell) => cell.offsetHeight)
        .map((cell) => getComputedStyle(cell, "::before").content.replaceAll('"', ""))"""
    assert set(report.execute_script(labels)) == {"none"}
    assert not report.find_element(By.ID, "order").is_displayed()
    with phone(report, width=width):
        assert not report.find_element(By.CSS_SELECTOR, ".samples thead").is_displayed()
        names = ["Question", "Expected", "Reply", "Verdict", "Rule", "Type", "Model"]  # of one relation
        assert report.execute_script(labels) == names
        Select(report.find_element(By.ID, "order")).select_by_visible_text("Verdict")
        assert shown(report) == ["nowhere", "Switzerland", "France", "Sweden"]
        Select(report.find_element(By.NAME, "verdict")).select_by_value("correct")
        settled(report, ["Switzerland"])
        report.find_element(By.ID, "clear").click()
        settled(report, ["nowhere", "Switzerland", "France", "Sweden"])
