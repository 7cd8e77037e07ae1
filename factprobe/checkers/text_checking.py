"""Check of texts with claims: retrieve missing references, label the claims and aggregate the labels."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import compress, count

from msgspec.structs import replace

from factprobe.checkers.aggregators import Aggregator
from factprobe.checkers.base import Checker
from factprobe.checkers.merging import NO_REFERENCE
from factprobe.errors import ConfigError
from factprobe.records import CLAIM_LABELS, CheckedText, ClaimedText, ClaimVerdict, Item
from factprobe.retrievers import Retriever
from factprobe.text import format_count

log = logging.getLogger(__name__)


def check_items(items: Sequence[Item], checker: Checker, retriever: Retriever | None) -> None:
    """Raise a ConfigError if a needed reference is missing in all texts; warn if the checker ignores references."""
    if retriever is None and checker.wants_references and not any(item.references for item in items):
        hint = "name who finds them: retriever=bm25 retriever.passages=FILE, or check against a graph: checker=graph"
        raise ConfigError("no text has a reference", where="checker", hint=hint)
    with_references = sum(bool(item.references) for item in items)
    if with_references and not checker.reads_references:
        what = "checker=%s: does not read the references of %s, and goes by the graph; checker=llm or nli reads them"
        log.warning(what, checker.settings.name, format_count(with_references, "text"))


def add_references(texts: Sequence[ClaimedText], retriever: Retriever) -> list[ClaimedText]:
    """Return the texts; to each one without given references, add retrieved passages as its references.

    Raises:
        ConfigError: The retriever, maybe a plugin, does not give one tuple of passages for each text.
    """
    lacking = [not text.item.references or bool(text.item.retriever) for text in texts]  # or retrieved before
    passages = list(retriever.retrieve([*compress(texts, lacking)])) if any(lacking) else []
    if len(passages) != sum(lacking):
        what = f"gives passages for {len(passages):,} of {format_count(sum(lacking), 'text')}"
        hint = "its retrieve() yields a tuple of passages for each text"
        raise ConfigError(what, where=f"retriever {retriever.settings.name}", hint=hint)
    completed = list(texts)
    for number, references in zip(compress(count(), lacking), passages, strict=True):
        item = completed[number].item
        name = retriever.settings.name if references else ""
        completed[number] = replace(completed[number], item=replace(item, references=references, retriever=name))
    return completed


def check_texts(
    texts: Sequence[ClaimedText], checker: Checker, aggregator: Aggregator, retriever: Retriever | None = None
) -> Iterator[CheckedText]:
    """Yield each text with a verdict on each of its claims, in order.

    A text without claims is not checked. A text without references is not checked by a checker that needs them.

    Raises:
        ConfigError: The checker returns an unknown label, or not one verdict per claim, or the retriever not one tuple
            of passages per text.
        ModelError: A model or service does not answer.
        DataError: The passages of the retriever, or the facts of the graph, cannot be read.
    """
    completed = add_references(texts, retriever) if retriever is not None else list(texts)
    checked = [bool(text.claims and (text.item.references or not checker.wants_references)) for text in completed]
    verdicts = iter(checker.check([*compress(completed, checked)]) if any(checked) else ())
    for text, is_checked in zip(completed, checked, strict=True):
        of_text = next(verdicts, ()) if is_checked else (NO_REFERENCE,) * len(text.claims)
        _check_verdicts(of_text, text, checker)
        yield aggregate_verdicts(text, of_text, aggregator)


def _check_verdicts(verdicts: tuple[ClaimVerdict, ...], text: ClaimedText, checker: Checker) -> None:
    """Raise a ConfigError unless the checker, maybe a plugin, gave each claim a verdict with a valid label or None."""
    count, expected = len(verdicts), len(text.claims)
    unknown = [verdict.label for verdict in verdicts if verdict.label not in (None, *CLAIM_LABELS)]
    if count != expected:
        what = f"gives {format_count(count, 'verdict')} on the {format_count(expected, 'claim')} of text {text.item.id}"
        hint = "its check() yields for each text a tuple with a verdict on each claim"
    elif unknown:
        what = f"gives text {text.item.id} the label {unknown[0]!r}"
        hint = f"a label is one of {', '.join(CLAIM_LABELS)}, or None"
    else:
        return
    raise ConfigError(what, where=f"checker {checker.settings.name}", hint=hint)


def aggregate_verdicts(text: ClaimedText, verdicts: tuple[ClaimVerdict, ...], aggregator: Aggregator) -> CheckedText:
    """Return a text with its verdicts and their aggregate, which is None if no verdict has a label."""
    labels = [verdict.label for verdict in verdicts if verdict.label is not None]
    is_open = not labels and bool(verdicts or text.fault)
    return CheckedText(text, verdicts, None if is_open else aggregator.aggregate(labels))
