"""Sweeps: jobs by every launcher that is installed, what they share, how they fail, what is stopped, shards."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from factprobe import run as run_here
from tests.command_line import ROOT, CommandLine, process
from tests.models.server import Endpoint, completion, endpoint, silence

RAY = find_spec("hydra_plugins.hydra_ray_launcher") is not None
"""Not in the development extra: hydra-ray-launcher needs cloudpickle<3. Install `.[ray,test]` elsewhere."""
LAUNCHERS = ("basic", "joblib", "submitit_local", *(["ray"] if RAY else []))
SMALL = ("kg=google_re,umls", "limit=1")
LONGER = ("kg=trex,umls", "limit=1")
GROUP = "FACTPROBE_TEST_SWEEP"
RAYS_OWN = re.compile(r"^(?:\d{4}-\d\d-\d\d .*|\x1b\[.*)\n", re.MULTILINE)
"""What Ray says of itself, and what it passes on of its workers' output."""


def launched(name: str) -> list[str]:
    """The settings that choose a launcher."""
    return [f"hydra/launcher={name}", *(["hydra.launcher.n_jobs=2"] if name == "joblib" else [])]


def done(*arguments: str, folder: Path, code: int = 0, **environment: str) -> tuple[str, str]:
    """What a command prints that must end with this code."""
    with process(*arguments, folder=folder, **environment) as run:
        out, err = run.communicate(timeout=120)
    assert run.returncode == code, err
    return out, RAYS_OWN.sub("", err)


def results(folder: Path) -> dict[str, bytes]:
    """The files of a run that hold no time and no name of a machine."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith((".", "manifest", "multirun")) for part in path.parts)
    }


def runs(folder: Path, step: str) -> list[dict[str, Any]]:
    """How a step was run, by the manifest: the last time, and all earlier ones."""
    manifest = json.loads((folder / "manifest.json").read_text())
    return [manifest[step], *(entry for entry in manifest.get("history", []) if entry["step"] == step)]


def one_exam(folder: Path) -> bool:
    """Whether the two jobs of one sweep on a graph shared its triplets and questions, which one of them made."""
    answers = runs(folder, "answer")
    assert (len(answers), len({entry["sweep"] for entry in answers})) == (2, 1)
    return len(runs(folder, "extract")) == len(runs(folder, "generate")) == 1


@pytest.fixture
def server() -> Iterator[Endpoint]:
    """An endpoint that gives each prompt an answer of its own."""
    with endpoint(lambda body: (200, completion(f"It is {len(str(body['messages']))}.")), 0.01) as here:
        yield here


def asking(server: Endpoint) -> list[str]:
    """The settings of a model that asks it."""
    return ["model=openai", "model.model=m", f"model.base_url={server.base_url}", "model.max_concurrency=4"]


def prepare(factprobe: CommandLine, *settings: str) -> None:
    """A run that leads up to the one that a test is about; in this process, which has loaded all that it needs."""
    result = factprobe(*settings)
    assert result.code == 0, result.err


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the runs of SMALL, one after the other."""
    folder = tmp_path_factory.mktemp("single")
    for kg in ("google_re", "umls"):
        for rule in ("gold", "wrong"):
            model = ["model=scripted", f"model.rule={rule}", f"model.name=s-{rule}"]
            run_here("step=all", *model, f"kg={kg}", "limit=1", f"output_dir={folder}/{kg}", "cache=off")
    return results(folder)


@pytest.mark.slow
@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_every_launcher_makes_the_files_of_single_runs(tmp_path: Path, launcher: str, single: dict[str, bytes]) -> None:
    models = ["model=scripted", "model.rule=gold,wrong", "model.name=s-${model.rule}"]
    out, err = done("-m", "step=all", *models, *SMALL, *launched(launcher), folder=tmp_path)
    assert err == ""
    told = [line for line in out.splitlines() if not line.startswith("\x1b")]
    assert told[-1] == "sweep: one table over all of it: step=report output_dir=outputs"
    assert results(tmp_path / "outputs") == single
    assert all(one_exam(tmp_path / "outputs" / kg) for kg in ("google_re", "umls"))
    assert {path.name for path in (tmp_path / "outputs").iterdir()} <= {
        "google_re",
        "umls",
        "multirun.yaml",
        ".submitit",
    }


@pytest.mark.slow
def test_parallel_jobs_share_the_triplets_and_the_cache_and_write_no_key(
    factprobe: CommandLine, tmp_path: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = ["-m", "step=all", *asking(server), "model.name=a,b", "kg=umls", "limit=1", *launched("submitit_local")]
    out, err = done(*sweep, folder=tmp_path, OPENAI_API_KEY="sk-very-secret")
    root = tmp_path / "outputs/umls"
    assert one_exam(root)
    assert {row["model"] for row in json.loads((root / "scores.json").read_text())} == {"a", "b"}
    assert server.keys == {"Bearer sk-very-secret"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.suffix == ".pkl" for path in files)  # submitit pickles its jobs
    assert not [path for path in files if b"sk-very-secret" in path.read_bytes()]
    assert "sk-very-secret" not in out + err
    asked = len(server.requests)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    prepare(factprobe, "step=all", *asking(server), "model.name=c", "kg=umls", "limit=1")
    assert len(server.requests) == asked
    assert runs(root, "answer")[0]["counts"]["from_cache"] > 0


def test_an_error_is_told_at_once(tmp_path: Path) -> None:
    with endpoint(lambda body: (200, completion("Paris")), 0.5) as server:
        sweep = ["-m", "step=all", *asking(server), "model.max_concurrency=1", "kg=ctd,trex", "limit=1"]
        with process(*sweep, folder=tmp_path, OPENAI_API_KEY="k") as run:
            assert run.stderr is not None
            assert "kg=ctd" in run.stderr.readline()
            assert run.poll() is None
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=60)


FALLS = """

@kgs.register("falls")
class Falls(Rivers):
    def load_relations(self):
        raise ZeroDivisionError("by\\nnothing")
"""
"""A graph with a fault in its code."""


@pytest.mark.parametrize("launcher", ["basic", *(pytest.param(name, marks=pytest.mark.slow) for name in LAUNCHERS[1:])])
def test_a_job_that_fails_is_named_and_the_others_go_on(tmp_path: Path, launcher: str) -> None:
    page = (ROOT / "docs/extending.md").read_text()
    code = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "class Rivers" in block)
    (tmp_path / "my_kg.py").write_text(code + FALLS)  # a plugin is found wherever the job runs
    for folder in ("falls", "rivers"):
        (tmp_path / folder).mkdir()
    facts = next(re.finditer(r"```json\n(.*?)```", page[page.index("class Rivers") :], re.DOTALL))
    (tmp_path / "rivers/mouth.jsonl").write_text(facts[1])
    sweep = ["-m", "step=all", "plugins=[my_kg]", "kg=ctd,falls,rivers", "kg.data_dir=${kg.name}", "model=scripted"]
    out, err = done(*sweep, *launched(launcher), folder=tmp_path, code=1)
    told = [line for line in err.splitlines() if line.startswith("factprobe: ")]
    assert told[-1] == "factprobe: 2 of 3 jobs failed"
    absent, fault = sorted(told[:-1])
    assert absent.startswith("factprobe: error in step=all plugins=[my_kg] kg=ctd kg.data_dir=${kg.name}")
    assert "ctd: no such data folder" in absent
    assert fault.startswith("factprobe: error in step=all plugins=[my_kg] kg=falls")
    assert "unexpected ZeroDivisionError: by nothing" in fault
    if launcher in ("basic", "joblib"):  # elsewhere it lies in the job's log
        assert err.count("Traceback") == 1
    assert (tmp_path / "outputs/rivers/report.html").exists()
    assert "step=report output_dir=outputs/rivers" in out


def family() -> list[int]:
    """The processes that carry this test's mark in their environment."""
    mark = f"{GROUP}={os.getpid()}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_text().rpartition(")")[2].split()[0]
            if mark in (path / "environ").read_bytes() and state != "Z":
                found.append(int(path.name))
        except OSError:
            continue
    return found


@pytest.mark.slow
@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("whole_group", [False, True])
def test_ctrl_c_stops_every_job(tmp_path: Path, launcher: str, whole_group: bool) -> None:
    with endpoint(lambda body: (200, completion("Paris")), 0.3) as server:
        sweep = ["-m", "step=all", *asking(server), *LONGER, *launched(launcher)]
        environment = {**os.environ, "OPENAI_API_KEY": "k", GROUP: str(os.getpid())}
        run = subprocess.Popen(
            [sys.executable, "-m", "factprobe", *sweep],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        with run:
            deadline = time.monotonic() + 180
            while len(server.requests) < 12 and run.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
            assert len(server.requests) >= 12, f"not begun; returned {run.poll()}"
            if whole_group:
                os.killpg(run.pid, signal.SIGINT)
            else:
                run.send_signal(signal.SIGINT)
            _, err = run.communicate(timeout=60)
        assert run.returncode == 130, err
        assert "stopped; finished files and responses are kept" in err
        assert "factprobe: error" not in err
        deadline = time.monotonic() + 15
        while family() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert family() == []
        assert not list((tmp_path / "outputs").glob(".sweep*"))
    answered = [path.read_text().splitlines() for path in (tmp_path / "outputs").rglob("responses/*/*/*.jsonl")]
    assert sum(map(len, answered)) >= 4


@pytest.mark.slow
@pytest.mark.parametrize(("launcher", "name"), [("basic", "m"), ("joblib", "scripted")])
def test_shards_make_the_files_of_one_run(
    factprobe: CommandLine,
    tmp_path: Path,
    server: Endpoint,
    launcher: str,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    model = ["model=scripted"] if name == "scripted" else asking(server)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    common = [*model, "kg=umls", "limit=4", "cache=off"]

    def steps(folder: Path, *names: str) -> None:
        for step in names:
            prepare(factprobe, f"step={step}", *common, f"output_dir={folder}")

    steps(whole, "all")
    steps(parts, "extract", "generate")
    asked = len(server.requests)
    shards = ["-m", "step=answer", *common, f"output_dir={parts}", "shard=0/4,1/4,2/4,3/4", *launched(launcher)]
    done(*shards, folder=tmp_path)
    assert len(server.requests) == 2 * asked
    steps(parts, "evaluate", "report")  # the shards count before they are taken together
    assert results(parts / "grades") == results(whole / "grades")
    assert results(parts)["report.html"] == results(whole)["report.html"]
    steps(parts, "answer")
    assert len(server.requests) == 2 * asked
    assert results(parts) == results(whole)


@pytest.mark.slow
def test_shards_go_on_after_a_kill(factprobe: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with endpoint(lambda body: (200, completion(f"It is {len(str(body['messages']))}.")), 0.05) as server:
        common = [*asking(server), "kg=umls", "limit=3", "cache=off"]
        whole, parts = tmp_path / "whole", tmp_path / "parts"
        for folder, steps in ((whole, ("extract", "generate", "answer")), (parts, ("extract", "generate"))):
            for step in steps:
                prepare(factprobe, f"step={step}", *common, f"output_dir={folder}")
        shards = ["-m", "step=answer", *common, f"output_dir={parts}", "shard=0/4,1/4,2/4,3/4", *launched("joblib")]
        before = len(server.requests)
        with process(*shards, folder=tmp_path, **{GROUP: str(os.getpid())}) as run:
            deadline = time.monotonic() + 60
            while len(server.requests) < before + 20 and time.monotonic() < deadline:
                time.sleep(0.02)
            for pid in family():
                os.kill(pid, signal.SIGKILL)
            run.communicate(timeout=60)
        again = len(server.requests)
        assert again < 2 * before
        prepare(factprobe, *shards[:-2])
        assert len(server.requests) <= 2 * before + 8  # two jobs, four calls under way in each
        prepare(factprobe, "step=answer", *common, f"output_dir={parts}")
        assert len(server.requests) <= 2 * before + 8
        assert results(whole) == results(parts)


@pytest.mark.slow
def test_a_process_that_dies_ends_the_sweep_in_one_line(tmp_path: Path) -> None:
    with endpoint(lambda body: (200, completion("Paris")), 0.3) as server:
        sweep = ["-m", "step=all", *asking(server), *LONGER, *launched("joblib")]
        with process(*sweep, folder=tmp_path, OPENAI_API_KEY="k", **{GROUP: str(os.getpid())}) as run:
            deadline = time.monotonic() + 60
            while len(server.requests) < 4 and time.monotonic() < deadline:
                time.sleep(0.05)
            for pid in family():
                if b"popen_loky" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
            _, err = run.communicate(timeout=60)
    assert run.returncode == 2, err
    [told] = [line for line in err.splitlines() if line.startswith("factprobe: ")]  # joblib adds what leaked
    assert told.startswith("factprobe: error: the launcher gave up: TerminatedWorkerError: ")
    assert "the same command resumes" in told
    assert not list((tmp_path / "outputs").glob(".sweep*"))


def test_slurm_is_missing_here(factprobe: CommandLine) -> None:
    line = factprobe.fails("-m", "step=extract", "kg=trex,umls", "hydra/launcher=submitit_slurm")
    assert 'the launcher gave up: RuntimeError: Could not detect "srun"' in line


@pytest.mark.slow
def test_the_same_shard_is_answered_by_one_process(factprobe: CommandLine, tmp_path: Path) -> None:
    with endpoint(lambda body: silence) as server:
        common = [*asking(server), "kg=umls", "limit=2"]
        for step in ("extract", "generate"):
            prepare(factprobe, f"step={step}", *common)
        with process("step=answer", *common, "shard=0/2", folder=tmp_path, OPENAI_API_KEY="k") as first:
            while not server.requests:
                time.sleep(0.02)
            _, err = done("step=answer", *common, "shard=0/2", folder=tmp_path, code=2, OPENAI_API_KEY="k")
            assert "another factprobe process works here" in err
            first.send_signal(signal.SIGINT)
            first.communicate(timeout=60)


def conflict(factprobe: CommandLine, *sweep: str) -> str:
    """What the one job of two prints that would overwrite what the other one made."""
    result = factprobe("-m", "model=scripted", "kg=umls", *sweep)
    assert result.code == 2
    line, last = result.err.splitlines()
    assert last == "factprobe: 1 of 2 jobs failed"
    return line


@pytest.mark.parametrize(
    ("sweep", "setting"),
    [
        (("step=all", "limit=1,2"), "limit"),
        pytest.param(("step=all", "limit=1", "seed=0,1"), "seed", marks=pytest.mark.slow),
        pytest.param(("step=all", "limit=1", "generator.ask=object,subject"), "generator.ask", marks=pytest.mark.slow),
        pytest.param(
            ("step=extract", "relations=[may_treat],[has_physiologic_effect]"), "relations", marks=pytest.mark.slow
        ),
    ],
)
@pytest.mark.slow
def test_jobs_that_would_overwrite_each_other(factprobe: CommandLine, sweep: tuple[str, ...], setting: str) -> None:
    line = conflict(factprobe, *sweep)
    assert f"with another {setting}; give each a folder of its own" in line
    before = results(factprobe.folder / "outputs")
    hint = shlex.split(line.partition("folder of its own: ")[2])
    assert factprobe("-m", "model=scripted", "kg=umls", *sweep, *hint).code == 0
    assert len(list((factprobe.folder / "outputs").glob("umls-*/triplets/summary.json"))) == 2
    assert results(factprobe.folder / "outputs/umls") == {
        name.removeprefix("umls/"): content for name, content in before.items()
    }


@pytest.mark.slow
def test_jobs_that_would_answer_under_one_name(factprobe: CommandLine) -> None:
    line = conflict(factprobe, "step=all", "limit=1", "model.rule=gold,wrong")
    assert "answers as scripted here with another model.rule; give each a name of its own" in line
    answers = (factprobe.folder / "outputs/umls/responses/template/scripted/may_treat.jsonl").read_text()
    assert "superseded" not in {path.name for path in (factprobe.folder / "outputs").rglob("*")}
    hint = shlex.split(line.partition("name of its own: ")[2])
    assert factprobe("-m", "model=scripted", "kg=umls", "step=all", "limit=1", "model.rule=gold,wrong", *hint).code == 0
    gold = factprobe.folder / "outputs/umls/responses/template/scripted-gold/may_treat.jsonl"
    assert [json.loads(line)["response"] for line in gold.read_text().splitlines()] == [
        json.loads(line)["response"] for line in answers.splitlines()
    ]


@pytest.mark.slow
def test_the_printed_line_works_in_a_shell(factprobe: CommandLine, tmp_path: Path) -> None:
    hint = conflict(factprobe, "step=extract", "limit=1,2").partition("of its own: ")[2]
    command = f"{sys.executable} -m factprobe -m step=extract kg=umls model=scripted limit=1,2 {hint}"
    subprocess.run(command, shell=True, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "outputs/umls-2/triplets/summary.json").exists()


@pytest.mark.slow
def test_two_generators_share_the_triplets(factprobe: CommandLine) -> None:
    sweep = ["-m", "kg=umls", "limit=2", "model=scripted", "generator=template,likelihood"]
    assert factprobe(*sweep, "step=extract").code == 0
    result = factprobe(*sweep, "step=generate")
    assert result.code == 0, result.err
    made = {entry["config"]["generator"]["name"] for entry in runs(factprobe.folder / "outputs/umls", "generate")}
    assert made == {"template", "likelihood"}


def test_the_flag_may_stand_anywhere(factprobe: CommandLine) -> None:
    assert factprobe("step=extract", "kg=trex,umls", "-m", "limit=1").code == 0
    assert "--multirun" in factprobe.fails("step=extract", "kg=trex,umls", "limit=1")


def test_a_setting_that_changes_no_answer_is_no_conflict(factprobe: CommandLine) -> None:
    sweep = ["-m", "step=all", "kg=umls", "limit=1", "model=scripted", "model.max_concurrency=1,2"]
    result = factprobe(*sweep)
    assert result.code == 0, result.err
    assert "kept from before" in result.out


def test_a_launcher_that_is_not_installed(factprobe: CommandLine) -> None:
    if RAY:
        pytest.skip("it is installed here")
    line = factprobe.fails("-m", "step=extract", "kg=trex,umls", "hydra/launcher=ray")
    assert line.endswith("hydra/launcher=ray: hydra-ray-launcher is not installed; pip install 'factprobe[ray]'")
    assert "unknown hydra/launcher 'jobli'; did you mean 'joblib'?" in factprobe.fails("-m", "hydra/launcher=jobli")


def test_the_launchers_have_settings_of_our_own(factprobe: CommandLine) -> None:
    shown = {
        name: factprobe("--cfg", "hydra", "-p", "hydra.launcher", f"hydra/launcher={name}").out for name in LAUNCHERS
    }
    assert "n_jobs: 4" in shown["joblib"]
    assert "timeout_min: 1440" in shown["submitit_local"]
    slurm = factprobe("--cfg", "hydra", "-p", "hydra.launcher", "hydra/launcher=submitit_slurm").out
    assert "mem_gb: 16" in slurm


def test_a_report_over_several_graphs(factprobe: CommandLine) -> None:
    assert factprobe("-m", "step=all", "model=scripted", *LONGER).code == 0
    result = factprobe("step=report", "output_dir=outputs")
    assert result.code == 0, result.err
    rows = json.loads((factprobe.folder / "outputs/scores.json").read_text())
    single = {kg: json.loads((factprobe.folder / f"outputs/{kg}/scores.json").read_text()) for kg in ("trex", "umls")}
    assert {row["kg"] for row in single["trex"]} == {"trex"}
    for kg, expected in single.items():
        assert [row for row in rows if row["kg"] == kg] == expected
    over_all = [row for row in rows if row["kg"] == "all"]
    assert {row["level"] for row in over_all} == {row["level"] for row in rows} - {"cell", "relation"}
    [total] = [row for row in over_all if row["level"] == "total" and row["average"] == "micro"]
    for count in ("questions", "correct", "incorrect", "abstained", "unparsed", "failed"):
        levels = [row for found in single.values() for row in found if row["level"] == "total"]
        assert total[count] == sum(row[count] for row in levels if row["average"] == "micro")
    page = (factprobe.folder / "outputs/report.html").read_text()
    assert page.count("Accuracy by graph") == 2
    assert "trex, umls" in page
    lines = [line.split() for line in result.out.splitlines() if line.strip()]
    assert [line[0] for line in lines if len(line) == 1 and line[0].isalpha()] == ["trex", "umls"]
    assert ["all", "graphs"] in lines


def test_two_graphs_of_one_name_are_called_by_their_folders(factprobe: CommandLine) -> None:
    for seed in (0, 1):
        folder = f"output_dir=results/seeds/trex-{seed}"
        assert factprobe("step=all", "model=scripted", "limit=1", "relations=[P36]", f"seed={seed}", folder).code == 0
    assert factprobe("step=report", "output_dir=results").code == 0
    rows = json.loads((factprobe.folder / "results/scores.json").read_text())
    assert list(dict.fromkeys(row["kg"] for row in rows)) == ["seeds/trex-0", "seeds/trex-1", "all"]
    counted = Counter(row["relation"] for row in rows)
    assert counted["P36"] > 0
    assert "unknown relation of trex 'P9'" in factprobe.fails("step=report", "output_dir=results", "relations=[P9]")


def test_a_folder_that_holds_no_graph(factprobe: CommandLine) -> None:
    assert "run step=extract" in factprobe.fails("step=report", "output_dir=nowhere")
    assert factprobe("step=extract", "limit=1").code == 0
    assert "run step=evaluate" in factprobe.fails("step=report", "output_dir=outputs")
