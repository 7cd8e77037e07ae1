"""step=selfcheck on the command line: what is asked, what is stored already, and what is told."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from factprobe.evaluators.single.evaluator import SingleEvaluator
from tests.answering import COUNT, records, settings
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint

GRADED = ("extract", "generate", "answer", "evaluate")


class Wavering:
    """Says Paris when it is first asked something, and then by turns Paris and Lyon."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        prompt = json.dumps(body["messages"])
        self.asked[prompt] += 1
        return 200, completion("Paris" if self.asked[prompt] % 2 else "Lyon")


def checked(root: Path) -> dict[str, dict[str, Any]]:
    return {row["question_id"]: row for row in records(root / "selfcheck")}


def test_the_model_is_asked_again_and_its_answers_are_scored(factprobe: CommandLine) -> None:
    with endpoint(Wavering()) as server:
        run = settings(server.base_url, "selfcheck.samples=2")
        for step in GRADED:
            assert factprobe(f"step={step}", *run).code == 0
        asked = len(server.requests)
        assert f"{COUNT} calls to stub are left to make" in factprobe("step=selfcheck", *run, "dry_run=true").out
        code, out, err = factprobe("step=selfcheck", *run)
        assert code == 0, err
        assert len(server.requests) == asked + 2 * COUNT
        assert {body["temperature"] for body in server.requests[asked:]} == {1.0}
        assert f"{COUNT} answers compared with 2 samples each" in out
        root = factprobe.folder / "outputs/trex"
        short = [row for row in checked(root).values() if ":single_answer:" in row["question_id"]]
        assert {row["disagreement"] for row in short} == {0.5}
        before = {path: path.read_bytes() for path in (root / "selfcheck").rglob("[!.]*.*")}
        assert {path.name for path in before} == {"P36.jsonl", "scores.json", "report.html"}
        assert factprobe("step=selfcheck", *run).code == 0
        assert len(server.requests) == asked + 2 * COUNT, "nothing is asked twice"
        assert {path: path.read_bytes() for path in (root / "selfcheck").rglob("[!.]*.*")} == before
    page = (root / "selfcheck/template/stub/report.html").read_text()
    assert "Risk by coverage" in page
    assert "polyline" in page
    assert "http" not in page.replace("http-equiv", "")


def test_stored_replies_are_scored_without_asking_again(factprobe: CommandLine) -> None:
    with endpoint(Wavering()) as server:
        run = [*settings(server.base_url, "selfcheck.samples=2", "model.temperature=0.8"), "cache=off"]
        for step in GRADED[:2]:
            assert factprobe(f"step={step}", *run).code == 0
        for repeat in (2, 1, 0):
            assert factprobe("step=answer", *run, f"model.repeat={repeat}").code == 0
        assert factprobe("step=evaluate", *run).code == 0
        asked = len(server.requests)
        assert asked == 3 * COUNT
        assert factprobe("step=selfcheck", *run).code == 0
        assert len(server.requests) == asked
    assert len(checked(factprobe.folder / "outputs/trex")) == COUNT


def test_an_answer_that_cannot_be_compared_is_marked_and_the_others_stand(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with endpoint(Wavering()) as server:
        run = settings(server.base_url, "selfcheck.samples=1")
        for step in GRADED:
            assert factprobe(f"step={step}", *run).code == 0
        usual, calls = SingleEvaluator.decide, iter(range(10_000))

        def decide(self: SingleEvaluator, reading: Any) -> Any:
            if not next(calls):
                raise ZeroDivisionError
            return usual(self, reading)

        monkeypatch.setattr(SingleEvaluator, "decide", decide)
        out = factprobe("step=selfcheck", *run).out
    assert "1 cannot be compared, most often: the evaluator fails on a reply: ZeroDivisionError" in out
    rows = checked(factprobe.folder / "outputs/trex").values()
    assert sum("fault" in row for row in rows) == 1
    assert all(("disagreement" in row) != ("fault" in row) for row in rows)
    scores = json.loads((factprobe.folder / "outputs/trex/selfcheck/template/stub/scores.json").read_text())
    assert scores[0]["questions"] + scores[0]["left_out"] == COUNT
