"""Fast writer of triplets and relation summaries from columns; its files equal those written from records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from factprobe.extractors.base import ExtractedRelation
from factprobe.kgs.on_disk.fact_columns import FactColumns
from factprobe.records import NodeSummary, Relation, observed_type
from factprobe.storage import Layout, whole_file

_CHUNK_SIZE = 1 << 13
"""Number of facts that are serialised at once: about 3 MB of text, so that memory is reused."""


class _GroupedFacts(NamedTuple):
    """Facts grouped by the entity at one end, in the order of the source."""

    nodes: Any
    """Index of the term (a row of the table of terms) of each entity."""
    offsets: Any
    """Offset of each entity's facts in `partners`, and at the end the number of all facts."""
    partners: Any
    """Index of the term at the other end of each fact."""

    @property
    def share_of_single(self) -> float:
        """Share of entities that have a single fact."""
        import numpy as np

        return float(np.mean(np.diff(self.offsets) == 1)) if len(self.nodes) else 0.0


def drop_duplicates(columns: FactColumns) -> FactColumns | None:
    """Drop duplicate facts; return None if terms of the same URI differ, since facts must then be merged as records."""
    import numpy as np

    terms, subjects, objects = columns
    if not np.diff(np.sort(terms["digest"].to_numpy())).all():
        return None
    pairs = subjects * len(terms) + objects
    order = np.argsort(pairs)  # faster than np.unique, whose sorting is stable
    starts = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    first = np.sort(np.minimum.reduceat(order, starts))
    return FactColumns(terms, subjects[first], objects[first])


def write_columns(
    columns: FactColumns,
    facts_read: int,
    info: Relation,
    further: NodeSummary | None,
    single_share: float,
    limit: int | None,
    output: Layout,
) -> ExtractedRelation:
    """Write the triplets and the summary of a relation, whose type may be unknown, from its distinct facts.

    `facts_read` counts the facts in the source with duplicates. `further` has the ends of facts that lead from an
    object to further right objects. At most `limit` triplets are written; the summary has all facts.
    """
    subjects, objects = _group_facts(columns.subjects, columns.objects), _group_facts(columns.objects, columns.subjects)
    if not info.type:
        info = replace(info, type=observed_type(subjects.share_of_single, objects.share_of_single, single_share))
    document = msgspec.json.encode(info)
    limited = columns._replace(subjects=columns.subjects[:limit], objects=columns.objects[:limit])
    with whole_file(output.triplets(info.relation)) as file:
        for lines in _triplet_lines(limited, document.decode()):
            file.write(lines)
    with whole_file(output.summary(info.relation)) as file:
        file.write(b'{"relation_info":%b,"node_summary":{"objects":{' % document)
        file.writelines(_node_members(columns.terms, objects, "object", "subjects"))
        file.write(b'},"subjects":{')
        file.writelines(_node_members(columns.terms, subjects, "subject", "objects"))
        file.write(b"}}%b}\n" % (b',"further":%b' % msgspec.json.encode(further) if further else b""))
    ends = (_sort_digests(columns.terms, rows) for rows in (limited.subjects, limited.objects))
    return ExtractedRelation(info, facts_read, len(limited.subjects), *ends)


def _group_facts(nodes: Any, partners: Any) -> _GroupedFacts:
    """Group facts, given the index of the term at this end and at the other end of each, by this end."""
    import numpy as np

    rows = np.arange(len(nodes))
    first = np.empty(nodes.max(initial=-1) + 1, int)
    first[nodes[::-1]] = rows[::-1]
    starts = np.flatnonzero(first[nodes] == rows)
    counts = np.bincount(nodes)[nodes[starts]]
    by_node = np.sort(first[nodes] * len(nodes) + rows) % len(nodes)  # faster than a stable argsort
    return _GroupedFacts(nodes[starts], np.concatenate(([0], np.cumsum(counts))), partners[by_node])


def _triplet_lines(facts: FactColumns, info: str) -> Iterator[Any]:
    """Yield the triplets as JSON Lines, in chunks."""
    terms = facts.terms
    subject = _join_texts('{"subject_label":', terms["label"])
    object_ = _join_texts(',"object_label":', terms["label"], ',"object_uri":', terms["uri"], ',"subject_uri":')
    aliases = _optional_json(terms, "subject", "aliases")
    uri = _join_texts(terms["uri"], f',"relation_info":{info}', *([] if aliases is None else [aliases]))
    fields = [(subject, True), (object_, False), (uri, True), (_optional_json(terms, "object", "aliases"), False)]
    fields += [(_optional_json(terms, "subject", "types"), True), (_optional_json(terms, "object", "types"), False)]
    for start in range(0, len(facts.subjects), _CHUNK_SIZE):
        subjects, objects = (_row_array(rows[start : start + _CHUNK_SIZE]) for rows in (facts.subjects, facts.objects))
        parts = (field.take(subjects if is_subject else objects) for field, is_subject in fields if field is not None)
        yield _text_buffer(_join_texts(*parts, "}\n"))


def _node_members(terms: Any, side: _GroupedFacts, end: Literal["subject", "object"], partners: str) -> Iterator[Any]:
    """Yield the entities at one end, with their partners, as members of a JSON object, in chunks."""
    import numpy as np
    import pyarrow
    import pyarrow.compute as pc

    parts = [*np.flatnonzero(np.diff(side.offsets[:-1] // _CHUNK_SIZE, prepend=-1)), len(side.nodes)]
    for start, stop in pairwise(parts):
        offsets = side.offsets[start : stop + 1]
        uris = terms["uri"].take(_row_array(side.partners[offsets[0] : offsets[-1]]))
        lists = pyarrow.ListArray.from_arrays(pyarrow.array(offsets - offsets[0], pyarrow.int32()), uris)
        nodes = terms.take(_row_array(side.nodes[start:stop]))
        fields = (_optional_json(nodes, end, name) for name in ("aliases", "types"))
        yield _text_buffer(
            _join_texts(
                *(nodes["uri"], f':{{"{end}_label":', nodes["label"], f',"{end}_uri":', nodes["uri"]),
                *(f',"{partners}":[', pc.binary_join(lists, ","), "]"),
                *(field for field in fields if field is not None),
                "},",
            )
        )[: -1 if stop == len(side.nodes) else None]


def _optional_json(terms: Any, end: str, name: str) -> Any:
    """Return a field of each term as a JSON member, or an empty text if it is empty; None if all values are empty."""
    import pyarrow.compute as pc

    empty = pc.equal(terms[name], "")
    if pc.all(empty).as_py():
        return None
    return pc.if_else(empty, "", _join_texts(f',"{end}_{name}":', terms[name]))


def _join_texts(*parts: Any) -> Any:
    """Join texts row by row."""
    import pyarrow.compute as pc

    return pc.binary_join_element_wise(*parts, "")


def _text_buffer(texts: Any) -> Any:
    """Return the data buffer of an Arrow array of texts: the concatenated texts."""
    return texts.buffers()[2]


def _row_array(numbers: Any) -> Any:
    import pyarrow

    return pyarrow.array(numbers)


def _sort_digests(terms: Any, rows: Any) -> bytes:
    import numpy as np

    return bytes(np.sort(terms["digest"].take(_row_array(np.flatnonzero(np.bincount(rows)))).to_numpy()).tobytes())
