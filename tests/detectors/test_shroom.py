"""SHROOM-INDElab's classifier: votes, what is asked again, the parts of its prompt, and its examples."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from factprobe.config import convert
from factprobe.detectors.shroom import ShroomDetector, ShroomSettings
from factprobe.errors import ConfigError, UnknownNameError
from factprobe.models import Reply
from factprobe.models.base import request_hash
from factprobe.models.embedders import Embedder
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, Detection, DetectorItem, PlainRequest
from tests.claims.asking import InMemory, Says, in_turn, shown, wording
from tests.conftest import ROOT

Write = Callable[[str, str | bytes], Path]
TASKS = msgspec.yaml.decode((ROOT / "conf/prompts/shroom_tasks.yaml").read_bytes())
ITEM = DetectorItem("a", "a hypothesis", "a source", "a target", task="DM")
YES, NO = HALLUCINATION, NOT_HALLUCINATION


def detector(says: Says, **settings: Any) -> tuple[ShroomDetector, InMemory]:
    base = {"name": "shroom", "model": {"backend": "scripted"}, "wording": wording("shroom"), "tasks": TASKS}
    made = ShroomDetector(convert({**base, "samples": 4, **settings}, ShroomSettings, "detector"))
    made.ask, made.embedder = InMemory(says), Angles
    asked = made.ask
    return made, asked


def by_sample(*said: str | Reply | None) -> Says:
    """A reply for each sample, the same to each try."""
    return lambda request: said[request.sample]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ((YES, YES, NO, YES), Detection(YES, 0.75, 3, 4)),
        ((YES, NO, NO, NO), Detection(NO, 0.25, 1, 4)),
        ((YES, NO, NO, YES), Detection(NO, 0.5, 2, 4, tie=True)),
        ((NO, NO, NO, NO), Detection(NO, 0.0, 0, 4)),
        ((YES, YES, YES, "hm"), Detection(YES, 0.75, 3, 4, 1, reasons=("the reply names no label",))),
        ((YES, YES, "", ""), Detection(NO, 0.5, 2, 4, 2, True, ("the reply is empty",))),
        (("", "", "", ""), Detection(NO, 0.0, 0, 4, 4, False, ("the reply is empty",))),
        (
            (YES, YES, YES, Reply("Halluc", "length")),
            Detection(YES, 0.75, 3, 4, 1, reasons=("the reply is empty",)),
        ),
        ((Reply(YES, "length"), YES, YES, YES), Detection(YES, 0.75, 3, 4, 1, reasons=("the reply is empty",))),
        ((Reply(f"{YES}\nFor it", "length"), YES, YES, YES), Detection(YES, 1.0, 4, 4)),
    ],
)
def test_votes_are_counted_in_whole_numbers(said: tuple[str | Reply, ...], found: Detection) -> None:
    made, _ = detector(by_sample(*said))
    assert list(made.detect([ITEM])) == [found]


@pytest.mark.parametrize("count", [1, 3, 7, 20, 49])
def test_probability_is_a_share_of_the_samples_without_rounding(count: int) -> None:
    made, _ = detector(lambda _: YES, samples=count)
    [found] = made.detect([ITEM])
    assert (found.probability, found.votes) == (1.0, count)


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("not hallucination.", NO),
        ("**Not Hallucination**", NO),
        ("Answer: Hallucination", YES),
        ("**Label:** Not Hallucination", NO),
        ("Final verdict: Hallucination.", YES),
        ("Hallucination\n\nIt adds a hallucination.", YES),
        ("Not a Hallucination", None),
        ("Hallucination or Not Hallucination", None),
        ("Hallucination? Not Hallucination?", None),
        ("Hallucinations", None),
        ("This is a hallucination.", None),
    ],
)
def test_clean_label_replies(reply: str, label: str | None) -> None:
    [found] = detector(in_turn(reply), samples=1)[0].detect([ITEM])
    assert (found.unparsed, found.votes) == ((1, 0) if label is None else (0, int(label == YES)))


def test_sample_without_a_clean_label_is_asked_for_again() -> None:
    def says(request: PlainRequest) -> str:
        return "hm" if request.sample == 2 and "could not be used" not in shown(request) else YES

    made, asked = detector(says)
    assert list(made.detect([ITEM])) == [Detection(YES, 1.0, 4, 4)]
    first, second = asked.rounds["classify"], asked.rounds["classify-1"]
    assert [request.question_id for request in first] == ["a:0", "a:1", "a:2", "a:3"]
    assert [request.sample for request in first] == [0, 1, 2, 3]
    assert len({request.prompts for request in first}) == 1
    assert [(request.question_id, request.sample) for request in second] == [("a:2", 2)]
    assert "the reply names no label" in shown(second[0])


def test_model_can_be_constrained_to_labels() -> None:
    for held in (True, False):
        made, asked = detector(in_turn(NO), held=held)
        list(made.detect([ITEM]))
        assert {request.grammar for request in asked.rounds["classify"]} == {
            f'root ::= "{YES}" | "{NO}"' if held else ""
        }
    free, bound = PlainRequest("a", ()), PlainRequest("a", (), grammar="root ::= [a-z]")
    assert request_hash(free) != request_hash(bound), "a reply that was written freely is not taken for the other"


def test_failed_call_gives_no_verdict() -> None:
    made, asked = detector(by_sample(YES, None, YES, YES))
    [found] = made.detect([ITEM])
    assert (found.label, found.probability, found.votes) == (None, None, 3)
    assert found.reasons == ("1 of 4 samples failed: there is no reply: nothing is said",)
    assert len(asked.rounds) == 1


@pytest.mark.parametrize("left_out", ["task", "role", "concept"])
def test_parts_of_the_prompt_can_be_left_out_one_by_one(left_out: str) -> None:
    for off in ({}, {left_out: False}):
        made, asked = detector(in_turn(NO), **off)
        list(made.detect([ITEM]))
        system = asked.rounds["classify"][0].prompts[0].content
        assert [TASKS["DM"][part] in system for part in ("role", "task", "concept")] == [
            part not in off for part in ("role", "task", "concept")
        ]
        assert "{" not in system


def test_unknown_task_is_named_and_needs_no_words_where_all_are_off() -> None:
    other = DetectorItem("b", "x", task="QA")
    made, asked = detector(in_turn(NO))
    with pytest.raises(UnknownNameError, match=r"item b: unknown task 'QA'; it knows DM, PG, MT, TS; another has"):
        made.detect([ITEM, other])
    assert not asked.rounds
    with pytest.raises(ConfigError, match=r"item b: has no task, .*; give its record a .task. \(DM, PG"):
        made.detect([ITEM, DetectorItem("b", "x")])
    made, _ = detector(in_turn(NO), task=False, role=False, concept=False)
    assert len(list(made.detect([other]))) == 1
    made, _ = detector(in_turn(NO), tasks={**TASKS, "QA": {"task": "t", "role": "r", "concept": "c"}})
    assert len(list(made.detect([other]))) == 1


def test_samples_at_temperature_0_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"detector\.samples: 4 samples at temperature 0 would be identical"):
        detector(in_turn(NO), model={"backend": "scripted", "temperature": 0})
    detector(in_turn(NO), model={"backend": "scripted", "temperature": 0}, samples=1)


class Angles(Embedder):
    """Embeddings by a number in the text, in degrees."""

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        degrees = np.radians([float(text.split()[0]) for text in texts])
        return np.column_stack([np.cos(degrees), np.sin(degrees)])


POOL = [("0 sure", 4), ("90 sure", 4), ("180 half", 3), ("0 not", 0), ("45 unsure", 1), ("10 odd", -1), ("20 tie", 2)]
"""Sources, and how many of four samples vote for Hallucination; -1 for one that has no clean label."""


@pytest.fixture
def pool(write: Write) -> str:
    records = [{"hyp": f"out {n}", "src": source, "tgt": "", "task": "DM"} for n, (source, _) in enumerate(POOL)]
    same = {"hyp": ITEM.output, "src": ITEM.input, "tgt": ITEM.target, "task": "DM", "id": 99}
    other = {"hyp": "x", "src": "0 other", "tgt": "", "task": "PG"}
    return str(write("pool.json", json.dumps([*records, same, other])))


def of_pool(request: PlainRequest) -> str:
    votes = next((votes for source, votes in POOL if f"\n{source}\n" in shown(request)), 4)
    return "hm" if votes < 0 else YES if request.sample < votes else NO


def examples(asked: InMemory) -> list[tuple[str, str]]:
    """The sources and labels that are shown first."""
    messages = asked.rounds["classify"][0].prompts[1:-1]
    found = zip(messages[::2], messages[1::2], strict=True)
    return [(user.content.splitlines()[2], reply.content) for user, reply in found]


def test_surest_of_each_label_become_examples(pool: str) -> None:
    made, asked = detector(of_pool, unlabelled=pool)
    list(made.detect([ITEM]))
    first = {request.question_id.partition(":")[0] for request in asked.rounds["unlabelled"]}
    assert len(first) == 7, "neither the item under evaluation nor a task that it is not of"
    assert all(len(request.prompts) == 2 for request in asked.rounds["unlabelled"])
    assert [label for _, label in examples(asked)] == [YES, NO]
    assert examples(asked)[1] == ("0 not", NO)
    assert examples(asked)[0][0] in ("0 sure", "90 sure")


def test_number_and_selection_of_examples(pool: str) -> None:
    made, asked = detector(of_pool, unlabelled=pool, examples=2, weight=10)
    list(made.detect([ITEM]))
    printed = examples(asked)
    made, asked = detector(of_pool, unlabelled=pool, examples=2, weight=10, selection="diverse")
    list(made.detect([ITEM]))
    diverse = examples(asked)
    assert {source for source, label in printed if label == YES} == {"0 sure", "90 sure"}
    assert printed[2:] == [("0 not", NO), ("20 tie", NO)]
    assert diverse[2:] == [("0 not", NO), ("45 unsure", NO)]


def test_texts_without_clean_label_are_no_examples(pool: str) -> None:
    made, asked = detector(of_pool, unlabelled=pool, examples=5)
    list(made.detect([ITEM]))
    assert "10 odd" not in dict(examples(asked))
    assert len(examples(asked)) == 3 + 3


def test_no_more_of_a_task_are_classified_than_are_wanted(pool: str) -> None:
    rounds = []
    for _ in range(2):
        made, asked = detector(of_pool, unlabelled=pool, unlabelled_per_task=3, seed=1)
        list(made.detect([ITEM]))
        rounds.append(asked.rounds["unlabelled"])
    assert len(rounds[0]) == 3 * 4
    assert rounds[0] == rounds[1]


def test_without_examples_nothing_is_classified_first(pool: str) -> None:
    made, asked = detector(of_pool, unlabelled=pool, examples=0)
    list(made.detect([ITEM]))
    assert list(asked.rounds) == ["classify"]


def test_each_text_of_the_first_stage_is_kept_with_its_probability_and_its_place(pool: str) -> None:
    made, _ = detector(of_pool, unlabelled=pool, selected=2)
    list(made.detect([ITEM]))
    kept = {one.item.input: (one.detection.probability, one.selected) for one in made.classified}
    assert {source: probability for source, (probability, _) in kept.items()} == {
        source: max(votes, 0) / 4 for source, votes in POOL
    }
    assert {source for source, (_, place) in kept.items() if place} == {"0 sure", "90 sure", "0 not", "45 unsure"}
    assert kept["0 not"][1] == 1
