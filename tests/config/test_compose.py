"""How the settings of a run come together: defaults, config files, overrides, plugins, for one run and for sweeps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import defstruct
from omegaconf import DictConfig

import factprobe
from factprobe.config import LabelSource, RunConfig, compose, convert, from_omegaconf
from factprobe.config.loader import Loader
from factprobe.config.validation_errors import validation_error
from factprobe.errors import ConfigError
from factprobe.factories import build_model
from factprobe.models import Model, ModelSettings, models
from tests.command_line import CommandLine, process

Write = Callable[[str, str | bytes], Path]

PLUGIN = """
from typing import Any
from factprobe.evaluators import Evaluator, Judgment, evaluators
from factprobe.evaluators.base import EvaluatorSettings
from factprobe.models import Model, ModelSettings, Reply, models


class EchoSettings(ModelSettings, frozen=True, kw_only=True):
    word: str = "hm"
    more: dict[str, Any] = {}


@models.register("echo")
class Echo(Model):
    settings_type = EchoSettings

    async def reply(self, request):
        return Reply(self.settings.word)


class DeepSettings(EvaluatorSettings, frozen=True, kw_only=True):
    depth: int = 1


@evaluators.register("deep")
class Deep(Evaluator):
    settings_type = DeepSettings

    def judge(self, question, reply):
        return Judgment("incorrect", f"depth_{self.settings.depth}", wrong=1)
"""
ECHO = ["step=all", "plugins=[echo]", "model=echo", "relations=[P36]", "limit=1"]


@pytest.fixture
def run(factprobe: CommandLine, write: Write) -> CommandLine:
    """The command line where a plugin lies."""
    write("echo.py", PLUGIN)
    return factprobe


def test_defaults_come_from_the_types() -> None:
    config = from_omegaconf(compose())
    assert (config.step, config.limit, config.samples, config.plugins) == ("all", None, 600, ())
    assert config.model["context"] == 2048
    assert config.generator["question_types"] == ["binary_answer", "multi_choices", "single_answer", "multiple_answer"]
    assert config.output_dir == "outputs/trex"
    assert config.judge is None


@pytest.mark.parametrize(
    ("override", "name", "value"),
    [
        ("limit=5", "limit", 5),
        ("model.temperature=0.5", "temperature", 0.5),
        ("model.extra_body={top_p: 0.9}", "extra_body", {"top_p": 0.9}),
        ("+model.extra_body.top_p=0.9", "extra_body", {"top_p": 0.9}),
        ("model.extra_body.top_p=0.9", "extra_body", {"top_p": 0.9}),
        ("model.price={input: 1, output: 2}", "price", {"input": 1, "output": 2}),
        ("model.json_schema={type: string}", "json_schema", {"type": "string"}),
        ("model.base_url=null", "base_url", None),
        ("~model.max_retries", "max_retries", None),
    ],
)
def test_an_override_of_every_kind(override: str, name: str, value: object) -> None:
    config = from_omegaconf(compose(["model=openai", "model.model=m", override]))
    assert config.model.get(name, getattr(config, name, None)) == value


@pytest.mark.parametrize(
    ("overrides", "line"),
    [
        (["model.max_tokns=3"], "unknown setting 'model.max_tokns'; did you mean model.max_tokens?"),
        (["model.price={inptu: 1}", "model=openai", "model.model=m"], None),
        (["generator.prompts.single_anwser.messages=[]"], "unknown setting 'generator.prompts.single_anwser"),
        (["evaluator.settings.aliases=true"], "unknown setting 'evaluator.settings.aliases'"),
        (["compat=llm_facteval", "compat.settings.alias=true"], "did you mean compat.settings.aliases?"),
    ],
)
def test_an_unknown_setting_is_refused(overrides: list[str], line: str | None) -> None:
    if line is None:  # what lies within a setting is checked by the class
        assert from_omegaconf(compose(overrides)).model["price"] == {"inptu": 1}
        return
    with pytest.raises(ConfigError) as caught:
        from_omegaconf(compose(overrides))
    assert line in str(caught.value)


@pytest.mark.parametrize("number", ["inf", "-inf", "nan", "1e999", "1" + "0" * 30])
@pytest.mark.parametrize(
    "setting", ["model.temperature", "model.extra_body.top_p", "model.extra_body.a.b", "judge.timeout", "max_cost_usd"]
)
def test_a_number_that_no_file_can_hold_is_refused(setting: str, number: str) -> None:
    judge = ["model@judge=openai", "judge.model=m"] if setting.startswith("judge") else []
    with pytest.raises(ConfigError, match=rf"^{setting}: .* (is not a finite number|too many digits); set a finite"):
        from_omegaconf(compose(["model=openai", "model.model=m", *judge, f"++{setting}={number}"]))


@pytest.mark.parametrize("value", ["[1, {a: nan}]", '{"a": Infinity, "b": inf}'])
def test_no_such_number_hides_in_a_list(value: str) -> None:
    with pytest.raises(ConfigError, match=r"^model\.extra_body\.x.*: (nan|inf) is not a finite number"):
        from_omegaconf(compose(["model=openai", "model.model=m", f"model.extra_body={{x: {value}}}"]))


def test_python_is_told_of_such_a_number_too() -> None:
    with pytest.raises(ConfigError, match=r"^model\.temperature: nan is not a finite number"):
        build_model({"backend": "scripted", "temperature": float("nan")})


@pytest.mark.parametrize(("value", "shown"), [(5, "5"), ("x", "'x'"), (True, "true"), (None, "null"), ([1], "a list")])
def test_error_shows_wrong_value_of_a_whole_group(value: object, shown: str) -> None:
    with pytest.raises(ConfigError, match=f"labels.me: {shown} is not a mapping"):
        convert(value, LabelSource, "labels.me")


def test_settings_can_speak_of_settings_that_nobody_has_set() -> None:
    config = from_omegaconf(compose(["model=scripted", "output_dir='out/${model.rule}-${seed}'"]))
    assert config.output_dir == "out/mixed-0"


def test_evaluators_settings_are_complete_and_each_gets_its_own(run: CommandLine, tmp_path: Path) -> None:
    assert from_omegaconf(compose(["evaluator=llm_facteval"])).evaluator.settings == {
        "phrases": None,
        "aliases": False,
        "delimiter": ",",
    }
    settings = ["evaluator.binary_answer=deep", "evaluator.settings.depth=3"]
    result = run(*ECHO, *settings, "evaluator.single_answer=llm_facteval_short", "evaluator.settings.aliases=true")
    assert result.code == 0, result.err
    grades = (tmp_path / "outputs/trex/grades/template/echo/P36.jsonl").read_text().splitlines()
    rules = {grade["question_type"]: grade["rule"] for grade in map(json.loads, grades)}
    assert rules["binary_answer"] == "depth_3"
    assert rules["single_answer"].startswith("facteval")
    assert "did you mean evaluator.settings.depth?" in run.fails(*ECHO, settings[0], "evaluator.settings.dept=3")


def config_dir(write: Write) -> list[str]:
    """A config file of the user's own that says little, for a plugin's class."""
    write("my_conf/model/loud.yaml", "backend: echo\nname: loud\nword: HA\n")
    write("my_conf/model/louder.yaml", "defaults: [loud]\nbackend: echo\nname: louder\n")
    return ["--config-dir", "my_conf"]


def answers(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("outputs/trex/responses/template/*/P36.jsonl")):
        for line in path.read_text().splitlines():
            yield path.parent.name, json.loads(line)["response"]


def test_a_config_file_of_ones_own_gets_the_defaults_below_what_it_builds_on(run: CommandLine, write: Write) -> None:
    arguments = [part.replace("model=echo", "model=louder") for part in ECHO]
    result = run(*arguments, "model.max_tokens=3", "model.more={a: 1}", *config_dir(write))
    assert result.code == 0, result.err
    assert set(answers(run.folder)) == {("louder", "HA")}
    manifest = json.loads((run.folder / "outputs/trex/manifest.json").read_text())
    model = manifest["answer"]["config"]["model"]
    assert (model["max_tokens"], model["temperature"], model["more"]) == (3, 0.0, {"a": 1})
    assert "unknown setting 'model.words'" in run.fails(*arguments, "model.words=x", *config_dir(write))


@pytest.mark.parametrize(
    "launcher", [[], pytest.param(["hydra/launcher=joblib", "hydra.launcher.n_jobs=2"], marks=pytest.mark.slow)]
)
def test_a_sweep_composes_as_a_run_does(run: CommandLine, write: Write, launcher: list[str]) -> None:
    sweep = ["-m", *ECHO[:2], "model=echo,loud", *ECHO[3:], "model.max_tokens=3", *launcher, *config_dir(write)]
    with process(*sweep, folder=run.folder) as started:
        _, err = started.communicate(timeout=300)
    assert started.returncode == 0, err
    assert set(answers(run.folder)) == {("echo", "hm"), ("loud", "HA")}


def test_a_sweep_refuses_what_a_run_refuses(run: CommandLine) -> None:
    result = run("-m", *ECHO, "model.wrd=a,b")
    assert result.code == 2
    assert "unknown setting 'model.wrd'" in result.err


def test_a_folder_of_ones_own_goes_before_but_for_the_config_that_all_hang_on(
    factprobe: CommandLine, write: Write
) -> None:
    write("own/config.yaml", "limit: 7\n")
    write("own/kg/trex.yaml", "name: mine\nadapter: trex\ndata_dir: null\n")
    error = factprobe.fails("--config-dir", "own", "step=extract", "limit=1")
    assert "mine" in error  # no data comes with factprobe under that name
    assert factprobe("--config-dir", "own", "step=extract", "kg=umls", "limit=1").code == 0


def test_the_jobs_of_a_sweep_are_composed_once(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    composed, load = Counter[tuple[str, ...]](), Loader.load_configuration

    def counting(loader: Loader, *, overrides: list[str], **settings: Any) -> DictConfig:
        composed[tuple(overrides)] += 1
        return load(loader, overrides=overrides, **settings)

    monkeypatch.setattr(Loader, "load_configuration", counting)
    assert factprobe("-m", "step=extract", "kg=umls", "limit=1,2", "output_dir=out/${limit}").code == 0
    assert [composed[overrides] for overrides in composed if "limit=1,2" not in overrides] == [1, 1]


def test_settings_that_were_composed_before_are_composed_alike() -> None:
    overrides = ["model=openai", "model.extra_body={a: 1}"]
    for named in ([], ["kg.name=trex"], []):
        found = compose([*overrides, *named])
        assert found.with_kg is bool(named)
        assert found.model.extra_body == {"a": 1}
        found.model.extra_body.b = 2


@pytest.mark.parametrize("name", ["../../x", "..", "a/b", "/tmp/x", r"a\b"])
def test_the_name_of_a_graph_is_no_path(factprobe: CommandLine, tmp_path: Path, name: str) -> None:
    line = factprobe.fails("step=extract", "kg=trex", f'kg.name="{name}"'.replace("\\", "\\\\"))
    assert line.startswith("factprobe: error: kg.name: "), line
    assert not (tmp_path / "outputs").exists()


def test_a_class_that_is_defined_anew_brings_its_settings() -> None:
    for setting in ("first", "second"):  # as the cell of a notebook does that is run again
        settings = defstruct("AnewSettings", [(setting, int, 1)], bases=(ModelSettings,), frozen=True, kw_only=True)
        models.register("anew")(type("Anew", (Model,), {"settings_type": settings}))
        assert compose(["model=anew"]).model[setting] == 1


def test_the_keys_of_mappings_are_texts_as_in_json() -> None:
    for body in ('{"logit_bias": {"50256": -100}}', "{logit_bias: {50256: -100}}"):
        model = from_omegaconf(compose(["model=openai", "model.model=m", f"model.extra_body={body}"])).model
        assert model["extra_body"] == {"logit_bias": {"50256": -100}}
        settings = {**model, "base_url": "http://127.0.0.1:1/v1"}  # which needs no key
        assert build_model(settings).settings_hash
    schema = '{"properties": {"2": {}, "true": {}, "1.5": {}}}'
    model = from_omegaconf(compose(["model=openai", "model.model=m", f"model.json_schema={schema}"])).model
    assert model["json_schema"] == {"properties": {"2": {}, "true": {}, "1.5": {}}}


def test_a_setting_is_found_wrong_as_often_as_it_is() -> None:
    for _ in range(20):  # msgspec 0.22 crashes if it converts to the pattern of a type on its own
        with pytest.raises(ConfigError, match="evaluator: null is not a text"):
            factprobe.grade_answers([], evaluator=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(("where", "start"), [("", "config: "), ("model", "model: ")])
def test_key_that_is_not_text_has_a_place(where: str, start: str) -> None:
    error = validation_error({1: "x"}, RunConfig, where)
    assert str(error).startswith(start)


@pytest.mark.parametrize("text", ["The ${x} of [X] is [Y].", "The ${y.z} of [X] is [Y]."])
def test_what_is_no_setting_is_written_with_a_backslash(text: str, tmp_path: Path) -> None:
    settings = ["kg=csv", f"kg.source={tmp_path}/facts.csv"]
    with pytest.raises(ConfigError, match=r"kg\.templates\.capital: .*\\\$\{"):
        from_omegaconf(compose([*settings, f'kg.templates={{capital: "{text}"}}']))
    escaped = text.replace("$", r"\$")
    kg: Any = from_omegaconf(compose([*settings, f"kg.templates={{capital: '{escaped}'}}"])).kg
    assert kg.templates == {"capital": text}
