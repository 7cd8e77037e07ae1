"""Fixtures that many tests share."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

from factprobe.checkers import aggregators, checkers
from factprobe.claims import claim_extractors
from factprobe.detectors.base import detectors
from factprobe.evaluators.base import evaluators
from factprobe.extractors import extractors
from factprobe.generators import generators
from factprobe.inputs import inputs
from factprobe.kgs import kgs
from factprobe.metrics import metrics
from factprobe.metrics.breakdowns.base import breakdowns
from factprobe.models import models
from factprobe.question_types import KINDS
from factprobe.registry import Registry
from factprobe.reports.plots import PLOTS
from factprobe.retrievers import retrievers
from tests.command_line import CommandLine

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FACTPROBE_DATA", ROOT.parent / "shared" / "data"))
HAS_ALL_EXTRAS = os.environ.get("FACTPROBE_TEST_EXTRAS") == "all"
"""Whether `make test` or `make test-slow` runs, in the environment with the development extra."""
NOT_INSTALLED = re.compile(r"not installed: |could not import (?!'inspect_ai)")
"""The reason of a skip by `tests.extras.needs` or `pytest.importorskip`; inspect_ai is only in the extra `logs`."""

EXAMPLES = {"quick": 25, "thorough": 250}
"""Examples of a property test, by profile; `--hypothesis-profile` chooses one."""
IS_CI = "CI" in os.environ
"""Continuous integration tries the same examples each time, since a change must not fail for what it did not touch."""
for profile, examples in EXAMPLES.items():  # no deadline: a machine may be busy
    hypothesis.settings.register_profile(profile, max_examples=examples, deadline=None, derandomize=IS_CI)
hypothesis.settings.load_profile("quick")
# Hypothesis would mix in the constants of all modules that the process has loaded: the examples would hang on which
# tests it ran before, and to look through those of torch and ray takes most of a minute in each worker.
assert hasattr(providers, "_get_local_constants"), "this version of Hypothesis reads the constants in another way"
providers._get_local_constants = lambda: providers._local_constants


# Without compiled modules, each of the many processes that the tests start would compile all of them again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


LONG = (
    "test_app.py",
    "test_pipeline.py",
    "test_sweeps.py",
    "test_transformers.py",
    "test_readme.py",
    "test_any_text.py",
)
"""The files with the longest tests, which begin first: one that began last would leave all cores but one idle."""


def _cores() -> list[int]:
    """The cores that these processes may use, where that can be told and set."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []


def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as there are cores: many tests wait for an endpoint, a browser or a process."""
    return max(1, (len(_cores()) or os.cpu_count() or 1) * 3 // 2)


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C through, set a temporary home, and pin each worker to one core for llama.cpp's threads."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs and theirs would ignore it
    home = tempfile.mkdtemp(prefix="factprobe-tests-")
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    for name in ("HF_HUB_CACHE", "HF_ASSETS_CACHE", "HF_DATASETS_CACHE", "HF_XET_CACHE", "HF_TOKEN_PATH"):
        os.environ.pop(name, None)  # their defaults are folders of HF_HOME
    os.environ.update(
        HOME=home,
        XDG_CACHE_HOME=f"{home}/.cache",
        XDG_CONFIG_HOME=f"{home}/.config",
        XDG_DATA_HOME=f"{home}/.local/share",
        XDG_STATE_HOME=f"{home}/.local/state",
        HF_HOME=f"{home}/.cache/huggingface",
        FACTPROBE_CACHE=f"{home}/cache",
    )
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and (cores := _cores()):
        os.sched_setaffinity(0, {cores[int(worker.removeprefix("gw")) % len(cores)]})


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files of slow tests only, before their imports (torch, selenium) take seconds in each worker."""
    quick = config.getoption("markexpr") == "not slow" and collection_path.suffix == ".py"
    return True if quick and "\npytestmark = pytest.mark.slow\n" in collection_path.read_text("utf-8") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long tests first."""
    items.sort(key=lambda item: item.path.name not in LONG)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test on the published data sets where they are missing; in CI it fails."""
    if item.get_closest_marker("shared") and not DATA.is_dir():
        missing = f"the published data sets are not in {DATA}; name their folder with FACTPROBE_DATA"
        if os.environ.get("CI") and not os.environ.get("FACTPROBE_WITHOUT_DATA"):
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a file that is skipped for a missing extra, where all extras must be installed."""
    report = yield
    fail_if_extra_is_missing(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped for a missing extra, where all extras must be installed."""
    report = yield
    fail_if_extra_is_missing(report)
    return report


def fail_if_extra_is_missing(report: pytest.CollectReport | pytest.TestReport) -> None:
    """Turn a skip for a missing extra into a failure, where all extras must be installed."""
    if HAS_ALL_EXTRAS and report.skipped and NOT_INSTALLED.search(str(report.longrepr)):
        report.outcome, report.longrepr = "failed", f"all extras must be installed: {report.longrepr}"


def pytest_collection_finish() -> None:
    """Exclude the objects made so far from garbage collection: with thousands of items, a pass takes a second."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let the process end as usual: DuckDB would list on standard error all that was frozen as leaked."""
    gc.unfreeze()


REGISTRIES: tuple[Registry[Any], ...] = (
    *(kgs, extractors, generators, models, metrics, breakdowns, evaluators, inputs),
    *(claim_extractors, checkers, aggregators, retrievers, detectors),
)
_numbers = count()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Give each test its own response cache, for its processes too, and undo what it registers.

    Autouse fixtures would do the same, at a cost of a third of a millisecond a test.
    """
    cache = os.environ["FACTPROBE_CACHE"]
    classes = [dict(registry._classes) for registry in REGISTRIES]
    kinds, plots = dict(KINDS), list(PLOTS)
    os.environ["FACTPROBE_CACHE"] = f"{cache}/{next(_numbers)}"
    try:
        return (yield)
    finally:
        os.environ["FACTPROBE_CACHE"] = cache
        for registry, known in zip(REGISTRIES, classes, strict=True):
            registry._classes = known
        if kinds != KINDS:
            KINDS.clear()
            KINDS.update(kinds)
        PLOTS[:] = plots


@pytest.fixture
def cache() -> Path:
    """The folder of the test's own response cache."""
    return Path(os.environ["FACTPROBE_CACHE"])


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources, so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    unwanted = shutil.ignore_patterns(".*", "outputs", "*.egg-info", "__pycache__", "dist", "build")
    shutil.copytree(ROOT, folder / "source", ignore=unwanted)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), "source"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True, timeout=600)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the published data sets, read only."""
    return DATA


@pytest.fixture
def chrome(browser: Chrome) -> Iterator[Chrome]:
    """Return headless Chromium; its page is closed afterwards, since one without a server keeps a core busy."""
    yield browser
    browser.get("about:blank")


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """Start headless Chromium; skip the test where it is not installed, but fail in CI."""
    browser, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if not (browser and driver):
        missing = "chromium and chromedriver are not installed (apt-get install chromium chromium-driver)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options, Service(driver))
    yield found
    found.quit()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Return a function that writes a file into the test's own folder and returns its path."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def factprobe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Iterator[CommandLine]:
    """Return the command line, run in an empty folder; afterwards, unload the plugins imported from there."""
    yield CommandLine(monkeypatch, capsys, tmp_path)
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(f"{tmp_path}{os.sep}"):
            del sys.modules[name]
