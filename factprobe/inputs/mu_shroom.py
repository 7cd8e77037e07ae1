"""Records of Mu-SHROOM: outputs with spans marked by people (Vázquez et al. 2025, SemEval task 3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from factprobe.inputs.base import Record, UnusableError, is_number
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, Detection, DetectorItem, HumanLabel, SoftSpans, Spans

OUTPUT, INPUT, LANGUAGE = "model_output_text", "model_input", "lang"
TOKENS, LOGITS = "model_output_tokens", "model_output_logits"
HARD, SOFT = "hard_labels", "soft_labels"
_MAJORITY = 0.5
"""Share of annotators above which a soft span is also a hard one."""


def is_mu_shroom(record: Record) -> bool:
    """Return whether a record has Mu-SHROOM's format: an output, or in a submission only spans."""
    return OUTPUT in record or HARD in record or SOFT in record


def mu_shroom_item(record: Record, name: str) -> DetectorItem:
    """Return the item of a record, with the id `name`.

    Raises:
        UnusableError: A field is missing or has the wrong type, or the numbers of tokens and logits differ.
    """
    output = _text(record, OUTPUT)
    tokens, logits = record.get(TOKENS) or [], record.get(LOGITS) or []
    if not (isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)):
        raise UnusableError(f"`{TOKENS}` is not a list of strings")
    if not (isinstance(logits, list) and all(is_number(logit) for logit in logits)):
        raise UnusableError(f"`{LOGITS}` is not a list of numbers")
    if tokens and logits and len(tokens) != len(logits):
        raise UnusableError(f"has {len(tokens):,} tokens and {len(logits):,} logits")
    language = record.get(LANGUAGE)
    return DetectorItem(
        name,
        output,
        _text(record, INPUT, ""),
        language=language.upper() if isinstance(language, str) else "",
        tokens=tuple(tokens) if logits else (),
        logits=tuple(map(float, logits)) if tokens else (),
        wants_spans=True,
    )


def mu_shroom_label(record: Record) -> HumanLabel:
    """Return the spans that people marked in a record; missing or invalid fields of spans raise an `UnusableError`."""
    detection = mu_shroom_detection(record)
    if detection.label is None:
        raise UnusableError(f"has neither {HARD} nor {SOFT} of people's")
    return HumanLabel(detection.label, spans=detection.spans, soft_spans=detection.soft_spans)


def mu_shroom_detection(record: Record) -> Detection:
    """Return the detection in a record of a detector's output; it has no label if the fields of spans are missing.

    Raises:
        UnusableError: The spans are invalid.
    """
    if record.get(HARD) is None and record.get(SOFT) is None:
        return Detection(None, None, reasons=(f"there are no {HARD}",))
    spans, soft = _marks(record)
    return Detection(HALLUCINATION if spans else NOT_HALLUCINATION, None, spans=spans, soft_spans=soft)


def span_fields(detection: Detection, output: str) -> dict[str, Any]:
    """Return a detection as Mu-SHROOM's fields of hard and soft spans.

    Without spans, the whole output is the hard span of a hallucinated detection, and a probability above 0 becomes that
    of a soft span of the whole output.
    """
    if detection.label is None:
        return {HARD: None, SOFT: None}
    spans, soft = detection.spans, detection.soft_spans
    if not spans and not soft and output:
        whole = (0, len(output))
        spans = (whole,) if detection.label == HALLUCINATION else ()
        soft = ((*whole, detection.probability),) if detection.probability else ()
    soft = soft or tuple((start, end, 1.0) for start, end in spans)
    return {
        HARD: [[start, end] for start, end in spans],
        SOFT: [{"start": start, "end": end, "prob": probability} for start, end, probability in soft],
    }


def _marks(record: Record) -> tuple[Spans, SoftSpans]:
    """Return the hard and the soft spans; if one kind is missing, it is derived from the other."""
    hard, soft = record.get(HARD), record.get(SOFT)
    length = len(_text(record, OUTPUT)) if OUTPUT in record else None
    marked: SoftSpans = tuple(_soft_spans(soft, length)) if soft is not None else ()
    if hard is None:
        return tuple((start, end) for start, end, probability in marked if probability > _MAJORITY), marked
    spans = tuple(_span(span, length, HARD) for span in _list(hard, HARD))
    return spans, marked if soft is not None else tuple((start, end, 1.0) for start, end in spans)


def _soft_spans(value: Any, length: int | None) -> Iterator[tuple[int, int, float]]:
    for span in _list(value, SOFT):
        if not isinstance(span, dict) or not is_number(span.get("prob")) or not 0 <= span["prob"] <= 1:
            raise UnusableError(f"`{SOFT}` is not a list of objects with start, end and prob from 0 to 1")
        yield *_span([span.get("start"), span.get("end")], length, SOFT), float(span["prob"])


def _span(value: Any, length: int | None, key: str) -> tuple[int, int]:
    if not (isinstance(value, list) and len(value) == 2 and all(type(end) is int for end in value)):
        raise UnusableError(f"has under {key} a span that is not two whole numbers")
    start, end = value
    if not 0 <= start <= end or (length is not None and end > length):
        raise UnusableError(f"has under {key} the span {start} to {end}, which does not lie in its output")
    return start, end


def _list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnusableError(f"`{key}` is not a list")
    return value


def _text(record: Record, key: str, default: str | None = None) -> str:
    value = record.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise UnusableError(f"has no text under {key}")
    return value
