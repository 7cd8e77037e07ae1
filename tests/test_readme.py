"""The README's and the docs' code does what they say when it is pasted."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from factprobe.config import compose, from_omegaconf
from tests.command_line import ROOT, CommandLine

README = (ROOT / "README.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a Markdown text."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> list[list[str]]:
    """The `factprobe` commands of a Markdown text, without their comments."""
    lines = [line for block in blocks(text, "bash") for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("factprobe ")]


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_python_use(tmp_path: Path, page: str) -> None:
    [code] = blocks((ROOT / page).read_text(encoding="utf-8"), "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "total (macro)" in done.stdout
    assert "cut off" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_code_blocks_begin_and_end_on_lines_of_their_own() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    fences = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines() if "```" in line]
    assert fences
    assert [line for line in fences if not re.fullmatch(r" *```\w*", line)] == []


def test_the_files_that_are_shown(factprobe: CommandLine) -> None:
    _, table = blocks(README, "csv")
    [texts] = [block for block in blocks(README, "json") if "response" in block]
    for name, text in (("facts.csv", table), ("texts.json", texts)):
        (factprobe.folder / name).write_text(text, encoding="utf-8")
    graphs = [command for command in commands(README) if any(part.startswith("kg.source=") for part in command)]
    for command in graphs:
        if "model=scripted" in command:
            ended = factprobe(*command)
            assert "extract: 1 relation, 4 triplets" in ended.out
            assert "WARNING" not in ended.err
    [checked] = [command for command in commands(README) if command == ["step=extract_check", "input=texts.json"]]
    ended = factprobe(*checked)
    assert "2 texts" in ended.out
    assert "WARNING" not in ended.err
    [verdicts] = [*factprobe.folder.glob("texts.*.json")]
    paris, lima = (one["Y"] for one in json.loads(verdicts.read_text()))
    assert (paris["Entailment"], lima["Entailment"]) == (1, 0)


def test_the_replies_that_are_shown(factprobe: CommandLine) -> None:
    (factprobe.folder / "answers.csv").write_text(blocks(README, "csv")[0], encoding="utf-8")
    assert factprobe("step=grade", "input=answers.csv").code == 0
    [path] = factprobe.folder.rglob("grades.jsonl")
    verdicts = [json.loads(line)["verdict"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert verdicts == ["correct", "abstained", "incorrect"]


def test_grading_from_python(tmp_path: Path) -> None:
    [code] = blocks((ROOT / "docs/logs.md").read_text(encoding="utf-8"), "python")
    (tmp_path / "answers.csv").write_text(blocks(README, "csv")[0].replace("answers,", "gold,", 1), encoding="utf-8")
    ran = f"import factprobe\n{code}\nprint(list(frame.verdict))"
    done = subprocess.run([sys.executable, "-c", ran], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "model-b" in done.stdout
    assert done.stdout.splitlines()[-2:] == ["[]", "['incorrect', 'abstained', 'incorrect']"]


ELSEWHERE = (
    "model=openai",
    "model=transformers",
    "model=litellm",
    "model.path=~",
    "model@judge=",
    "kg=rivers",
    "kg.source=",
    "kg=wikidata",
    "input=log",
    "input=texts",
    "input=results",
    "step=app",
    "step=compare",
)
JUDGING = (ROOT / "docs/judging.md").read_text(encoding="utf-8")
PAGES = [
    README,
    *((ROOT / f"docs/{page}.md").read_text(encoding="utf-8") for page in ("models", "running", "logs")),
    JUDGING,
]
OFFLINE = [
    command for page in PAGES for command in commands(page) if not any(part.startswith(ELSEWHERE) for part in command)
]


@pytest.mark.slow
def test_commands_in_their_order(factprobe: CommandLine) -> None:
    assert len(OFFLINE) >= 20
    (factprobe.folder / "answers.csv").write_text(blocks(README, "csv")[0], encoding="utf-8")
    (factprobe.folder / "labels.jsonl").write_text(blocks(JUDGING, "json")[0], encoding="utf-8")
    for command in OFFLINE:
        fast = [part.replace("smollm2", "scripted") for part in command]
        if "hydra/launcher=joblib" in fast:
            fast.append("hydra.launcher.n_jobs=1")  # in this process; tests of the launchers start some
        result = factprobe(*fast)
        assert result.code == 0, f"{command}: {result.err}"


@pytest.mark.slow
def test_two_models_are_compared(factprobe: CommandLine) -> None:
    shown = [command for command in commands(README) if "-m" in command or "step=compare" in command]
    assert len(shown) == 2
    for command in shown:
        result = factprobe(*command)
        assert result.code == 0, result.err
    assert "smollm2" in result.out


CLAIMS = (ROOT / "docs/claims.md").read_text(encoding="utf-8")


TEXTS = [command for command in commands(CLAIMS) if any(part.startswith("input=texts") for part in command)]
BENCHMARK = [command for command in commands(CLAIMS) if command[0] in ("step=benchmark", "step=collect")]


def by_scripted(command: list[str]) -> list[str]:
    """A command whose parts ask nobody outside this process."""
    if "checker=nli" in command:
        return [part.replace("checker=nli", "checker=graph") for part in command] + ["claim_extractor.model=scripted"]
    fast = [part.replace("=openai", "=scripted") for part in command if ".model=gpt" not in part]
    fast = [part.replace("[graph,{name: llm,", "[graph,{name: llm, model: scripted,") for part in fast]
    asks = "checker=llm" in fast and not any(part.startswith("checker.model=") for part in fast)
    return [part for part in fast if "max_tokens" not in part] + ["checker.model=scripted"] * asks


@pytest.mark.slow
def test_commands_on_free_texts(factprobe: CommandLine) -> None:
    texts, *_ = blocks(CLAIMS, "json")
    (factprobe.folder / "texts.json").write_text(texts, encoding="utf-8")
    (factprobe.folder / "notes.txt").write_text(blocks(CLAIMS, "text")[0], encoding="utf-8")
    assert len(TEXTS) >= 8
    made = {"texts.json", "notes.txt"}
    for command in TEXTS:
        result = factprobe(*by_scripted(command))
        assert result.code in (0, 4), f"{command}: {result.err}"  # 4: a scripted checker gives no verdict
        new = {path.name for path in factprobe.folder.iterdir() if path.is_file()} - made
        assert len(new) == 1, f"{command} writes over what another has written"
        made |= new
    a, b, c = json.loads((factprobe.folder / "strict.json").read_text())
    assert (a["Y"], b["Y"], c["Y"]) == ("Entailment", "Contradiction", "Abstain")


@pytest.mark.slow
def test_the_command_on_relations_in_other_words(factprobe: CommandLine) -> None:
    _, triplets, *_ = blocks(CLAIMS, "json")
    (factprobe.folder / "triplets.json").write_text(triplets, encoding="utf-8")
    [command] = [command for command in commands(CLAIMS) if "input=triplets.json" in command]
    result = factprobe(*command)
    assert result.code == 0, result.err
    [found] = json.loads((factprobe.folder / "triplets.checked.json").read_text())
    assert found["ys"] == ["Entailment", "Neutral"]
    assert found["details"][0]["why"] in " ".join(CLAIMS.split())


def test_commands_on_the_benchmark(factprobe: CommandLine) -> None:
    *_, annotated, questions = blocks(CLAIMS, "json")
    folder = factprobe.folder / "refchecker/zero_context"
    folder.mkdir(parents=True)
    (folder / "nq_gpt4_answers.json").write_text(annotated, encoding="utf-8")
    (factprobe.folder / "questions.json").write_text(questions, encoding="utf-8")
    assert len(BENCHMARK) == 4
    for command in BENCHMARK:
        result = factprobe(*by_scripted(command))
        assert result.code == 0, f"{command}: {result.err}"
    [row] = json.loads((factprobe.folder / "graph.json").read_text())
    assert row["agreement"][1]["labels"]["accuracy"]["estimate"] == 1
    assert (factprobe.folder / "questions.noisy_context.scripted.json").exists()


@pytest.mark.slow
def test_the_command_where_a_claim_stands(factprobe: CommandLine) -> None:
    app = (ROOT / "docs/app.md").read_text(encoding="utf-8")
    [command] = [command for command in commands(app) if "step=extract_check" in command]
    (factprobe.folder / "examples.json").write_text(blocks(CLAIMS, "json")[0], encoding="utf-8")
    result = factprobe(*command)
    assert result.code == 0, result.err
    assert '"locations"' in (factprobe.folder / "examples.checked.json").read_text()


@pytest.mark.slow
def test_free_texts_from_python(tmp_path: Path) -> None:
    [code] = blocks(CLAIMS, "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "['Entailment', 'Contradiction']" in done.stdout
    assert not list(tmp_path.iterdir())


DETECTORS = (ROOT / "docs/detectors.md").read_text(encoding="utf-8")
HALLUCINATIONS = [command for command in commands(DETECTORS) if "detector.model=openai" not in command]


@pytest.mark.slow
def test_commands_on_hallucinations(factprobe: CommandLine) -> None:
    (factprobe.folder / "val.json").write_text(blocks(DETECTORS, "json")[0], encoding="utf-8")
    assert len(HALLUCINATIONS) == 7
    for command in HALLUCINATIONS:
        graph = ["model=scripted"] if "kg=trex" in command else []
        scripted = [*command, *(["detector.model=scripted"] if "step=detect" in command else graph)]
        result = factprobe(*scripted)
        assert result.code == 0, f"{command}: {result.err}"
    assert "task PG (1)" in factprobe(*HALLUCINATIONS[2]).out


@pytest.mark.slow
def test_detectors_from_python(tmp_path: Path) -> None:
    (tmp_path / "val.json").write_text(blocks(DETECTORS, "json")[0], encoding="utf-8")
    code = blocks(DETECTORS, "python")[0]
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "['Not Hallucination', 'Not Hallucination'] 0.0\n", done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["val.json"]


@pytest.mark.slow
def test_the_judge_from_python(tmp_path: Path) -> None:
    _, code, in_a_test = blocks(DETECTORS, "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "1 The context says 1815.\n", done.stderr
    (tmp_path / "test_answers.py").write_text(in_a_test)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


MADE_UP = {"factprobe/steps/probing/count.py"}
"""Files of examples."""


def test_links_lead_somewhere() -> None:
    for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", file.read_text()):
            assert (file.parent / link).exists(), f"{file.name}: {link}"
        for path in re.findall(r"`((?:tests|benchmarks|factprobe)/[\w./-]+)`", file.read_text()):
            assert path in MADE_UP or (ROOT / path).exists(), f"{file.name}: {path}"


def test_settings_of_the_commands_are_known() -> None:
    """Compose the settings of all commands; the slow tests run them."""
    shown = (*OFFLINE, *TEXTS, *HALLUCINATIONS)
    single = [command for command in shown if not any(part.startswith("-") for part in command)]
    assert len(single) >= 30
    for command in single:
        from_omegaconf(compose(command))
