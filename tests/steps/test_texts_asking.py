"""The steps that check texts, where their parts ask models: resuming, limits, faults, dry runs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.checkers.parts import register
from tests.command_line import CommandLine
from tests.models.server import Endpoint, completion, endpoint, fault

TEXTS = [{"id": name, "response": f"{name} says", "reference": "r"} for name in ("a", "b", "c")]


@pytest.fixture(autouse=True)
def parts() -> None:
    register()


def says(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Two claims of each text; of `b` the second is unclear at first, of `c` for good."""
    text = body["messages"][-1]["content"]
    if text.startswith("Take apart"):
        name = text.split()[2]
        return 200, completion(f"{name}|is|one\n{name}|is|two")
    if "two" in text and ("c is" in text or ("b is" in text and "check-1" not in text)):
        return 200, completion("well, hm")
    return 200, completion("yes" if "one" in text else "no")


class Asked:
    """The step on three texts, with both parts asking a model on loopback."""

    def __init__(self, factprobe: CommandLine, server: Endpoint) -> None:
        self.factprobe, self.server = factprobe, server
        (factprobe.folder / "in.json").write_text(json.dumps(TEXTS), encoding="utf-8")
        self.command = ["step=extract_check", "input=in.json"]
        for part, model in (("claim_extractor", "taker"), ("checker", "critic")):
            self.command += [f"{part}=asking", f"+{part}.model.backend=openai", f"+{part}.model.model={model}"]
            self.command += [f"+{part}.model.base_url={server.base_url}", f"+{part}.model.max_retries=0"]

    def __call__(self, *more: str, code: int = 0) -> str:
        ended = self.factprobe(*self.command, *more)
        assert ended.code == code, ended.err
        return ended.out + ended.err

    def found(self) -> list[dict[str, Any]]:
        path = self.factprobe.folder / "in.checked.json"
        found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return found


def test_models_are_asked_in_rounds_and_never_twice(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        asked = Asked(factprobe, server)
        out = asked()
        assert [one["ys"] for one in asked.found()] == [["Entailment", "Contradiction"]] * 2 + [["Entailment", None]]
        assert asked.found()[2]["Y"] == {"Entailment": 1.0, "Neutral": 0.0, "Contradiction": 0.0, "Abstain": 0.0}
        assert len(server.requests) == 3 + 6 + 2
        assert "1 of the claims without a clean verdict" in out
        assert "3 texts checked by asking (critic)\n(rates in % over 3 responses, 3 with claims)" in out
        folder = factprobe.folder / "outputs/in/asked"
        assert sorted(path.name for path in folder.iterdir()) == ["checker=asking", "claim_extractor=asking"]
        assert sorted(path.name for path in (folder / "checker=asking/critic/responses").iterdir()) == [
            "check-1.jsonl",
            "check.jsonl",
        ]
        counts = json.loads((folder.parent / "manifest.json").read_text())["extract_check"]["counts"]
        assert [one["asked"] for one in counts["models"]["checker=asking"]["rounds"]] == [6, 2]
        first = (factprobe.folder / "in.checked.json").read_bytes()
        asked("cache=off")
        assert len(server.requests) == 11
        assert (factprobe.folder / "in.checked.json").read_bytes() == first


def test_what_refresh_keeps_is_said_once_for_each_model(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    with endpoint(says) as server:
        asked = Asked(factprobe, server)
        asked()
        asked("cache=refresh")
        assert len(server.requests) == 11
        for model in ("taker", "critic"):
            assert caplog.text.count(f"those of {model} in outputs/in are kept") == 1
        caplog.clear()
        asked("cache=refresh", "output_dir=elsewhere")
        assert len(server.requests) == 22
        assert "are kept" not in caplog.text


def test_a_dry_run_asks_nothing_and_writes_nothing(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        asked = Asked(factprobe, server)
        out = asked("dry_run=true")
        assert "3 calls to taker are left to make" in out
        assert "what they claim is checked then" in out
        assert not server.requests
        assert not (factprobe.folder / "in.checked.json").exists()


def test_a_failed_call_marks_that_text_only(factprobe: CommandLine) -> None:
    broken = ["b says"]

    def fails(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return (400, fault("no")) if any(text in str(body) for text in broken) else says(body)

    with endpoint(fails) as server:
        asked = Asked(factprobe, server)
        out = asked()
        a, b, _ = asked.found()
        assert (b["triplets"], b["ys"], b["Y"]) == ([], [], None)
        assert "no" in b["fault"]
        assert a["ys"] == ["Entailment", "Contradiction"]
        assert "1 of 3 questions has no answer of taker, whom claim_extractor=asking asks" in out
        asked("fail_on_missing=true", code=4)
        broken.clear()
        asked("fail_on_missing=true")
        assert "fault" not in asked.found()[1]


def test_where_no_call_succeeds_the_run_ends(factprobe: CommandLine) -> None:
    with endpoint(lambda _: (400, fault("no such thing"))) as server:
        out = Asked(factprobe, server)(code=3)
        assert "none of the 3 calls to taker succeeded" in out
        assert not (factprobe.folder / "in.checked.json").exists()


def test_the_cost_of_both_parts_is_limited_together(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        asked = Asked(factprobe, server)
        assert "the price of taker is not known" in asked("max_cost_usd=1", code=2)
        price = [f"+{part}.model.price={{input: 1000000, output: 0}}" for part in ("claim_extractor", "checker")]
        out = asked(*price, "max_cost_usd=200", code=2)
        assert "max_cost_usd" in out
        assert 3 < len(server.requests) < 11, "what the first part has spent counts for the second"


def test_a_second_round_that_fails_whole_is_counted(factprobe: CommandLine) -> None:
    """With the real checker, which goes on with what the first round has said."""
    broken = [True]

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        text = str(body["messages"])
        if "last try" in text or "could not be used" in text:
            return (400, fault("no")) if broken else (200, completion("Entailment"))
        return 200, completion("hm" if "two" in text else "Entailment")

    claims = [["a", "is", "one"], ["a", "is", "two"]]
    with endpoint(answer) as server:
        text = {"id": "a", "response": "a says", "reference": "r", "triplets": claims}
        (factprobe.folder / "in.json").write_text(json.dumps([text]), encoding="utf-8")
        model = ["checker.model=openai", "checker.model.model=m", f"checker.model.base_url={server.base_url}"]
        price = "checker.model.price={input: 1, output: 1}"
        command = ["step=check", "input=in.json", "checker=llm", *model, "checker.model.max_retries=0", price]
        found = factprobe(*command, "fail_on_missing=true")
        assert found.code == 4, found.err
        assert "1 of 3 questions has no answer of m, whom checker=llm asks, most often: 400: no" in found.err
        counts = json.loads((factprobe.folder / "outputs/in/manifest.json").read_text())["check"]["counts"]
        assert [one["failed"] for one in counts["models"]["checker=llm"]["rounds"]] == [0, 1]
        [record] = json.loads((factprobe.folder / "in.checked.json").read_text())
        assert record["ys"] == ["Entailment", None]
        broken.clear()
        assert factprobe(*command, "fail_on_missing=true").code == 0


def test_a_dry_run_goes_on_where_nothing_is_left_to_ask(factprobe: CommandLine) -> None:
    with endpoint(says) as server:
        asked = Asked(factprobe, server)
        taken = ["step=extract_claims", *asked.command[1:]]
        only = [argument for argument in taken if "checker" not in argument]
        assert factprobe(*only).code == 0
        before = len(server.requests)
        out = asked("dry_run=true")
        assert "6 calls to critic are left to make" in out
        assert "what they claim" not in out
        apart = asked("dry_run=true", "output_dir=elsewhere")  # where only the response cache has the replies
        assert "6 calls to critic are left to make" in apart
        assert len(server.requests) == before
        asked()
        (factprobe.folder / "in.checked.json").unlink()
        before = len(server.requests)
        assert "nothing is left to ask" in asked("dry_run=true")
        assert len(server.requests) == before
        assert not (factprobe.folder / "in.checked.json").exists()


@pytest.mark.parametrize("part", ["claims", "verdicts"])
def test_no_claim_and_no_clean_verdict_at_all_are_incomplete(factprobe: CommandLine, part: str) -> None:
    text = {"response": "Ada wrote notes.", "reference": "r"}
    given = {"triplets": [["Ada", "wrote", "notes"]]} if part == "verdicts" else {}
    (factprobe.folder / "in.json").write_text(json.dumps([{**text, **given}]), encoding="utf-8")
    command = (
        ["step=check"] if given else ["step=extract_check", "claim_extractor=llm", "claim_extractor.model=scripted"]
    )
    command += ["input=in.json", "checker=llm", "checker.model=scripted"]
    told = "no claim has a clean verdict, most often: the reply names no label; name another checker, or another model"
    if not given:
        told = "no claim could be extracted, most often: the reply has no list of triplets; name another"
    assert told in factprobe.fails(*command, code=4)


def test_models_that_are_asked_are_named_and_tiny_ones_warned_of(
    factprobe: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    text = {"response": "Ada wrote notes.", "reference": "r", "triplets": [["Ada", "wrote", "notes"]]}
    (factprobe.folder / "in.json").write_text(json.dumps([text]), encoding="utf-8")
    with endpoint(lambda body: (200, completion("Entailment"))) as server:
        command = ["step=check", "input=in.json", "checker=llm", "model=openai", "model.model=judge"]
        ended = factprobe(*command, f"model.base_url={server.base_url}")
    assert (ended.code, caplog.text) == (0, ""), ended.err
    assert ended.out.startswith("asked by check: checker llm (judge)\n")
    [record] = json.loads((factprobe.folder / "in.checked.json").read_text())
    assert record["models"] == {"checker": ["judge"]}
    assert factprobe("step=check", "input=in.json", "checker=llm", "dry_run=true").code == 0
    assert "checker.model: smollm2 is too small for this, and mostly wrong" in caplog.text


def test_an_embedder_of_the_graph_checker_is_asked_once(factprobe: CommandLine) -> None:
    texts = [{"response": "", "triplets": [["France", words, "Paris"]]} for words in ("adores", "capital city")]
    (factprobe.folder / "in.json").write_text(json.dumps(texts))

    def vectors(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, {"data": [{"embedding": [1.0, float(body["input"] not in ("adores", "capital"))]}]}

    with endpoint(vectors) as server:
        embedder = f"checker.embedder={{backend: openai, model: e, base_url: '{server.base_url}'}}"
        command = ["step=check", "input=in.json", "relations=[P36]", embedder]
        dry = factprobe(*command, "dry_run=true")
        assert (dry.code, server.requests) == (0, [])
        assert "calls" in dry.out + dry.err
        for _ in range(2):
            ended = factprobe(*command)
            assert ended.code == 0, ended.err
            assert sum(body["input"] == "adores" for body in server.requests) == 1
        [near, told] = json.loads((factprobe.folder / "in.checked.json").read_text())
        assert near["ys"] == told["ys"] == ["Entailment"]
        assert near["details"][0]["why"] == "'adores' is taken for 'capital' (similarity 1.00)"
    assert "checker.embedder.api_key" in factprobe.fails(
        *command[:-1], "checker.embedder={backend: openai, api_key: k}"
    )
