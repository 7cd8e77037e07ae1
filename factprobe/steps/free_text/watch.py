"""The step `watch`: replies of a model, printed as it writes them, with improbable tokens marked."""

from __future__ import annotations

from typing import Any

from factprobe.config import compose, from_omegaconf
from factprobe.detectors.hades.probability import TokenProbabilityDetector
from factprobe.errors import CallError, ConfigError
from factprobe.factories import Dependencies, describe_component
from factprobe.inputs.shroom import DetectorText, detection_record, read_prompts
from factprobe.inputs.texts import input_path, writes_list
from factprobe.progress import say
from factprobe.records import Detection
from factprobe.reports.free_text.checked import write_records
from factprobe.steps.base import Run, StepResult
from factprobe.steps.calls import StepModelCalls
from factprobe.steps.claim_steps import output_beside_input, text_step
from factprobe.steps.components import Components
from factprobe.text import format_count

_SETTINGS = ("input", "output", "detector")
_target = output_beside_input("watched")


def watch(run: Run) -> StepResult:
    """Print the replies of the detector's model to the prompts of a file, token by token, marked ones in brackets.

    Raises:
        ConfigError: `model` is set, no input is named, or the detector cannot watch a model.
        DataError: The input cannot be read.
        ModelError: The model cannot return a reply token by token, or cannot be loaded.
    """
    if run.config.model != from_omegaconf(compose([])).model:
        what = "is set, but what is watched is the detector's own model"
        raise ConfigError(what, where="model", hint="name it with detector.model=NAME instead")
    source, target = input_path(run.config.inputs), _target(run)
    dependencies = Dependencies(list, StepModelCalls(run, "watch").asker_of)
    detector = Components.of(run.config, ("detector",), dependencies).detector
    if not isinstance(detector, TokenProbabilityDetector):
        raise ConfigError("watches no model", where="detector", hint="set detector=hades_token_probability")
    records = [_reply_record(detector, text) for text in read_prompts(source)]
    write_records(target, records, as_list=writes_list(target, source))
    count = sum(len(record.get("detection", {}).get("spans", ())) for record in records)
    message = f"{format_count(len(records), 'reply', 'replies')}, {format_count(count, 'token')}"
    counts = {"replies": len(records), "marked": count}
    return StepResult(f"{message} marked → {target}", [source], counts, [target])


def _reply_record(detector: TokenProbabilityDetector, text: DetectorText) -> dict[str, Any]:
    say(f"> {text.item.input}")
    try:
        reply, detection = detector.watch(text.item.input, _print_token)
    except CallError as error:
        reply, detection = "", Detection(None, None, reasons=(str(error),))
    say("")
    return detection_record({**text.record, "output": reply}, detection, describe_component(detector))


def _print_token(token: str, is_marked: bool) -> None:
    bare = token.strip()
    say(token.replace(bare, f"[{bare}]", 1) if is_marked and bare else token, end="")


STEP = text_step(watch, (), _SETTINGS, _target, elsewhere=("<input>.watched.json",))
