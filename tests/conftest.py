"""Fixtures that many tests share."""

from __future__ import annotations

import gc
import os
import shutil
import signal
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
from factprobe.metrics.breakdowns import breakdowns
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


hypothesis.settings.register_profile("quick", max_examples=25, deadline=None)  # no deadline: a machine may be busy
hypothesis.settings.register_profile("thorough", max_examples=500, deadline=None)  # chosen by `--hypothesis-profile`
hypothesis.settings.load_profile("quick")
# Hypothesis would mix in the constants of all modules that the process has loaded: the examples would hang on which
# tests it ran before, and to look through those of torch and ray takes most of a minute in each worker.
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
    os.environ.update(HOME=home, XDG_CACHE_HOME=f"{home}/.cache", FACTPROBE_CACHE=f"{home}/cache")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and (cores := _cores()):
        os.sched_setaffinity(0, {cores[int(worker.removeprefix("gw")) % len(cores)]})


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files of slow tests only, before their imports (torch, selenium) take seconds in each worker."""
    quick = config.getoption("markexpr") == "not slow" and collection_path.suffix == ".py"
    return True if quick and "\npytestmark = pytest.mark.slow\n" in collection_path.read_text("utf-8") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts long tests first; leaves out those on the published data sets where these do not lie."""
    items.sort(key=lambda item: item.path.name not in LONG)
    if not DATA.is_dir():
        reason = f"the published data sets are not in {DATA}; name their folder with FACTPROBE_DATA"
        for item in items:
            if item.get_closest_marker("shared"):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """Takes what stands before the first test out of the collector's sight: thousands of items cost a second a pass."""
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
        if len(KINDS) > len(kinds):
            KINDS.clear()
            KINDS.update(kinds)
        PLOTS[:] = plots


@pytest.fixture
def cache() -> Path:
    """The folder of the test's own response cache."""
    return Path(os.environ["FACTPROBE_CACHE"])


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the published data sets, read only."""
    return DATA


@pytest.fixture
def chrome(browser: Chrome) -> Iterator[Chrome]:
    """Chromium without a window. A test leaves its page: one whose server is gone would draw that it waits, forever."""
    yield browser
    browser.get("about:blank")


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """Chromium without a window; without it the test is skipped, but not in CI."""
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
    """Writes a file under the test's own folder and gives its path."""

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
    """The command line, run in an empty folder; the plugins that it loads from there are forgotten behind it."""
    yield CommandLine(monkeypatch, capsys, tmp_path)
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(f"{tmp_path}{os.sep}"):
            del sys.modules[name]
