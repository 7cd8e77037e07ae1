"""Texts for detectors, with human labels and predictions, in the formats of SHROOM, HaDes and Mu-SHROOM.

SHROOM's files are JSON lists (Mickus et al. 2024, SemEval task 6). All readers raise a `DataError` if the file cannot
be read or has no records, or if a record cannot be used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, json

from factprobe.errors import DataError
from factprobe.inputs.base import Record, UnusableError, is_number, read_by_id, record_id
from factprobe.inputs.hades import hades_item, hades_label, is_hades
from factprobe.inputs.mu_shroom import (
    INPUT,
    OUTPUT,
    is_mu_shroom,
    mu_shroom_detection,
    mu_shroom_item,
    mu_shroom_label,
    span_fields,
)
from factprobe.inputs.table_formats import Json
from factprobe.records import (
    HALLUCINATION,
    HALLUCINATION_LABELS,
    Detection,
    DetectorItem,
    HallucinationLabel,
    HumanLabel,
    label_of,
)
from factprobe.storage import Problems

T = TypeVar("T")

LABEL, PROBABILITY, ANNOTATORS = "label", "p(Hallucination)", "labels"
_OUTPUT, _INPUT = ("hyp", "output", "response"), ("src", "input", "question")
_TARGET, _CONTEXT, _SAMPLES = ("tgt",), ("context", "reference"), ("samples",)
"""Keys of an item's parts in order of preference, with SHROOM's first."""
_DETECTION = "detection"
"""Key under which a record has the rest of a detector's output, besides label and probability."""
_SEPARATE_FIELDS = ("label", "probability", "soft_spans")
"""Fields of a detection that are not written under `detection`, since they have keys of their own."""
_COUNTS = ("votes", "samples", "unparsed")
_LABELS: dict[str, HallucinationLabel] = {label.casefold(): label for label in HALLUCINATION_LABELS}
_POSITION = re.compile("#[1-9][0-9]{0,17}")
"""Pattern of the name of a record without an id, by its number from 1."""
_TOLERANCE = 1e-9
"""Tolerated excess of a probability over 0 or 1; the published predictions contain 1.0000000000000002."""
_STRICT = Problems(True, "fix it: a record left out would put labels beside those of other items")


class DetectorText(Struct, frozen=True, gc=False):
    """Input record with the item parsed from it."""

    record: Record
    item: DetectorItem


def read_items(path: Path) -> list[DetectorText]:
    """Read the items of a file, without human labels."""
    return items_from_records(Json(path, _STRICT).records(), path)


def items_from_records(records: Iterable[tuple[str, Record]], where: str | Path) -> list[DetectorText]:
    """Read the items of records, given as pairs of place and record."""
    return list(_read_records(records, where, lambda record, name: DetectorText(record, _item(record, name))).values())


def read_prompts(path: Path) -> list[DetectorText]:
    """Read items without outputs from a file of inputs, for which a system is to write outputs."""

    def read(record: Record, name: str) -> DetectorText:
        prompt = _text(record, _INPUT)
        if not prompt:
            raise UnusableError(f"has no text under {', '.join(_INPUT[:-1])} or {_INPUT[-1]}")
        return DetectorText(record, DetectorItem(name, "", prompt))

    return list(_read_file(path, read).values())


def read_human_labels(path: Path) -> dict[str, tuple[DetectorItem, HumanLabel]]:
    """Read the items of a file with their human labels, by id."""
    return _read_file(path, lambda record, name: (_item(record, name), _human_label(record)))


LabelledItems = Mapping[str, tuple[DetectorItem, HumanLabel]]


def read_detections(path: Path, labels: LabelledItems | None = None) -> dict[str, Detection]:
    """Read the predictions of a file, by the ids of their items.

    With `labels`, raise an error if a prediction has another text than the labelled item of the same id or position.
    """
    in_order = [item for item, _ in labels.values()] if labels and _have_ids(labels) else []

    def read(record: Record, name: str) -> Detection:
        if labels and name in labels:
            _check_text(record, labels[name][0])
        elif _POSITION.fullmatch(name):
            for item in in_order[int(name[1:]) - 1 :][:1]:
                _check_text(record, item)
        return _detection(record)

    return _read_file(path, read)


def _check_text(record: Record, item: DetectorItem) -> None:
    """Raise an `UnusableError` if a record and an item have different texts; a missing text is not compared."""
    output = hades_item(record, item.id).output if is_hades(record) else _text(record, (*_OUTPUT, OUTPUT))
    for text, expected in ((output, item.output), (_text(record, (*_INPUT, INPUT)), item.input)):
        if text and expected and text != expected:
            raise UnusableError(f"has the text {text!r:.40} where the labelled item has {expected!r:.40}")


def match_predictions(
    labels: LabelledItems, predictions: Mapping[str, Detection], where: Path
) -> list[Detection | None]:
    """Return the prediction for each labelled item; None for an item without one.

    Predictions without ids are matched by position, if there are as many as items.

    Raises:
        DataError: The predictions are not for these items.
    """
    if len(labels) == len(predictions) and _have_ids(labels) and all(_POSITION.fullmatch(name) for name in predictions):
        return list(predictions.values())
    by_order = any(_POSITION.fullmatch(name) for name in (*labels, *predictions))
    if not labels.keys() & predictions.keys() or (by_order and labels.keys() != predictions.keys()):
        what = f"{len(predictions):,} predictions do not match {len(labels):,} labelled items"
        hint = "add ids to both, or write as many predictions without ids in the same order"
        raise DataError(what, where=where, hint=f"{hint}; limit= sets the number of labelled items")
    return [predictions.get(name) for name in labels]


def _have_ids(labels: LabelledItems) -> bool:
    return not any(_POSITION.fullmatch(name) for name in labels)


def detection_record(record: Record, detection: Detection, by: str, *, is_submission: bool = False) -> dict[str, Any]:
    """Return a record extended by a detector's label and probability, with its other output under `detection`.

    `by` is the name of the detector and its model. A submission has only the fields that SHROOM accepts.
    """
    fields: dict[str, Any] = {LABEL: detection.label, PROBABILITY: detection.probability}
    if is_mu_shroom(record):
        fields = span_fields(detection, mu_shroom_item(record, "").output)
    if is_submission:
        return {**({"id": record["id"]} if "id" in record else {}), **fields}
    details = json.decode(json.encode(detection))  # encoding omits default values
    details = {name: value for name, value in details.items() if name not in _SEPARATE_FIELDS}
    return {**record, **fields, _DETECTION: {"detector": by, **details}}


def _read_file(path: Path, read: Callable[[Record, str], T]) -> dict[str, T]:
    return _read_records(Json(path, _STRICT).records(), path, read)


def _read_records(
    records: Iterable[tuple[str, Record]], where: str | Path, read: Callable[[Record, str], T]
) -> dict[str, T]:
    """Parse records with `read`, and return the results by id; without an id, by a number from 1, such as `#7`."""
    results = read_by_id(records, lambda record, number: record_id(record) or f"#{number}", read, _STRICT)
    if not results:
        hint = 'a record is {"hyp": "...", "src": "...", "tgt": "...", "task": "DM"}'
        raise DataError("holds no records", where=where, hint=hint)
    return results


def _item(record: Record, name: str) -> DetectorItem:
    if is_hades(record):
        return hades_item(record, name)
    if is_mu_shroom(record):
        return mu_shroom_item(record, name)
    output = _text(record, _OUTPUT)
    if output is None:
        raise UnusableError(f"has no text under {', '.join(_OUTPUT[:-1])} or {_OUTPUT[-1]}")
    return DetectorItem(
        name,
        output,
        _text(record, _INPUT) or "",
        _text(record, _TARGET) or "",
        _texts(record, _CONTEXT),
        _text(record, ("task",)) or "",
        _texts(record, _SAMPLES, are_replies=True),
    )


def _text(record: Record, keys: Sequence[str]) -> str | None:
    key = next((key for key in keys if record.get(key) is not None), None)
    value = None if key is None else record[key]
    if not isinstance(value, str | None):
        raise UnusableError(f"has a {key} that is not text")
    return value


def _texts(record: Record, keys: Sequence[str], *, are_replies: bool = False) -> tuple[str, ...]:
    """Return the texts under the first key with a value; blank texts are dropped unless they are replies."""
    value: Any = next((record[key] for key in keys if record.get(key)), [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise UnusableError(f"has under {keys[0]} what is neither a text nor a list of texts")
    return tuple(text for text in texts if are_replies or text.strip())


def _human_label(record: Record) -> HumanLabel:
    if is_hades(record):
        return hades_label(record)
    if is_mu_shroom(record):
        return mu_shroom_label(record)
    several = record.get(ANNOTATORS) or []
    if not isinstance(several, list):
        raise UnusableError(f"has {ANNOTATORS} that are not a list")
    annotators = tuple(_label(label) for label in several)
    probability = _probability(record)
    if probability is None and annotators:
        probability = annotators.count(HALLUCINATION) / len(annotators)
    label = record.get(LABEL)
    if label is not None:
        return HumanLabel(_label(label), probability, annotators)
    if probability is None:
        raise UnusableError(f"has neither {LABEL} nor {PROBABILITY} nor {ANNOTATORS} of people's")
    return HumanLabel(label_of(probability), probability, annotators)


def _detection(record: Record) -> Detection:
    if is_mu_shroom(record):
        return mu_shroom_detection(record)
    label, probability = record.get(LABEL), _probability(record)
    if LABEL not in record and probability is None:
        raise UnusableError(f"has neither {LABEL} nor {PROBABILITY}")
    details: Any = record.get(_DETECTION) if isinstance(record.get(_DETECTION), dict) else {}
    counts = {name: details[name] for name in _COUNTS if isinstance(details.get(name), int)}
    by_probability = None if probability is None else label_of(probability)
    return Detection(by_probability if label is None else _label(label), probability, **counts)


def _label(value: Any) -> HallucinationLabel:
    label = _LABELS.get(value.strip().casefold()) if isinstance(value, str) else None
    if label is None:
        raise UnusableError(f"has the label {value!r:.40}, which is none of {', '.join(HALLUCINATION_LABELS)}")
    return label


def _probability(record: Record) -> float | None:
    value = record.get(PROBABILITY)
    if value is None:
        return None
    if not (is_number(value) and -_TOLERANCE <= value <= 1 + _TOLERANCE):
        raise UnusableError(f"has the probability {value!r:.40}, which is not a number from 0 to 1")
    return min(max(float(value), 0.0), 1.0)
