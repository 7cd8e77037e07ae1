"""The step `annotate`: rounds of human labels for perturbed spans, with a detector trained between the rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from factprobe.detectors.hades.trained import Labelled, TrainedDetector
from factprobe.errors import ConfigError, DataError
from factprobe.factories import NO_DEPENDENCIES
from factprobe.inputs.base import record_id
from factprobe.inputs.hades import LABEL
from factprobe.inputs.shroom import DetectorText, items_from_records, read_human_labels, read_items
from factprobe.inputs.texts import input_path
from factprobe.perturbing.annotation import ANNOTATORS, State, next_batch, partition_by_state
from factprobe.records import DetectorItem
from factprobe.steps.base import Run, StepResult
from factprobe.steps.claim_steps import output_beside_input, text_step
from factprobe.steps.components import Components
from factprobe.storage import Lines, Problems, read_json, short_hash, write_json, write_lines
from factprobe.text import format_count

_SETTINGS = ("input", "output", "annotate", "detector", "seed")
_target = output_beside_input("queue", ".json")


def annotate(run: Run) -> StepResult:
    """Read labels from the queue, train a detector on labels with agreement, and refill the queue."""
    config, settings = run.config, run.config.annotate
    source, queue = input_path(config.inputs), _target(run)
    pool = _Pool(source)
    states: tuple[State, ...] = ("agreed", "disputed")
    files = {state: source.with_name(f"{source.stem}.{state}.jsonl") for state in states}
    records_by_state = {state: _read_records(path) for state, path in files.items()}
    ids = {record["id"] for records in records_by_state.values() for record in records}
    waiting = _read_queue(queue) if queue.exists() else []
    partition = partition_by_state((record for record in waiting if record["id"] not in ids), settings)
    queued = {pool.find(record, queue, is_queued=True) for records in partition.values() for record in records}
    labelled = {pool.find(record, path) for state, path in files.items() for record in records_by_state[state]}
    for state, path in files.items():
        records_by_state[state] += partition[state]
        if partition[state] or not path.exists():
            write_lines(path, records_by_state[state])
    unlabelled = [text for name, text in pool.texts.items() if name not in queued and name not in labelled]
    labels = Counter(record[LABEL] for record in records_by_state["agreed"])
    probabilities = _span_probabilities(run, files["agreed"], labels, unlabelled)
    room = max(settings.batch - len(partition["open"]), 0)
    rng = Random(f"{config.seed} {len(ids)}")
    new = next_batch(probabilities, labels, room, settings.easy, rng)
    records = [*partition["open"], *({**pool.texts[name].record, "id": name, ANNOTATORS: []} for name in new)]
    write_json(queue, records)
    counts = {
        "agreed": len(records_by_state["agreed"]),
        "hallucinated": labels[1],
        "disputed": len(records_by_state["disputed"]),
        "queue": len(records),
        "left": len(unlabelled) - len(new),
    }
    agreed = f"{format_count(counts['agreed'], 'span')} agreed on, {labels[1]:,} of them hallucinated"
    parts = [f"{agreed}; {counts['disputed']:,} disputed", f"{len(records):,} to label"]
    if counts["left"] and len(new) < room:
        parts.append(f"of the {counts['left']:,} left the detector is sure, annotate.easy=0 asks about them too")
    return StepResult(f"{'; '.join(parts)} → {queue}", [source], counts, [queue, *files.values()])


class _Pool:
    """Texts to annotate, by id; a text without an id has one that is made of the text.

    Raises:
        DataError: The file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.texts: dict[str, DetectorText] = {}
        self._ids_by_text: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for text in read_items(path):
            text_id = _text_id(text.item)
            counts[text_id] += 1
            name = record_id(text.record) or (f"{text_id}-{counts[text_id]}" if counts[text_id] > 1 else text_id)
            self.texts[name] = replace(text, item=replace(text.item, id=name))
            self._ids_by_text.setdefault(text_id, name)

    def find(self, record: dict[str, Any], where: Path, *, is_queued: bool = False) -> str | None:
        """Return the id in the pool of a record that was queued before; None if the pool does not have it.

        Raises:
            DataError: The pool has another text under the id of the record, or lacks one that is queued.
        """
        [text] = items_from_records([(f"{where}, record {record['id']!r}", record)], where)
        text_id, name = _text_id(text.item), text.item.id
        if name in self.texts and _text_id(self.texts[name].item) != text_id:
            hint = "give other texts other ids, or move the queue and the labelled records away to begin anew"
            raise DataError(f"record {record['id']!r} has another text in {self._path}", where=where, hint=hint)
        found = name if name in self.texts else self._ids_by_text.get(text_id)
        if found is None and is_queued:
            hint = "put it back, or remove it from the queue"
            raise DataError(f"record {record['id']!r} is not in {self._path}", where=where, hint=hint)
        return found


def _text_id(item: DetectorItem) -> str:
    """Return an id that is made of what people see of an item."""
    return f"text-{short_hash((item.input, item.output, item.span))}"


def _span_probabilities(
    run: Run, agreed: Path, labels: Mapping[int, int], unlabelled: Sequence[DetectorText]
) -> dict[str, float | None]:
    """Train a detector on the labels, and return its probabilities for the unlabelled spans by id.

    The probabilities are None if one of the two labels does not occur yet.
    """
    detector = Components.of(run.config, ("detector",), NO_DEPENDENCIES).detector
    if not isinstance(detector, TrainedDetector):
        raise ConfigError("learns nothing", where="detector", hint="set detector=hades_lr or hades_transformer")
    if not (labels[0] and labels[1] and unlabelled):
        return dict.fromkeys((text.item.id for text in unlabelled), None)
    folder = run.layout.root / "detector"
    labelled: Labelled = [(item, human.label) for item, human in read_human_labels(agreed).values()]
    detector.train(labelled, folder, run.config.seed)
    trained = detector.at(folder)
    detections = trained.detect([text.item for text in unlabelled])
    return {text.item.id: detection.probability for text, detection in zip(unlabelled, detections, strict=True)}


def _read_records(path: Path) -> list[dict[str, Any]]:
    return _records_with_ids(Lines(path, dict[str, Any], Problems(True)), path) if path.exists() else []


def _read_queue(path: Path) -> list[dict[str, Any]]:
    records = _records_with_ids(
        read_json(path, list[dict[str, Any]], "mend it: labels that people gave since are nowhere else"), path
    )
    if records and not any(ANNOTATORS in record for record in records):
        hint = "name another file with output="
        raise DataError(f"is no queue of step=annotate: no record has {ANNOTATORS}", where=path, hint=hint)
    return records


def _records_with_ids(records: Iterable[dict[str, Any]], path: Path) -> list[dict[str, Any]]:
    """Return the records of a file after a check that each has an id of its own."""
    by_id: dict[str, dict[str, Any]] = {}
    for number, record in enumerate(records, 1):
        name = record.get("id")
        if not isinstance(name, str) or name in by_id:
            what = f"repeats the id {name!r}" if name in by_id else "has no id"
            raise DataError(f"record {number} {what}", where=path, hint="keep each record once, with the id it had")
        by_id[name] = record
    return [*by_id.values()]


STEP = text_step(
    annotate,
    ("detector/hades.json", "detector/<file>", "detector/encoder/<file>"),
    _SETTINGS,
    _target,
    elsewhere=("<input>.queue.json", "<input>.agreed.jsonl", "<input>.disputed.jsonl"),
)
