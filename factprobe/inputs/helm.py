"""Replies in HELM's logs of requests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from factprobe.inputs.base import Input, Record
from factprobe.storage import read_json

_CORRECT_TAG = "correct"
"""Tag of references that are right answers."""
_SCORED_PROBLEM = "scores one option by its likelihood, which is not a reply; run it with method=multiple_choice_joint"
_PERTURBED_PROBLEM = "has a perturbed instance, which HELM scores apart; run it without data_augmentation"
_MODEL = re.compile(r"(:)model=[^,]*,|[:,]model=[^,]*")
"""Pattern of the model in the name of a run; the group is the colon before other arguments."""
_QUESTION = "\nQuestion: "
"""Text between a passage and its question (HELM's `PassageQuestionInput`)."""


class _Text(Struct, frozen=True, gc=False):
    text: str = ""


class _Reference(Struct, frozen=True, gc=False):
    output: _Text
    tags: list[str] = []


class _Instance(Struct, frozen=True, gc=False):
    input: _Text
    references: list[_Reference] = []
    id: str | None = None
    perturbation: Any = None


class _Request(Struct, frozen=True, gc=False):
    prompt: str = ""


class _Completion(Struct, frozen=True, gc=False):
    text: str | None
    finish_reason: Mapping[str, Any] = {}


class _Result(Struct, frozen=True, gc=False):
    success: bool = True
    completions: list[_Completion] = []


class _State(Struct, frozen=True, gc=False):
    instance: _Instance
    request: _Request = _Request()
    result: _Result | None = None
    reference_index: int | None = None
    output_mapping: dict[str, str] = {}


class _Spec(Struct, frozen=True, gc=False):
    model: str = ""
    model_deployment: str = ""


class _Run(Struct, frozen=True, gc=False):
    """Fields of HELM's `ScenarioState` that are read."""

    adapter_spec: _Spec
    request_states: list[_State]


class Helm(Input):
    """Input format of HELM's `scenario_state.json`, for replies in free text and options chosen by letter.

    The system is the model of the run. The relation is the name of the run's folder without the model, such as
    `mmlu:subject=anatomy`. Options that HELM scores separately are skipped. Perturbed instances are skipped, as in
    HELM's main scores. A file is kept in memory while it is read.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    by_content: ClassVar[bool] = True
    keys: ClassVar[tuple[bytes, ...]] = (b'"adapter_spec"', b'"request_states"')
    sorted_by: ClassVar[str] = "scenario"

    @classmethod
    def title(cls, path: Path) -> str:
        """Return the name of the run's folder without the model."""
        return _MODEL.sub(r"\1", path.absolute().parent.name)

    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield the records, one for each sampled reply."""
        run = read_json(self.path, _Run, "check that it is the scenario_state.json of a run")
        spec = run.adapter_spec
        run_columns = {"system": spec.model or spec.model_deployment, "relation": self.title(self.path)}
        for number, state in enumerate(run.request_states, 1):
            where = f"{self.path}, request {number}"
            if state.reference_index is not None:
                self.problems.add(_SCORED_PROBLEM, where)
            elif state.instance.perturbation is not None:
                self.problems.add(_PERTURBED_PROBLEM, where)
            else:
                yield from ((where, {**run_columns, **record}) for record in _records_of(state))


def _records_of(state: _State) -> Iterator[Record]:
    """Yield a record for each reply to one request, with the default column names."""
    instance, options = state.instance, list(state.output_mapping.values())
    columns = {
        "id": instance.id,
        "question": instance.input.text.rpartition(_QUESTION)[2],
        "prompt": state.request.prompt,
        "answers": [reference.output.text for reference in instance.references if _CORRECT_TAG in reference.tags],
        "given_by": "text",
        "choices": options,
    }
    replies = state.result.completions if state.result is not None and state.result.success else []
    for reply in replies or [_Completion(None)]:
        yield {**columns, "response": reply.text, "finish_reason": reply.finish_reason.get("reason")}
