"""The step `evaluate_detector`: how well hallucination detectors agree with people."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from factprobe.config import RunConfig, path_of
from factprobe.errors import ConfigError
from factprobe.inputs.shroom import matched, read_detections, read_human_labels
from factprobe.inputs.texts import input_path
from factprobe.metrics.detection import detector_plots, detector_scores
from factprobe.progress import say
from factprobe.reports.detection import detection_table, write_detection
from factprobe.steps.base import Done, Run, Step
from factprobe.storage import made, write_json


def evaluate_detector(this: Run) -> Done:
    """Compares the labels and probabilities of detectors with what people say of the same items.

    Raises:
        ConfigError: no predictions are named, or it is not known whom to compare them with.
        DataError: a file cannot be used, or they are about other items.
    """
    config = this.config
    predictions = [path_of(path) for path in config.predicted]
    if not predictions:
        mend = "name the files of one detector or of several: predictions=val.detected.json input=val.json"
        raise ConfigError("no file is named", where="predictions", mend=mend)
    gold = _gold(config, predictions)
    names = {_name(path, gold): path for path in predictions}
    if len(names) < len(predictions):
        raise ConfigError("two files have the same name", where="predictions", mend="rename one")
    labels = read_human_labels(gold)
    said = {name: read_detections(path, labels) for name, path in names.items()}
    found = {name: matched(labels, said[name], path) for name, path in names.items()}
    rows = detector_scores(list(labels.values()), found, config.seed)
    target = this.layout.detection
    write_json(target, rows)
    write_detection(this.layout.detection_page, rows, detector_plots(list(labels.values()), found), gold.name)
    say(detection_table(rows))
    missing = {name: of_items.count(None) for name, of_items in found.items()}
    unknown = {name: len(one.keys() - labels.keys()) for name, one in said.items()}
    for name in names:
        if missing[name] or unknown[name]:
            lacking = f"{missing[name]:,} of {len(labels):,} labelled items have no prediction"
            say(f"warning: {name}: {lacking}, {unknown[name]:,} predictions are of no labelled item")
    counts = {"items": len(labels), "missing": missing, "unknown": unknown}
    message = f"{len(found)} detectors on {len(labels):,} items → {this.layout.detection_page}"
    return Done(message, [gold, *predictions], counts, [target])


def _gold(config: RunConfig, predictions: list[Path]) -> Path:
    """The file of people's labels; where none is named, the one beside the predictions with whose name theirs begins.

    Raises:
        ConfigError: none is named, and there is no such file.
    """
    if config.inputs:
        return input_path(config.inputs)
    parts = predictions[0].stem.split(".")
    names = [*accumulate(parts[:-1], "{}.{}".format)]
    beside = (predictions[0].with_name(name + predictions[0].suffix) for name in reversed(names))
    gold = next((path for path in beside if made(path)), None)
    if gold is None:
        mend = "name the file of people's labels: input=val.json"
        raise ConfigError("is not set, and no file beside predictions has it in its name", where="input", mend=mend)
    return gold


def _name(path: Path, gold: Path) -> str:
    """What a detector is called: its file without the name of the other."""
    return path.stem.removeprefix(f"{gold.stem}.").removesuffix(".predictions")


STEP = Step(
    run=evaluate_detector,
    makes=("detection.json", "detection.html"),
    settings=("predictions", "input", "seed"),
)
