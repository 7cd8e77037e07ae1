"""The labelling page in a real browser: replies judged by keys alone, a kill, two people, both widths."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.app.markup import MARKUP
from tests.app.serving import served, started, stop
from tests.app.test_app import Page
from tests.command_line import CommandLine
from tests.inputs.replies import json_lines

pytestmark = pytest.mark.slow
if find_spec("nicegui") is None and not os.environ.get("CI"):
    pytest.skip("NiceGUI is not installed (pip install 'factprobe[app]')", allow_module_level=True)

KEYS = {"c": "correct", "i": "incorrect", "a": "abstained", "b": "bad_question"}
CITIES = ("Paris", "Lima", "Tokyo", "Sucre", "Quito", "Oslo", "Rome", "Cairo", "Accra", "Dakar")
SETTINGS = ("input=answers.jsonl", "label.count=1000")


@pytest.fixture
def folder(factprobe: CommandLine) -> Path:
    """Return a folder with twenty graded replies."""
    replies = [
        {
            "id": f"q{number}",
            "question": f"Which city has number {number}?",
            "answers": [CITIES[number % 10]],
            "response": f"It is {CITIES[number % 7]}." if number else MARKUP,
        }
        for number in range(20)
    ]
    (factprobe.folder / "answers.jsonl").write_text(json_lines(replies))
    assert factprobe("step=grade", "input=answers.jsonl").code == 0
    return factprobe.folder


class LabelPage(Page):
    """The labelling page, used by keys alone."""

    def begin(self, name: str, replies: int = 20) -> None:
        """Open the page and give a name."""
        self.open()
        self.wait(lambda: self.chrome.switch_to.active_element.tag_name == "input", "the field of the name")
        self.press(name + Keys.ENTER)
        self.shows(f"of {replies} replies judged", "Question")

    def press(self, keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.chrome).send_keys(keys).perform()

    def texts(self, selector: str) -> list[str]:
        """Return the texts of elements at one moment, since the page replaces them."""
        every = "return [...document.querySelectorAll(arguments[0])].map(found => found.innerText.trim())"
        found: list[str] = self.chrome.execute_script(every, selector)
        return found

    def words(self) -> str:
        """Return the text of the page."""
        return (self.texts("body") or [""])[0]

    def count(self) -> int:
        """Return how many replies are judged; -1 while the page changes."""
        return next((int(found.split()[0]) for found in self.texts(".count")), -1)

    def question(self) -> str:
        """Return the id of the shown reply; empty if there is none."""
        return next(("q" + found.split()[-1].rstrip("?") for found in self.texts(".judged .asked")), "")

    def judge_next(self, key: str) -> None:
        """Judge the shown reply."""
        before = self.count()
        self.press(key)
        self.wait(lambda: self.count() == before + 1, "the reply is judged")

    def judge(self, key: str) -> str:
        """Judge the shown reply; return its id."""
        name, before = self.question(), self.count()
        self.press(key)
        self.wait(lambda: self.count() == before + 1 and self.question() != name, f"{name} is judged")
        return name


def verdicts(folder: Path) -> dict[str, str]:
    """Return the verdicts in the file of labels, after those that were taken back."""
    found = {}
    for line in (folder / "outputs/answers/labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        found[label["id"], label["annotator"]] = label["verdict"]
    return {name: verdict for (name, _), verdict in found.items() if verdict != "skip"}


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    with served(folder, *SETTINGS, step="label") as found:
        yield found


def test_twenty_replies_are_judged_by_keys_alone_and_a_kill_loses_none(chrome: Chrome, folder: Path) -> None:
    process, address = started(folder, *SETTINGS, step="label")
    judged = {}
    page = LabelPage(chrome, address)
    page.begin("Ann B")
    for number in range(10):
        key = "ciab"[number % 4]
        judged[page.judge(key)] = KEYS[key]
    last = list(judged)[-1]
    page.press("u")
    page.wait(lambda: page.question() == last, "the last reply is shown again")
    assert page.count() == 9
    judged[page.judge("4")] = "bad_question"
    skipped = page.question()
    page.press("s")
    page.wait(lambda: page.question() != skipped, "another reply")
    page.ended_well()
    process.kill()
    process.communicate()
    assert verdicts(folder) == judged
    chrome.get("about:blank")
    process, address = started(folder, *SETTINGS, step="label")
    try:
        page = LabelPage(chrome, address)
        page.begin("Ann B")
        assert page.count() == 10
        for number in range(10):
            key = "ciab"[number % 4]
            judged[page.judge(key)] = KEYS[key]
        assert list(judged)[-1] == skipped
        page.shows("No reply is left for you", "an interval of", "Ann B 20")
        assert verdicts(folder) == judged
        assert len(judged) == 20
        page.ended_well()
    finally:
        stop(process)


def test_replies_of_an_exam_are_judged_and_correct_its_score(chrome: Chrome, factprobe: CommandLine) -> None:
    exam = ("kg=trex", "model=scripted", "relations=[P36,P37]", "limit=10", "generator.question_types=[single_answer]")
    assert factprobe("step=all", *exam).code == 0
    graded = [*(factprobe.folder / "outputs/trex/grades/template/scripted").glob("*.jsonl")]
    count = sum(len(path.read_text().splitlines()) for path in graded)
    with served(factprobe.folder, *exam, "label.count=1000", step="label") as address:
        page = LabelPage(chrome, address)
        page.begin("Ann B", count)
        for _ in range(count):
            page.judge_next("c")
        page.shows("No reply is left for you")
        page.ended_well()
    assert factprobe("step=report", *exam, "labels=outputs/trex/labels.jsonl").code == 0
    rows = json.loads((factprobe.folder / "outputs/trex/scores.json").read_text())
    [row] = [row for row in rows if (row["level"], row["average"]) == ("total", "micro")]
    assert (row["labels"], row["corrected_accuracy"]) == (count, 1)
    assert row["accuracy"] < 1


def test_the_grade_is_hidden_until_the_reply_is_judged(chrome: Chrome, address: str) -> None:
    page = LabelPage(chrome, address)
    page.begin("ann")
    assert page.texts(".chip") == []
    page.judge("c")
    page.wait(lambda: page.texts(".last .chip")[:1] == ["correct"], "the verdict")
    assert page.texts(".last .chip")[1] in ("correct", "incorrect", "abstained", "unparsed")
    assert page.texts(".judged .chip") == []
    page.ended_well()


def test_keys_with_ctrl_and_other_keys_judge_nothing(chrome: Chrome, address: str, folder: Path) -> None:
    page = LabelPage(chrome, address)
    page.begin("ann")
    ActionChains(chrome).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
    page.press("x" + Keys.SPACE)
    page.judge("i")
    assert len(verdicts(folder)) == 1
    page.ended_well()


def test_two_people_disagree_and_settle_it(chrome: Chrome, folder: Path) -> None:
    with served(folder, *SETTINGS, "label.overlap=1", step="label") as address:
        page = LabelPage(chrome, address)
        page.begin("ann")
        names = [page.judge(key) for key in "ccii"]
        page.begin("bob")
        for number, key in enumerate("cici", 1):
            page.press(key)
            page.shows(f"bob {number}")
        page.shows("Agreement of ann and bob", "2 of 4 alike, kappa 0.00", "Settle 2 disagreements")
        page.press("d")
        page.wait(lambda: page.question() == names[1], "the first disagreement")
        assert page.texts(".judged .chip") == ["ann: correct", "bob: incorrect"]
        page.press("i")
        page.wait(lambda: page.question() == names[2], "the second disagreement")
        page.press("i")
        page.shows("No disagreement is left")
        page.press("d")
        page.shows("Question")
        page.ended_well()
        settled = [json.loads(line) for line in (folder / "outputs/answers/labels.jsonl").read_text().splitlines()][-2:]
        assert [(one["id"], one["annotator"]) for one in settled] == [(name, "adjudication") for name in names[1:3]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 400])
def test_nothing_is_wider_than_the_window_and_all_has_contrast(
    chrome: Chrome, folder: Path, width: int, scheme: str
) -> None:
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    try:
        with served(folder, *SETTINGS, "label.annotator=ann", "label.show_verdict=true", step="label") as address:
            page = LabelPage(chrome, address)
            page.open()
            page.shows("Question")
            page.judge("c")
            over = "const page = document.documentElement; return page.scrollWidth - page.clientWidth"
            assert chrome.execute_script(over) == 0
            background = chrome.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert (background == "rgb(17, 21, 28)") == (scheme == "dark")
            bar = "document.querySelector('.verdict-bar')"
            bottom = chrome.execute_script(f"return {bar}.getBoundingClientRect().bottom")
            assert bottom <= 800
    finally:
        chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_markup_in_replies_and_names_is_text(chrome: Chrome, address: str) -> None:
    page = LabelPage(chrome, address)
    page.begin(MARKUP)
    page.shows("were asked for (label.count)")
    page.shows(f"You are {MARKUP[:40]}")
    while page.question() != "q0":
        before = page.question()
        page.press("s")
        page.wait(lambda before=before: page.question() != before, "the next reply")  # type: ignore[misc]
    assert page.texts(".judged .said") == [MARKUP]
    page.judge("i")
    assert not page.all(".sheet img, .sheet script, .sheet b")
    page.ended_well()


def test_pages_from_elsewhere_are_kept_out(address: str) -> None:
    with urlopen(address, timeout=30) as found:
        assert found.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in found.headers["Content-Security-Policy"]
    with pytest.raises(HTTPError, match="400"):
        urlopen(Request(address, headers={"Host": "evil.example"}), timeout=30)
    socket = f"{address}/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    with pytest.raises(HTTPError):
        urlopen(Request(socket, headers={"Origin": "http://evil.example"}), timeout=30)
