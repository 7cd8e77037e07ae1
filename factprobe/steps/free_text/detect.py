"""The step `detect`: hallucination scores of the texts of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from factprobe.detectors.base import ClassifiedItem, check_detections
from factprobe.factories import Dependencies, describe_component
from factprobe.inputs.shroom import detection_record, read_items
from factprobe.inputs.texts import input_path, writes_list
from factprobe.progress import progress
from factprobe.records import HALLUCINATION_LABELS, Detection
from factprobe.relations import RunFacts
from factprobe.reports.free_text.checked import write_records
from factprobe.steps.base import Run, StepResult
from factprobe.steps.calls import StepModelCalls
from factprobe.steps.claim_steps import REQUEST_FILES, SHARED, output_beside_input, text_step
from factprobe.steps.components import Components
from factprobe.storage import write_json
from factprobe.text import format_count

_SETTINGS = (*SHARED, "with_kg", "detector", "output_format")
_target = output_beside_input("detected")


def detect(run: Run) -> StepResult:
    """Score the texts of a file with a detector."""
    config = run.config
    source, target = input_path(config.inputs), _target(run)
    calls, facts = StepModelCalls(run, "detect"), RunFacts(config)
    dependencies = Dependencies(facts.summaries, calls.asker_of, is_graph_named=config.with_kg)
    detector = Components.of(config, _SETTINGS, dependencies).detector
    assert detector is not None, "Components.of builds what is named, or fails"
    texts = read_items(source)[: config.limit]
    detections = list(progress(detector.detect([text.item for text in texts]), "detect", "text"))
    calls.end_dry_run()
    check_detections(detections, len(texts), detector.settings.name)
    short = config.output_format == "submission"
    pairs = zip(texts, detections, strict=True)
    by = describe_component(detector)
    records = [detection_record(text.record, one, by, is_submission=short) for text, one in pairs]
    write_records(target, records, as_list=writes_list(target, source))
    if detector.classified:
        write_json(run.layout.classified, [_example_record(one, by) for one in detector.classified])
    counts = {
        "items": len(detections),
        "labels": dict(Counter(one.label or "none" for one in detections)),
        "unparsed": sum(one.unparsed for one in detections),
        "ties": sum(one.tie for one in detections),
        "models": calls.counts(),
    }
    inputs = [source, *facts.files]
    return StepResult(f"{_result_message(detections, by)} → {target}", inputs, counts, [target], calls.unanswered())


def _example_record(example: ClassifiedItem, by: str) -> dict[str, Any]:
    """Return an example that the detector has classified itself as an input record, with its rank among examples."""
    item = example.item
    record = {"id": item.id, "task": item.task, "hyp": item.output, "src": item.input, "tgt": item.target}
    selected = {"selected": example.selected} if example.selected else {}
    return {**detection_record(record, example.detection, by), **selected}


def _result_message(detections: Sequence[Detection], by: str) -> str:
    labels = Counter(detection.label for detection in detections)
    counts = ", ".join(f"{labels[label]:,} {label}" for label in HALLUCINATION_LABELS)
    parts = [f"{format_count(len(detections), 'text')}, {counts}, by {by}"]
    if labels[None]:
        why = Counter(detection.reasons[:1] for detection in detections if detection.label is None).most_common(1)[0][0]
        parts.append(f"{labels[None]:,} without a verdict, most often: {', '.join(why)}")
    if ties := sum(detection.tie for detection in detections):
        parts.append(format_count(ties, "tie"))
    if unparsed := sum(detection.unparsed for detection in detections):
        parts.append(f"{format_count(unparsed, 'sample')} without a clean label")
    return "; ".join(parts)


STEP = text_step(detect, ("unlabelled.json", *REQUEST_FILES), _SETTINGS, _target, elsewhere=("<input>.detected.json",))
