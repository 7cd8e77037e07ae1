"""The step `perturb`: paragraphs in which a masked model replaced words, for people to label."""

from __future__ import annotations

from typing import Any

from factprobe.errors import ConfigError, DataError, require
from factprobe.inputs.hades import hades_record
from factprobe.inputs.texts import input_path
from factprobe.models.embedders import get_embedder
from factprobe.models.hf.checkpoints import load_checkpoint, resolve_source
from factprobe.models.hf.refilling import Refiller
from factprobe.perturbing.paragraphs import read_paragraphs
from factprobe.perturbing.perturber import PerturbedSpan, Perturber
from factprobe.perturbing.replaceable_units import paragraph_of
from factprobe.progress import progress
from factprobe.reading.tokenisation.tags import tagger
from factprobe.steps.base import Run, StepResult
from factprobe.steps.claim_steps import output_beside_input, text_step
from factprobe.storage import write_lines
from factprobe.text import format_count

_SETTINGS = ("input", "output", "perturb", "model", "embedder", "seed")
_target = output_beside_input("perturbed", ".jsonl")


def perturb(run: Run) -> StepResult:
    """Mask words of paragraphs, refill them, and write the replaced spans as unlabelled records of HaDes.

    With `perturb.controls`, up to as many unchanged spans are written too.

    Raises:
        ConfigError: `perturb.masked` is not set.
        DataError: No word was replaced.
    """
    config, settings = run.config, run.config.perturb
    source, target = input_path(config.inputs), _target(run)
    if settings.masked is None:
        hint = "name a masked model: perturb.masked=bert-base-cased, or its folder"
        raise ConfigError("is not set", where="perturb.masked", hint=hint)
    require("torch", "transformers", extra="hf", where="perturb.masked")
    tag = tagger(settings.pipeline, "perturb.pipeline")
    texts = read_paragraphs(source, run.problems)
    checkpoint = load_checkpoint(resolve_source(settings.masked), "masked", settings.device, "auto", "perturb.masked")
    refiller = Refiller(checkpoint, settings)
    paragraphs = [paragraph_of(name, text, tag, lower=refiller.is_uncased) for name, text in texts.items()]
    long = [*filter(None, paragraphs)]
    embedder = None if config.embedder == "none" else get_embedder(config.embedder)
    perturber = Perturber(settings, refiller, run.model, embedder, tag, config.seed)
    result = perturber.perturb(progress(long, "perturb", "paragraph"))
    if not result.spans:
        why = ", ".join(result.failures) or f"of {len(paragraphs):,} paragraphs {len(long):,} have five sentences"
        raise DataError(f"gives no replaced span: {why}", where=source, hint="set a higher perturb.rate=")
    write_lines(target, map(_span_record, result.spans))
    replaced = sum(span.is_perturbed for span in result.spans)
    counts = {
        "paragraphs": len(paragraphs),
        "of_five_sentences": len(long),
        "replaced": replaced,
        "controls": len(result.spans) - replaced,
        "dropped": result.dropped,
        "faults": result.failures,
    }
    message = f"{format_count(replaced, 'replaced span')} of {format_count(len(long), 'paragraph')}"
    faults = "".join(f"; {format_count(number, 'paragraph')}: {what}" for what, number in result.failures.items())
    message += f", {result.dropped:,} dropped by filters{faults} → {target}"
    return StepResult(message, [source], counts, [target])


def _span_record(span: PerturbedSpan) -> dict[str, Any]:
    record = hades_record(span.text, (span.start, span.end))
    return {"id": span.id, **record, "original": span.original, "perturbed": span.is_perturbed}


STEP = text_step(perturb, (), _SETTINGS, _target, elsewhere=("<input>.perturbed.jsonl",))
