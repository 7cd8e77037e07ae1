"""The step `answer` from the command line: what it asks, what it costs, how it ends and goes on."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.answering import COUNT, EXAM, complete, manifest, prepare, records, settings
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint, fault, send, silence

PRICE = "model.price={input: 1, output: 2}"


def paris(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion("Paris")


def responses(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / "responses").rglob("*.jsonl")}


def test_the_name_of_a_repeat_is_no_name_of_a_model(factprobe: CommandLine, tmp_path: Path) -> None:
    run = ["kg=trex", "relations=[P36]", "limit=1", "model=scripted"]
    for step in ("answer", "evaluate", "all"):
        line = factprobe.fails(f"step={step}", *run, "model.name=m~1")
        assert line.startswith("factprobe: error: model.name: 'm~1'"), line
        assert "model.repeat=1" in line
    assert not (tmp_path / "outputs/trex/triplets").exists()
    for name in ("m~x", "~1", "m~1~"):
        assert factprobe("step=all", *run, f"model.name={name}").code == 0


@pytest.mark.parametrize("temperature", [0, 1.5])
def test_the_same_run_in_another_folder_asks_nothing(
    factprobe: CommandLine, tmp_path: Path, temperature: float
) -> None:
    numbers = count()
    with endpoint(lambda body: (200, completion(f"reply {next(numbers)}"))) as server:
        run = ["step=all", *settings(server.base_url, f"model.temperature={temperature}")]
        assert factprobe(*run, "output_dir=one").code == 0
        assert len(server.requests) == COUNT
        result = factprobe(*run, "output_dir=two")
        assert result.code == 0
        assert len(server.requests) == COUNT
    assert "0 responses, 20 from the cache" in result.out
    assert responses(tmp_path / "one") == responses(tmp_path / "two")
    assert complete(tmp_path / "two")
    counts = manifest(tmp_path / "two")["counts"]
    assert (counts["asked"], counts["from_cache"], counts["prompt_tokens"], counts["usd"]) == (0, COUNT, 0, None)


@pytest.mark.parametrize(
    ("changed", "requests"),
    [("cache=off", COUNT), ("cache=refresh", COUNT), ("model.repeat=1", COUNT), ("model.timeout=9", 0)],
)
def test_the_cache_is_used_as_the_settings_say(factprobe: CommandLine, changed: str, requests: int) -> None:
    with endpoint(paris) as server:
        assert factprobe("step=all", *settings(server.base_url), "output_dir=one").code == 0
        server.requests.clear()
        assert factprobe("step=all", *settings(server.base_url), "output_dir=two", changed).code == 0
        assert len(server.requests) == requests


def test_without_a_cache_nothing_is_written_to_it(factprobe: CommandLine, cache: Path) -> None:
    with endpoint(paris) as server:
        assert factprobe("step=all", *settings(server.base_url), "cache=off").code == 0
    assert not cache.exists()


def test_a_dry_run_asks_nothing_and_counts_right(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    root = tmp_path / "outputs/trex"
    before = (root / "manifest.json").read_bytes()
    with endpoint(paris) as server:
        run = ["step=answer", *settings(server.base_url, PRICE, "model.max_tokens=10")]
        result = factprobe(*run, "dry_run=true")
        assert result.code == 0
        assert server.requests == []
        prompts = [
            sum(len(message["content"].encode()) for message in question["prompts"])
            for question in records(root / "questions")
        ]
        tokens = sum(-(-size // 4) for size in prompts)
        assert f"20 calls to stub are left to make, about {tokens:,} tokens of prompts" in result.out
        assert f"at most 200 of answers, at most about ${(tokens + 400) / 1e6:.4f}; 0 are answered" in result.out
        assert records(root / "responses") == []
        assert (root / "manifest.json").read_bytes() == before
        assert "a price that is not known" in factprobe("step=answer", *settings(server.base_url), "dry_run=true").out
        assert factprobe(*run).code == 0
        assert "0 calls to stub are left" in factprobe(*run, "dry_run=true").out
        assert "; 20 are answered" in factprobe(*run, "output_dir=outputs/trex", "dry_run=true").out
        assert len(server.requests) == COUNT


def test_a_dry_run_of_other_questions_leaves_all_files(factprobe: CommandLine, tmp_path: Path) -> None:
    assert factprobe("step=all", *EXAM, "model=scripted").code == 0
    files = {path: path.read_bytes() for path in (tmp_path / "outputs").rglob("*") if path.is_file()}
    with endpoint(paris) as server:
        dry = factprobe("step=all", *settings(server.base_url), "limit=2", "seed=3", "dry_run=true")
        alone = factprobe("step=extract", *EXAM, "output_dir=elsewhere", "dry_run=true")
    assert (dry.code, alone.code) == (0, 0), dry.err + alone.err
    assert "8 calls to stub are left to make" in dry.out
    assert "questions" not in dry.out
    assert "nothing was written" in alone.out
    assert files == {path: path.read_bytes() for path in (tmp_path / "outputs").rglob("*") if path.is_file()}
    assert not (tmp_path / "elsewhere").exists()


def test_tokens_and_dollars_are_told(factprobe: CommandLine, tmp_path: Path) -> None:
    with endpoint(paris) as server:
        result = factprobe("step=all", *settings(server.base_url, "model.price={input: 1000, output: 2000}"))
    usd = COUNT * (7 * 1000 + 2 * 2000) / 1e6
    assert f"20 responses, 180 tokens, ${usd:.4f}" in result.out
    counts = manifest(tmp_path / "outputs/trex")["counts"]
    assert (counts["prompt_tokens"], counts["completion_tokens"], counts["usd"]) == (140, 40, pytest.approx(usd))


def test_a_limit_of_money_ends_the_run_which_goes_on_later(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    root = tmp_path / "outputs/trex"

    def greedy(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        sent = sum(len(message["content"].encode()) + 16 for message in body["messages"]) + 128
        usage = {"prompt_tokens": sent, "completion_tokens": body["max_tokens"]}
        return 200, {**completion("Paris"), "usage": usage}

    with endpoint(greedy) as server:
        run = ["step=answer", *settings(server.base_url, PRICE, "model.max_tokens=48", "max_cost_usd=0.004")]
        spent, runs = 0.0, 0
        while not complete(root) and runs < 10:
            line = factprobe.fails(*run)
            runs += 1
            assert "max_cost_usd=0.004" in line
            assert "run the step again" in line
            counts = manifest(root)["counts"]
            assert 0.002 < counts["usd"] <= 0.004
            assert counts["stopped"] in line
            spent += counts["usd"]
            if len(server.requests) > COUNT - 5:
                break
        assert runs >= 2
        assert "raise the limit" in factprobe.fails(*run, "max_cost_usd=0.00001")
        assert factprobe(*run, "max_cost_usd=1").code == 0
        assert len(server.requests) == COUNT
    assert complete(root)


def test_a_limit_of_money_needs_a_price(factprobe: CommandLine) -> None:
    prepare(factprobe)
    with endpoint(paris) as server:
        line = factprobe.fails("step=answer", *settings(server.base_url), "max_cost_usd=1")
        assert "the price of stub is not known" in line
        assert "model.price=" in line
        assert server.requests == []


def test_an_endpoint_that_dies_ends_the_run_which_goes_on_later(factprobe: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "outputs/trex"
    calls = count(1)

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return (200, completion("Paris")) if next(calls) <= 12 or alive else (500, fault("out of order"))

    alive = False
    with endpoint(answer) as server:
        run = settings(server.base_url, "limit=12", "model.max_retries=1", "model.max_concurrency=4")
        line = factprobe.fails("step=all", *run, code=3)
        assert "the last 20 calls to stub all failed: 500: out of order" in line
        counts = manifest(root)["counts"]
        assert (counts["responses"], counts["prompt_tokens"]) == (12, 12 * 7)
        assert counts["stopped"] in line
        assert len([one for one in records(root / "responses") if one["error"] is None]) == 12
        alive = True
        server.requests.clear()
        assert factprobe("step=answer", *run).code == 0
        assert len(server.requests) == 48 - 12
    assert complete(root)


@pytest.mark.slow
def test_an_endpoint_that_stalls_is_given_up_and_the_run_goes_on_later(
    factprobe: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root = tmp_path / "outputs/trex"
    calls = count(1)
    prepare(factprobe)
    with endpoint(lambda body: (200, completion("Paris")) if next(calls) <= 9 or awake else silence) as server:
        awake = False
        run = ["step=answer", *settings(server.base_url, "model.timeout=0.4", "model.max_concurrency=4")]
        line = factprobe.fails(*run, code=3)
        assert "calls to stub all failed: no answer within 0.4 s; what was answered is kept; see to the end" in line
        told = [record.getMessage() for record in caplog.records]
        assert 1 <= len(told) <= 4
        assert all("the run gives up after 2 s" in each for each in told)
        assert len(server.requests) < COUNT + 20
        kept = len([one for one in records(root / "responses") if one["error"] is None])
        assert 0 < kept <= 9
        awake = True
        server.requests.clear()
        assert factprobe(*run).code == 0
        assert len(server.requests) == COUNT - kept
    assert complete(root)


@pytest.mark.parametrize(
    ("status", "most"), [(401, 1), (404, 1), (400, 20), (500, 16 * 3)], ids=["key", "model", "request", "down"]
)
def test_a_run_without_hope_ends_in_one_line(factprobe: CommandLine, tmp_path: Path, status: int, most: int) -> None:
    with endpoint(lambda body: (status, fault("no such luck"))) as server:
        run = settings(server.base_url, "limit=40", "model.max_retries=2")
        line = factprobe.fails("step=all", *run, code=3)
        assert f"to stub failed: {status}: no such luck" in line
        assert len(server.requests) <= most + 8
    assert manifest(tmp_path / "outputs/trex")["counts"]["responses"] == 0


def test_refused_questions_do_not_keep_the_others_from_their_grades(factprobe: CommandLine, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        refused = "correct" in str(body["messages"])
        return (400, fault("not that")) if refused else (200, completion("Paris"))

    with endpoint(answer) as server:
        run = ["step=all", *settings(server.base_url, "limit=40")]
        assert factprobe(*run).code == 0
        server.requests.clear()
        result = factprobe(*run)
        assert result.code == 0, result.err
        failed = manifest(tmp_path / "outputs/trex")["counts"]["failed"]
        assert failed > 30
        assert len(server.requests) == failed


def test_a_missing_server_is_told(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=all", *settings("http://127.0.0.1:1/v1", "model.max_retries=1"), code=3)
    assert "Cannot connect to host 127.0.0.1:1" in line


def test_a_broken_manifest_hides_no_other_fault(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    (tmp_path / "outputs/trex/manifest.json").write_text("{")
    with endpoint(lambda body: (401, fault("wrong key"))) as server:
        assert "401: wrong key" in factprobe.fails("step=answer", *settings(server.base_url), code=3)


@pytest.mark.parametrize("wrong", [(400, fault("no such thing")), (500, fault("out of order")), send(b"<html>")])
def test_a_run_in_which_nothing_succeeds_ends_there(factprobe: CommandLine, tmp_path: Path, wrong: Any) -> None:
    with endpoint(lambda body: wrong) as server:
        few = settings(server.base_url, "limit=1", "model.max_retries=0")
        line = factprobe.fails("step=all", *few, code=3)
    assert "none of the 4 calls to" in line
    assert not (tmp_path / "outputs/trex/grades").exists()
    assert "none of the 4" in manifest(tmp_path / "outputs/trex")["counts"]["stopped"]
    with endpoint(paris) as server:
        assert factprobe("step=all", *settings(server.base_url, "limit=1")).code == 0
