"""Facts that OWL entails: equal entities are joined, and symmetric and inverse relations hold in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

OWL = "http://www.w3.org/2002/07/owl#"
_RDFS, _SKOS = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2004/02/skos/core#"
TRANSITIVE = (
    *(f"{_RDFS}subClassOf", f"{_RDFS}subPropertyOf"),
    *(f"{_SKOS}{name}{ending}" for name in ("broader", "narrower") for ending in ("", "Transitive")),
)
"""Predicates of RDFS and SKOS that lead to right answers through others; SKOS derives transitive ones from `broader`
and `narrower`."""
_SAME, _INVERSE = f"{OWL}sameAs", f"{OWL}inverseOf"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_DECLARED = f"""
select distinct relation from predicates where relation in ('{_SAME}', '{_INVERSE}', '{_TYPE}')
"""
_LIVE = """
(select * from facts where not literal
    and subject not in (select * from obsolete_keys) and object not in (select * from obsolete_keys))
"""
_EQUAL_PAIRS = f"""
create temporary table obsolete_keys as
select distinct key(entity, '') from names where kind = ? or list_contains(getvariable('obsolete_types'), name);
select subject, object from {_LIVE} where relation = key('{_SAME}', 'relation')
"""
_JOIN_EQUAL = (
    f"delete from facts where relation = key('{_SAME}', 'relation')",
    """
create temporary table roots as
select term, first_value(term) over (partition by component order by place nulls last, term) as root
from components left join (
    select term, min(place) as place
    from (select subject as term, rowid as place from facts union all select object, rowid from facts)
        semi join components using (term)
    group by term) using (term)
""",
    """
create temporary table equals as
with named as (
    select distinct term as entity, key(term, '') as term from ends
    where datatype = '' and key(term, '') in (select term from roots))
select named.entity, other.entity as root
from named join roots using (term) join named other on other.term = root where named.entity <> other.entity
""",
    "update facts set subject = root from roots where subject = term",
    "update facts set object = root from roots where object = term",
    """
insert into names select root, kind, rank, name from names join equals using (entity) order by names.rowid, root
""",
    "delete from ends where datatype = '' and term in (select entity from equals)",
)
_ENTAILED = f"""
insert into facts
with relations as (select distinct key(relation, 'relation') as relation, key(relation, '') as entity from predicates),
    inverse_of as (select subject, object from facts where relation = key('{_INVERSE}', 'relation')),
    reversals as (
        select * from inverse_of union select object, subject from inverse_of
        union select subject, subject from facts
        where relation = key('{_TYPE}', 'relation') and object = key('{OWL}SymmetricProperty', ''))
select own.relation, facts.object, facts.subject, false
from reversals join relations own on own.entity = reversals.subject
    join relations other on other.entity = reversals.object join facts on facts.relation = other.relation
where not literal and not exists (
    select 1 from facts known where known.relation = own.relation and known.subject = facts.object
        and known.object = facts.subject and not known.literal)
order by facts.rowid, own.relation
"""


def entail(connection: DuckDBPyConnection, obsolete: int) -> None:
    """Join the entities that `owl:sameAs` declares equal, and add facts of symmetric and inverse relations.

    The first of equal entities in the facts has all names, its own first. Obsolete entities, marked by names of the
    kind `obsolete`, are not joined.
    """
    declared = {relation for (relation,) in connection.execute(_DECLARED).fetchall()}
    if _SAME in declared:
        _join_equal(connection, obsolete)
    if declared - {_SAME}:
        connection.execute(_ENTAILED)


def _join_equal(connection: DuckDBPyConnection, obsolete: int) -> None:
    import numpy as np
    import pyarrow
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    create, pairs = _EQUAL_PAIRS.split(";")
    connection.execute(create, [obsolete])
    ends = connection.execute(pairs).fetchnumpy()
    terms, codes = np.unique(np.concatenate([ends["subject"], ends["object"]]), return_inverse=True)
    one, other = np.split(codes, 2)
    graph = coo_array((np.ones(len(one), bool), (one, other)), shape=(len(terms), len(terms)))
    components = connected_components(graph, directed=False)[1]
    connection.register("components", pyarrow.table({"term": terms, "component": components}))
    for query in _JOIN_EQUAL:
        connection.execute(query)
    connection.unregister("components")
