"""Paraphrases: templates of the user's, all of them at once, those that a model proposes, and what the report says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import factprobe as package
from factprobe.errors import ConfigError
from factprobe.templating import read_templates
from tests.command_line import CommandLine
from tests.exams import run_once
from tests.models.server import completion, endpoint, fault

BEAR = ["kg=bear", "relations=[P36,P50]", "limit=2", "model=scripted"]
TREX = ["kg=trex", "relations=[P36,P37]", "limit=2", "model=scripted"]
Write = Callable[[str, str | bytes], Path]


def texts(root: Path, generator: str, relation: str) -> set[str]:
    lines = (root / f"questions/{generator}/{relation}.jsonl").read_text().splitlines()
    return {json.loads(line)["statement"]["text"] for line in lines}


def ids_of(path: Path) -> list[str]:
    return [json.loads(line)["question_id"] for line in path.read_text().splitlines()]


def test_every_wording_is_asked_in_one_command(factprobe: CommandLine) -> None:
    code, out, err = factprobe("step=all", *BEAR, "generator.template=all")
    assert code == 0, err
    root = factprobe.folder / "outputs/bear"
    assert sorted(path.name for path in (root / "grades").iterdir()) == ["template", "template-1", "template-2"]
    rows = json.loads((root / "paraphrases.json").read_text())
    [row] = [row for row in rows if row["question_type"] == "all"]
    assert row["wordings"] == "template, template-1, template-2"
    assert row["questions"] == 16
    assert row["same"]["estimate"] == 1.0  # the scripted model goes by the question's id
    assert "16 questions in several wordings (template, template-1, template-2): " in out
    for name in ("report.html", "report.md"):
        assert "Questions in several wordings" in (root / name).read_text()
    ids = [ids_of(path) for path in root.glob("questions/*/P36.jsonl")]
    assert ids[0] == ids[1] == ids[2]


def test_the_users_templates_come_behind_the_graphs_own(factprobe: CommandLine, write: Write) -> None:
    """A relation without a further one is asked in its own again, which is no other wording."""
    write("mine.yaml", 'P36: ["[Y] governs [X]."]\n')
    code, _, err = factprobe("step=all", *TREX, "generator.templates_file=mine.yaml", "generator.template=all")
    assert code == 0, err
    root = factprobe.folder / "outputs/trex"
    assert texts(root, "template-1", "P36") >= {"Paris governs France."}
    assert texts(root, "template-1", "P37") == texts(root, "template", "P37")
    [row, *_] = json.loads((root / "paraphrases.json").read_text())
    of_p36 = (root / "questions/template/P36.jsonl").read_text().count("\n")
    assert row["questions"] == of_p36
    manifest = json.loads((root / "manifest.json").read_text())
    assert [Path(path).name for path in manifest["generate"]["inputs"]][-1] == "mine.yaml"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("P36: [[1]]", "mine.yaml: is broken: "),
        ("P36: [", "mine.yaml: is broken: "),
        ("- P36", "mine.yaml: is broken: "),
        ('P36: ["[X] has none"]', "mine.yaml: relation 'P36' has the template '[X] has none' with 0 [Y]"),
        (b"P36: \xff", "mine.yaml: is broken: "),
        (None, "mine.yaml: cannot be read: No such file"),
    ],
)
def test_a_file_of_templates_that_cannot_be_used_is_named(
    factprobe: CommandLine, write: Write, content: str | bytes | None, line: str
) -> None:
    if content is not None:
        write("mine.yaml", content)
    assert factprobe("step=extract", *TREX).code == 0
    chosen = ["generator.templates_file=mine.yaml", "generator.template=1"]
    assert line in factprobe.fails("step=generate", *TREX, *chosen)


def test_json_and_a_single_template_are_read_too(factprobe: CommandLine, write: Write) -> None:
    write("mine.json", '{"P36": "[Y] governs [X]."}')
    chosen = ["generator.templates_file=mine.json", "generator.template=1", "generator.name=mine"]
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *TREX, *chosen).code == 0
    assert "Paris governs France." in texts(factprobe.folder / "outputs/trex", "mine", "P36")


def test_templates_of_a_relation_that_is_not_there_are_told(
    factprobe: CommandLine, write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    write("mine.yaml", 'P63: ["[Y] governs [X]."]\n')
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *TREX, "generator.templates_file=mine.yaml").code == 0
    assert "mine.yaml has templates of relations that are not extracted: P63" in caplog.text


def test_from_python_one_wording_is_made_at_a_time(write: Write) -> None:
    kg = package.load_kg("bear")
    wordings = [package.make_questions(kg, ["P36"], limit=1, template=number) for number in range(2)]
    assert [question.question_id for question in wordings[0]] == [question.question_id for question in wordings[1]]
    assert wordings[0] != wordings[1]
    with pytest.raises(ConfigError, match=r"generator\.template"):
        package.make_questions(kg, ["P36"], limit=1, template="all")


def test_a_composition_counts_among_the_relations_with_several(factprobe: CommandLine, write: Write) -> None:
    write("mine.yaml", 'P17/P36: ["[Y] governs the land of [X]."]\n')
    chosen = ["kg=trex", "relations=[P17,P36]", "compose=[P17/P36]", "limit=2", "generator.templates_file=mine.yaml"]
    assert factprobe("step=extract", *chosen).code == 0
    code, _, err = factprobe("step=generate", *chosen, "generator.template=all")
    assert code == 0, err
    folder = factprobe.folder / "outputs/trex/questions"
    assert sorted(path.name for path in folder.iterdir()) == ["template", "template-1"]


def test_a_model_proposes_templates_for_review(factprobe: CommandLine) -> None:
    said = "1. [Y] rules [X].\n- [X]: the capital is [Y]\n[Y] is the capital of [X].\nWhat is [X]'s [Y]?\n[X] alone.\n"

    def answer(_: dict[str, Any]) -> Any:
        return 200, completion(said)

    run_once(factprobe, "step=extract", *TREX)
    with endpoint(answer) as server:
        chosen = ["kg=trex", "relations=[P36]", "model=openai", "model.model=m", f"model.base_url={server.base_url}"]
        assert "1 calls to m are left to make" in factprobe("step=paraphrase", *chosen, "dry_run=true").out
        code, out, err = factprobe("step=paraphrase", *chosen)
        assert code == 0, err
        assert "2 templates of 1 relation to review → outputs/trex/templates.yaml" in out
        assert "is there already" in factprobe.fails("step=paraphrase", *chosen)
        assert len(server.requests) == 1
    path = factprobe.folder / "outputs/trex/templates.yaml"
    assert '"P36":\n  - "[Y] rules [X]."\n  - "[X]: the capital is [Y]."\n' in path.read_text()
    counts = json.loads((path.parent / "manifest.json").read_text())["paraphrase"]["counts"]
    assert counts["templates"] == 2
    assert counts["rejected"] == {
        "it is not new": 1,
        "it is not a statement": 1,
        "it does not contain [X] and [Y] once each": 1,
    }
    again = ["generator.templates_file=outputs/trex/templates.yaml", "generator.template=all"]
    assert factprobe("step=generate", *TREX, *again).code == 0
    assert "Paris rules France." in texts(path.parent, "template-1", "P36")
    assert (path.parent / "questions/template-2/P36.jsonl").exists()


def test_repeated_it_fills_in_what_the_file_has_not(factprobe: CommandLine) -> None:
    """Where a call failed, a reply was cut off or nothing of it could be taken, and nothing of the user's is lost."""
    root = factprobe.folder / "outputs/trex"
    path = root / "templates.yaml"
    now: dict[str, Any] = {}

    def answer(body: dict[str, Any]) -> Any:
        key = "P36" if "capital" in json.dumps(body) else "P37"
        said = now.get(key)
        if said is None:
            return 400, fault("no")
        return 200, completion(*((said,) if isinstance(said, str) else said))

    run_once(factprobe, "step=extract", *TREX)
    with endpoint(answer) as server:
        chosen = [*TREX[:2], "model=openai", "model.model=m", f"model.base_url={server.base_url}", "cache=off"]
        now.update({"P36": "What?", "P37": ("In [X] they speak [Y].", "length")})
        code, out, err = factprobe("step=paraphrase", *chosen)
        assert (code, path.exists()) == (0, False), err
        assert out == "paraphrase: none of 2 relations\n"
        assert json.loads((root / "manifest.json").read_text())["paraphrase"]["counts"]["rejected"] == {
            "it does not contain [X] and [Y] once each": 1,
            "the reply was cut off": 1,
        }
        now = {"P36": "[Y] rules [X]."}
        chosen.append("model.max_tokens=99")
        assert factprobe("step=paraphrase", *chosen).code == 0
        assert read_templates(str(path)) == {"P36": ("[Y] rules [X].",)}
        path.write_text(path.read_text().replace("rules", "reigns over").rstrip())
        now = {"P37": "[X] speaks [Y]."}
        calls = len(server.requests)
        assert factprobe("step=paraphrase", *chosen).code == 0
        assert read_templates(str(path)) == {"P36": ("[Y] reigns over [X].",), "P37": ("[X] speaks [Y].",)}
        assert len(server.requests) == calls + 1
        assert "is there already; take a relation out" in factprobe.fails("step=paraphrase", *chosen)
