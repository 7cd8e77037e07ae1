"""A config file that cannot be used ends in one line: what is wrong, where, how to fix it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from factprobe.config import compose, from_omegaconf
from factprobe.config.yaml_files import ConfigFiles
from factprobe.errors import FactprobeError
from factprobe.storage import to_utf8
from tests.command_line import CommandLine

Write = Callable[[str, str | bytes], Path]


def bomb(first: str, more: str) -> str:
    """Aliases of aliases, nested nine deep: nine times as much at each depth."""
    aliases = (more.format(depth, ",".join([f"*a{depth - 1}"] * 9)) for depth in range(1, 10))
    return "{" + f"a0: &a0 {first}" + "".join(aliases) + "}"


BOMBS = {
    "lists": bomb("[lol]", ", a{0}: &a{0} [{1}]"),
    "mappings": bomb("{a: lol}", ", a{0}: &a{0} {{a: [{1}], b: *a0}}"),
    "merged": bomb("{a: lol}", ", a{0}: &a{0} {{<<: [{1}]}}"),
    "a long text": "{a: &a " + "x" * 1000 + ", b: [" + "*a, " * 1000 + "]}",
}
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "syntax": ("name: [x\nlabel: }\n", "one.yaml:2:6: is broken: "),
    "tab": ("name: trex\n\tadapter: trex\n", "one.yaml:2:1: is broken: found character '\\t'"),
    "twice": ("name: a\nname: b\n", "one.yaml:2:1: is broken: found duplicate key name"),
    "Latin-1": ("label: x\nname: café\n".encode("latin-1"), f"one.yaml:2: is not UTF-8; {to_utf8('one.yaml')}"),
    "UTF-16": ("name: trex\n".encode("utf-16"), "iconv -f UTF-16 "),
    "UTF-16 without a mark": ("name: trex\n".encode("utf-16-be"), "iconv -f UTF-16BE "),
    "NUL": (b"name: trex    \0\n", "one.yaml: is broken: unacceptable character #x0000"),
    "text": ("trex\n", "one.yaml: is a str, not a mapping"),
    "number": ("3\n", "one.yaml: is a int, not a mapping"),
    "list": ("- trex\n", "one.yaml: is a list, not a mapping"),
    "set": ("!!set {a, b}\n", "one.yaml: is a set, not a mapping"),
    "two documents": ("name: a\n---\nname: b\n", "one.yaml:2:1: is broken: "),
    "no such anchor": ("name: *x\n", "one.yaml:1:7: is broken: found undefined alias 'x'"),
    "code": (
        "name: !!python/object/apply:os.getpid []\n",
        "one.yaml:1:7: is broken: could not determine a constructor",
    ),
    "a list for a key": ("[a, b]: 3\n", "one.yaml:1:1: is broken: found unhashable key"),
    "interpolation": ("name: ${\n", "one.yaml: is broken: "),
    "package": ("# @package a b\nname: x\n", "one.yaml: is broken: Too many components"),
    **{
        f"no {tag}": (
            f"a: {tag}\n",
            "one.yaml: has a value that cannot be read, because of its tag (such as !!int), its escapes",
        )
        for tag in ('!!int ""', "!!int x", "!!timestamp x", "!!bool x", "!!set x", '"\\UFFFFFFFF"', "1" * 5000)
    },
    **{f"bomb of {name}": (text, "one.yaml: has aliases (*name) of aliases") for name, text in BOMBS.items()},
    "what holds itself": ("a: &a {b: [*a]}\n", "one.yaml: is nested too deep"),
    "deep": ("name: " + "[" * 500 + "]" * 500, "one.yaml: is nested too deep"),
    "deep mappings": ("".join(" " * depth + "a:\n" for depth in range(500)), "one.yaml: is nested too deep"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_line(write: Write, tmp_path: Path, name: str) -> None:
    content, line = BROKEN[name]
    write("kg/one.yaml", content)
    with pytest.raises(FactprobeError) as caught:
        ConfigFiles("main", f"file://{tmp_path}").load_config("kg/one")
    assert line in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("target", "reason"),
    [(None, "Is a directory"), ("nowhere", "No such file"), ("/proc/self/mem", "Input/output error")],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, target: str | None, reason: str) -> None:
    path = tmp_path / "kg/one.yaml"
    path.parent.mkdir()
    path.mkdir() if target is None else path.symlink_to(target)
    files = ConfigFiles("main", f"file://{tmp_path}")
    assert files.is_config("kg/one")
    with pytest.raises(FactprobeError, match=rf"one\.yaml: cannot be read: {reason}"):
        files.load_config("kg/one")


@pytest.mark.parametrize(
    "content", ["", "# nothing\n", "null\n", "\ufeffname: x\r\n", "# @package kg\nname: x", "name: 'é'\n"]
)
def test_what_is_no_fault_is_read(write: Write, tmp_path: Path, content: str) -> None:
    write("one.yaml", content)
    found = ConfigFiles("main", f"file://{tmp_path}").load_config("one")
    assert list(found.config) in ([], ["name"])
    assert found.header["package"] == ("kg" if "@package" in content else None)


def test_aliases_are_read(write: Write, tmp_path: Path) -> None:
    write("one.yaml", "a: &a {x: 1, y: [2]}\nb: [*a, *a]\nc: {<<: *a, x: 3}\nd: " + "long " * 50_000)
    found = OmegaConf.to_container(ConfigFiles("main", f"file://{tmp_path}").load_config("one").config)
    assert isinstance(found, dict)
    assert (found["b"], found["c"]) == ([{"x": 1, "y": [2]}] * 2, {"x": 3, "y": [2]})


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_in_an_override_is_one_line(factprobe: CommandLine, name: str) -> None:
    line = factprobe.fails("step=extract", "model=openai", "model.model=m", f"model.extra_body={BOMBS[name]}")
    assert "has aliases (*name) of aliases that expand too far" in line
    assert len(line) < 400


CHOSEN = {
    "kg/mine.yaml": [
        ("{", "kg=mine", "own/kg/mine.yaml:1:2: is broken"),
        ("adapter: trex\n", "kg=mine", "kg.name: "),
        ("defaults: [nosuch]\nname: x\n", "kg=mine", "kg/mine: unknown kg 'nosuch'"),
        ("defaults: nosuch\nname: x\n", "kg=mine", "the config kg/mine: Invalid defaults list"),
        ("defaults: [{a: b, c: d}]\nname: x\n", "kg=mine", "the config kg/mine: "),
        ("defaults: [3]\nname: x\n", "kg=mine", "the config kg/mine: Unsupported type"),
        ("defaults: [mine]\nname: x\n", "kg=mine", "no defaults list refers back to its own file"),
    ],
    "model/mine.yaml": [
        ("name: x\n", "model=mine", "model.backend: is not set; add a line 'backend: NAME' to your config file"),
        ("", "model=mine", "model.backend: is not set"),
        ("backend: 3\n", "model=mine", "model.backend: is not a name"),
        ("backend: [openai]\n", "model=mine", "model.backend: is not a name"),
        ("backend:\n", "model=mine", "model.backend: is not set"),
        ("name: x\n", "model@judge=mine", "judge.backend: is not set"),
    ],
    "generator/mine.yaml": [
        ("method: template\n", "generator=mine", "generator.name: "),
        ("name: x\nmethod: [template]\n", "generator=mine", "generator.method: is not a name"),
    ],
    "config2.yaml": [("- 1\n", "--config-name=config2", "own/config2.yaml: is a list, not a mapping")],
}


@pytest.mark.parametrize(
    ("path", "content", "choice", "line"),
    [(path, *case) for path, cases in CHOSEN.items() for case in cases],
)
def test_a_file_that_is_chosen_is_named(
    factprobe: CommandLine, write: Write, path: str, content: str, choice: str, line: str
) -> None:
    write(f"own/{path}", content)
    assert line in factprobe.fails("--config-dir", "own", "step=extract", choice)
    assert not (factprobe.folder / "outputs").exists()


def test_a_sweep_names_it_too(factprobe: CommandLine, write: Write) -> None:
    write("own/kg/mine.yaml", "{")
    line = factprobe.fails("-m", "--config-dir", "own", "step=extract", "kg=mine,umls", "limit=1")
    assert "own/kg/mine.yaml:1:2: is broken" in line
    assert "launcher" not in line


def test_a_mapping_in_a_file_takes_more_keys(factprobe: CommandLine, write: Write) -> None:
    """Whether its default is an empty mapping, or none."""
    write("own/model/mine.yaml", "backend: openai\nmodel: m\nextra_body: {a: {b: 1}}\njson_schema: {type: object}\n")
    more = ["model.extra_body={a: {c: 2}}", "model.json_schema={title: t}"]
    result = factprobe("--config-dir", "own", "--cfg", "job", "-p", "model", "model=mine", *more)
    assert result.code == 0, result.err
    assert "extra_body:\n  a:\n    b: 1\n    c: 2\n" in result.out
    assert "json_schema:\n  type: object\n  title: t\n" in result.out


FOREIGN = {
    "a callback": ("+hydra.callbacks.x._target_=os.getpid", "hydra.callbacks: "),
    "ours in another way": ("+hydra.callbacks.begin.x=1", "hydra.callbacks: "),
    "no callback": ("~hydra.callbacks.begin", "hydra.callbacks: "),
    "in a launcher": ("+hydra.launcher.x={a: [{_target_: os.getpid}]}", "hydra.launcher.x.a.0._target_: "),
    "by another setting": ("+hydra.launcher.x=${model}", "hydra.launcher.x._target_: "),
    "in a sweeper": ("+hydra.sweeper.x={_target_: os.getpid}", "hydra.sweeper.x._target_: "),
    "logging": ("+hydra.job_logging.root={handlers: [x]}", "hydra/job_logging: "),
    "Hydra's logging": ("hydra/hydra_logging=default", "hydra/hydra_logging: "),
    "another launcher": ("hydra.launcher._target_=os.getpid", "Invalid plugin 'os.getpid'"),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.filterwarnings("error")
def test_hydra_calls_what_is_ours_alone(factprobe: CommandLine, name: str) -> None:
    override, line = FOREIGN[name]
    more = ["+model._target_=os.getpid"] if "${" in override else []
    assert line in factprobe.fails("-m", "step=extract", "limit=1", "kg=umls", override, *more)
    assert not (factprobe.folder / "outputs/umls").exists()


def test_a_callback_in_a_file_is_refused(factprobe: CommandLine, write: Write) -> None:
    write("own/more.yaml", "defaults: [config, _self_]\nhydra:\n  callbacks:\n    x: {_target_: os.getpid}\n")
    for mode in ([], ["-m"]):
        line = factprobe.fails(*mode, "--config-dir", "own", "--config-name", "more", "step=extract", "limit=1")
        assert "hydra.callbacks: has another callback than factprobe's" in line


def test_from_python_it_is_the_same_error() -> None:
    with pytest.raises(FactprobeError, match=r"model\.backend: is not set"):
        from_omegaconf(compose(["~model.backend"]))


@pytest.mark.parametrize(
    ("model", "example"),
    [("openai", "gpt-4o-mini"), ("litellm", "anthropic/"), ("transformers", "HuggingFaceTB/")],
)
def test_missing_name_of_a_model_has_an_example(factprobe: CommandLine, model: str, example: str) -> None:
    assert f"set model.model=..., e.g. {example}" in factprobe.fails("step=all", "kg=trex", f"model={model}")
