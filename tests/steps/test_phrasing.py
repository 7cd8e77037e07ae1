"""step=generate with a model that phrases the facts: what is kept and paid, faults, a real model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import factprobe as package
from factprobe.steps.phrasing import stored_name
from tests.command_line import CommandLine
from tests.models.server import Endpoint, completion, endpoint, fault

ROOT = "outputs/trex"
EXAM = ["kg=trex", "relations=[P36,P37]", "limit=3"]
"""Six facts."""


class Bench:
    """A run whose facts a model on loopback phrases, which says what a test has it say."""

    def __init__(self, factprobe: CommandLine, folder: Path, server: Endpoint) -> None:
        self.factprobe, self.root, self.server = factprobe, folder / ROOT, server
        self.settings = ["generator=llm_mask", "generator.model=openai", "generator.model.model=phraser"]
        self.settings += [f"generator.model.base_url={server.base_url}", "generator.model.max_retries=0"]

    def generate(self, *more: str) -> tuple[str, str]:
        code, out, err = self.factprobe("step=generate", *EXAM, *self.settings, *more)
        assert code == 0, err
        return out, err

    def counts(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.root / "manifest.json").read_text())["generate"]["counts"]["phrases"]
        return found

    def lines(self, pattern: str) -> list[dict[str, Any]]:
        return [json.loads(line) for path in sorted(self.root.glob(pattern)) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extracted")
    package.run("step=extract", *EXAM, f"output_dir={folder}")
    return folder


class Says:
    """The replies of the model, by turns of the test."""

    def __init__(self) -> None:
        self.answer: Callable[[str], Any] = good

    def __call__(self, body: dict[str, Any]) -> Any:
        said = self.answer(body["messages"][-1]["content"])
        return (200, completion(said)) if isinstance(said, str) else said


def good(asked: str) -> str:
    """A sentence with the names of a request."""
    names = asked.partition("Names: ")[2].partition("\n")[0]
    return "They say that {} goes with {}.".format(*names.split("; "))


def bad_of_switzerland(asked: str) -> str:
    """No sentence for the facts of one subject."""
    return "Who knows?" if "Switzerland" in asked else good(asked)


@pytest.fixture
def says() -> Says:
    return Says()


@pytest.fixture
def bench(factprobe: CommandLine, tmp_path: Path, extracted: Path, says: Says) -> Iterator[Bench]:
    copytree(extracted, tmp_path / ROOT)
    with endpoint(says) as server:
        yield Bench(factprobe, tmp_path, server)


def test_facts_are_put_in_the_models_words(bench: Bench) -> None:
    out, err = bench.generate()
    assert "; 6 of 6 facts in the words of phraser → " in out
    assert err == ""
    assert {line["statement"]["text"].partition(" goes ")[0] for line in bench.lines("questions/llm_mask/P36.jsonl")}
    assert all(line["statement"]["text"].startswith("They say") for line in bench.lines("questions/llm_mask/*.jsonl"))
    phrases = bench.lines("phrases/llm_mask/*.jsonl")
    assert [set(phrase) for phrase in phrases] == [{"phrase_id", "statement"}] * 6
    counts = bench.counts()
    assert (counts["model"], counts["facts"], counts["fallbacks"], counts["rejected"]) == ("phraser", 6, {}, {})
    assert [found["asked"] for found in counts["rounds"]] == [6]


def test_what_is_not_taken_is_asked_again_and_then_put_by_the_template(
    bench: Bench, says: Says, caplog: pytest.LogCaptureFixture
) -> None:
    says.answer = bad_of_switzerland
    out, _ = bench.generate("generator.tries=2")
    swiss = sum("Q39" in line["question_id"] for line in bench.lines("phrases/llm_mask/questions/0/*.jsonl"))
    assert swiss
    assert f"; {6 - swiss} of 6 facts in the words of phraser" in out
    [warning] = caplog.messages
    assert warning.startswith(
        f"{swiss} of 6 facts are phrased by the template, since the phrasings of phraser are rejected: "
    )
    assert f"no_subject ({swiss})" in warning
    assert len(bench.server.requests) == 6 + swiss
    counts = bench.counts()
    assert (counts["fallbacks"], counts["rejected"]) == ({"no_subject": swiss}, {"no_subject": 2 * swiss})
    left = [phrase for phrase in bench.lines("phrases/llm_mask/*.jsonl") if "statement" not in phrase]
    assert [phrase["faults"] for phrase in left] == [["no_subject", "no_subject"]] * swiss
    [again, *_] = bench.lines("phrases/llm_mask/questions/1/*.jsonl")
    assert again["prompts"][-1]["content"].endswith("(The last try could not be used: it does not name Switzerland.)")


def test_nothing_is_asked_twice(bench: Bench, says: Says) -> None:
    says.answer = bad_of_switzerland
    bench.generate()
    asked, questions = len(bench.server.requests), bench.lines("questions/llm_mask/*.jsonl")
    bench.generate("cache=off")
    assert len(bench.server.requests) == asked
    assert bench.lines("questions/llm_mask/*.jsonl") == questions
    for path in (bench.root / "phrases").rglob("*.jsonl"):
        path.unlink()
    bench.generate()  # the cache has them
    assert len(bench.server.requests) == asked
    assert bench.counts()["rounds"][0]["from_cache"] == 6
    bench.generate("generator.model.temperature=0.5")  # another model, so to speak
    assert len(bench.server.requests) == 2 * asked


@pytest.mark.parametrize("name", ["llm_mask", "llm_question"])
def test_questions_with_passages_lie_apart_and_share_the_words(bench: Bench, says: Says, name: str) -> None:
    says.answer = lambda asked: good(asked) if "Names: " in asked else "I don't know."
    bench.settings[0] = f"generator={name}"
    bench.generate()
    asked, plain = len(bench.server.requests), bench.lines(f"questions/{name}/*.jsonl")
    bench.generate("cache=off", "generator.context=relevance")
    found = bench.lines(f"questions/{name}-relevance/*.jsonl")
    assert [line["question_id"] for line in found] == [line["question_id"] for line in plain]
    assert all(line["context"]["kind"] == "relevance" for line in found)
    assert bench.lines(f"questions/{name}/*.jsonl") == plain
    assert len(bench.server.requests) == asked
    assert [path.name for path in (bench.root / "phrases").iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "context", "kept"),
    [
        ("llm_mask", "none", "llm_mask"),
        ("llm_mask-relevance", "relevance", "llm_mask"),
        ("llm_mask-relevance-1", "relevance", "llm_mask-1"),
        ("llm_mask-relevance-1", "none", "llm_mask-relevance-1"),
        ("mine", "antifactual", "mine"),
        ("-antifactual", "antifactual", "-antifactual"),
    ],
)
def test_the_words_are_kept_under_the_name_without_the_passages(name: str, context: str, kept: str) -> None:
    assert stored_name(name, context) == kept


def test_a_dry_run_tells_what_it_takes_and_ends_the_run(bench: Bench) -> None:
    code, out, err = bench.factprobe("step=all", *EXAM, *bench.settings, "model=scripted", "dry_run=true")
    assert code == 0, err
    last = out.strip().splitlines()[-1]
    assert last.startswith("generate: 6 calls to phraser are left to make, about ")
    assert last.endswith("; what is not taken is asked again, up to 2 times")
    assert bench.server.requests == []
    assert not (bench.root / "questions").exists()


def test_the_limit_of_the_cost_holds_for_phrasing_too(bench: Bench) -> None:
    line = bench.factprobe.fails("step=generate", *EXAM, *bench.settings, "max_cost_usd=1")
    assert "set 'generator.model.price={input: 0.15, output: 0.6}'" in line
    price = "generator.model.price={input: 1000, output: 1000}"
    line = bench.factprobe.fails("step=generate", *EXAM, *bench.settings, price, "max_cost_usd=0.0001")
    assert line.startswith("factprobe: error: max_cost_usd=0.0001: ")
    assert bench.server.requests == []


def test_a_fact_without_a_reply_is_asked_again_by_the_next_run(bench: Bench, says: Says) -> None:
    says.answer = lambda asked: (400, fault("no")) if "France" in asked else good(asked)
    code, out, err = bench.factprobe("step=generate", *EXAM, *bench.settings)
    assert code == 0
    assert "1 of 6 questions has no answer of phraser, who phrases the facts, most often: 400" in err
    assert "5 of 6 facts in the words of phraser" in out
    says.answer = good
    bench.server.requests.clear()
    out, err = bench.generate()
    assert (len(bench.server.requests), "6 of 6 facts" in out, err) == (1, True, "")


def test_where_all_further_tries_fail_the_template_stands_in(bench: Bench, says: Says) -> None:
    says.answer = lambda asked: (400, fault("no")) if "last try" in asked else bad_of_switzerland(asked)
    code, _, err = bench.factprobe("step=generate", *EXAM, *bench.settings, "fail_on_missing=true")
    assert (code, "no answer of phraser, who phrases the facts, most often: 400" in err) == (4, True)
    swiss = bench.counts()["fallbacks"]["no_reply"]
    assert [one["failed"] for one in bench.counts()["rounds"]][:2] == [0, swiss]
    assert bench.counts()["rejected"] == {"no_subject": swiss, "no_reply": swiss}
    says.answer = good
    bench.generate()
    assert bench.counts()["fallbacks"] == {}


@pytest.mark.parametrize(
    ("status", "hint"), [(401, "generator.model.api_key_env names another"), (404, "generator.model.model is a model")]
)
def test_a_fault_of_the_model_is_told_with_its_settings(bench: Bench, says: Says, status: int, hint: str) -> None:
    says.answer = lambda _: (status, fault("no"))
    line = bench.factprobe.fails("step=generate", *EXAM, *bench.settings, code=3)
    assert hint in line
    assert not (bench.root / "questions").exists()


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (["generator.model=openai"], "generator.model.model: is not set; set generator.model.model=..."),
        (
            ["generator.model=openai", "generator.model.model=x"],
            "generator.model: the environment variable OPENAI_API_KEY is not set; export OPENAI_API_KEY=..., ",
        ),
        (["generator.model=smolm2"], "unknown model 'smolm2'; did you mean 'smollm2'?"),
        (["generator.model.max_token=3"], "did you mean generator.model.max_tokens?"),
        (["generator.model.temperature=hot"], "generator.model.temperature: 'hot' is not a number of at least 0"),
        (["generator.model=llama_cpp"], "set generator.model.path="),
        (["generator.tries=0"], "generator.tries: 0 is not a whole number of at least 1"),
    ],
)
def test_a_wrong_setting_is_named_before_anything_is_done(
    factprobe: CommandLine, settings: list[str], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert line in factprobe.fails("step=all", *EXAM, "model=scripted", "generator=llm_mask", *settings)
    assert not (factprobe.folder / "outputs").exists()


def test_other_generators_have_nobody_phrase_the_facts(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=generate", "generator.model=scripted")
    assert "unknown setting 'generator.model'; generator=llm_mask and generator=llm_question would have" in line


def test_a_key_is_refused_there_too(factprobe: CommandLine) -> None:
    line = factprobe.fails(
        "step=generate", "generator=llm_mask", "generator.model=openai", "+generator.model.api_key=x1"
    )
    assert "must not contain a key" in line


def test_the_command_of_a_missing_step_names_who_phrases(factprobe: CommandLine) -> None:
    assert factprobe("step=extract", *EXAM).code == 0
    chosen = ["generator=llm_mask", "generator.model=scripted", "generator.model.max_tokens=9"]
    line = factprobe.fails("step=answer", *EXAM, "model=scripted", *chosen)
    assert "generator=llm_mask generator.model=scripted generator.model.max_tokens=9" in line


@pytest.mark.slow
@pytest.mark.parametrize("name", ["llm_mask", "llm_question"])
def test_a_real_model_phrases_and_the_exam_is_scored(factprobe: CommandLine, name: str) -> None:
    exam = ["kg=trex", "relations=[P36]", "limit=2", f"generator={name}", "model=scripted"]
    code, out, err = factprobe("step=all", *exam)
    assert code == 0, err
    assert " of 2 facts in the words of smollm2 → " in out
    counts = json.loads((factprobe.folder / ROOT / "manifest.json").read_text())["generate"]["counts"]["phrases"]
    fallbacks = sum(counts["fallbacks"].values())
    assert 0 <= fallbacks < 2
    assert f"{2 - fallbacks} of 2 facts" in out
