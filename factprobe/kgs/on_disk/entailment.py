"""Facts that OWL entails: equal entities are joined, and symmetric and inverse relations hold in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

OWL = "http://www.w3.org/2002/07/owl#"
_RDFS, _SKOS = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2004/02/skos/core#"
TRANSITIVE = (
    *(f"{_RDFS}subClassOf", f"{_RDFS}subPropertyOf"),
    *(f"{_SKOS}{name}" for name in ("broader", "narrower", "broaderTransitive", "narrowerTransitive")),
)
"""Predicates of RDFS and SKOS whose objects' objects are right answers too."""
_SAME, _INVERSE = f"{OWL}sameAs", f"{OWL}inverseOf"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_DECLARED = f"select distinct relation from predicates where relation in ('{_SAME}', '{_INVERSE}', '{_TYPE}')"
_EQUAL_PAIRS = f"""
with obsolete as (
    select key(entity, '') from names where kind = ? or list_contains(getvariable('obsolete_types'), name))
select subject, object from facts
where relation = key('{_SAME}', 'relation') and not literal
    and subject not in (from obsolete) and object not in (from obsolete)
"""
_JOIN_EQUAL = f"""
delete from facts where relation = key('{_SAME}', 'relation');
create temporary table equals as
with named as (select distinct term as entity, key(term, '') as term from ends where datatype = ''),
    ends as (select subject as term, rowid as place from facts union all select object, rowid from facts),
    places as (select term, min(place) as place from ends semi join components using (term) group by term)
select entity, term, first_value(entity) over (partition by component order by place nulls last, entity) as root
from components join named using (term) left join places using (term);
update facts set subject = key(root, '') from equals where subject = term;
update facts set object = key(root, '') from equals where object = term;
delete from ends where datatype = '' and term in (select entity from equals where entity <> root);
insert into names select root, kind, rank, name from names join equals using (entity)
where entity <> root order by names.rowid;
"""
_ADD_REVERSED = f"""
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

    The first of equal entities in the facts has all names, its own first. Entities with names of the kind `obsolete`
    are not joined.
    """
    declared = {relation for (relation,) in connection.execute(_DECLARED).fetchall()}
    if _SAME in declared:
        _join_equal(connection, obsolete)
    if declared - {_SAME}:
        connection.execute(_ADD_REVERSED)


def _join_equal(connection: DuckDBPyConnection, obsolete: int) -> None:
    import numpy as np
    import pyarrow
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.stack(list(connection.execute(_EQUAL_PAIRS, [obsolete]).fetchnumpy().values()))
    terms, ends = np.unique(pairs, return_inverse=True)
    graph = coo_array((np.ones(len(pairs[0])), ends.reshape(pairs.shape)), shape=(len(terms), len(terms)))
    components = connected_components(graph, directed=False)[1]
    connection.register("components", pyarrow.table({"term": terms, "component": components}))
    connection.execute(_JOIN_EQUAL)
    connection.unregister("components")
