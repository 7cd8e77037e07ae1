"""What every registered generator keeps to; one that has no settings here fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from factprobe.errors import ConfigError, DataError
from factprobe.factories import build_generator
from factprobe.generators import GenerationReport, Generator, GeneratorSettings, generators
from factprobe.generators.negatives import negatives
from factprobe.question_types import NONE_OF_THESE, QUESTION_TYPES
from factprobe.records import NodeSummary, ObjectNode, Question, Relation, RelationSummary, SubjectNode, Triplet

PROMPT = {"messages": [{"role": "user", "content": "{statement} {choices}"}], "none_of_these": "None of these"}
IN_CONTEXT = {"messages": [{"role": "user", "content": "{context} {question}"}]}
TEMPLATE: dict[str, Any] = {
    "method": "template",
    "prompts": {**dict.fromkeys(QUESTION_TYPES, PROMPT), "context": IN_CONTEXT},
    "ask": "both",
}
CONTEXTS = ("relevance", "irrelevance", "antifactual")
ASKED = [kind for kind in QUESTION_TYPES if kind != "binary_answer"]
ABOUT = {"messages": [{"role": "user", "content": "{question} {choices}"}]}
LLM: dict[str, Any] = {
    "prompts": TEMPLATE["prompts"],
    "model": {"backend": "scripted"},
    "phrasing": {"messages": [{"role": "user", "content": "{subject} {object} {given}"}], "again": "{fault}"},
    "ask": "both",
}
CASES: dict[str, dict[str, Any]] = {
    "template": TEMPLATE,
    **{f"template {name}": {**TEMPLATE, "negatives": name} for name in negatives.names()},
    "template none": {**TEMPLATE, "none_of_these": True},
    **{f"template {kind}": {**TEMPLATE, "context": kind} for kind in CONTEXTS},
    "likelihood": {"ask": "both"},
    **{f"likelihood {kind}": {"method": "likelihood", "ask": "both", "context": kind} for kind in CONTEXTS},
    "placebo": {"prompts": dict.fromkeys(QUESTION_TYPES, PROMPT), "ask": "both"},
    "llm_mask": LLM,
    "llm_question": {**LLM, "questions": dict.fromkeys(ASKED, ABOUT)},
    "prior": {"prompts": dict.fromkeys(QUESTION_TYPES, PROMPT), "ask": "both"},
}
"""Settings under which each generator makes questions of the graph below, without a network; more than one of some."""
NAMES = list(CASES)
FACTS = [("Ada", "French"), ("Ada", "Dutch"), ("Max", "Dutch"), ("Eva", "Latin"), ("Tom", "Greek"), ("Liv", "Danish")]
SPEAKS = Relation("P:1/4", "[X] speaks [Y].", "languages spoken", type="N-M")

Files = tuple[Path, Path]


@pytest.fixture
def files(write: Callable[[str, str | bytes], Path]) -> Files:
    """The triplets and the summary of one relation."""
    triplets = [Triplet(subject, object_, object_, subject, SPEAKS) for subject, object_ in FACTS]
    objects = {o: ObjectNode(o, o, [s for s, other in FACTS if other == o]) for o in dict.fromkeys(o for _, o in FACTS)}
    subjects = {
        s: SubjectNode(s, s, [o for other, o in FACTS if other == s]) for s in dict.fromkeys(s for s, _ in FACTS)
    }
    summary = RelationSummary(SPEAKS, NodeSummary(objects, subjects))
    return (
        write("P.jsonl", b"\n".join(msgspec.json.encode(triplet) for triplet in triplets)),
        write("P.summary.json", msgspec.json.encode(summary)),
    )


def ends(question: Question) -> tuple[str, str]:
    """The fact that a question is about, or for a made-up entity the fact whose place it takes."""
    return question.subject_uri.removeprefix("made-up/"), question.object_uri.removeprefix("made-up/")


def build(name: str, seed: int = 0, limit: int | None = None, **settings: Any) -> Generator:
    return build_generator({"name": name, **CASES[name], **settings}, seed, limit)


def run(files: Files, output: Path, generator: Generator) -> tuple[list[Question], GenerationReport]:
    report = generator.generate_questions(*files, output)
    return [msgspec.json.decode(line, type=Question) for line in output.read_bytes().splitlines()], report


def test_every_generator_has_settings_here() -> None:
    assert {*generators.names()} == {settings.get("method", name) for name, settings in CASES.items()}


@pytest.mark.parametrize("name", NAMES)
class TestGenerator:
    def test_is_a_generator_with_settings_of_its_own(self, name: str) -> None:
        cls = generators.get(CASES[name].get("method", name))
        assert issubclass(cls, Generator)
        assert issubclass(cls.settings_type, GeneratorSettings)

    def test_makes_questions_whose_ids_are_unique(self, name: str, files: Files, tmp_path: Path) -> None:
        questions, _ = run(files, tmp_path / "out.jsonl", build(name))
        assert len(questions) >= len(FACTS)
        assert max(Counter(question.question_id for question in questions).values()) == 1

    def test_its_questions_are_about_the_facts(self, name: str, files: Files, tmp_path: Path) -> None:
        for question in run(files, tmp_path / "out.jsonl", build(name))[0]:
            parts = question.question_id.split(":")
            assert parts == [
                question.subject_uri,
                question.object_uri,
                "P%3A1/4",
                question.question_type,
                question.form,
            ]
            assert question.relation == SPEAKS.relation
            assert ends(question) in FACTS
            assert question.prompts
            assert all(message.content.strip() for message in question.prompts)

    def test_its_answers_are_of_the_type(self, name: str, files: Files, tmp_path: Path) -> None:
        for question in run(files, tmp_path / "out.jsonl", build(name))[0]:
            if isinstance(question.answers, str):
                assert question.question_type == "binary_answer"
                continue
            assert question.question_type != "binary_answer"
            assert bool(question.choices) == (question.question_type == "multi_choices")
            if question.given == "made_up":
                assert question.answers == ()
                continue
            assert any(answer.uri in {*ends(question), NONE_OF_THESE} for answer in question.answers)
            assert (len(question.answers) > 1) == (question.question_type == "multiple_answer")
            if question.choices:
                assert question.choices.count(question.answers[0].label) == 1

    def test_reports_what_it_made(self, name: str, files: Files, tmp_path: Path) -> None:
        questions, report = run(files, tmp_path / "out.jsonl", build(name))
        assert Counter(question.question_type for question in questions) == Counter(report.made)
        refused = {question_id for ids in report.refused.values() for question_id in ids}
        assert refused.isdisjoint(question.question_id for question in questions)

    def test_the_same_seed_writes_the_same_bytes(self, name: str, files: Files, tmp_path: Path) -> None:
        outputs = [tmp_path / f"{i}.jsonl" for i in range(3)]
        for output, seed in zip(outputs, (5, 5, 6), strict=True):
            build(name, seed).generate_questions(*files, output)
        first, again, other = (output.read_bytes() for output in outputs)
        assert first == again
        assert first != other

    def test_one_generator_may_be_used_twice(self, name: str, files: Files, tmp_path: Path) -> None:
        generator = build(name)
        assert run(files, tmp_path / "1.jsonl", generator) == run(files, tmp_path / "2.jsonl", generator)

    def test_limit_takes_the_first_triplets(self, name: str, files: Files, tmp_path: Path) -> None:
        everything, _ = run(files, tmp_path / "all.jsonl", build(name))
        limited, _ = run(files, tmp_path / "some.jsonl", build(name, limit=3))
        first = FACTS[:3]
        assert limited == [one for one in everything if ends(one) in first]

    def test_no_triplets_make_an_empty_file(self, name: str, files: Files, tmp_path: Path) -> None:
        files[0].write_bytes(b"")
        assert run(files, tmp_path / "out.jsonl", build(name)) == ([], GenerationReport())

    @pytest.mark.parametrize("gone", [0, 1], ids=["triplets", "summary"])
    def test_a_missing_input_is_named(self, name: str, gone: int, files: Files, tmp_path: Path) -> None:
        files[gone].unlink()
        with pytest.raises(DataError) as caught:
            build(name).generate_questions(*files, tmp_path / "out.jsonl")
        assert str(files[gone]) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not (tmp_path / "out.jsonl").exists()

    def test_a_relation_without_a_template_is_named(
        self, name: str, files: Files, tmp_path: Path, write: Callable[[str, str | bytes], Path]
    ) -> None:
        summary = msgspec.json.decode(files[1].read_bytes())
        summary["relation_info"]["template"] = ""
        broken = write("broken.summary.json", msgspec.json.encode(summary))
        with pytest.raises(DataError, match="P:1/4") as caught:
            build(name).generate_questions(files[0], broken, tmp_path / "out.jsonl")
        assert str(broken) in str(caught.value)

    def test_an_unknown_setting_is_named(self, name: str) -> None:
        with pytest.raises(ConfigError, match="no_such_setting"):
            build(name, no_such_setting=1)
