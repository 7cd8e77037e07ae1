"""The step `study`: a detector with several settings on the same items, each in several passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any

from msgspec.structs import replace

from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.config import RunConfig, StudyConfig
from factprobe.errors import ConfigError
from factprobe.inputs.shroom import match_predictions, read_detections, read_human_labels
from factprobe.inputs.texts import input_path
from factprobe.metrics.agreement.detection import BASELINE, StudyScore, majority_class, study_scores
from factprobe.progress import say
from factprobe.records import Detection, DetectorItem, HumanLabel
from factprobe.reports.free_text.study import study_document
from factprobe.reports.html import write_page
from factprobe.reports.terminal import plain_text
from factprobe.steps.base import Run, Step, StepResult, exclusive_lock
from factprobe.steps.claim_steps import REQUEST_FILES, SHARED
from factprobe.steps.components import check_components
from factprobe.storage import write_json


def study(run: Run) -> StepResult:
    """Run a detector with each combination of the study's settings, and compare it with human labels.

    Each pass is a run of `step=detect` in its own folder, so that the same command resumes after an interruption.
    """
    config, chosen = run.config, _study_config(run.config)
    source = input_path(config.inputs)
    labels = dict(islice(read_human_labels(source).items(), config.limit))
    for panel, variant in _list_variants(chosen):
        check_components(_pass_config(run, panel, variant, 0), ("detector",))
    detections: dict[tuple[str, str], list[list[Detection | None]]] = {}
    unanswered: dict[str, UnansweredQuestions] = {}
    for panel, variant in _list_variants(chosen):
        for number in range(chosen.passes):
            pass_run = Run(_pass_config(run, panel, variant, number), run.sweep_started)
            pass_run.usd = run.usd
            result = pass_run.perform("detect")
            run.usd = pass_run.usd
            if result.is_dry:
                return StepResult(f"{panel}, {variant}: {result.message}", [], None, is_dry=True)
            for one in result.unanswered:
                unanswered.setdefault(one.respondent, UnansweredQuestions(one.respondent)).join(one)
            [path] = result.outputs
            matched = match_predictions(labels, read_detections(path, labels), path)
            detections.setdefault((panel, variant), []).append(matched)
            say(f"{panel}, {variant}, pass {number + 1}: {result.message}")
    rows = _study_scores(chosen, list(labels.values()), detections, config.seed)
    write_json(run.layout.study, rows)
    report = study_document(f"{chosen.name}: {source.name}", rows)
    write_page(run.layout.study_page, report)
    say(plain_text(report.blocks))
    counts = {"items": len(labels), "variants": len(detections), "passes": chosen.passes}
    message = f"{len(detections)} variants in {chosen.passes} passes on {len(labels):,} items → {run.layout.study_page}"
    return StepResult(message, [source], counts, [run.layout.study], [*unanswered.values()])


def _study_scores(
    chosen: StudyConfig,
    people: Sequence[tuple[DetectorItem, HumanLabel]],
    detections: Mapping[tuple[str, str], Sequence[Sequence[Detection | None]]],
    seed: int,
) -> list[StudyScore]:
    """Return for each panel the scores of its baseline, and of each variant and its passes."""
    rows: list[StudyScore] = []
    for panel in chosen.panels:
        rows += study_scores(panel, BASELINE, people, [majority_class(people)], seed)
        for (of_panel, variant), passes in detections.items():
            rows += study_scores(panel, variant, people, passes, seed) if of_panel == panel else ()
    return rows


def _study_config(config: RunConfig) -> StudyConfig:
    if config.study is None:
        hint = "choose one with experiment=shroom_hyperparameters or experiment=shroom_ablation"
        raise ConfigError("is not set", where="study", hint=hint)
    return config.study


def _list_variants(chosen: StudyConfig) -> Iterator[tuple[str, str]]:
    return ((panel, variant) for panel, variants in chosen.panels.items() for variant in variants)


def _pass_config(run: Run, panel: str, variant: str, number: int) -> RunConfig:
    """Return the settings of one pass of a variant; its files are in a folder of their own."""
    config, chosen = run.config, _study_config(run.config)
    folder = run.layout.study_pass(panel, variant, number)
    detector = deepcopy(config.detector or {})
    for name, value in {**chosen.settings, **chosen.panels[panel][variant]}.items():
        _change_setting(detector, name, value)
    if isinstance(detector.get("model"), dict):
        detector["model"]["repeat"] = detector["model"].get("repeat", 0) + number
    output = str(folder / "detected.json")
    return replace(config, detector=detector, output=output, output_dir=str(folder), output_format="records")


def _change_setting(settings: dict[str, Any], name: str, value: Any) -> None:
    """Change a component's setting, by a name with dots; raise a `ConfigError` if an outer one has no settings."""
    first, _, rest = name.partition(".")
    if not rest:
        settings[first] = value
        return
    inner = settings.get(first)
    if not isinstance(inner, Mapping):
        raise ConfigError(f"has no settings to change with {name}", where=f"detector.{first}", hint="see study.panels")
    settings[first] = {**inner}
    _change_setting(settings[first], rest, value)


STEP = Step(
    run=study,
    makes=(
        "study.json",
        "study.html",
        "study/<panel>/<variant>/<pass>/detected.json",
        "study/<panel>/<variant>/<pass>/manifest.json",
        *(f"study/<panel>/<variant>/<pass>/{path}" for path in REQUEST_FILES),
    ),
    settings=(*(name for name in SHARED if name != "output"), "detector", "study", "seed"),
    locks=exclusive_lock,
)
