"""The step `train`: training of a hallucination detector on labelled spans."""

from __future__ import annotations

from pathlib import Path

from factprobe.detectors.hades.trained import TrainedDetector
from factprobe.errors import ConfigError
from factprobe.factories import NO_DEPENDENCIES
from factprobe.inputs.shroom import read_human_labels
from factprobe.inputs.texts import input_path, output_folder
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
    return output_folder(run.config.output, "what is learnt")


STEP = text_step(train, (), _SETTINGS, _target_folder, elsewhere=("<output>/<file>",))
