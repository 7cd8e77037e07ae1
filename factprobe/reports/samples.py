"""List of sample questions on a report's page, with its filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from factprobe.collection.report_data import ReportData, Sample
from factprobe.collection.vocabulary import ReportVocabulary
from factprobe.question_types import question_types, type_label
from factprobe.records import VERDICTS


class Filter(NamedTuple):
    """Filter of the samples: caption, name of the rows' `data-` attribute, and the values that occur."""

    label: str
    name: str
    options: Sequence[tuple[str, str]]
    """Values of the attribute, each with the text to show for it."""


class SampleList(NamedTuple):
    """Samples, each with the name of its model, and their filters."""

    rows: Sequence[tuple[Sample, str]]
    filters: Sequence[Filter]
    graded: int
    """Number of all graded replies, from which the samples were drawn."""
    graphs: int
    """Number of graphs in the report."""
    words: ReportVocabulary

    @property
    def has_one_relation(self) -> bool:
        """True if all samples are of one relation, so that the page needs no relation column."""
        return len({(sample.kg, sample.relation) for sample, _ in self.rows}) == 1


def sample_list(data: ReportData, names: Mapping[tuple[str, str], str], graphs: int) -> SampleList:
    """Return the list of samples for a report's page."""
    rows = [(sample, names[sample.generator, sample.model]) for sample in data.samples]
    return SampleList(rows, [*_make_filters(rows, data.words)], data.graded, graphs, data.words)


def _make_filters(rows: Sequence[tuple[Sample, str]], words: ReportVocabulary) -> Iterator[Filter]:
    def plain_filter(label: str, name: str, values: Sequence[str]) -> Filter:
        return Filter(label, name, [(value, value) for value in values])

    samples = [sample for sample, _ in rows]
    verdicts, types = {row.verdict for row in samples}, {row.question_type for row in samples}
    labels = {row.relation: row.relation_label for row in samples}
    relations = [(key, f"{label} ({key})" if label not in ("", key) else key) for key, label in labels.items()]
    graphs = list(dict.fromkeys(row.kg for row in samples))
    if len(graphs) > 1:
        yield plain_filter("Graph", "kg", graphs)
    yield plain_filter("Verdict", "verdict", [name for name in VERDICTS if name in verdicts])
    yield Filter("Question type", "type", [(name, type_label(name)) for name in question_types() if name in types])
    yield Filter(words.relation.capitalize(), "relation", sorted(relations, key=lambda option: option[1].casefold()))
    yield plain_filter(words.model.capitalize(), "model", list(dict.fromkeys(name for _, name in rows)))
    yield plain_filter("Rule", "rule", sorted({row.rule for row in samples}))
    if any(row.compat for row in samples):
        yield plain_filter(words.others.capitalize(), "compat", ("agree", "disagree"))
