"""The step `evaluate_detector`: agreement of hallucination detectors with people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from factprobe.config import RunConfig, path_of
from factprobe.detectors.spans.span_model import baselines
from factprobe.errors import ConfigError
from factprobe.inputs.shroom import match_predictions, read_detections, read_human_labels
from factprobe.inputs.texts import input_path
from factprobe.metrics.agreement.detection import contradicted, detector_plots, detector_scores, labelled_twice
from factprobe.metrics.agreement.spans import span_scores
from factprobe.progress import say
from factprobe.records import Detection
from factprobe.reports.free_text.detection import detection_document, span_document
from factprobe.reports.html import write_page
from factprobe.reports.terminal import plain_text
from factprobe.steps.base import Run, Step, StepResult
from factprobe.storage import write_json
from factprobe.text import format_count


def evaluate_detector(run: Run) -> StepResult:
    """Compare labels and probabilities of detectors with human labels of the same items.

    Raises:
        ConfigError: No predictions are named, two files have the same name, or no file of human labels is found.
    """
    config = run.config
    predictions = [path_of(path) for path in config.prediction_files]
    if not predictions:
        hint = "name the files of one detector or of several: predictions=val.detected.json input=val.json"
        raise ConfigError("no file is named", where="predictions", hint=hint)
    gold = _gold_file(config, predictions)
    names = {path.stem.removeprefix(f"{gold.stem}.").removesuffix(".predictions"): path for path in predictions}
    if len(names) < len(predictions):
        raise ConfigError("two files have the same name", where="predictions", hint="rename one")
    labels = dict(islice(read_human_labels(gold).items(), config.limit))
    predicted = {name: read_detections(path, labels) for name, path in names.items()}
    detections = {name: match_predictions(labels, predicted[name], path) for name, path in names.items()}
    missing = {name: of_items.count(None) for name, of_items in detections.items()}
    unknown = {name: len(one.keys() - labels.keys()) for name, one in predicted.items()}
    counts: dict[str, Any] = {"items": len(labels), "missing": missing, "unknown": unknown}
    people, remarks = list(labels.values()), [*_detector_warnings(detections, missing, unknown)]
    if all(human.spans is not None for _, human in people):
        noun = "output"
        spans = span_scores(people, {**detections, **baselines([item for item, _ in people])}, config.seed)
        write_json(run.layout.detection, spans)
        report = span_document(spans, gold.name, remarks)
    else:
        noun = "item"
        rows, plots = detector_scores(people, detections, config.seed), detector_plots(people, detections)
        write_json(run.layout.detection, rows)
        doubtful = {"contradicted": contradicted(people), "labelled_twice": labelled_twice(people)}
        report = detection_document(rows, plots, gold.name, [*_label_warnings(doubtful, len(people)), *remarks])
        counts |= {name: len(ids) for name, ids in doubtful.items()}
    write_page(run.layout.detection_page, report)
    say(plain_text(report.blocks))
    message = f"{format_count(len(detections), 'detector')} on {format_count(len(labels), noun)}"
    outputs = [run.layout.detection]
    return StepResult(f"{message} → {run.layout.detection_page}", [gold, *predictions], counts, outputs)


_DOUBTS = {
    "contradicted": "the annotators or p(Hallucination) of the same item",
    "labelled_twice": "the label of another item with the same texts",
}


def _label_warnings(doubtful: Mapping[str, Sequence[str]], total: int) -> Iterator[str]:
    """Yield warnings about human labels that contradict each other; `total` is the number of all labels."""
    for name, ids in doubtful.items():
        if ids:
            yield f"warning: labels that contradict {_DOUBTS[name]}: {len(ids):,} of {total:,}, first of item {ids[0]}"


def _detector_warnings(
    by_detector: Mapping[str, Sequence[Detection | None]], missing: Mapping[str, int], unknown: Mapping[str, int]
) -> Iterator[str]:
    """Yield warnings about predictions that are missing, for unlabelled items, or without a label or clean samples."""
    for name, predictions in by_detector.items():
        if missing[name] or unknown[name]:
            lacking = f"{missing[name]:,} of {len(predictions):,} labelled items have no prediction"
            yield f"warning: {name}: {lacking}, {unknown[name]:,} predictions are of no labelled item"
        detections = [detection for detection in predictions if detection]
        if unlabelled := sum(detection.label is None for detection in detections):
            share = f"{unlabelled:,} of {len(detections):,}"
            yield f"warning: {name}: {share} predictions have no label, which counts as wrong"
        if unparsed := sum(detection.unparsed for detection in detections):
            samples = sum(detection.samples for detection in detections)
            yield f"warning: {name}: {unparsed:,} of {samples:,} samples had no clean label, and are no vote"


def _gold_file(config: RunConfig, predictions: list[Path]) -> Path:
    """Return the file of human labels: `input`, or by default the file after which the first predictions are named.

    For `val.detected.json` it is `val.json` in the same folder. Of several such files, the longest name counts.

    Raises:
        ConfigError: There is no such file.
    """
    if config.inputs:
        return input_path(config.inputs)
    parts = predictions[0].stem.split(".")
    names = [*accumulate(parts[:-1], "{}.{}".format)]
    candidates = (predictions[0].with_name(name + predictions[0].suffix) for name in reversed(names))
    gold = next((path for path in candidates if path.exists()), None)
    if gold is None:
        hint = "name the file of people's labels: input=val.json"
        raise ConfigError("is not set, and no file beside predictions has it in its name", where="input", hint=hint)
    return gold


STEP = Step(
    run=evaluate_detector,
    makes=("detection.json", "detection.html"),
    settings=("predictions", "input", "limit", "seed"),
)
