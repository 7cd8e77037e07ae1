"""What the template generator refuses: a relation, a triplet or a prompt that it cannot use is named in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from factprobe.errors import ConfigError, DataError
from factprobe.generators import GenerationReport
from factprobe.generators.base import Fact
from factprobe.question_types import QUESTION_TYPES
from tests.generators.graphs import BORN, PROMPTS, generator, graph


@pytest.mark.parametrize(
    "stray", [Fact("Nobody", "Rome"), Fact("Ada", "Nowhere"), Fact("Ada", "Kiel")], ids=["subject", "object", "pair"]
)
@pytest.mark.parametrize("ask", ["object", "subject", "both"])
def test_a_triplet_that_the_summary_does_not_have_ends_the_run(stray: Fact, ask: str) -> None:
    of = graph([("Ada", "Rome"), ("Max", "Kiel")])
    with pytest.raises(DataError, match=r"^here: .*not in the relation's summary.*extract") as caught:
        list(generator(ask=ask).questions(of.summary(), [*of.pairs(), stray], GenerationReport(), where="here"))
    assert "\n" not in str(caught.value)


def test_a_fault_of_a_plugin_is_not_told_as_the_summarys(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: object, *_: object, **__: object) -> None:
        raise KeyError("a fault of its own")

    made = generator()
    monkeypatch.setattr(made.questioner_type, "ask", wrong)
    of = graph([("Ada", "Rome"), ("Max", "Kiel")])
    with pytest.raises(KeyError, match="a fault of its own"):
        list(made.questions(of.summary(), of.pairs(), GenerationReport()))


def test_an_error_leaves_no_file_behind(write: Callable[[str, str | bytes], Path], tmp_path: Path) -> None:
    of = graph([("Ada", "Rome"), ("Max", "Kiel")])
    stray = [*of.pairs(), Fact("X", "Y")]
    triplets = write("in/P19.jsonl", b"\n".join(msgspec.json.encode(pair) for pair in stray))
    summary = write("in/P19.summary.json", msgspec.json.encode(of.summary()))
    with pytest.raises(DataError, match=r"P19\.summary\.json"):
        generator().generate_questions(triplets, summary, tmp_path / "out" / "P19.jsonl")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("template", ["", "no symbols", "[X] [X] [Y]", "[X] only", "[Y] only", "[X] [Y] [Y]"])
def test_a_relation_that_cannot_be_put_in_words_names_its_file(
    template: str, write: Callable[[str, str | bytes], Path], tmp_path: Path
) -> None:
    of = graph([("Ada", "Rome")], replace(BORN, template=template))
    triplets = write("P19.jsonl", '{"subject_uri": "Ada", "object_uri": "Rome"}')
    summary = write("P19.summary.json", msgspec.json.encode(of.summary()))
    with pytest.raises(DataError, match=r"template") as caught:
        generator().generate_questions(triplets, summary, tmp_path / "out.jsonl")
    line = str(caught.value)
    assert line.startswith(f"{summary}: ")
    assert "P19" in line.removeprefix(str(summary))
    assert "\n" not in line


def test_a_prompt_that_is_not_there_is_named() -> None:
    prompts = {name: prompt for name, prompt in PROMPTS.items() if name != "single_answer"}
    with pytest.raises(ConfigError, match=r"^generator\.prompts: .*single_answer"):
        generator(prompts=prompts)
    assert generator(prompts=prompts, question_types=["binary_answer"])


@pytest.mark.parametrize(
    ("kind", "placeholder"),
    [*((kind, "statement") for kind in QUESTION_TYPES), ("multi_choices", "choices")],
)
def test_a_prompt_without_its_placeholder_is_named(kind: str, placeholder: str) -> None:
    content = PROMPTS[kind]["messages"][0]["content"].replace(f"{{{placeholder}}}", "")
    prompts = {**PROMPTS, kind: {"messages": [{"role": "user", "content": content}]}}
    with pytest.raises(ConfigError, match=rf"^generator\.prompts\.{kind}: .*{{{placeholder}}}"):
        generator(prompts=prompts)
