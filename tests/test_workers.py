"""Several processes at work: what comes of it is that of one, whatever happens to them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.command_line import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have one process")

LEAD = """
import json, logging, os, signal, sys, time
from pathlib import Path
from factprobe import workers
workers._MIN_SECONDS = 1e-9
"""
"""A process of its own runs each test: the tests' own has threads beside which it does not fork."""

RUNS = [
    ["step=extract", "compose=[P19/P17]", "limit=9"],
    ["step=generate", "generator.ask=both", "generator.negated=true"],
    ["step=generate", "generator.negatives=near", "generator.none_of_these=true", "generator.name=near"],
    ["step=generate", "generator.sample=stratified", "generator.sample_size=20", "generator.name=sample"],
    ["step=generate", "generator.context=antifactual", "generator.name=context"],
    ["step=generate", "generator=placebo", "limit=5"],
    ["step=generate", "generator=likelihood", "limit=5"],
    ["step=generate", "generator=llm_mask", "generator.model=scripted", "limit=2"],
    ["step=answer"],
    ["step=evaluate", "compat=llm_facteval"],
]


def script(code: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """A process with some code."""
    return subprocess.Popen(
        [sys.executable, "-c", LEAD + code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(code: str, folder: Path) -> str:
    """What it prints, when it ends well."""
    out, err = script(code, folder).communicate(timeout=60)
    assert not err
    return out.strip()


def stopped_children(code: str, folder: Path, number: signal.Signals, within: float = 20) -> list[int]:
    """The numbers of its children that are left some seconds after it has printed them and got a signal."""
    process = script(code, folder)
    assert process.stdout is not None
    children: list[int] = json.loads(process.stdout.readline())
    process.send_signal(number)
    patient_until = time.monotonic() + within
    while any(Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < patient_until:
        time.sleep(0.02)
    left = [child for child in children if Path(f"/proc/{child}").exists()]
    for child in left:
        os.kill(child, signal.SIGKILL)
    process.communicate(timeout=60)
    return left


@pytest.mark.parametrize(
    ("kg", "relations"), [pytest.param("trex", "[P19,P36,P37,P101]", marks=pytest.mark.slow), ("bear", "[P30,P36,P50]")]
)
def test_files_lines_and_warnings_are_those_of_one_process(tmp_path: Path, kg: str, relations: str) -> None:
    runs = RUNS if kg == "trex" else [["step=extract"], *RUNS[1:2], *RUNS[8:]]
    code = f"""
from factprobe import run
from factprobe.cli.process import set_up
set_up()
pools = []
start = workers._Pool.__init__
workers._Pool.__init__ = lambda self, *given: (pools.append(given[2]), start(self, *given))[1]
for settings in {runs}:
    run("kg={kg}", "relations={relations}", "model=scripted", "cache=off", "workers=" + sys.argv[1], *settings)
print("pools", [*filter(None, pools)])
"""
    ended = {}
    processes = {}
    for count, seed in ((1, "0"), (3, "1")):
        folder = tmp_path / str(count)
        folder.mkdir()
        processes[count] = script(code.replace("sys.argv[1]", repr(str(count))), folder, PYTHONHASHSEED=seed)
    for count, process in processes.items():
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        *lines, pools = out.splitlines()
        assert pools == f"pools {[count] * (len(runs) - 1) if count > 1 else []}", err  # answers are one process's
        ended[count] = lines, err.splitlines(), _files(tmp_path / str(count))
    assert ended[3] == ended[1]


def _files(folder: Path) -> dict[str, bytes]:
    """What every file of a run holds; of the manifest what says no time, no number of processes and no path."""
    found = {}
    for path in (path for path in sorted(folder.rglob("*")) if path.is_file() and "lock" not in path.name):
        found[str(path.relative_to(folder))] = path.read_bytes()
    for name in [name for name in found if name.endswith("manifest.json")]:
        manifest = json.loads(found[name])
        entries = [*(entry for step, entry in manifest.items() if step != "history"), *manifest.get("history", [])]
        for entry in entries:
            for key in ("started", "seconds"):
                del entry[key]
            del entry["config"]["workers"]
        found[name] = json.dumps(manifest).encode()
    return found


def test_results_are_in_order_and_longest_work_starts_first(tmp_path: Path) -> None:
    code = """
def work(name):
    logging.warning("%s", name)
    logging.warning("once")
    Path(f"{time.monotonic_ns()}-{name}-{os.getpid()}").touch()
    while len([*Path().iterdir()]) < 2:
        time.sleep(0.01)
    return name.upper()

logging.basicConfig(stream=sys.stdout, format="%(message)s")
with workers.map_names(work, {"a": 1, "b": 3, "c": 2}, 2) as found:
    print(list(found))
began = [path.name.split("-") for path in sorted(Path().iterdir())]
print(sorted(name for _, name, _ in began[:2]), str(os.getpid()) in {pid for _, _, pid in began})
"""
    assert printed(code, tmp_path).split("\n") == ["a", "once", "b", "c", "['A', 'B', 'C']", "['b', 'c'] False"]


@pytest.mark.parametrize("fault", ["raise OSError(28, 'No space', 'b')", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_failed_work_is_repeated_by_the_parent(tmp_path: Path, fault: str) -> None:
    code = f"""
parent = os.getpid()
def work(name):
    if name == "b" and os.getpid() != parent:
        {fault}
    return name, os.getpid() == parent

with workers.map_names(work, dict.fromkeys("abc", 1), 2) as found:
    print(dict(found))
"""
    assert printed(code, tmp_path) == "{'a': False, 'b': True, 'c': False}"


def test_error_is_raised_when_its_turn_comes(tmp_path: Path) -> None:
    code = """
from factprobe.errors import UnknownNameError
def work(name):
    if name != "a":
        raise UnknownNameError("letter", name, ["a"])
    return name

try:
    with workers.map_names(work, dict.fromkeys("abc", 1), 3) as found:
        for one in found:
            print(one)
except UnknownNameError as error:
    print(error)
"""
    assert printed(code, tmp_path).split("\n") == ["a", "unknown letter 'b'; known: a"]


def test_little_work_and_other_threads_keep_to_one_process(tmp_path: Path) -> None:
    code = """
from threading import Event, Thread
def pids(seconds):
    with workers.map_names(lambda _: os.getpid(), dict.fromkeys("abc", seconds), 3) as found:
        return {*found} == {os.getpid()}

print(pids(1))
workers._MIN_SECONDS = 1.0
print(pids(0.4))
workers._MIN_SECONDS = 1e-9
Thread(target=Event().wait, daemon=True).start()
print(pids(1))
"""
    assert printed(code, tmp_path).split() == ["False", "True", "True"]


@pytest.mark.parametrize("faulty", ["False", "part == 5", "True"])
def test_parts_are_drawn_as_they_are_worked_on(tmp_path: Path, faulty: str) -> None:
    code = f"""
parent = os.getpid()
drawn = 0
def parts():
    global drawn
    for drawn in range(1, 400):
        yield drawn

def work(part):
    if os.getpid() != parent and ({faulty}):
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.002)
    return part, os.getpid()

pids = set()
for number, (part, pid) in enumerate(workers.map_parts(work, parts(), 3), 1):
    assert number == part and (drawn < 400 or number > 1), (number, part, drawn)
    pids.add(pid == parent or pid)
print(number, len(pids), sorted(map(str, pids))[-1])
"""
    found = printed(code, tmp_path)
    assert found == "399 1 True" if faulty == "True" else re.fullmatch(r"399 [34] True", found), found


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_parts_are_worked_on_here(tmp_path: Path, count: int) -> None:
    code = f"print([*workers.map_parts(lambda _: os.getpid(), range({count}), 3)] == [os.getpid()] * {count})"
    assert printed(code, tmp_path) == "True"


REPLIES = """
from factprobe import run
from factprobe.cli.process import set_up
from factprobe.evaluators import answered_questions as answers, rule_errors
from factprobe.evaluators.reference.evaluator import ReferenceEvaluator
answers._BATCH_SIZE = 7
grade = ReferenceEvaluator.grade
def failing(self, question, response):
    pids[os.getpid()] = None
    if question.question_id == "50":
        raise ValueError
    return grade(self, question, response)

pids = {}
ReferenceEvaluator.grade = failing
set_up()
run("step=grade", "input=a.jsonl", "output_dir=out", "workers=COUNT", *SETTINGS)
print("here", len(pids))
"""


@pytest.mark.slow
@pytest.mark.parametrize("settings", [[], ["with_kg=true", "kg=bear", "relations=[P36]"], ["model@judge=scripted"]])
def test_replies_have_the_grades_of_one_process(tmp_path: Path, settings: list[str]) -> None:
    capitals = [("Peru", "Lima"), ("France", "Paris"), ("Chad", "N'Djamena")]
    ended = {}
    for count in (1, 3):
        folder = tmp_path / str(count)
        folder.mkdir()
        with (folder / "a.jsonl").open("w") as file:
            for number in range(100):
                country, city = capitals[number % 3]
                reply = f"It is {capitals[number % 2][1]}."
                question = f"What is the capital of {country}?"
                row = {"id": number, "question": question, "answers": city, "response": reply, "system": number % 5}
                file.write(json.dumps(row if number % 30 else {}) + "\n")
        code = REPLIES.replace("COUNT", str(count)).replace("SETTINGS", repr(settings))
        out, err = script(code, folder, FACTPROBE_CACHE_DIR=str(tmp_path / "cache")).communicate(timeout=60)
        assert "4 records skipped" in out, err
        assert "1 reply is unparsed by rule_error" in err
        ended[count] = out, err, _files(folder)
    assert ended[1] == ended[3]


STOPPED_POOL = """
def tell():
    while not all(Path(f"{name}.begun").exists() for name in NAMES):
        time.sleep(0.01)
    print(json.dumps([child.pid for child in multiprocessing.active_children()]), flush=True)

pool = workers._Pool(work, NAMES, len(NAMES))
try:
    threading.Thread(target=tell, daemon=True).start()
    pool.result("a")
finally:
    pool.close()
"""
"""Waits for the processes that work on `NAMES`, and prints their ids when all have begun."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.slow
def test_child_processes_end_with_the_run(tmp_path: Path, number: signal.Signals) -> None:
    code = """
import multiprocessing, threading
from factprobe.storage.atomic_files import whole_file
signal.signal(signal.SIGINT, signal.default_int_handler)
def work(name):
    with whole_file(Path(name)) as file:
        Path(f"{name}.begun").touch()
        time.sleep(60)

NAMES = "ab"
"""
    assert stopped_children(code + STOPPED_POOL, tmp_path, number) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.begun", "b.begun"]


def test_full_disk_ends_work_in_a_child_process_without_a_repetition(tmp_path: Path) -> None:
    code = """
def work():
    Path(f"{os.getpid()}.begun").touch()
    error = OSError(28, "No space left on device")
    error.filename = "f"
    raise error

try:
    workers.run_in_child_process(work)
except OSError as error:
    print(error.errno, error.filename, len([*Path().iterdir()]), Path(f"{os.getpid()}.begun").exists())
"""
    assert printed(code, tmp_path) == "28 f 1 False"


FAULTS = {
    "turns the exit into an error": "time.sleep(60)\n    except BaseException:\n        raise RuntimeError from None",
    "goes on": "while True:\n            time.sleep(0.1)\n    except BaseException:\n        work(name)",
}
"""What a library may make of the exception by which a child ends."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.slow
def test_child_processes_end_whatever_becomes_of_their_exception(
    tmp_path: Path, number: signal.Signals, fault: str
) -> None:
    code = f"""
import multiprocessing, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
def work(name):
    Path(f"{{name}}.begun").touch()
    try:
        {FAULTS[fault]}

NAMES = "abc"
"""
    assert stopped_children(code + STOPPED_POOL, tmp_path, number, within=10) == []


def test_interrupt_while_processes_start_ends_those_that_have_started(tmp_path: Path) -> None:
    code = """
import multiprocessing
def work(name):
    Path(f"{name}.begun").touch()
    time.sleep(60)

def names():
    yield "a"
    while not Path("a.begun").exists():
        time.sleep(0.01)
    raise KeyboardInterrupt

try:
    workers._Pool(work, names(), 2)
except KeyboardInterrupt:
    print(multiprocessing.active_children())
"""
    assert printed(code, tmp_path) == "[]"


@pytest.mark.slow
def test_ray_tasks_give_the_same_results(tmp_path: Path) -> None:
    """A real Ray on this machine, which is slow to begin: one for all that is seen of it."""
    pytest.importorskip("ray")
    code = """
import ray
from factprobe import run
ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
def work(name):
    if name == "c":
        raise ValueError(name)
    logging.warning("once")
    return name, os.getpid() == parent

parent = os.getpid()
logging.basicConfig(stream=sys.stdout, format="%(message)s")
try:
    with workers.map_names(work, {"a": 1, "b": 3, "c": 2}, "ray") as found:
        for one in found:
            print(one)
except ValueError as error:
    print("fails at", error)
for count in (1, "ray"):
    asked = ("kg=trex", "relations=[P19,P36]", "limit=3", "model=scripted", "compat=llm_facteval", "cache=off")
    run("step=all", *asked, f"workers={count}", f"output_dir=by-{count}")
"""
    with TemporaryDirectory(prefix="ray") as short:  # a socket's path may have 107 characters
        process = script(code, tmp_path, RAY_AUTH_MODE="disabled", RAY_TMPDIR=short, RAY_USAGE_STATS_ENABLED="0")
        out, err = process.communicate(timeout=120)
    assert out.splitlines()[:4] == ["once", "('a', False)", "('b', False)", "fails at c"], err
    for folder in ("triplets", "questions/template", "grades/template/scripted"):
        assert _files(tmp_path / "by-ray" / folder) == _files(tmp_path / "by-1" / folder) != {}
