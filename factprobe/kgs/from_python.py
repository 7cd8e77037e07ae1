"""Graphs from Python objects: networkx graphs, data frames and records."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, cast

from factprobe.errors import ConfigError, DataError, format_list
from factprobe.inputs import as_records
from factprobe.kgs.default_labels import is_iri
from factprobe.kgs.in_memory.memory_graph import InMemoryGraph, SourceFact, entity_of
from factprobe.kgs.sources import TemplateConfig
from factprobe.kgs.tables.column_checks import check_columns_exist, check_ends_differ, warn_of_unused
from factprobe.kgs.tables.column_names import ColumnNames, fact_columns
from factprobe.kgs.tables.fact_rows import FactRow, split_names
from factprobe.periods import parse_day
from factprobe.records import Entity, Period
from factprobe.storage import Problems
from factprobe.text import LONE_SURROGATE, format_count

if TYPE_CHECKING:
    import networkx

log = logging.getLogger(__name__)

_INSPECTED_ROWS = 100
_ROWS_HINT = "pass triples of subject, relation and object, or mappings with these names"
_MISSING_VALUES_NOTE = "; pandas.read_csv reads N/A, NA and null as missing unless keep_default_na=False"
_ALWAYS = Period()


class PythonGraph(InMemoryGraph):
    """Graph from Python objects, which are read when its facts are first requested.

    `facts` yields the facts and reports broken ones to the problems; `templates` has a sentence with [X] and [Y] for
    each relation, by default `[X], LABEL: [Y].`
    """

    def __init__(
        self,
        facts: Callable[[Problems], Iterator[SourceFact]],
        name: str,
        problems: Problems | None = None,
        templates: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(None, name, problems, TemplateConfig(name=name, templates=dict(templates or {})))
        self._read_facts = facts

    def read(self) -> Iterator[SourceFact]:
        """Yield the facts of the Python objects."""
        return self._read_facts(self.problems)


def facts_of_networkx(graph: networkx.Graph[Any], columns: ColumnNames, problems: Problems) -> Iterator[SourceFact]:
    """Yield the edges of a networkx graph as facts.

    The relation is the attribute named in `columns`, or else the first of `relation`, a textual key, `label` and
    `type`. Nodes may have `label` or `name`, `aliases` and `types`. An unlabelled node takes its id as its label
    if no node has a label, or if the id is a number or date and no labelled node's id is one. IRIs and, in nodes with
    attributes, integers are never labels.

    Raises:
        ConfigError: `columns` names a column other than the relation.
        DataError: The graph is undirected, so that subject and object cannot be distinguished.
    """
    if not graph.is_directed():
        hint = "pass a networkx.DiGraph or MultiDiGraph"
        raise DataError("is undirected, so that subjects and objects are unknown", where="the graph", hint=hint)
    if columns != ColumnNames(relation=columns.relation):
        hint = 'name only the edge attribute of the relation: columns={"relation": NAME}'
        raise ConfigError("names ends or dates, which edges do not have", where="columns", hint=hint)
    labelled_ids_are_values = {_is_value(node) for node, data in graph.nodes(data=True) if _node_label(data)}
    has_keys = graph.is_multigraph()
    edges = cast("networkx.MultiGraph[Any]", graph).edges(keys=True, data=True) if has_keys else graph.edges(data=True)
    for subject, object_, *key, data in edges:
        where = f"the edge from {subject} to {object_}".encode(errors="backslashreplace").decode()
        relation = _relation_name(data, key, columns.relation)
        if not relation:
            what = 'has no attribute {}; name another one with columns={{"relation": NAME}}'
            problems.add(what.format(columns.relation or "relation, label or type, and no text as its key"), where)
            continue
        try:
            head = _node_entity(subject, graph.nodes[subject], labelled_ids_are_values)
            tail = _node_entity(object_, graph.nodes[object_], labelled_ids_are_values)
            yield _with_valid_text(SourceFact(str(relation), head, tail, _ALWAYS, str(data.get("label") or "")))
        except ValueError as error:
            problems.add(f"broken fact: {error}", where)


def _relation_name(data: Mapping[Any, Any], key: Sequence[Any], attribute: str | int | None) -> Any:
    if attribute is not None:
        return data.get(attribute)
    texts = (text for text in key if isinstance(text, str))
    return next(filter(None, (data.get("relation"), *texts, data.get("label"), data.get("type"))), "")


def _node_entity(node: Any, data: Mapping[str, Any], labelled_ids_are_values: Collection[bool]) -> Entity:
    """Return a node as an entity.

    `labelled_ids_are_values` contains True if any labelled node has a number or date as its id, and False if any has
    not; it is empty if no node is labelled.
    """
    uri = str(node)
    is_id = is_iri(uri) or (bool(data) and isinstance(node, int))  # a number without attributes may be an answer: 1821
    has_labels = bool(labelled_ids_are_values)
    is_id = is_id or (has_labels and (True in labelled_ids_are_values or not _is_value(node)))
    label = _node_label(data) or ("" if is_id else uri)
    return entity_of(uri, label, *(split_names(data.get(name), "|") for name in ("aliases", "types")))


def _node_label(data: Mapping[str, Any]) -> str:
    return str(data.get("label") or data.get("name") or "")


def _is_value(node: Any) -> bool:
    return isinstance(node, int | float) or parse_day(str(node)) is not None


def facts_of_records(source: Any, columns: ColumnNames, relation: str, problems: Problems) -> Iterator[SourceFact]:
    """Yield the rows of a data frame (pandas, Polars, Arrow), mappings or triples as facts.

    Columns that `columns` does not name are recognised by usual names. `relation` is the relation of all facts if the
    table has no relation column. Rows marked as negated or obsolete are skipped.

    Raises:
        DataError: The table is empty, a row is neither mapping nor triple, or the columns cannot be determined.
    """
    rows = source if hasattr(source, "columns") else (_as_mapping(*row) for row in enumerate(source, 1))
    records = as_records(rows)
    first = list(islice(records, _INSPECTED_ROWS))
    if not first:
        raise DataError("is empty", where="the table", hint=_ROWS_HINT)
    head = list(dict.fromkeys(str(key) for _, record in first for key in record))
    check_columns_exist(columns, head, "the table", 'columns["{}"]')
    all_columns = columns.fill_from(fact_columns(head))
    check_ends_differ(all_columns, "the table", 'columns["{}"]')
    if not all_columns.has_both_ends:
        hint = 'name them: columns={"subject": NAME, "relation": NAME, "object": NAME}'
        what = f"has the columns {format_list(head)}, of which none is clearly the subject and the object"
        raise DataError(what, where="the table", hint=hint)
    warn_of_unused(all_columns, head, "the table")
    skipped_count = 0
    for where, record in chain(first, records):
        row = FactRow(record, all_columns)
        try:
            if row.is_true(all_columns.denied):
                skipped_count += 1
            else:
                yield _with_valid_text(row.to_fact(relation))
        except ValueError as error:
            missing = hasattr(source, "notna") and None in record.values()
            problems.add(f"broken fact: {error}{_MISSING_VALUES_NOTE if missing else ''}", where)
    if skipped_count:
        log.warning("the table: %s marked as negated or obsolete skipped", format_count(skipped_count, "fact"))


def _with_valid_text(fact: SourceFact) -> SourceFact:
    """Return a fact unchanged; raise ValueError if a text has a lone surrogate, which no file can hold."""
    names = (text for entity in (fact.subject, fact.object) for text in (entity.uri, *entity.names(), *entity.types))
    if odd := next(filter(LONE_SURROGATE.search, (fact.relation, fact.relation_label, *names)), ""):
        raise ValueError(f"{odd!r} has half a surrogate pair; decode the text as UTF-16 or remove it")
    return fact


def _as_mapping(number: int, row: Any) -> Mapping[str, Any]:
    """Return a triple as a mapping, or a mapping unchanged; raise a `DataError` for any other row."""
    if isinstance(row, Mapping):
        return row
    if isinstance(row, tuple | list) and len(row) == 3:
        return dict(zip(("subject", "relation", "object"), row, strict=True))
    what = f"has {len(row)} parts, not three" if isinstance(row, tuple | list) else f"is a {type(row).__name__}"
    raise DataError(what, where=f"row {number}", hint=_ROWS_HINT)
