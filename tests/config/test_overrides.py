"""Overrides: what Hydra's grammar has no word for is put between quotes, and what cannot be read is one line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
import yaml
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import given
from hypothesis import strategies as st

from factprobe.config import compose, from_omegaconf
from factprobe.config.overrides import quote_override
from factprobe.config.yaml_files import from_yaml
from factprobe.errors import ConfigError
from tests.command_line import CommandLine

TEXTS = [
    "~/models/x.gguf",
    "~",
    "~somebody/x",
    "http://☃.invalid/v1",
    "http://127.0.0.1/v1?a=b&c=d#e",
    "/data/josé/модель",
    "a;b!c<d>e`f^g",
    "it's",
    'a"b',
    "two\nlines",
    "\x07",
    "a\\é",
    "${kg.name}-é",
]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_is_taken_as_it_stands(text: str) -> None:
    config = compose(["model=scripted", f"model.name={text}"])
    assert config.model.name == text.replace("${kg.name}", "trex")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="()[]{},\\'\"$ "), min_size=1))
def test_a_text_is_read_or_refused_but_never_changed(text: str) -> None:
    try:
        written = quote_override(f"x={text}")
    except ConfigError:
        return
    [override] = OverridesParser.create().parse_overrides([written])
    found = override.value()
    assert found == text.strip() or str(found).lower() == text.lower() or not isinstance(found, str)


@pytest.mark.parametrize(
    "override", ["limit=5", "relations=[P36,P37]", "model.extra_body={a: 'x y'}", "a=b,c", "~kg", "a="]
)
def test_what_hydra_reads_is_left_as_it_is(override: str) -> None:
    assert quote_override(override) == override


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("{top_p: 0.9}", {"top_p": 0.9}),
        ("{top_p:0.9}", {"top_p": 0.9}),
        ('{"top_p": 0.9}', {"top_p": 0.9}),
        ("{'top_p': 0.9, \"b\": null}", {"top_p": 0.9, "b": None}),
        ('{"stop": ["\\n", "é", "a, b"], "seed": 1, "x": true}', {"stop": ["\n", "é", "a, b"], "seed": 1, "x": True}),
        ("{a: ~/x, b: {c: [é]}}", {"a": "~/x", "b": {"c": ["é"]}}),
        ('{"a b": "1"}', {"a b": "1"}),
        ('{"stop": ["\\ud83d\\ude00", "\\u00e9"]}', {"stop": ["😀", "é"]}),
        ('{é: "\\ud83d\\ude00", b: ~/x}', {"é": "😀", "b": "~/x"}),
        (r'{a: "\n", b: "\\", c: "\d"}', {"a": "\n", "b": "\\", "c": r"\d"}),
        (r"{a: '\n'}", {"a": r"\n"}),
        ('{"é": 1, "a b": 2, "x/y": 3}', {"é": 1, "a b": 2, "x/y": 3}),
        ("{é: 1, a b: 2, x/y: 3, 'it\\'s': 4}", {"é": 1, "a b": 2, "x/y": 3, "it's": 4}),
        ('{"": 1, "~": 2, "@%41": 3, "%41": 4, "a~b.c": 5}', {"": 1, "~": 2, "@%41": 3, "%41": 4, "a~b.c": 5}),
        ('{"1": "a", "true": "b", "1.0": "c"}', {"1": "a", "true": "b", "1.0": "c"}),
        ("{1: a, true: {2:b,null:c}}", {"1": "a", "true": {"2": "b", "null": "c"}}),
        ("{1: ~/x, true: b}", {"1": "~/x", "true": "b"}),
        ('{\n  "a": [1,\n 2]\n}', {"a": [1, 2]}),
        ("{a: [1:2, b], c: ${seed}}", {"a": ["1:2", "b"], "c": 0}),
    ],
)
def test_a_mapping_is_read_as_hydra_yaml_or_json_write_it(value: str, found: object) -> None:
    config = from_omegaconf(compose(["model=openai", "model.model=m", f"model.extra_body={value}"]))
    assert config.model["extra_body"] == found


@pytest.mark.parametrize("value", ['"\\ud83d\\ude00\\n"', r'"\u00e9\u000a"'])
def test_what_stands_between_double_quotes_is_read_as_json(value: str) -> None:
    assert compose(["model=scripted", f"model.name={value}"]).model.name == json.loads(value)


@pytest.mark.parametrize("value", ['{"é": "\\\\n", "1": [{"a b": 2}]}', "{1: ~/x}", '"a\\\\n"', '{"@%31": "\'"}'])
def test_what_is_spelled_is_not_spelled_again(value: str) -> None:
    """A job of a sweep is composed of what is quote_override already."""
    written = quote_override(f"model.extra_body={value}")
    assert quote_override(written) == written


def test_a_sweep_over_mappings_with_odd_keys(factprobe: CommandLine) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (factprobe.folder / name).write_text('{"id": 1, "label": "x"}\n')
    result = factprobe("-m", "step=agree", """labels={é: a.jsonl, "1": b.jsonl},{"a b": "c\\\\n", true: b.jsonl}""")
    assert "é " in result.out
    assert "1 " in result.out
    [error, _] = result.err.splitlines()
    assert error.startswith(r"factprobe: error in step=agree labels={a b:'c\n',true:b.jsonl}: c\n: cannot be read")


@pytest.mark.parametrize("text", ["1: a\ntrue: b\n'2': \"\\ud83d\\ude00\"\n", "{1: a, true: b, 2: 😀}"])
def test_a_config_file_is_read_as_json_too(text: str) -> None:
    assert from_yaml(text, "x") == {"1": "a", "true": "b", "2": "😀"}


@pytest.mark.parametrize("text", ['a: "\\ud83d"', "{1: a, '1': b}", '{"\\ude00": 1}'])
def test_half_a_character_and_a_key_given_twice_are_refused(text: str) -> None:
    with pytest.raises((ConfigError, yaml.YAMLError)):
        from_yaml(text, "x")


def test_a_sweep_goes_over_what_is_put_between_quotes(factprobe: CommandLine) -> None:
    result = factprobe("-m", "step=extract", "kg=umls", "limit=1", "output_dir=é/a,~/b,c")
    assert result.code == 0, result.err
    assert (factprobe.folder / "é/a/triplets").is_dir()
    assert (factprobe.folder / "c/triplets").is_dir()


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home folder of the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_home_folder_is_found_in_every_path(factprobe: CommandLine, home: Path) -> None:
    assert f"{home}/x.gguf: no such GGUF file" in factprobe.fails("step=all", "model.path=~/x.gguf")
    for model in ("replay", "llama_cpp"):
        assert str(home) in factprobe.fails("step=all", f"model={model}", "model.path=~/x.gguf")
    assert str(home / "data") in factprobe.fails("step=extract", "kg.data_dir=~/data")
    assert str(home / "a.jsonl") in factprobe.fails("step=agree", "labels={a: ~/a.jsonl, b: ~/b.jsonl}")
    run = ["step=extract", "kg=umls", "limit=1"]
    assert factprobe(*run, "output_dir=~/out").code == 0
    assert factprobe("-m", *run, "output_dir=~/out2", "hydra.sweep.dir=~/sweep").code == 0
    assert {path.name for path in home.iterdir()} == {"out", "out2", "sweep"}
    assert not (factprobe.folder / "~").exists()


@pytest.mark.parametrize("setting", ["output_dir", "kg.data_dir", "model.path"])
def test_the_home_of_nobody_is_one_line(factprobe: CommandLine, setting: str) -> None:
    model = "model=llama_cpp" if setting == "model.path" else "model=scripted"
    line = factprobe.fails("step=all", model, f"{setting}=~nobody-of-this-name/x")
    assert "~nobody-of-this-name/x: no such home folder; write the path in full" in line
    assert not list(factprobe.folder.glob("~*"))


REFUSED = {
    "=x": "=x: is not of the form SETTING=VALUE",
    "=": "is not of the form SETTING=VALUE",
    "+=": "is not of the form SETTING=VALUE",
    "": "'': is not of the form SETTING=VALUE",
    "~": "is not of the form SETTING=VALUE",
    "word": "word: is not of the form SETTING=VALUE",
    "0.9}": "put an override with spaces or brackets between single quotes",
    "a b=c": "is not of the form SETTING=VALUE",
    "é=1": "is not of the form SETTING=VALUE",
    "kg..name=x": "is not of the form SETTING=VALUE",
    ".kg=x": "is not of the form SETTING=VALUE",
    "a=": "unknown setting 'a'",
    "kg=[": "kg=[: the value cannot be read; close each bracket and quote",
    "model.extra_body={top_p:": "close each bracket and quote",
    "relations=[P36": "close each bracket and quote",
    "model.name=a,": "to use it as plain text, write 'model.name=\"a,\"'",
    "model.name=f(x)": "to use it as plain text, write 'model.name=\"f(x)\"'",
    "model.name='a": "close each bracket and quote",
    'model.name="a': "close each bracket and quote",
    "model.name=${": "close each bracket and quote",
    "model.name='${'": "no viable alternative",
    "kg=3": "the settings cannot be composed: Config group override must be a string",
    "kg=null": "the settings cannot be composed: Config group override must be a string",
    "+hydra.sweeper.params={seed: 1}": "the settings cannot be composed: 'NoneType' object has no attribute",
    "model.name=\udcff": "is not UTF-8",
    'relations=["\\ud83d"]': "is not UTF-8",
    'relations=[~, "\\ud83d"]': "is not UTF-8",
    "labels={a: x, a: y}": "has the key 'a' twice; remove one of them",
    'labels={1: x, "1": ~/y}': "has the key '1' twice",
    "model.name=" + "[" * 400: "close each bracket and quote",
    "model.name=" + "[" * 400 + "]" * 400: "nested too deep",
    'labels={a: !!int ""}': 'labels={a: !!int ""}: has a value that cannot be read, because of its tag',
    "labels=[{a: !!timestamp x}]": "remove the tag, or put the value between quotes",
    "labels={a: !!float x}": "because of its tag (such as !!int)",
    "labels={a: !!set {b}}": "the value cannot be read",
    "model.extra_body=" + "{a:" * 300 + "1" + "}" * 300: "is nested too deep",
}


@pytest.mark.parametrize("override", REFUSED, ids=lambda text: ascii(text[:20]))
def test_what_cannot_be_read_is_one_line(factprobe: CommandLine, override: str) -> None:
    line = factprobe.fails("step=extract", override)
    assert REFUSED[override] in line
    assert len(line) < 400


@pytest.mark.parametrize("value", ["a,", "f(x)", "'a", '"a', "a(b", "it's)"])
def test_what_the_error_says_works_in_a_shell(value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        compose(["model=scripted", f"model.name={value}"])
    [override] = shlex.split(str(caught.value).rpartition("write ")[2])
    assert compose(["model=scripted", override]).model.name == value


def test_a_setting_of_another_choice_is_told_so(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=extract", "model.extra_body={top_p: 0.9}")
    assert "unknown setting 'model.extra_body'; model=openai would have this setting" in line
    line = factprobe.fails("step=extract", "model=openai", "model.model=m", "model.bas_url=x")
    assert "did you mean model.base_url?" in line


def test_a_part_of_a_setting_is_told_to_be_none(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=detect", "detector=selfcheck", "input=x.json", "detector.checker.name=nli")
    assert "unknown setting 'detector.checker.name'; detector.checker is set as a whole: detector.checker=...;" in line


def test_an_override_is_read_once_where_nothing_is_odd(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run composes within milliseconds."""
    monkeypatch.setattr("factprobe.config.overrides._is_read", pytest.fail)
    usual = ["step=all", "kg=trex", "limit=5", "kg.data_dir=/data/lama/TREx", "model@judge=openai", "+a.b=1", "a=x,y"]
    assert [quote_override(override) for override in usual] == usual


def test_an_address_of_ipv6_is_read() -> None:
    config = from_omegaconf(compose(["model=openai", "model.model=m", "model.base_url=http://[::1]:8765/v1"]))
    assert config.model["base_url"] == "http://[::1]:8765/v1"
