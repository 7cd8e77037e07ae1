"""A single run is composed once and without Hydra's main; all that is Hydra's own goes there, and ends the same."""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe.config import resource
from factprobe.config.loader import Loader
from factprobe.errors import ConfigError
from tests.command_line import CommandLine, process

EXTRACT = ["step=extract", "relations=[P36]", "limit=2"]


@pytest.fixture
def composed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by the overrides of each composition."""
    compositions: list[str] = []
    real = Loader.load_configuration

    def counted(self: Loader, name: str | None, overrides: list[str], *args: Any, **kwargs: Any) -> Any:
        compositions.append(" ".join(overrides))
        return real(self, name, overrides, *args, **kwargs)

    monkeypatch.setattr(Loader, "load_configuration", counted)
    return compositions


def test_a_single_run_composes_once(
    factprobe: CommandLine, composed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("Hydra's main is for sweeps and for its own flags")

    monkeypatch.setattr("hydra.main", never)
    assert factprobe(*EXTRACT).code == 0
    assert len(composed) == 1


def test_what_is_loaded_is_not_gone_through_at_the_end(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    monkeypatch.setattr("factprobe.pipeline.run", lambda _: kept.append(gc.get_freeze_count()))
    assert factprobe(*EXTRACT).code == 0
    assert kept > [10_000]


HYDRAS = {
    "a flag": ["--run"],
    "a folder of configs": ["--config-dir", "mine"],
    "the same in short": ["-cd", "mine"],
    "the folder of the run": ["hydra.run.dir=elsewhere"],
    "the job's folder": ["hydra.run.dir=elsewhere", "hydra.job.chdir=false"],
    "what Hydra knows": ["output_dir=outputs/${hydra:runtime.choices.kg}"],
    "the mode": ["hydra.mode=RUN"],
}


@pytest.mark.parametrize("name", HYDRAS)
def test_what_is_hydras_makes_the_same_files(factprobe: CommandLine, name: str) -> None:
    (factprobe.folder / "mine").mkdir()
    triplets = factprobe.folder / "outputs/trex/triplets/P36.jsonl"
    assert factprobe(*EXTRACT).code == 0
    plain = triplets.read_bytes()
    triplets.unlink()
    result = factprobe(*HYDRAS[name], *EXTRACT)
    assert result.code == 0, result.err
    assert triplets.read_bytes() == plain
    assert result.out == "extract: 1 relation, 2 triplets → outputs/trex/triplets\n"
    assert (factprobe.folder / "elsewhere").is_dir() == any("elsewhere" in part for part in HYDRAS[name])


TOLD = {
    "its help": (["--hydra-help"], "== Flags =="),
    "a part of the settings": (["--cfg", "job", "-p", "kg", "kg=umls"], "# @package kg\nname: umls\n"),
    "resolved settings": (["--cfg", "job", "--resolve", "kg=umls"], "output_dir: outputs/umls\n"),
    "where it looks": (["--info", "searchpath"], "Provider"),
}


@pytest.mark.parametrize("name", TOLD)
def test_hydra_tells_of_itself(tmp_path: Path, name: str) -> None:
    arguments, part = TOLD[name]
    with process(*arguments, folder=tmp_path) as run:  # it sets up logging for the whole process
        out, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert part in out
    assert not list(tmp_path.iterdir())


def test_a_config_of_another_name(factprobe: CommandLine) -> None:
    folder = factprobe.folder / "mine"
    folder.mkdir()
    (folder / "short.yaml").write_text("defaults: [config, _self_]\nlimit: 1\nrelations: [P36]\n")
    result = factprobe("--config-dir", "mine", "--config-name", "short", "step=extract")
    assert result.out == "extract: 1 relation, 1 triplet → outputs/trex/triplets\n"


PLACES = """
from hydra.plugins.search_path_plugin import SearchPathPlugin

class Places(SearchPathPlugin):
    def manipulate_search_path(self, search_path):
        search_path.append("mine", {folder!r})
"""


def test_a_plugin_of_hydras_names_a_folder_of_configs(tmp_path: Path) -> None:
    configs, plugin = tmp_path / "configs", tmp_path / "hydra_plugins/of_mine/__init__.py"
    (configs / "kg").mkdir(parents=True)
    (configs / "kg/mine.yaml").write_text("name: mine\nadapter: umls\ndata_dir: ${oc.env:UMLS}\n")
    plugin.parent.mkdir(parents=True)
    plugin.write_text(PLACES.format(folder=str(configs)))
    found = os.pathsep.join([str(tmp_path), *sys.path])
    umls = str(resource("kgs") / "umls")
    with process("step=extract", "kg=mine", "limit=1", folder=tmp_path, PYTHONPATH=found, UMLS=umls) as run:
        _, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    assert (tmp_path / "outputs/mine/triplets/summary.json").is_file()


def test_the_mode_alone_makes_a_sweep(factprobe: CommandLine) -> None:
    result = factprobe("hydra.mode=MULTIRUN", "step=extract", "kg=trex,umls", "limit=1")
    assert result.code == 0, result.err
    assert {path.name for path in (factprobe.folder / "outputs").glob("[tu]*")} == {"trex", "umls"}


@pytest.mark.parametrize("wrong", ["limti=3", "kg=trex,umls", "seed=[", "model=smollm", "nonsense", "+limti=3"])
def test_an_error_is_the_one_that_hydras_main_gives(factprobe: CommandLine, wrong: str) -> None:
    assert factprobe.fails("step=extract", wrong) == factprobe.fails("--run", "step=extract", wrong)


def test_wrong_settings_from_python_are_one_error() -> None:
    with pytest.raises(ConfigError, match="unknown setting 'limti'; did you mean limit"):
        package.run("limti=3")


def test_the_manifest_tells_the_versions_of_what_was_used(factprobe: CommandLine) -> None:
    assert factprobe(*EXTRACT).code == 0
    manifest = json.loads(Path("outputs/trex/manifest.json").read_text())
    assert manifest["extract"]["versions"].keys() >= {"python", "factprobe", "hydra-core", "msgspec"}
    assert manifest["extract"]["versions"]["factprobe"] == package.__version__
