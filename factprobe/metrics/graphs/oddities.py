"""Problems in facts that make questions flawed: namesakes, answers in the subject's name, loops, missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from factprobe.question_types import ENDS, End
from factprobe.reading.answer_leak import named_in
from factprobe.reading.language import vocabulary
from factprobe.records import Answer, RelationSummary
from factprobe.text import normalise


def shared_labels(summary: RelationSummary) -> tuple[int, list[tuple[str, int]], list[tuple[str, int]]]:
    """Find entities at the same end of a relation that share a normalised label.

    Return their number at both ends, the shared labels of subjects that have different objects, and the shared labels
    of objects, each with its number of entities and the most frequent first.
    """
    count = 0
    namesakes: dict[End, list[tuple[str, int]]] = {end: [] for end in ENDS}
    for end in ENDS:
        bearers: dict[str, list[tuple[str, str]]] = {}
        for entity in summary.entities(end):
            if entity.label.strip():
                bearers.setdefault(normalise(entity.label), []).append((entity.uri, entity.label))
        for several in (uris for uris in bearers.values() if len(uris) > 1):
            count += len(several)
            if end == "object" or len({frozenset(summary.partners(uri, end)) for uri, _ in several}) > 1:
                namesakes[end].append((several[0][1], len(several)))
    subjects, objects = (sorted(labels, key=lambda label_count: -label_count[1]) for labels in namesakes.values())
    return count, subjects, objects


def giveaways(summary: RelationSummary) -> Iterator[tuple[str, str]]:
    """Yield both labels of each fact, except loops, in which the subject's label contains the object's."""
    nodes = summary.node_summary
    answers = {
        uri: Answer(uri, node.object_label, node.object_aliases)
        for uri, node in nodes.objects.items()
        if node.object_label
    }
    for subject in nodes.subjects.values():
        label = subject.subject_label
        for uri in subject.objects:
            if label and uri in answers and uri != subject.subject_uri and named_in(label, (label,), (answers[uri],)):
                yield label, answers[uri].label


def loops(summary: RelationSummary) -> list[str]:
    """Return the labels (or URIs) of entities that are related to themselves."""
    return [node.subject_label or uri for uri, node in summary.node_summary.subjects.items() if uri in node.objects]


def placeholders(summary: RelationSummary) -> list[tuple[str, int]]:
    """Return the labels that may be missing values (`N/A`, `unknown`, `-`, `yes`), with their numbers of facts.

    The most frequent labels come first. Such a label is a word for a missing value or a truth value, or has neither
    letters nor digits. "Na", the symbol of sodium, is excluded.
    """
    counts: Counter[str] = Counter()
    for end in ENDS:
        for entity in summary.entities(end):
            label = entity.label
            name, is_symbol = normalise(label), len(label) == 2 and label.istitle()
            is_word = name in vocabulary("truth_value") or (name in vocabulary("missing_value") and not is_symbol)
            if label.strip() and (is_word or not any(letter.isalnum() for letter in label)):
                counts[label] += len(summary.partners(entity.uri, end))
    return counts.most_common()
