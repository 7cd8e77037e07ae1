"""Every step's declaration against what the step does: what it needs, makes and goes by."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from factprobe.cli.help import step_settings
from factprobe.config import RunConfig
from factprobe.config.defaults import DEFAULT_CHOICES
from factprobe.step_table import ALL, STEPS, step_choices
from factprobe.steps.base import load_step
from tests.command_line import ROOT, CommandLine
from tests.extras import needs
from tests.models.hf import tiny

EXAM = ["kg=trex", "model=scripted", "relations=[P36,P37]", "limit=3"]
OF_EVERY_RUN = {"step", "kg", "output_dir", "strict", "plugins", "fail_on_missing", "debug", "workers"}
"""Settings that no step need name: which step, on what, in how many processes, and how errors are met."""
AS_JUDGE = ["model@judge=scripted", "judge.name=j", "judge_rules=[correct,abstained]"]
ON_TEXTS = ["input=texts.json", "output_dir=outputs/texts"]
TAKING = ["claim_extractor=llm", "claim_extractor.model=scripted"]
CHECKING = ["checker=llm", "checker.model=scripted"]
STUDY = "+study={name: s, passes: 1, panels: {Tries: {once: {tries: 1}}}}"
PERTURBING = ["embedder=none", "output_dir=outputs/texts"]
COMMANDS = {
    "extract": [],
    "generate": ["generator=llm_mask", "generator.model=scripted"],
    "answer": [],
    "evaluate": ["compat=llm_facteval", *AS_JUDGE],
    "report": ["parquet=true"],
    "quality": [],
    "inspect": [],
    "export": ["format=nt"],
    "paraphrase": ["model=replay", "model.path=proposed.jsonl"],
    "compare": [],
    "grade": ["input=answers.jsonl", "output_dir=outputs/answers", "parquet=true", *AS_JUDGE],
    "agree": ["labels={a: outputs/trex/grades/template/scripted, b: outputs/trex/grades/template/other}"],
    "extract_claims": [*ON_TEXTS, *TAKING],
    "check": [*ON_TEXTS, *CHECKING],
    "extract_check": ["input=texts.json", "output_dir=outputs/both", *TAKING, *CHECKING],
    "benchmark": ["input=nq", "references=texts.json", "output_dir=outputs/texts", *CHECKING],
    "detect": [*ON_TEXTS, "detector=judge", "detector.model=scripted"],
    "study": ["input=labels.json", "output_dir=outputs/study", "detector=judge", "detector.model=scripted", STUDY],
    "perturb": ["input=raw.txt", "perturb.masked=bert", "perturb.rate=1", "perturb.candidates=1", *PERTURBING],
    "annotate": ["input=annotated.jsonl", "annotate.least=1", "output_dir=outputs/texts"],
    "train": ["input=spans.jsonl", "output=lr", "output_dir=outputs/texts"],
    "watch": [*ON_TEXTS, "model=smollm2", "detector.model.max_tokens=1"],
    "evaluate_detector": ["predictions=labels.json", "input=labels.json", "output_dir=outputs/texts"],
    "selfcheck": ["selfcheck.samples=1"],
    "collect": ["references=texts.json", "output_dir=outputs/texts"],
}
"""What it takes for each step to make all of its files, those of another model being there too."""
REPLY = {"question": "Who wrote Emma?", "answers": ["Jane Austen"], "response": "Jane Austen", "human": "correct"}
REPLIES = [{**REPLY, "system": "a"}, {**REPLY, "system": "b", "response": "Ada", "human": "incorrect"}]
TEXT = {"id": "1", "question": "Who?", "response": "Ada", "reference": "Ada", "triplets": [["Ada", "wrote", "notes"]]}
LABELLED = {"hyp": "Ada", "label": "Hallucination"}
SPANS = [{"replaced": f"{word} ===b===", "hallucination": label} for label, word in enumerate("ac")]
ANNOTATED = {"id": "1", "response": "Ada", "x_response_kg": [{"triplet": ["a", "b", "c"], "human_label": "Neutral"}]}
PROPOSED = '{"question_id": "P36", "response": "[Y] rules [X]."}'
APART = {"app", "fetch", "label"}
"""Steps that no command here runs: two do not end, the other has its data from a server."""
FORMATS = {"extract": "format=hf", "generate": "format=hf", "report": "format=every_eval_ever"}
"""Formats of an export that need a step."""
LOADING_MODELS = {"perturb", "watch"}
"""Steps whose commands above load PyTorch or llama.cpp, for seconds."""
_GENERAL = ("step=", "Input of a step.")
"""Beginnings of a help text that says nothing of the step that it is shown for."""
NOT_EVERY_TIME = ("superseded", "worded", "shards", "unlabelled", "study/", "encoder", "checks", "export/")


def patterns(paths: Iterable[str]) -> dict[str, re.Pattern[str]]:
    """What each declared path matches; a name stands for itself in one part of a path."""
    return {path: re.compile(re.sub(r"<\w+>", "[^/]+", path.replace(".", r"\."))) for path in paths}


def files(root: Path) -> dict[str, tuple[int, bytes]]:
    found = (path for path in root.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {
        path.relative_to(root).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        for path in found
        if path.name != "manifest.json"
    }


def test_every_module_of_a_step_is_in_the_list() -> None:
    there = {
        (path.parent.name, path.stem)
        for path in (ROOT / "factprobe/steps").glob("*/*.py")
        if hasattr(import_module(f"factprobe.steps.{path.parent.name}.{path.stem}"), "STEP")
    }
    assert there == {(step.package, name) for name, step in STEPS.items()}
    assert {*COMMANDS, *APART} == set(STEPS)


def test_a_step_stands_after_those_that_it_needs() -> None:
    order = list(STEPS)
    for name in order:
        assert all(order.index(needed) < order.index(name) for needed in load_step(name).needs)
    for earlier, later in pairwise(ALL):
        assert earlier in load_step(later).needs


def test_the_help_lists_every_step(factprobe: CommandLine) -> None:
    out = factprobe("--help").out
    for name, line in step_choices():
        assert re.search(rf"^  step={name} +{re.escape(line)}$", out, re.MULTILINE), name


@pytest.mark.parametrize("name", STEPS)
def test_the_help_with_a_step_shows_its_declaration(factprobe: CommandLine, name: str) -> None:
    out = factprobe(f"step={name}", "--help").out
    section, _, _ = out.partition("\n\n")
    assert re.match(rf"Step {name}: [A-Z]\w+ \w", section)
    step = load_step(name)
    assert re.findall(r"^  needs: (.+)$", section, re.MULTILINE) == [", ".join(step.needs) or "no other step"]
    makes = " ".join(section.partition("  makes: ")[2].split())
    assert makes == (", ".join((*step.elsewhere, *step.makes)) or "no files")
    shown = re.findall(r"^  (?:\w+@)?(\w+)=\S* .*\w", section, re.MULTILINE)
    assert shown == [*step.settings]
    assert "output_dir, strict, workers, fail_on_missing, plugins, debug" in section
    lines = out.splitlines()
    assert len(lines) <= 100
    assert max(map(len, lines)) <= 120


def test_the_help_of_a_step_speaks_of_this_step_and_lists_choices(factprobe: CommandLine) -> None:
    told = {step: dict(step_settings(step)) for step in STEPS}
    general = {step: text for step, found in told.items() for text in found.values() if text.startswith(_GENERAL)}
    assert general == {}
    assert told["grade"]["limit=null"] == "maximum number of replies."
    assert told["extract_check"]["limit=null"] == "maximum number of texts."
    assert told["extract_check"]["checker=graph"].endswith(" (graph | llm | majority | nli)")
    assert "smollm2" in told["extract_check"]["model=smollm2"]
    assert told["evaluate"]["model=smollm2"].startswith("model whose responses are graded. (")
    assert told["study"]["model=smollm2"].startswith("model of the components that ask one")


def test_the_help_with_several_steps_or_an_old_name(factprobe: CommandLine) -> None:
    out = factprobe("step=answer_sampling,compare,nonsense,all", "--help").out
    assert re.findall(r"^Step (\w+):", out, re.MULTILINE) == ["answer", "compare"]


def test_a_step_may_use_only_what_it_declares_to_need(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert factprobe("step=extract", *EXAM).code == 0
    module = import_module("factprobe.steps.probing.generate")
    monkeypatch.setattr(module, "STEP", msgspec.structs.replace(module.STEP, needs=()))
    with pytest.raises(AssertionError, match="does not declare that it needs step=extract"):
        factprobe("step=generate", *EXAM)


@pytest.mark.parametrize("package", ["steps", "reports"])
def test_neither_step_nor_report_searches_folders(package: str) -> None:
    searching = {"glob", "rglob", "iterdir", "is_file", "is_dir"}
    found = [
        f"{path.name}:{node.lineno} .{node.attr}"
        for path in sorted((ROOT / "factprobe" / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in searching
    ]
    assert found == []


def test_the_settings_of_the_steps_are_those_of_a_run() -> None:
    known = {field.name for field in msgspec.structs.fields(RunConfig)}
    named = {setting for name in STEPS for setting in load_step(name).settings}
    assert named <= known
    assert known <= named | OF_EVERY_RUN


def test_what_is_composed_for_a_step_alone_is_among_its_settings() -> None:
    for name, chosen in DEFAULT_CHOICES.items():
        assert chosen.keys() <= {*load_step(name).settings}


@pytest.mark.parametrize(
    "names",
    [COMMANDS.keys() - LOADING_MODELS, pytest.param(COMMANDS.keys(), marks=pytest.mark.slow)],
    ids=["most", "all"],
)
@needs("sentence_transformers")
def test_every_step_makes_what_it_declares(factprobe: CommandLine, names: set[str]) -> None:
    (factprobe.folder / "answers.jsonl").write_text("\n".join(map(json.dumps, REPLIES)))
    (factprobe.folder / "proposed.jsonl").write_text(PROPOSED)
    (factprobe.folder / "texts.json").write_text(json.dumps([TEXT]))
    (factprobe.folder / "labels.json").write_text(json.dumps([LABELLED]))
    (factprobe.folder / "spans.jsonl").write_text("\n".join(map(json.dumps, SPANS)))
    annotated = [{"id": f"{n}", **SPANS[n % 2]} for n in range(3)]
    (factprobe.folder / "annotated.jsonl").write_text("\n".join(map(json.dumps, annotated)))
    queue = [{**record, "annotators": [record["hallucination"]]} for record in annotated[:2]]
    (factprobe.folder / "annotated.queue.json").write_text(json.dumps(queue))
    (factprobe.folder / "raw.txt").write_text("He is. It is. So is Rome. So is Oslo. So is Bonn.")
    if "perturb" in names:
        tiny.save(factprobe.folder, "bert")
    (factprobe.folder / "nq").mkdir()
    (factprobe.folder / "nq/nq_m_answers.json").write_text(json.dumps([ANNOTATED]))
    for step in ("extract", "generate", "answer", "evaluate"):
        assert factprobe(f"step={step}", *EXAM, "model.name=other", "model.rule=gold").code == 0
    for name, more in COMMANDS.items():
        if name not in names:
            continue
        folders = [one.removeprefix("output_dir=") for one in more if one.startswith("output_dir=")]
        root, declared = folders[0] if folders else "outputs/trex", load_step(name)
        before = files(factprobe.folder)
        result = factprobe(f"step={name}", *EXAM, *more)
        assert result.code in (0, 4), result.err  # 4: scripted models give neither claims nor verdicts
        written = {path for path, content in files(factprobe.folder).items() if before.get(path) != content}
        matching = patterns([*(f"{root}/{path}" for path in declared.makes), *declared.elsewhere])
        for path in written:
            assert any(pattern.fullmatch(path) for pattern in matching.values()), f"{name} wrote {path}"
        for declared_path, pattern in matching.items():
            if not any(part in declared_path for part in NOT_EVERY_TIME):
                assert any(pattern.fullmatch(path) for path in written), f"{name} did not write {declared_path}"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[needs("sentence_transformers")] * (name == "quality"))
        for name in STEPS
        if load_step(name).needs
    ],
)
def test_a_step_says_which_step_it_needs(factprobe: CommandLine, name: str) -> None:
    steps = list(ALL)
    for needed in load_step(name).needs:
        more = [FORMATS[needed]] if name == "export" else []
        assert f"run step={needed} " in factprobe.fails(f"step={name}", *EXAM, *more)
        for earlier in steps[: steps.index(needed) + 1]:
            assert factprobe(f"step={earlier}", *EXAM).code == 0
        del steps[: steps.index(needed) + 1]


def test_the_help_loads_no_step_but_one_that_is_named() -> None:
    code = "import sys; from factprobe.cli.help import help_text; help_text({}); print(*sys.modules)"
    for arguments, steps in (([], set()), (["step=agree"], {"agree"})):
        command = [sys.executable, "-c", code.format(arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        prefix = "factprobe.steps."  # the standard library has an `inspect` too
        loaded = {name.rpartition(".")[2] for name in done.stdout.split() if name.startswith(prefix)}
        assert loaded & {*STEPS, "base"} == (steps | {"base"} if steps else set())


LOADED = """
import sys
from factprobe.cli.main import main
sys.argv = ["factprobe", "step=extract", "relations=[P36]"]
main()
print(*sorted(sys.modules))
"""


def test_a_step_loads_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    others = {f"factprobe.steps.{step.package}.{name}" for name, step in STEPS.items() if name != "extract"}
    heavy = {"numpy", "openai", "networkx", "jinja2", "rich", "tqdm", "asyncio", "importlib.metadata", "rapidfuzz"}
    packages = {"factprobe.reports", "factprobe.evaluators", "factprobe.metrics", "factprobe.cli.sweeps"}
    packages.add("hydra._internal.core_plugins.basic_launcher")
    assert loaded & (others | heavy | packages) == set()
