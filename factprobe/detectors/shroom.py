"""Classifier of SHROOM-INDElab (Allen, Polat and Groth 2024, SemEval task 6), by many samples of a model's label."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log as ln
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Meta, Struct

from factprobe.components.base import PartSettings, RepeatedTask, ask_in_rounds
from factprobe.components.prompts import Wording
from factprobe.config import Filled, NotEmpty, path_of
from factprobe.detectors.base import ClassifiedItem, Detector
from factprobe.detectors.few_shot import FewShotExample, FewShotPrompt
from factprobe.endings import ending_of
from factprobe.errors import ConfigError, UnknownNameError, format_list
from factprobe.inputs.shroom import read_items
from factprobe.models.base import check_samples_differ
from factprobe.models.embedders import Embedder
from factprobe.reading.verdict_replies import read_label
from factprobe.records import (
    HALLUCINATION,
    HALLUCINATION_LABELS,
    NOT_HALLUCINATION,
    Detection,
    DetectorItem,
    HallucinationLabel,
    PlainRequest,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

log = logging.getLogger(__name__)
Count = Annotated[int, Meta(ge=1)]
Selection = Literal["printed", "diverse"]

_LABEL_GRAMMAR = "root ::= " + " | ".join(f'"{label}"' for label in HALLUCINATION_LABELS)


class LabelSample(NamedTuple):
    """One sampled label of a model for an item, or the reason why there is none."""

    label: HallucinationLabel | None
    fault: str = ""
    failed: bool = False
    """True if a call failed."""


def sample_label(
    name: str, number: int, prompt: FewShotPrompt, values: Mapping[str, str], tries: int, grammar: str
) -> RepeatedTask[LabelSample]:
    """Ask for sample `number` of an item's label up to `tries` times, while a reply has no valid label."""
    fault = ""
    for attempt in range(tries):
        prompts = prompt.ask(values, fault, attempt)
        response = yield PlainRequest(f"{name}:{number}", prompts, sample=number, grammar=grammar)
        if response is None:
            break
        if response.failed or response.response is None:
            return LabelSample(None, f"there is no reply: {response.fault}", failed=True)
        reply = response.response
        if ending_of(response.finish_reason) == "cut":
            reply = reply[: reply.rfind("\n") + 1]  # the last line is incomplete
        label, fault = read_label(reply, HALLUCINATION_LABELS, values.values())
        if label:
            return LabelSample(label)
    return LabelSample(None, fault)


def vote(samples: Sequence[LabelSample]) -> Detection:
    """Return the detection from the samples of one item; a sample without a valid label counts as Not Hallucination.

    If a call failed, the item has neither label nor probability, and the next run asks again.
    """
    votes, count = sum(sample.label == HALLUCINATION for sample in samples), len(samples)
    if failed := [sample.fault for sample in samples if sample.failed]:
        reason = f"{len(failed):,} of {count:,} samples failed: {failed[0]}"
        return Detection(None, None, votes, count, reasons=(reason,))
    unparsed = [sample.fault for sample in samples if sample.label is None]
    label, reasons = HALLUCINATION if 2 * votes > count else NOT_HALLUCINATION, tuple(dict.fromkeys(unparsed))
    return Detection(label, votes / count, votes, count, len(unparsed), 2 * votes == count, reasons)


def negative_entropy(probability: float) -> float:
    """Return `p log p + (1 - p) log(1 - p)` in nats: 0 for a probability of 0 or 1, -0.69 for a half."""
    return sum(p * ln(p) for p in (probability, 1 - probability) if p > 0)


def select(
    probabilities: Sequence[float],
    vectors: ArrayLike,
    count: int,
    weight: float = 0.2,
    selection: Selection = "printed",
) -> list[int]:
    """Return the indices of the `count` items of one label to show as examples, in the order of their selection.

    The first one has the highest negative entropy F0. Each further one has the highest F0 - weight * max(1 - similarity
    to each selected item). This formula, as printed in the paper, favours items that are similar to the selected ones.
    `diverse` uses max(similarity) instead, as Universal Self-Adaptive Prompting does (Wan et al. 2023, EMNLP), and
    favours dissimilar items. Ties go to the first item. `vectors` has shape (items, dimensions) and rows of length 1;
    `weight` is the paper's lambda.
    """
    import numpy as np

    certainty = np.array([negative_entropy(p) for p in probabilities])
    rows = np.asarray(vectors, float)
    chosen: list[int] = []
    while len(chosen) < min(count, len(certainty)):
        score = certainty.copy()
        if chosen:
            similarities = rows @ rows[chosen].T
            score -= weight * (similarities if selection == "diverse" else 1 - similarities).max(axis=1)
        score[chosen] = -np.inf
        chosen.append(int(score.argmax()))
    return chosen


class TaskWording(Struct, frozen=True, forbid_unknown_fields=True):
    """Texts that describe a task in the prompt."""

    task: str
    """Instruction to the system that wrote the text."""
    role: str
    """Role that the model plays."""
    concept: str
    """Definition of a hallucination in this task."""


class ShroomSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the classifier."""

    model: dict[str, Any]
    """Model to ask: `detector.model=openai` names a model, `detector.model.temperature=1.0` changes its
    settings."""
    wording: Wording
    """Prompt; its default is a file of `conf/prompts/`."""
    tasks: dict[str, TaskWording]
    """Description of each task; its default is a file of `conf/prompts/`."""
    samples: Count = 20
    """Number of samples for each text."""
    tries: Count = 2
    """Maximum number of attempts to get a valid label in a sample."""
    held: bool = True
    """Restrict llama.cpp models, and causal models of transformers, to the labels; other models write freely."""
    task: bool = True
    """Describe the task of the system in the prompt."""
    role: bool = True
    """Describe the role of the model in the prompt."""
    concept: bool = True
    """Define hallucination in the prompt."""
    unlabelled: Filled | None = None
    """A file of texts from which examples are selected, after the model has classified them; by default none."""
    unlabelled_per_task: Count = 64
    """Number of texts of `unlabelled` to classify for each task; texts under evaluation are excluded."""
    selected: Count = 5
    """Number of examples selected for each label."""
    examples: Annotated[int, Meta(ge=0)] = 1
    """Number of selected examples that the prompt shows for each label; 0 shows none."""
    selection: Selection = "printed"
    """Formula of the selection: as printed in the paper, or favouring dissimilar examples."""
    weight: Annotated[float, Meta(ge=0)] = 0.2
    """Weight of similarity relative to certainty in the selection: the paper's lambda."""
    embedder: NotEmpty | dict[str, Any] = "minilm"
    """Embedder that measures similarity: `minilm`, a sentence-transformers model or folder, or an endpoint:
    `{backend: openai, model: text-embedding-3-small}`."""
    seed: int = 0
    """Random seed for the choice of texts to classify first."""


class ShroomDetector(Detector):
    """Detector that samples labels from a model; the share of samples with Hallucination is the probability.

    Replies without a valid label are asked for again. If the setting `unlabelled` names a file, its texts are
    classified first, and the most certain of each label become examples.
    """

    settings_type: ClassVar[type[PartSettings]] = ShroomSettings
    embedder: Callable[[], Embedder]
    """Function that builds the embedder; set by the factory of detectors."""

    def __init__(self, settings: ShroomSettings) -> None:
        super().__init__(settings)
        check_samples_differ(settings.samples, settings.model, "detector.samples", "detector.model", 1.2)
        self._zero_shot = self._make_prompt(())

    def detect(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item; the prompts have examples if `unlabelled` is set."""
        for item in items:
            self._describe_task(item)
        settings = self.settings
        examples: Mapping[str, Sequence[FewShotExample]] = {}
        if settings.unlabelled and settings.examples:
            examples = self._examples_by_task(items)
        prompts = {task: self._make_prompt(task_examples) for task, task_examples in examples.items()}
        return iter(self._classify_items("classify", items, prompts))

    def _classify_items(
        self, what: str, items: Sequence[DetectorItem], prompts: Mapping[str, FewShotPrompt]
    ) -> list[Detection]:
        tasks, numbers = [], range(self.settings.samples)
        options = self.settings.tries, _LABEL_GRAMMAR if self.settings.held else ""
        for item in items:
            prompt, values = prompts.get(item.task, self._zero_shot), self._describe_task(item) | _prompt_values(item)
            tasks += [sample_label(item.id, number, prompt, values, *options) for number in numbers]
        samples = iter(ask_in_rounds(self.ask, what, tasks))
        return [vote([next(samples) for _ in numbers]) for _ in items]

    def _examples_by_task(self, items: Sequence[DetectorItem]) -> dict[str, list[FewShotExample]]:
        """Return the few-shot examples of each task, up to `examples` for each label."""
        pool = self._sample_unlabelled(items)
        detections = self._classify_items("unlabelled", pool, {})
        by_label: dict[tuple[str, str], list[int]] = defaultdict(list)
        for at, (item, detection) in enumerate(zip(pool, detections, strict=True)):
            # unparsed samples would overstate the certainty
            if detection.label and detection.probability is not None and not detection.unparsed:
                by_label[item.task, detection.label].append(at)
        texts = ["\n".join(_prompt_values(item).values()) for item in pool]
        vectors: Any = self.embedder().embed(texts) if by_label else ()
        options = self.settings.selected, self.settings.weight, self.settings.selection
        examples: dict[str, list[FewShotExample]] = {}
        ranks: dict[int, int] = {}
        for task in dict.fromkeys(item.task for item in items):
            for label in HALLUCINATION_LABELS:
                places = by_label[task, label]
                probabilities = [detections[at].probability or 0.0 for at in places]
                indices = select(probabilities, vectors[places], *options) if places else []
                chosen = [places[at] for at in indices]  # the most certain first
                ranks |= {at: number for number, at in enumerate(chosen, 1)}
                prompt_examples = chosen[: self.settings.examples]
                if len(prompt_examples) < self.settings.examples:
                    log.warning("detector: of task %s %s examples are %s", task or "none", len(prompt_examples), label)
                examples.setdefault(task, []).extend(
                    FewShotExample(_prompt_values(pool[at]), label) for at in prompt_examples
                )
        pairs = enumerate(zip(pool, detections, strict=True))
        self.classified = [ClassifiedItem(item, detection, ranks.get(at, 0)) for at, (item, detection) in pairs]
        return examples

    def _sample_unlabelled(self, items: Sequence[DetectorItem]) -> list[DetectorItem]:
        """Return a sample of unlabelled texts for each task of the items, excluding the texts under evaluation."""
        texts = [text.item for text in read_items(path_of(self.settings.unlabelled))]
        evaluated = {_content_key(item) for item in items}
        sample: list[DetectorItem] = []
        for task in dict.fromkeys(item.task for item in items):
            pool = [item for item in texts if item.task == task and _content_key(item) not in evaluated]
            sample += Random(self.settings.seed).sample(pool, min(len(pool), self.settings.unlabelled_per_task))
        return sample

    def _make_prompt(self, examples: Sequence[FewShotExample]) -> FewShotPrompt:
        needs, knows = ("source", "target", "output"), ("task", "role", "concept")
        return FewShotPrompt(self.settings.wording, needs, knows, examples)

    def _describe_task(self, item: DetectorItem) -> dict[str, str]:
        """Return the paragraphs on an item's task by placeholder; empty where the settings omit a paragraph."""
        settings = self.settings
        paragraphs = [name for name in TaskWording.__struct_fields__ if getattr(settings, name)]
        if paragraphs and not item.task:
            off = " ".join(f"detector.{name}=false" for name in paragraphs)
            hint = f'give its record a "task" ({format_list(settings.tasks)}), or set {off}'
            raise ConfigError("has no task, and the model is told of one", where=f"item {item.id}", hint=hint)
        if paragraphs and item.task not in settings.tasks:
            hint = (
                f"it knows {format_list(settings.tasks)}; another has detector.tasks.NAME with task, role and concept"
            )
            raise UnknownNameError("task", item.task, settings.tasks, where=f"item {item.id}", hint=hint)
        return {
            name: f"{getattr(settings.tasks[item.task], name)}\n" if name in paragraphs else ""
            for name in TaskWording.__struct_fields__
        }


def _prompt_values(item: DetectorItem) -> dict[str, str]:
    return {"source": "\n\n".join((item.input, *item.context)), "target": item.target, "output": item.output}


def _content_key(item: DetectorItem) -> tuple[object, ...]:
    """Return a key that is equal for items of the same task and texts, even with different ids."""
    return item.task, *_prompt_values(item).values()
