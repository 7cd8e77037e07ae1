"""Replies that did not end by themselves, from the command line: how they are graded, and what is told of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.answering import COUNT, EXAM, complete, manifest, prepare, records, settings
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint

ALL = f"of {COUNT} replies {COUNT} (100.0 %) were "
CUT = ALL + "cut off by max_tokens"
SET_HIGHER = "; set it higher, to thousands for a model that reasons first"
FILTERED = "stopped by a content filter; change the filter, or use another provider"
REFUSED = "refused; read some of them, or use another provider"

FEW = "of 20 replies 7 are empty or reasoning alone, and unparsed"

Warnings = pytest.LogCaptureFixture


def run_all(factprobe: CommandLine, *replies: dict[str, Any]) -> str:
    """Run an exam whose questions get these replies in turn; return what `step=report` then prints."""
    left: Iterator[dict[str, Any]] = cycle(replies)
    with endpoint(lambda body: (200, next(left))) as server:
        found = factprobe("step=all", *settings(server.base_url, "model.max_concurrency=1"))
    assert found.code == 0, found.err
    assert " replies " not in found.out.replace(FEW, "")  # the warnings of `answer` have said the others
    return factprobe("step=report").out


def told(root: Path, out: str, caplog: Warnings) -> list[set[str]]:
    """What the warnings, the terminal, the Markdown and the page say of the replies, each of which has it once."""
    warned = [record.getMessage().removeprefix("stub: ") for record in caplog.records]
    printed = [line for line in out.splitlines() if " replies " in line]
    text = (root / "report.md").read_text().replace("\\", "")
    marked = [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith("- ")]
    html = (root / "report.html").read_text()
    shown = [line.replace("&#39;", "'") for line in re.findall("<li><b>[^<]*</b> (.*?)</li>", html)]
    reports = [marked, shown]
    found = [warned, printed, *([line[0].lower() + line[1:] for line in lines] for lines in reports)]
    assert all(len(lines) == len(set(lines)) for lines in found)
    return [set(lines) for lines in found]


@pytest.mark.parametrize("content", [None, "", "<think>\nThe user asks for a capital, and"])
def test_a_model_that_reasons_within_too_few_tokens_is_told_of(
    factprobe: CommandLine, tmp_path: Path, caplog: Warnings, content: str | None
) -> None:
    root = tmp_path / "outputs/trex"
    out = run_all(factprobe, completion(content, "length", reasoning_content="The user asks"))
    assert {(one["verdict"], one["rule"], one["ending"]) for one in records(root / "grades")} == {
        ("unparsed", "response.cut_off", "cut")
    }
    assert {one["finish_reason"] for one in records(root / "responses")} == {"length"}
    line = f"{CUT}, {COUNT} of them before any answer{SET_HIGHER}"
    assert told(root, out, caplog) == [{line}] * 4
    assert manifest(root)["counts"]["endings"] == {"cut": COUNT}


def test_a_reply_that_is_cut_is_graded_as_it_stands(factprobe: CommandLine, tmp_path: Path, caplog: Warnings) -> None:
    root = tmp_path / "outputs/trex"
    out = run_all(factprobe, completion("I do not know, and", "length"))
    assert {(one["verdict"], one["ending"]) for one in records(root / "grades")} == {("abstained", "cut")}
    assert told(root, out, caplog) == [{CUT + SET_HIGHER}] * 4


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "content_filter: RECITATION"])
def test_what_a_filter_keeps_back_is_no_wrong_answer(
    factprobe: CommandLine, tmp_path: Path, caplog: Warnings, reason: str
) -> None:
    root = tmp_path / "outputs/trex"
    out = run_all(factprobe, completion(None, reason))
    assert {(one["verdict"], one["rule"], one["ending"]) for one in records(root / "grades")} == {
        ("abstained", "response.filtered", "filtered")
    }
    assert told(root, out, caplog) == [{ALL + FILTERED}] * 4


def test_a_refusal_is_no_wrong_answer_whatever_it_says(
    factprobe: CommandLine, tmp_path: Path, caplog: Warnings
) -> None:
    root = tmp_path / "outputs/trex"
    out = run_all(factprobe, completion(None, "stop", refusal="Das geht zu weit: Rom."))
    assert {(one["verdict"], one["rule"], one["answer"]) for one in records(root / "grades")} == {
        ("abstained", "response.refused", "Das geht zu weit: Rom.")
    }
    assert told(root, out, caplog) == [{ALL + REFUSED}] * 4


def test_they_are_told_apart(factprobe: CommandLine, tmp_path: Path, caplog: Warnings) -> None:
    root = tmp_path / "outputs/trex"
    kinds = completion("", "length"), completion("", "content_filter"), completion("", refusal="No."), completion("x")
    out = run_all(factprobe, *kinds)
    share = f"of {COUNT} replies 5 (25.0 %) were "
    cut = f"cut off by max_tokens, 5 of them before any answer{SET_HIGHER}"
    assert told(root, out, caplog) == [{share + cut, share + FILTERED, share + REFUSED}] * 4
    assert sorted(one.get("ending", "") for one in records(root / "grades")) == sorted(
        ["cut", "filtered", "refused", ""] * 5
    )


def test_of_replies_that_end_by_themselves_only_empty_ones_are_told(
    factprobe: CommandLine, tmp_path: Path, caplog: Warnings
) -> None:
    root = tmp_path / "outputs/trex"
    out = run_all(factprobe, completion("Paris"), completion("", "stop"), completion("Paris", "tool_calls"))
    assert told(root, out, caplog) == [set(), {FEW}, {FEW}, {FEW}]
    assert "endings" not in manifest(root)["counts"]
    assert not any("ending" in one for one in records(root / "grades"))
    assert "response.empty" in {one["rule"] for one in records(root / "grades")}


@pytest.mark.parametrize(
    "reply",
    [
        completion(None, "tool_calls", tool_calls=[{"type": "function", "function": {"name": "answer"}}]),
        completion(None),
        completion(" \n", None),
        completion([], "stop", reasoning_content="The user asks for a capital."),
        completion("<think>The user asks for a capital.</think>"),
    ],
    ids=str,
)
def test_a_run_of_empty_replies_is_told_of(
    factprobe: CommandLine, tmp_path: Path, caplog: Warnings, reply: dict[str, Any]
) -> None:
    root = tmp_path / "outputs/trex"
    out = run_all(factprobe, reply)
    hint = "check whether the endpoint answers in another field, such as tool calls, and check model.extra_body"
    assert (
        told(root, out, caplog)
        == [{f"{ALL}empty or reasoning alone; raise max_tokens for a model that reasons, or {hint}"}] * 4
    )
    assert "endings" not in manifest(root)["counts"]


def test_what_a_filter_let_through_is_graded_as_it_stands(factprobe: CommandLine, tmp_path: Path) -> None:
    run_all(factprobe, completion("I do not know.", "content_filter"))
    grades = records(tmp_path / "outputs/trex/grades")
    assert {(one["verdict"], one["ending"]) for one in grades} == {("abstained", "filtered")}
    assert "response.filtered" not in {one["rule"] for one in grades}


def test_several_graphs_are_told_of_by_name(factprobe: CommandLine, tmp_path: Path) -> None:
    run_all(factprobe, completion("", "length"))
    assert factprobe("step=all", "kg=umls", "limit=1", "model=scripted").code == 0
    out = factprobe("step=report", "output_dir=outputs").out
    assert f"stub on trex: {CUT}, {COUNT} of them before any answer" in out
    assert f"on trex:</b> {CUT}" in (tmp_path / "outputs/report.html").read_text()


def test_a_broken_answer_in_a_file_is_none_and_is_asked_for_again(factprobe: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "outputs/trex"
    prepare(factprobe)
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        run = settings(server.base_url, "cache=off")
        assert factprobe("step=answer", *run).code == 0
        [file] = (root / "responses").rglob("P36.jsonl")
        first, *others = (json.loads(line) for line in file.read_text().splitlines())
        lines = [{**first, "response": "The", "finish_reason": "error"}, *others]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert factprobe("step=evaluate", *run).code == 0
        failed = [one["question_id"] for one in records(root / "grades") if one["verdict"] == "failed"]
        assert failed == [first["question_id"]]
        server.requests.clear()
        assert factprobe("step=answer", *run).code == 0
        assert len(server.requests) == 1
    assert complete(root)


def test_a_judge_that_is_cut_off_is_told_of_too(factprobe: CommandLine, caplog: Warnings) -> None:
    with endpoint(lambda body: (200, completion("", "length"))) as server:
        judge = ["model@judge=openai", "judge.model=critic", f"judge.base_url={server.base_url}"]
        exam = [*EXAM, "model=scripted", "model.rule=abstain", "judge_rules=[abstained]"]
        assert factprobe("step=all", *exam, *judge).code == 0
    assert [record.getMessage() for record in caplog.records] == [
        f"critic: {CUT}, {COUNT} of them before any answer{SET_HIGHER}"
    ]
