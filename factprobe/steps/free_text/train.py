"""The step `train`: training of a hallucination detector on labelled spans."""

from __future__ import annotations

from pathlib import Path

from factprobe.config import path_of
from factprobe.detectors.hades.trained import TrainedDetector
from factprobe.errors import ConfigError
from factprobe.factories import NO_DEPENDENCIES
from factprobe.inputs.shroom import read_human_labels
from factprobe.inputs.texts import input_path
from factprobe.steps.base import Run, StepResult
from factprobe.steps.claim_steps import text_step
from factprobe.steps.components import Components
from factprobe.text import format_count

_SETTINGS = ("input", "output", "detector", "seed")


def train(run: Run) -> StepResult:
    """Train a detector on a file of labelled items, and write the weights into the folder `output`.

    Raises:
        ConfigError: The detector cannot be trained.
    """
    config = run.config
    source, target = input_path(config.inputs), _target_folder(run)
    detector = Components.of(config, ("detector",), NO_DEPENDENCIES).detector
    if not isinstance(detector, TrainedDetector):
        hint = "set detector=hades_lr, hades_svm or hades_transformer"
        raise ConfigError("learns nothing", where="detector", hint=hint)
    labelled = [(item, human.label) for item, human in read_human_labels(source).values()]
    counts = detector.train(labelled, target, config.seed)
    message = f"{format_count(len(labelled), 'span')}, {counts['hallucinated']:,} hallucinated → {target}"
    return StepResult(f"{message}; use it with detector.path={target}", [source], counts)


def _target_folder(run: Run) -> Path:
    if run.config.output is None:
        raise ConfigError("is not set", where="output", hint="name a folder for what is learnt: output=FOLDER")
    path = path_of(run.config.output)
    if path.exists() and not path.is_dir():
        raise ConfigError(f"{path} is not a folder", where="output", hint="set another path")
    return path


STEP = text_step(train, (), _SETTINGS, _target_folder, elsewhere=("<output>/<file>",))
