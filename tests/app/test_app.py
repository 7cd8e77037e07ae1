"""The web app in a real browser: both pages from end to end, with nothing from the net and no markup at work."""

from __future__ import annotations

import json
import os
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.app.markup import MARKUP
from tests.app.serving import HOSTILE_FAULT, PATIENCE, served
from tests.command_line import CommandLine
from tests.inputs.replies import json_lines

pytestmark = pytest.mark.slow
if find_spec("nicegui") is None and not os.environ.get("CI"):
    pytest.skip("NiceGUI is not installed (pip install 'factprobe[app]')", allow_module_level=True)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("app"), "model=scripted", "model.rule=gold") as address:
        yield address


@pytest.fixture(scope="module")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def hostile(hostile_folder: Path) -> Iterator[str]:
    relation = {"relation": "P1", "label": MARKUP, "template": "[X] is in [Y].", "type": "N-1"}
    facts = [
        {"sub_uri": f"Q{i}", "sub_label": f"{MARKUP} {i}", "obj_uri": f"Q9{i}", "obj_label": f"Town {i} {MARKUP}"}
        for i in range(6)
    ]
    (hostile_folder / "relations.jsonl").write_text(json_lines([relation]))
    (hostile_folder / "P1.jsonl").write_text(json_lines(facts))
    parts = ("claim_extractor=hostile", "checker=hostile", "model=hostile", "plugins=[tests.app.hostile]")
    with served(hostile_folder, "kg=trex", "kg.data_dir=.", *parts) as address:
        yield address


class Page:
    """A page in the browser, waited for and clicked by what people see."""

    def __init__(self, chrome: Chrome, address: str) -> None:
        self.chrome, self.address = chrome, address
        for kind in ("browser", "performance"):
            chrome.get_log(kind)
        chrome.set_window_size(1280, 1000)

    def open(self, path: str = "/") -> None:
        self.chrome.get(self.address + path)
        self.wait(lambda: self.chrome.execute_script("return window.socket && window.socket.connected"), "connected")

    def wait(self, found: Callable[[], Any], what: str) -> Any:
        return WebDriverWait(self.chrome, PATIENCE, 0.1).until(lambda _: found(), f"{what}: {self.words()}")

    def words(self) -> str:
        return self.chrome.find_element(By.TAG_NAME, "body").text

    def shows(self, *words: str) -> None:
        self.wait(lambda: all(word in self.words() for word in words), f"shows {words}")

    def all(self, selector: str) -> list[WebElement]:
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        return [found.text for found in self.all(selector)]

    def click(self, label: str) -> None:
        def button() -> WebElement | None:
            found = [one for one in self.all("button") if one.text.strip() == label and one.is_enabled()]
            return found[0] if found else None

        self.chrome.execute_script("arguments[0].click()", self.wait(button, f"button {label}"))

    def choose(self, field: str, option: str) -> None:
        self.wait(lambda: not self.all(".q-menu"), "no list is open")
        box = self.chrome.find_element(By.XPATH, f"//input[@aria-label='{field}']/ancestor::label")
        self.chrome.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
        box.click()
        shown = self.wait(lambda: self.all(".q-menu .q-item"), f"the list of {field}")
        [found] = [one for one in shown if one.text.strip() == option]
        found.click()
        self.wait(lambda: not self.all(".q-menu"), "the list closes")

    def write(self, place: int, words: str) -> None:
        area = self.all("textarea")[place]
        area.send_keys(Keys.CONTROL, "a")
        area.send_keys(words)

    def ended_well(self) -> None:
        """Nothing was said on the console, and nothing asked of anybody but the app."""
        assert [entry for entry in self.chrome.get_log("browser") if entry["level"] == "SEVERE"] == []
        events = [json.loads(entry["message"])["message"] for entry in self.chrome.get_log("performance")]
        asked = [
            event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"
        ]
        asked += [event["params"]["url"] for event in events if event["method"] == "Network.webSocketCreated"]
        assert asked
        here = self.address.partition("://")[2]
        others = {url for url in asked if url.split("://")[1].split("/")[0] != here and not url.startswith("data:")}
        assert others == set()


@pytest.fixture
def page(chrome: Chrome, app: str) -> Iterator[Page]:
    found = Page(chrome, app)
    yield found
    found.ended_well()


def test_a_text_is_checked_in_four_steps(page: Page) -> None:
    page.open()
    page.click("Example")
    page.click("Extract claims")
    page.shows("2 claims")
    claims = [claim.split("\n") for claim in page.texts(".claim")]
    assert [claim[:3] for claim in claims] == [["France", "capital", "Paris"], ["Italy", "capital", "Berlin"]]
    assert all(0 < float(claim[3].removeprefix("score ")) <= 1 for claim in claims)
    page.click("Retrieve")
    page.wait(lambda: "Rome" in (page.all("textarea")[1].get_attribute("value") or ""), "references")
    page.click("Check claims")
    page.shows("Entailment 50%", "Contradiction 50%", "Q38 P36 Q220")
    assert page.texts(".verdicts .chip") == ["✓ Entailment", "✗ Contradiction"]
    page.click("Locate claims")
    page.wait(lambda: page.texts(".passage .run.tail"), "places")
    assert page.texts(".passage .run.tail")[0] == "Paris"
    assert page.texts(".passage .run.head")[0] == "France"
    assert "Paris is the capital of France." in "".join(page.texts(".passage")[:1])
    page.choose("Claim", "Italy capital Berlin")
    page.wait(lambda: page.texts(".passage .run.tail")[:1] == ["Berlin"], "the places of the other claim")
    page.choose("Summed up by", "strict")
    page.click("Check claims")
    page.wait(lambda: page.texts(".score .chip") == ["Contradiction"], "another sum")
    page.write(0, "Tokyo is the capital of Japan.")
    page.wait(lambda: page.texts(".claim") == [], "what was found of another text goes")


def test_each_step_says_what_is_missing(page: Page) -> None:
    page.open()
    page.click("Extract claims")
    page.shows("There is no text yet")
    page.click("Check claims")
    page.shows("There are no claims yet; extract them first")
    page.click("Locate claims")
    page.shows("There are no verdicts yet; check the claims first")
    page.click("Example")
    page.choose("Found by", "bm25")
    page.click("Retrieve")
    line = page.wait(lambda: page.texts(".notice")[1], "what is missing")
    told = (
        "retriever.passages: is not set; choose another one under “Found by”, or where the app is started: "
        "set retriever.passages=..."
    )
    assert line == told
    page.write(0, "It is late.")
    page.click("Extract claims")
    page.shows("graph finds no claims in this text.")
    assert told not in page.words(), "what was said of another text goes"
    page.write(1, "It is early.")
    page.click("Check claims")
    page.shows(
        "There are no claims to check.", "graph checks against the graph and does not read the reference; llm and nli"
    )


def test_a_model_is_probed(page: Page) -> None:
    page.open("/probe")
    page.wait(lambda: len(page.all(".question")) >= 3, "questions")
    page.choose("Type of question", "Short answer")
    page.wait(lambda: set(page.texts(".kind")) == {"Short answer"}, "questions of one type")
    before = page.texts(".asked")
    page.click("Other facts")
    page.wait(lambda: page.texts(".asked") not in ([], before), "other questions")
    page.click("Ask all")
    page.shows("3 of 3 correct", "Taken for the answer", "Decided by")
    assert page.texts(".question .chip") == ["✓ correct"] * 3
    page.choose("Model", "smollm2")
    page.wait(lambda: not page.texts(".question .chip"), "questions without replies")
    page.choose("Model", "scripted")
    page.choose("Graph", "google_re")
    page.wait(lambda: "birth" in " ".join(page.texts(".asked")).lower(), "questions of another graph")
    page.click("Ask")
    page.wait(lambda: len(page.texts(".question .chip")) == 1, "one reply")


@pytest.mark.parametrize("width", [1280, 800, 390])
@pytest.mark.parametrize("path", ["/", "/probe"])
def test_nothing_is_wider_than_the_window(page: Page, path: str, width: int) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        page.open(path)
        if path == "/":
            page.click("Example")
            page.click("Extract claims")
            page.shows("2 claims")
            page.click("Check claims")
            page.shows("Overall")
        else:
            page.wait(lambda: page.all(".question"), "questions")
        over = "const page = document.documentElement; return page.scrollWidth - page.clientWidth"
        assert page.chrome.execute_script(over) == 0
    finally:
        page.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def plain(page: Page, *places: str) -> None:
    """No markup of the hostile texts has become an element or has run."""
    assert not page.all("main img, main script, main b")
    assert "49" not in page.words()
    for place in places:
        assert MARKUP in " ".join(page.texts(place)), place


def test_markup_in_texts_claims_verdicts_and_errors_is_text(chrome: Chrome, hostile: str, hostile_folder: Path) -> None:
    page = Page(chrome, hostile)
    page.open()
    page.write(0, MARKUP)
    page.write(1, f"{MARKUP} Bonn")
    page.click("Extract claims")
    page.shows("2 claims")
    page.click("Check claims")
    page.shows("Neutral 100%")
    page.click("Locate claims")
    page.wait(lambda: page.all(".passage"), "places")
    plain(page, ".claim", ".verdicts .soft", ".evidence", ".passage", ".claim-choice")
    page.write(0, "no model")
    page.click("Extract claims")
    page.wait(lambda: "model hostile: cannot be loaded" in page.texts(".notice")[0], "an error")
    plain(page, ".notice")
    page.write(0, "broken")
    page.click("Extract claims")
    page.shows("factprobe itself is at fault (ZeroDivisionError); the terminal shows where")
    assert (hostile_folder / "terminal").read_text().count(f"\n{HOSTILE_FAULT}\n") == 1
    page.ended_well()


def test_what_comes_too_late_changes_nothing(chrome: Chrome, hostile: str) -> None:
    page = Page(chrome, hostile)
    page.open()
    page.write(0, "pause")
    page.click("Extract claims")
    page.shows("Works …")
    page.chrome.find_element(By.XPATH, "//input[contains(@aria-label, 'The question')]").send_keys("Who?")
    page.choose("Found by", "graph")
    page.click("Retrieve")
    page.write(1, "my own")
    page.wait(lambda: not page.all("button.q-btn--disabled, button[disabled]"), "all is done")
    assert page.texts(".claim") == []
    assert page.all("textarea")[1].get_attribute("value") == "my own"
    assert "Works …" not in page.words()
    page.ended_well()


def test_markup_in_labels_questions_and_replies_is_text(chrome: Chrome, hostile: str) -> None:
    page = Page(chrome, hostile)
    page.open("/probe")
    page.wait(lambda: page.all(".question"), "questions")
    page.click("Ask")
    page.wait(lambda: page.all(".chip"), "a reply")
    plain(page, ".asked", ".reply .said")
    assert "img src=x onerror=alert" in " ".join(page.texts(".facts .said"))
    assert not page.all(".facts img")
    box = page.chrome.find_element(By.CSS_SELECTOR, "input[aria-label='Relation']")
    assert MARKUP in (box.get_attribute("value") or "")
    box.click()
    page.wait(lambda: page.texts(".q-menu .q-item"), "relations")
    assert MARKUP in page.texts(".q-menu .q-item")[0]
    assert not page.all(".q-menu img, .q-menu script, .q-menu b")
    page.ended_well()


def test_ctrl_c_ends_what_is_under_way_and_begins_nothing_more(chrome: Chrome, tmp_path: Path) -> None:
    with served(tmp_path, "claim_extractor=hostile", "plugins=[tests.app.hostile]") as address:
        page = Page(chrome, address)
        for number in (1, 2):
            page.open()
            page.write(0, f"slow{number}")
            page.click("Extract claims")
            page.wait(lambda: page.all("button.q-btn--disabled, button[disabled]"), "work")
        page.shows("Waits until what was asked for before is done")
        page.wait((tmp_path / "slow1").exists, "the first work begins")
        began = time.monotonic()
    assert time.monotonic() - began < 2 * PATIENCE  # a fifth of what the work takes
    assert not (tmp_path / "slow2").exists()


def has_ipv6_loopback() -> bool:
    """Return whether this machine has the address ::1, which Python's support of IPv6 does not tell."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Opens addresses of this machine itself, whatever proxy the environment names."""


def test_the_other_loopback_address_is_served(tmp_path: Path) -> None:
    if not has_ipv6_loopback():
        pytest.skip("this machine has no IPv6 loopback address")
    with served(tmp_path, "app.host='::1'", "model=scripted", at="[::1]") as address:
        assert DIRECT.open(address).status == 200


def test_another_name_of_this_machine_is_not_served(app: str) -> None:
    request = urllib.request.Request(app, headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="400"):
        DIRECT.open(request)
    assert DIRECT.open(app).status == 200


def test_a_port_that_is_taken_and_an_address_of_another_machine_are_one_line(factprobe: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = factprobe.fails("step=app", f"app.port={port}")
    assert f"app: nothing can listen on 127.0.0.1:{port}: Address already in use; set app.port=0" in line
    assert "app: nothing can listen on 203.0.113.1:8080" in factprobe.fails("step=app", "app.host=203.0.113.1")


def test_what_cannot_be_built_is_said_before_anything_is_served(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=app", "model=smollm2", "model.path=nowhere.gguf")
    assert "no such GGUF file" in line
