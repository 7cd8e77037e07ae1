"""SHROOM-INDElab's classifier (Allen, Polat and Groth 2024, SemEval task 6): a language model asked many times, without
examples or after some that it chose itself from texts without labels."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from factprobe.config import Filled, NotEmpty, path_of
from factprobe.detectors.base import Classified, Detector
from factprobe.detectors.prompts import Example, FewShotPrompt
from factprobe.detectors.selection import Selection, select
from factprobe.detectors.voting import Sampled, vote
from factprobe.errors import ConfigError, UnknownNameError, listed
from factprobe.generators.prompts import Wording
from factprobe.inputs.shroom import read_items
from factprobe.models.base import assert_samples_differ
from factprobe.models.embedders import Embedder
from factprobe.parts.base import PartSettings
from factprobe.parts.rounds import ask_in_rounds
from factprobe.records import HALLUCINATION_LABELS, Detection, DetectorItem

log = logging.getLogger(__name__)
Count = Annotated[int, Meta(ge=1)]


class TaskWording(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model is told about a task."""

    task: str
    """What the system was to do."""
    role: str
    """Who the model is to be."""
    concept: str
    """What a hallucination is there."""


class ShroomSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the classifier."""

    model: dict[str, Any]
    """Who is asked: `detector.model=openai` names a model, `detector.model.temperature=1.0` changes its settings."""
    wording: Wording
    """How it is asked; its default is a file of `conf/prompts/`."""
    tasks: dict[str, TaskWording]
    """What it is told about each task; its default is a file of `conf/prompts/`."""
    samples: Count = 20
    """How often it is asked about each text."""
    tries: Count = 2
    """How often a sample is asked for, as long as it has no clean label."""
    held: bool = True
    """Whether a model of llama.cpp, or a causal one of transformers, can write nothing but the labels; others write
    freely."""
    task: bool = True
    """Whether it is told what the system was to do."""
    role: bool = True
    """Whether it is told who it is to be."""
    concept: bool = True
    """Whether it is told what a hallucination is."""
    unlabelled: Filled | None = None
    """A file of texts that it classifies first and takes examples from; by default there are none."""
    unlabelled_per_task: Count = 64
    """How many of them of each task, none of which is under evaluation."""
    selected: Count = 5
    """How many of each label are selected from these."""
    examples: Annotated[int, Meta(ge=0)] = 1
    """How many of those, the first, are shown; 0 shows none."""
    selection: Selection = "printed"
    """By the paper's formula, or by one that takes those unlike the ones before."""
    weight: Annotated[float, Meta(ge=0)] = 0.2
    """What likeness counts there beside certainty: the paper's lambda."""
    embedder: NotEmpty | dict[str, Any] = "minilm"
    """What tells how alike texts are: `minilm`, a sentence-transformers model or folder, or an endpoint:
    `{backend: openai, model: text-embedding-3-small}`."""
    seed: int = 0
    """For which of the texts are classified first."""


class ShroomDetector(Detector):
    """Asks a model for a label several times, and takes the share of Hallucination for its probability.

    A sample without a clean label is asked for again, and then is no vote. With `unlabelled` it first classifies those
    without examples, and then shows the surest of each label as examples.
    """

    settings_type: ClassVar[type[PartSettings]] = ShroomSettings
    embedder: Callable[[], Embedder]
    """Builds what tells how alike texts are; whoever builds the detector gives it."""

    def __init__(self, settings: ShroomSettings) -> None:
        super().__init__(settings)
        assert_samples_differ(settings.samples, settings.model, "detector.samples", "detector.model", 1.2)
        self._zero_shot = self._prompt(())

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """See the base class.

        Raises:
            DataError: the file of texts without labels cannot be read.
            ModelError: the embedder cannot be loaded.
        """
        for item in items:
            self._parts(item)
        settings = self.settings
        examples: Mapping[str, Sequence[Example]] = {}
        if settings.unlabelled and settings.examples:
            examples = self._examples(items)
        prompts = {task: self._prompt(found) for task, found in examples.items()}
        return iter(self._classified("classify", items, prompts))

    def _classified(
        self, what: str, items: Sequence[DetectorItem], prompts: Mapping[str, FewShotPrompt]
    ) -> list[Detection]:
        assert self.ask is not None, "whoever builds the detector gives it whom to ask"
        tasks = [
            [
                Sampled(item.id, number, prompt, values, held=self.settings.held)
                for number in range(self.settings.samples)
            ]
            for item in items
            for prompt in [prompts.get(item.task, self._zero_shot)]
            for values in [self._parts(item) | _values(item)]
        ]
        ask_in_rounds(self.ask, what, [sample for of_item in tasks for sample in of_item], self.settings.tries)
        return [vote(of_item) for of_item in tasks]

    def _examples(self, items: Sequence[DetectorItem]) -> dict[str, list[Example]]:
        """The examples of each task: of each label as many as are shown."""
        pool = self._unlabelled(items)
        found = self._classified("unlabelled", pool, {})
        by_label: dict[tuple[str, str], list[int]] = defaultdict(list)
        for at, (item, said) in enumerate(zip(pool, found, strict=True)):
            if said.label and said.probability is not None and not said.unparsed:  # else it may seem surer than it is
                by_label[item.task, said.label].append(at)
        vectors = self.embedder().embed(["\n".join(_values(item).values()) for item in pool]) if by_label else ()
        examples: dict[str, list[Example]] = {}
        place: dict[int, int] = {}
        for task in dict.fromkeys(item.task for item in items):
            for label in HALLUCINATION_LABELS:
                chosen = self._selected(by_label[task, label], found, vectors)
                place |= {at: number for number, at in enumerate(chosen, 1)}
                shown = chosen[: self.settings.examples]
                if len(shown) < self.settings.examples:
                    log.warning("detector: of task %s %s examples are %s", task or "none", len(shown), label)
                examples.setdefault(task, []).extend(Example(_values(pool[at]), label) for at in shown)
        self.classified = [
            Classified(item, said, place.get(at, 0)) for at, (item, said) in enumerate(zip(pool, found, strict=True))
        ]
        return examples

    def _selected(self, places: Sequence[int], found: Sequence[Detection], vectors: Any) -> list[int]:
        """The places in the pool of the examples of one label, the surest first."""
        if not places:
            return []
        settings, sure = self.settings, [found[at].probability or 0.0 for at in places]
        chosen = select(sure, vectors[places], settings.selected, settings.weight, settings.selection)
        return [places[at] for at in chosen]

    def _unlabelled(self, items: Sequence[DetectorItem]) -> list[DetectorItem]:
        """So many texts of each task of the items, none of them among these."""
        every = [text.item for text in read_items(path_of(self.settings.unlabelled))]
        evaluated = {_content(item) for item in items}
        found: list[DetectorItem] = []
        for task in dict.fromkeys(item.task for item in items):
            left = [item for item in every if item.task == task and _content(item) not in evaluated]
            found += Random(self.settings.seed).sample(left, min(len(left), self.settings.unlabelled_per_task))
        return found

    def _prompt(self, examples: Sequence[Example]) -> FewShotPrompt:
        needs, knows = ("source", "target", "output"), ("task", "role", "concept")
        return FewShotPrompt(self.settings.wording, needs, knows, "detector.wording", examples)

    def _parts(self, item: DetectorItem) -> dict[str, str]:
        """What the model is told about the task of an item, each a paragraph, or nothing where that is left out.

        Raises:
            ConfigError: the item has no task, or one that nothing is said about.
        """
        settings = self.settings
        told = [name for name in TaskWording.__struct_fields__ if getattr(settings, name)]
        if told and not item.task:
            off = " ".join(f"detector.{name}=false" for name in told)
            hint = f'give its record a "task" ({listed(settings.tasks)}), or set {off}'
            raise ConfigError("has no task, and the model is told of one", where=f"item {item.id}", hint=hint)
        if told and item.task not in settings.tasks:
            hint = f"it knows {listed(settings.tasks)}; another has detector.tasks.NAME with task, role and concept"
            raise UnknownNameError("task", item.task, settings.tasks, where=f"item {item.id}", hint=hint)
        return {
            name: f"{getattr(settings.tasks[item.task], name)}\n" if name in told else ""
            for name in TaskWording.__struct_fields__
        }


def _values(item: DetectorItem) -> dict[str, str]:
    """The texts of an item, for the placeholders."""
    return {"source": "\n\n".join((item.input, *item.context)), "target": item.target, "output": item.output}


def _content(item: DetectorItem) -> tuple[object, ...]:
    """What makes two items one, whatever their ids."""
    return item.task, *_values(item).values()
