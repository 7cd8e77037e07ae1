"""A run that Hydra does not start is composed without Hydra's settings, and its files are read once."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from hydra.types import RunMode
from omegaconf import OmegaConf

from factprobe.config import compose, resource
from factprobe.config.hydra_internals import create_config_search_path
from factprobe.config.loader import Loader
from factprobe.config.yaml_files import ConfigFiles
from factprobe.errors import ConfigError, UnknownNameError


def by_hydra(*overrides: str) -> Any:
    """What a run's settings are where Hydra's own are composed with them."""
    loader = Loader(create_config_search_path(str(resource("conf"))))
    config = OmegaConf.to_container(loader.load_configuration("config", list(overrides), RunMode.RUN, from_shell=False))
    assert isinstance(config, dict)
    assert config.pop("hydra")
    return config


@pytest.mark.parametrize(
    "overrides",
    [
        [],
        ["kg=umls", "model=openai", "model.model=m", "limit=3"],
        ["model@judge=scripted", "judge.name=j", "relations=[P36,P37]"],
        ["compat=llm_facteval", "generator=likelihood", "seed=1", "seed=2"],
        ["model=openai", "model.extra_body={a: 1}", "+model.extra_body.b=2", "~model.max_retries"],
        ["kg=trex", "kg=umls"],
        ["~compat", "model=llama_cpp"],
    ],
)
def test_the_settings_are_those_that_hydra_would_compose(overrides: list[str]) -> None:
    expected = by_hydra(*overrides)
    for _ in range(2):
        config = compose(overrides)
        assert OmegaConf.to_container(config) == expected
        config.seed = 99
        config.kg.name = config.model.backend = "changed by whoever asked for it"


@pytest.fixture
def conf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of config files that may be changed."""
    folder = shutil.copytree(resource("conf"), tmp_path / "conf")
    monkeypatch.setattr(sys.modules["factprobe.config.compose"], "resource", lambda name: tmp_path / name)
    return folder


def test_a_file_is_read_once(conf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, load = [], ConfigFiles.load_config

    def counted(files: ConfigFiles, config_path: str) -> Any:
        read.append(config_path)
        return load(files, config_path)

    monkeypatch.setattr(ConfigFiles, "load_config", counted)
    compose(["kg=umls", "limit=1"])
    assert {"kg/umls", "evaluator/rules", "generator/template"} <= {*read}
    assert read.count("kg/umls") == 1
    read.clear()
    assert compose(["kg=umls", "limit=2"]).limit == 2
    assert set(read) <= {"config"}  # which may name other folders of config files
    assert compose(["kg=trex", "limit=2"]).kg.name == "trex"
    assert "kg/trex" in read


def test_a_file_that_has_changed_is_read_again(conf: Path) -> None:
    assert compose().kg.name == "trex"
    path = conf / "kg/trex.yaml"
    text = path.read_text()
    path.write_text(text.replace("name: trex", "name: other"))
    assert compose().kg.name == "other"
    (conf / "kg/mine.yaml").write_text(text.replace("name: trex", "name: mine"))
    assert compose(["kg=mine"]).kg.name == "mine"
    (conf / "kg/mine.yaml").unlink()
    with pytest.raises(UnknownNameError, match="unknown kg 'mine'"):
        compose(["kg=mine"])
    path.write_text("{")
    with pytest.raises(ConfigError, match=r"kg/trex\.yaml:1:2: is broken"):
        compose()


def test_a_launcher_that_a_file_chooses_is_left_out(conf: Path) -> None:
    path = conf / "config.yaml"
    path.write_text(path.read_text().replace("override hydra/job_logging: none", "override hydra/launcher: nosuch"))
    assert compose(["limit=3"]).limit == 3


def test_a_secret_is_refused_however_often() -> None:
    for _ in range(2):
        with pytest.raises(ConfigError, match="must not contain a key"):
            compose(["model=openai", "model.model=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"])
