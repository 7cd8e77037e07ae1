"""What a user meets on the command line: help, errors of one line, settings, plugins."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from factprobe.asking.interrupts import STOPPED
from factprobe.step_table import STEPS
from tests.command_line import ROOT, CommandLine, process

Write = Callable[[str, str | bytes], Path]

RELATION = '{"relation": "P36", "template": "[Y] is the capital of [X].", "label": "capital", "type": "1-1"}\n'
FACTS = "".join(
    json.dumps({"sub_uri": f"Q{i}", "sub_label": f"Land {i}", "obj_uri": f"Q{i}0", "obj_label": f"City {i}"}) + "\n"
    for i in range(1, 7)
)


def test_help_names_steps_groups_and_settings(factprobe: CommandLine) -> None:
    code, out, _ = factprobe("--help")
    assert code == 0
    for part in ("step=extract", "kg=bear", "openai", "[smollm2]", "limit=null", "kg.data_dir=null"):
        assert part in out
    assert "hydra" not in out.replace("--hydra-help (those of Hydra, ", "").lower()


def test_without_any_argument_there_is_help_and_no_exam(factprobe: CommandLine) -> None:
    assert factprobe() == factprobe("--help")
    assert not (factprobe.folder / "outputs").exists()


def test_help_shows_the_settings_of_the_chosen_model(factprobe: CommandLine) -> None:
    out = factprobe("model=openai", "--help").out
    line = next(line for line in out.splitlines() if "api_key_env" in line)
    assert line.split(maxsplit=1)[0] == "model.api_key_env=OPENAI_API_KEY"
    assert "environment variable" in line
    assert "model.model=..." in out
    assert "required: " in out
    assert "(chat | completions)" in out


def test_help_of_each_step_fits_a_terminal_and_names_all_its_settings(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in STEPS:
        monkeypatch.delenv("LINES", raising=False)
        in_full = factprobe(f"step={step}", "--help").out
        monkeypatch.setenv("LINES", "40")
        monkeypatch.setenv("COLUMNS", "100")
        lines = factprobe(f"step={step}", "--help").out.splitlines()
        assert len(lines) <= 40, step
        assert max(map(len, lines)) <= 102, step  # of the last line
        words = {word for line in lines for word in re.findall(r"[\w@]+", line)}
        for name in re.findall(r"^  (?:\w+\.)?([\w@]+)=", in_full, re.MULTILINE):
            assert name in words, (step, name)


def test_help_shows_the_settings_of_evaluators(factprobe: CommandLine) -> None:
    out = factprobe("compat=llm_facteval", "--help").out
    assert "compat.settings.aliases=false" in out
    assert "evaluator.settings" not in out


def test_help_of_a_step_shows_the_settings_of_its_choices(factprobe: CommandLine) -> None:
    code, out, _ = factprobe("step=collect", "collect=noisy_context", "kg=trex,umls", "--help")
    assert code == 0
    assert re.findall(r"^Settings of (\S+):", out, re.MULTILINE) == ["kg=trex", "kg=umls"]


def test_help_knows_plugins(factprobe: CommandLine, write: Write) -> None:
    write("my_kg.py", MY_KG)
    write("my_model.py", MY_MODEL)
    out = factprobe("plugins=[my_kg,my_model]", "kg=rivers", "model=echo", "--help").out
    assert "[rivers]" in out
    assert "kg.adapter=rivers" in out
    assert "Settings of model=echo: Says a word again and again." in out
    for line in (r"model\.word=\.\.\. +required: What it says\.", r"model\.times=1 +How often\."):
        assert re.search(line, out)
    assert "no_such cannot be imported" in factprobe.fails("plugins=[no_such]", "--help")


def test_help_loads_neither_hydra_nor_its_configs() -> None:
    code = "import sys; from factprobe.cli.help import help_text; help_text(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"hydra", "omegaconf", "yaml", "asyncio", "jsonlines"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["kg=trx"], ["unknown kg 'trx'", "did you mean 'trex'?"]),
        (["model=smollm"], ["unknown model 'smollm'", "did you mean 'smollm2'?"]),
        (["generator=templat"], ["unknown generator 'templat'", "'template'"]),
        (["evaluator=rule"], ["unknown evaluator 'rule'", "'rules'"]),
        (["step=extrct"], ["unknown step 'extrct'", "did you mean 'extract'?"]),
        (["limti=3"], ["unknown setting 'limti'", "did you mean limit?"]),
        (["kg.limit=3"], ["unknown setting 'kg.limit'", "did you mean limit?"]),
        (["max_tokens=3"], ["unknown setting 'max_tokens'", "did you mean model.max_tokens?"]),
        (["kg=csv", "kg.path=a.csv"], ["unknown setting 'kg.path'", "kg has adapter", "source"]),
        (["model.max_tokns=3"], ["unknown setting 'model.max_tokns'", "did you mean model.max_tokens?"]),
        (["limit=many", "step=extract"], ["limit: 'many' is not a whole number of at least 1", "or null"]),
        (["limit=2.5", "step=extract"], ["limit: 2.5 is not a whole number of at least 1"]),
        (["strict=maybe", "step=extract"], ["strict: 'maybe' is not true or false"]),
        (["cache=maybe"], ["cache: 'maybe' is not one of off, read, refresh; factprobe --help"]),
        (["cache=refesh"], ["cache: 'refesh' is not one of off, read, refresh; did you mean refresh?"]),
        (["generator.ask=objects"], ["generator.ask: 'objects' is not one of", "did you mean object?"]),
        (
            ["generator.question_types=binary_answer"],
            ["generator.question_types: 'binary_answer' is not a list such as"],
        ),
        (
            ["model=openai", "model.model=m", "model.price=3"],
            ["model.price: 3 is not a mapping such as {a: 1} or null"],
        ),
        (
            ["model=openai", "model.model=m", "model.price={input: x, output: 1}"],
            ["model.price.input: 'x' is not a number"],
        ),
        (["model=openai", "model.model=m", "model.price={inptu: 1}"], ["did you mean model.price.input?"]),
        (["model=openai", "model.model=m", "model.price={input: 1}"], ["model.price.output: is not set"]),
        (["model=openai", "model.model=m", "model.extra_body=[1]"], ["model.extra_body: cannot have this value"]),
        (["model=scripted", "model.name=3"], ["model.name: 3 is not a text"]),
        (["step=agree", "labels={b: x, a: 3}"], ["labels.a: 3 is not a text (not empty) or a mapping such as {a: 1}"]),
        (["step=agree", "labels={b: x, a: {path: x, idd: n}}"], ["'labels.a.idd'; did you mean labels.a.id?"]),
        (
            ["generator.prompts.single_answer.messages=[{role: boss, content: x}]"],
            ["generator.prompts.single_answer.messages[0].role: 'boss' is not one of assistant, system, user"],
        ),
        (
            ["relations=P36,P37"],
            ["relations: has several values; add --multirun", "'relations=[P36,P37]'"],
        ),
        (["judge=openai"], ["unknown setting 'judge'; choose one with model@judge=NAME"]),
        (["judge.max_tokens=3"], ["model@judge=openai", "would have this setting"]),
        (["step=extract", "kg=csv", "kg.source=f.csv", "kg.separator="], ["kg.separator: is empty"]),
        (["seed=null"], ["seed: null is not a whole number"]),
        (["seed=-1", "step=compare"], ["seed: -1 is not a whole number of at least 0, of at most 4,294,967,295; "]),
        (["limit=0", "step=extract"], ["limit: 0 is not a whole number of at least 1 or null; "]),
        (["step=generate", "generator.question_types=[]"], ["generator.question_types: "]),
        (["seed=["], ["--help"]),
        (["step=extract", "kg.data_dir=/no/such/folder"], ["/no/such/folder", "no such data folder", "kg.data_dir="]),
        (
            ["step=extract", "kg=ctd"],
            ["no data comes with factprobe for the graph 'ctd'", "run step=fetch kg=ctd", "kg.data_dir="],
        ),
        (["step=extract", "relations=[P9999]"], ["unknown relation of trex 'P9999'", "P36"]),
        (["step=extract", "relations=[P363]"], ["did you mean 'P36'?"]),
        (["step=extract", "plugins=[no_such_module]"], ["plugins", "no_such_module cannot be imported"]),
        (["step=answer", "model=openai"], ["model.model", "set model.model="]),
        (["step=all", "model=llama_cpp"], ["model.path", ".gguf"]),
        (["step=all", "model=smollm2", "model.path=/no/file.gguf"], ["/no/file.gguf", "no such GGUF file"]),
        (["step=generate"], ["summary.json", "run step=extract kg=trex first"]),
        (["step=answer", "model=scripted"], ["run step=extract kg=trex first"]),
        (["step=report"], ["run step=extract kg=trex first"]),
    ],
)
def test_errors_are_one_line(factprobe: CommandLine, arguments: list[str], parts: list[str]) -> None:
    line = factprobe.fails(*arguments)
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--limit=3"], "--limit=3 is no flag; settings are written without dashes: limit=3;"),
        (["--limit", "3"], "--limit is no flag; settings are written without dashes: limit=...;"),
        (["-limit=3"], "-limit=3 is no flag; settings are written without dashes: limit=3;"),
        (["--max-cost-usd=1"], "without dashes: max_cost_usd=1;"),
        (["-parquet=true"], "-parquet=true is no flag; settings are written without dashes: parquet=true;"),
        (["-model=scripted"], "without dashes: model=scripted;"),
        (["--con=3"], "is no flag; settings are written without dashes"),
        (["--resolve"], "The --resolve flag can only be used"),
        (["--info", "--cfg", "job"], "Only one of --run, --multirun, --cfg, --info"),
        (["--shell-completion"], "Expecting one subcommand"),
        (["--config-dir"], "expected one argument; factprobe --hydra-help lists the flags"),
        (["--cfg", "jobs"], "invalid choice: 'jobs'"),
    ],
)
def test_a_setting_with_dashes_is_one_line(factprobe: CommandLine, arguments: list[str], line: str) -> None:
    assert line in factprobe.fails("step=extract", *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["step=extract", "--config-dir", "mine", "kg=own"],
        ["--config-dir", "mine", "step=extract", "-m", "kg=own"],
        ["step=extract", "kg=own", "--config-dir=mine"],
        ["step=extract", "-cd", "mine", "kg=own", "-m"],
    ],
)
def test_flags_stand_anywhere(factprobe: CommandLine, write: Write, arguments: list[str]) -> None:
    write("mine/kg/own.yaml", f"name: own\nadapter: umls\ndata_dir: {ROOT}/kgs/umls\n")
    result = factprobe(*arguments, "limit=1")
    assert result.code == 0, result.err
    assert (factprobe.folder / "outputs/own/triplets").is_dir()


def test_an_empty_list_of_relations_is_refused(factprobe: CommandLine) -> None:
    assert "relations: is empty" in factprobe.fails("step=all", "model=scripted", "relations=[]")
    assert not any(factprobe.folder.iterdir())


@pytest.mark.parametrize("empty", ["", "''", '" "'])
@pytest.mark.parametrize("setting", ["output_dir", "kg.data_dir", "cache_dir", "kg.name", "generator.name"])
def test_an_empty_path_or_name_is_refused(factprobe: CommandLine, setting: str, empty: str) -> None:
    before = set(factprobe.folder.rglob("*"))
    line = factprobe.fails("step=all", "model=scripted", f"{setting}={empty}")
    assert line.startswith(f"factprobe: error: {setting}: is empty; ")
    assert set(factprobe.folder.rglob("*")) == before


def test_an_empty_path_of_a_model_is_refused(factprobe: CommandLine) -> None:
    assert "model.path: is empty" in factprobe.fails("step=all", "model=replay", "model.path=")
    assert "labels.a: is empty" in factprobe.fails("step=agree", "labels={a: '', b: x}")


def test_each_step_names_the_one_that_it_needs(factprobe: CommandLine) -> None:
    assert factprobe("step=extract", "relations=[P36]").code == 0
    assert "run step=generate" in factprobe.fails("step=answer", "model=scripted")
    assert factprobe("step=generate").code == 0
    assert "run step=answer kg=trex model=scripted first" in factprobe.fails("step=evaluate", "model=scripted")
    assert factprobe("step=answer", "model=scripted").code == 0
    assert "run step=evaluate" in factprobe.fails("step=report", "model=scripted")


def test_the_command_to_run_first_is_that_of_this_run(factprobe: CommandLine, write: Write) -> None:
    write("my_kg.py", MY_KG)
    write("my rivers/mouth.jsonl", FACTS)
    given = ["kg=rivers", "kg.data_dir=my rivers", "output_dir=my out", "plugins=[my_kg]", "limit=3", "seed=2"]
    given += ["model=scripted", "model.rule=gold", "generator.ask=both"]
    todo = ["step=evaluate", *given]
    ran = []
    while (result := factprobe(*todo)).code:
        [line] = result.err.splitlines()
        hint = shlex.split(line.partition("; run ")[2].removesuffix(" first"))
        assert set(hint[1:]) <= {*given, 'kg.data_dir="my rivers"', 'output_dir="my out"'}
        ran.append(hint[0])
        todo = hint if factprobe(*hint).code else ["step=evaluate", *given]  # it may need another one first
    assert {*ran} == {"step=extract", "step=generate", "step=answer"}
    assert not (factprobe.folder / "outputs").exists()
    assert [path.name for path in (factprobe.folder / "my out/grades/template").iterdir()] == ["scripted"]


@pytest.mark.parametrize("step", ["generate", "report"])
def test_a_relation_that_was_not_extracted_is_told_from_one_that_is_not_there(
    factprobe: CommandLine, step: str
) -> None:
    assert factprobe("step=all", "model=scripted", "relations=[P36]", "limit=1").code == 0
    line = factprobe.fails(f"step={step}", "relations=[P36,P37]")
    assert (
        "relations: the relation P37 is not extracted; run step=extract kg=trex 'relations=[P36,P37]' limit=1" in line
    )
    assert "unknown relation of trex 'P3x'" in factprobe.fails(f"step={step}", "relations=[P3x]")
    assert "run step=extract with compose=[P36/^P36]" in factprobe.fails(f"step={step}", "relations=[P36/^P36]")


@pytest.mark.parametrize("step", ["compare", "generate", "answer", "evaluate"])
def test_a_folder_of_several_graphs_is_told_with_them(factprobe: CommandLine, step: str) -> None:
    for kg in ("trex", "umls"):
        assert factprobe("step=extract", f"kg={kg}", "limit=1").code == 0
    line = factprobe.fails(f"step={step}", "output_dir=outputs", "model=scripted")
    assert "outputs: holds the folders of graphs, and is none itself; " in line
    assert "name one of them with output_dir=: outputs/trex, outputs/umls" in line


def test_wrong_choice_of_a_generator_setting(factprobe: CommandLine) -> None:
    factprobe("step=extract", "relations=[P36]")
    assert "generator.ask" in factprobe.fails("step=generate", "generator.ask=objects")
    assert "generator.options" in factprobe.fails("step=generate", "generator.options=1")


def test_a_missing_key_is_known_before_the_first_step(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)
    line = factprobe.fails("step=all", "model=openai", "model.model=m", "model.api_key_env=SOME_KEY")
    assert "SOME_KEY is not set" in line
    assert not (tmp_path / "outputs").exists()


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (["shard=8/8"], "'8/8' is not a shard"),
        (["model=openai", "model.model=m", "model.base_url=http://127.0.0.1:9/v1", "max_cost_usd=1"], "the price of m"),
        (["generator.options=1"], "generator.options: 1 is not"),
        (
            ["model@judge=openai", "judge.model=m", "judge.base_url=http://127.0.0.1:9/v1", "max_cost_usd=1"],
            "judge.price=",
        ),
        (["model@judge=scripted", "judge_rules=[unparsd]"], "did you mean 'unparsed'?"),
    ],
)
def test_a_wrong_setting_is_known_before_the_first_step(
    factprobe: CommandLine, settings: list[str], line: str, tmp_path: Path
) -> None:
    assert line in factprobe.fails("step=all", "model=scripted", *settings)
    assert not (tmp_path / "outputs").exists()


def test_a_dry_run_needs_no_key(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    run = ["kg=umls", "limit=1", "model=openai", "model.model=gpt-4o-mini"]
    result = factprobe("step=all", *run, "dry_run=true")
    assert result.code == 0, result.err
    assert "calls to gpt-4o-mini are left to make" in result.out
    assert "OPENAI_API_KEY is not set" in factprobe.fails("step=answer", *run)
    assert "run step=extract" in factprobe.fails("step=evaluate", *run)  # a dry run writes nothing


def test_debug_shows_the_traceback(factprobe: CommandLine) -> None:
    code, _, err = factprobe("step=extract", "kg.data_dir=/no/such/folder", "debug=true")
    assert code == 2
    assert "Traceback" in err
    assert "no such data folder" in err


@pytest.mark.parametrize(
    ("relations", "part"),
    [
        ('{"relation": "P36"}\n', "relations.jsonl:1: relation 'P36' has no template"),
        ('{"relation": "P36", "template": "[X] has a capital."}\n', "with 0 [Y]"),
        ('{"relation": "P36", "template": "[X] and [X] and [Y]."}\n', "with 2 [X]"),
    ],
)
def test_a_relation_that_cannot_be_put_in_words(
    factprobe: CommandLine, write: Write, relations: str, part: str
) -> None:
    write("data/relations.jsonl", relations)
    write("data/P36.jsonl", FACTS)
    result = factprobe("step=extract", "kg.data_dir=data")
    assert result.code == 2
    assert part in result.err


def test_a_broken_line_is_skipped_counted_and_named(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    write("data/relations.jsonl", RELATION)
    write("data/P36.jsonl", FACTS + '{"sub_uri": "Q9", "sub_label": \n' + '{"sub_label": "no uri", "obj_label": "x"}')
    code, out, _ = factprobe("step=extract", "kg.data_dir=data")
    assert code == 0
    assert "6 triplets, 2 broken lines skipped" in out
    counts = json.loads((tmp_path / "outputs/trex/manifest.json").read_text())["extract"]["counts"]
    assert counts["broken_lines"] == 2
    assert [message.split(":")[1] for message in counts["broken_lines_named"]] == ["7", "8"]


def test_strict_stops_at_a_broken_line(factprobe: CommandLine, write: Write) -> None:
    write("data/relations.jsonl", RELATION)
    write("data/P36.jsonl", FACTS + "{\n")
    line = factprobe.fails("step=extract", "kg.data_dir=data", "strict=true")
    assert "data/P36.jsonl:7" in line
    assert "strict=true" in line


def test_utf16_is_a_clear_error(factprobe: CommandLine, write: Write) -> None:
    write("data/relations.jsonl", RELATION)
    write("data/P36.jsonl", FACTS.encode("utf-16"))
    line = factprobe.fails("step=extract", "kg.data_dir=data")
    assert "P36.jsonl" in line
    assert "UTF-16" in line
    assert "iconv" in line


def test_byte_order_mark_crlf_and_no_last_newline_change_nothing(
    factprobe: CommandLine, write: Write, tmp_path: Path
) -> None:
    write("plain/relations.jsonl", RELATION)
    write("plain/P36.jsonl", FACTS)
    write("odd/relations.jsonl", b"\xef\xbb\xbf" + RELATION.replace("\n", "\r\n").encode())
    write("odd/P36.jsonl", b"\xef\xbb\xbf" + FACTS.replace("\n", "\r\n").encode().rstrip())
    for name in ("plain", "odd"):
        assert factprobe("step=extract", f"kg.data_dir={name}", f"output_dir=out/{name}").code == 0
        assert factprobe("step=generate", f"output_dir=out/{name}").code == 0
    for file in ("triplets/P36.jsonl", "triplets/P36.summary.json", "questions/template/P36.jsonl"):
        assert (tmp_path / "out/plain" / file).read_bytes() == (tmp_path / "out/odd" / file).read_bytes()


def test_relations_without_data_are_skipped_and_named(factprobe: CommandLine, write: Write) -> None:
    write("data/relations.jsonl", RELATION + RELATION.replace("P36", "P19"))
    write("data/P36.jsonl", FACTS)
    code, out, _ = factprobe("step=extract", "kg.data_dir=data")
    assert code == 0
    assert "1 relation" in out


def test_relations_with_a_file_without_facts_are_named(
    factprobe: CommandLine, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    described = RELATION + RELATION.replace("P36", "P19") + RELATION.replace("P36", "P20")
    write("data/relations.jsonl", described)
    write("data/P36.jsonl", FACTS)
    write("data/P19.jsonl", "")
    write("data/P20.jsonl", "broken\n")
    assert factprobe("step=extract", "kg.data_dir=data").code == 0
    assert "no data for 2 of the relations described: P19, P20" in caplog.text


def test_a_relation_described_twice_is_named(
    factprobe: CommandLine, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    write("data/relations.jsonl", RELATION + RELATION.replace("capital of", "seat of"))
    write("data/P36.jsonl", FACTS)
    assert "1 relation, 6 triplets, 1 broken line skipped" in factprobe("step=extract", "kg.data_dir=data").out
    assert "relations.jsonl:2: relation 'P36' is described a second time" in caplog.text


def test_an_earlier_limit_is_named(factprobe: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert factprobe("step=extract", "limit=2", "relations=[P36]").code == 0
    assert "8 questions" in factprobe("step=generate", "limit=2").out
    assert not caplog.text
    assert "8 questions" in factprobe("step=generate").out
    assert "only 2 triplets of each relation were extracted" in caplog.text


def test_no_relation_with_data(factprobe: CommandLine, write: Write) -> None:
    write("data/relations.jsonl", RELATION)
    assert "no relation has data" in factprobe.fails("step=extract", "kg.data_dir=data")


@pytest.mark.parametrize(
    ("kg", "file", "content"),
    [
        ("trex", "relations.jsonl", ""),
        ("trex", "relations.jsonl", "\n{\n"),
        ("umls", "prompts/manual.jsonl", ""),
        ("bear", "metadata_relations.json", "{}"),
    ],
)
def test_a_file_that_describes_no_relation_is_named(
    factprobe: CommandLine, write: Write, kg: str, file: str, content: str
) -> None:
    write(f"data/{file}", content)
    line = factprobe.fails("step=extract", f"kg={kg}", "kg.data_dir=data")
    assert f"data/{file}: describes no relation; add one relation per line" in line


def test_files_without_facts_are_named(factprobe: CommandLine, write: Write) -> None:
    write("data/relations.jsonl", RELATION)
    write("data/P36.jsonl", "")
    line = factprobe.fails("step=extract", "kg.data_dir=data")
    assert "none of the 1 relations has a fact that can be read in data/P36.jsonl" in line


def test_a_rater_without_records_is_named(factprobe: CommandLine, write: Write) -> None:
    write("a.jsonl", "")
    write("b.json", "[]")
    assert "a.jsonl: holds no records" in factprobe.fails("step=agree", "labels={a: a.jsonl, b: b.json}")


def test_a_relation_named_like_a_path_stays_in_its_folder(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    name = "../../etc/passwd"
    write("data/relations.jsonl", RELATION.replace("P36", name))
    write("data/%2E.%2F..%2Fetc%2Fpasswd.jsonl", FACTS)
    before = set(tmp_path.rglob("*"))
    assert factprobe("step=all", "kg.data_dir=data", "model=scripted", "output_dir=out/here").code == 0
    new = set(tmp_path.rglob("*")) - before
    assert all(path.is_relative_to(tmp_path / "out") for path in new)
    triplet = json.loads((tmp_path / "out/here/triplets/%2E.%2F..%2Fetc%2Fpasswd.jsonl").read_text().splitlines()[0])
    assert triplet["relation_info"]["relation"] == name


MY_KG = """
from pathlib import Path

from factprobe.kgs import KnowledgeGraph, kgs
from factprobe.records import Relation


@kgs.register("rivers")
class Rivers(KnowledgeGraph):
    def load_relations(self):
        return [Relation("mouth", "[X] flows into [Y].", "mouth of the watercourse")]

    def get_input_relation_file(self, relation):
        return self.data_dir / f"{relation.relation}.jsonl"

    def get_relation_name(self, relation):
        return relation.relation

    def get_relation_type(self, relation):
        return "N-1"
"""


def test_a_graph_of_ones_own(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    write("my_kg.py", MY_KG)
    write("rivers/mouth.jsonl", FACTS)
    settings = ["kg=rivers", "kg.data_dir=rivers", "plugins=[my_kg]", "model=scripted"]
    code, out, err = factprobe("step=all", *settings)
    assert code == 0, err
    assert "outputs/rivers/report.html" in out
    info = json.loads((tmp_path / "outputs/rivers/triplets/mouth.summary.json").read_text())["relation_info"]
    assert (info["type"], info["label"]) == ("N-1", "mouth of the watercourse")


@pytest.mark.parametrize(("alias", "step"), [("question_generate", "generate"), ("answer_sampling", "answer")])
def test_step_aliases(factprobe: CommandLine, alias: str, step: str) -> None:
    for earlier in ("extract", "generate"):
        factprobe(f"step={earlier}", "limit=2", "relations=[P36]", "model=scripted")
    assert factprobe(f"step={alias}", "limit=2", "relations=[P36]", "model=scripted").out.startswith(f"{step}: ")


def test_run_py_is_the_same_command() -> None:
    command = [sys.executable, "run.py", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "step=extract" in done.stdout


def test_output_that_is_cut_off_is_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m factprobe step=all model=scripted limit=1 | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("scripted on trex: ")
    assert done.stderr == ""


def test_a_terminal_without_an_arrow_gets_a_question_mark(tmp_path: Path) -> None:
    with process("step=extract", "kg=umls", folder=tmp_path, PYTHONIOENCODING="ascii") as run:
        out, err = run.communicate(timeout=60)
    assert run.returncode == 0, err
    assert "triplets ? outputs/umls/triplets" in out


MY_MODEL = """
from factprobe.models import Model, ModelSettings, Reply, models


class EchoSettings(ModelSettings, frozen=True, kw_only=True):
    word: str
    '''What it says.'''
    times: int = 1
    '''How often.'''


@models.register("echo")
class Echo(Model):
    '''Says a word again and again.

    It knows no other.
    '''

    settings_type = EchoSettings

    async def reply(self, request):
        return Reply(self.settings.word * self.settings.times)
"""


def test_a_model_of_ones_own_has_its_settings(factprobe: CommandLine, write: Write, tmp_path: Path) -> None:
    write("my_model.py", MY_MODEL)
    settings = ["step=all", "model=echo", "plugins=[my_model]", "relations=[P36]", "limit=1"]
    assert "model.word" in factprobe.fails(*settings)
    result = factprobe(*settings, "model.word=ha", "model.times=2")
    assert result.code == 0, result.err
    lines = (tmp_path / "outputs/trex/responses/template/echo/P36.jsonl").read_text().splitlines()
    assert {json.loads(line)["response"] for line in lines} == {"haha"}
    assert "model.times" in factprobe.fails(*settings, "model.word=ha", "model.times=often")


def test_a_sweep_runs_every_choice(factprobe: CommandLine, tmp_path: Path) -> None:
    result = factprobe("-m", "step=all", "model=scripted", "kg=trex,umls", "limit=1")
    assert result.code == 0, result.err
    assert (tmp_path / "outputs/trex/report.html").exists()
    assert (tmp_path / "outputs/umls/report.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["outputs"]


@pytest.mark.parametrize("flag", ["--experimental-rerun", "--experimental-rerun=x.pickle", "--exp=x.pickle"])
def test_no_pickle_is_loaded(factprobe: CommandLine, flag: str) -> None:
    (factprobe.folder / "x.pickle").write_bytes(b"cos\n_exit\n(I7\ntR.")  # os._exit(7)
    line = factprobe.fails("step=extract", flag, *([] if "=" in flag else ["x.pickle"]))
    assert "loads a pickle, which may run anything" in line


def test_ctrl_c_within_a_library_that_raises_an_error_of_its_own(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise AttributeError("'NoneType' object has no attribute '_invalidate_flags_cache'")

    monkeypatch.setattr("omegaconf.base.Container._invalidate_flags_cache", broken)
    before = signal.getsignal(signal.SIGINT)
    try:
        result = factprobe("step=extract", "limit=1")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (result.code, result.err) == (130, f"{STOPPED}\n")


def test_the_version_is_factprobes_own(factprobe: CommandLine) -> None:
    assert re.fullmatch(r"factprobe \d+\.\d+\.\d+\S*\n", factprobe("--version").out)
