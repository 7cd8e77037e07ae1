"""Facts that RDFS and OWL entail: equal entities are joined, and facts of a relation hold in implied relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

OWL, RDF = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS, _SKOS = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2004/02/skos/core#"
TRANSITIVE = (
    *(f"{RDFS}subClassOf", f"{RDFS}subPropertyOf"),
    *(f"{_SKOS}{name}" for name in ("broader", "narrower", "broaderTransitive", "narrowerTransitive")),
)
"""Predicates of RDFS and SKOS whose objects' objects are right answers too."""
VOCABULARIES = OWL, RDF, RDFS
_SAME = f"{OWL}sameAs"
_WIKIDATA = "http://www.wikidata.org/"
_TYPES = f"{RDF}type", f"{_WIKIDATA}prop/direct/P31"
_INVERSE = f"{OWL}inverseOf", f"{_WIKIDATA}prop/direct/P1696"
_EQUIVALENT, _SUB = f"{OWL}equivalentProperty", f"{RDFS}subPropertyOf"
_SYMMETRIC_CLASSES = f"{OWL}SymmetricProperty", f"{_WIKIDATA}entity/Q18647518"
_TRANSITIVE_CLASSES = f"{OWL}TransitiveProperty", f"{_WIKIDATA}entity/Q18647515"
_PROPERTY_CLASS = rf"({OWL}|{RDF})\w*Property"
_PROPERTY = r".*/entity/P\d+"
"""Pattern of the IRI of a Wikibase property as an entity."""
DECLARATIONS = (*_TYPES, *_INVERSE, _EQUIVALENT, _SUB)
"""Predicates that declare what a relation implies."""
FURTHER = {f"{RDF}type": f"{RDFS}subClassOf", _TYPES[1]: f"{_WIKIDATA}prop/direct/P279"}
"""Predicates whose objects are linked by another predicate to objects that are right too."""


def _key_list(names: Sequence[str], kind: str) -> str:
    """Return an SQL list of the keys of names, for use after `in`."""
    keys = ", ".join(f"key('{name}', '{kind}')" for name in names)
    return f"({keys})"


def _facts_of(*relations: str) -> str:
    return f"facts where not literal and relation in {_key_list(relations, 'relation')}"


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
_IMPLIED = f"""
create temporary table properties as
select distinct key(relation, 'relation') as relation, key({{naming_entity}}, '') as entity from predicates;
create temporary table implied as
with recursive steps as (
    select object as own, subject as other, false as reversed from {_facts_of(_SUB, _EQUIVALENT)}
    union select subject, object, false from {_facts_of(_EQUIVALENT)}
    union select subject, object, true from {_facts_of(*_INVERSE)}
    union select object, subject, true from {_facts_of(*_INVERSE)}
    union select subject, subject, true from {_facts_of(*_TYPES)} and object in {_key_list(_SYMMETRIC_CLASSES, "")}),
closed as (
    select * from steps union select closed.own, steps.other, closed.reversed <> steps.reversed
    from closed join steps on closed.other = steps.own)
select * from closed;
create temporary table transitive as
with declared as (
    select subject as entity from {_facts_of(*_TYPES)} and object in {_key_list(_TRANSITIVE_CLASSES, "")}
    union select entity from properties where relation in {_key_list(TRANSITIVE, "relation")})
select relation from properties
where entity in (from declared) or exists (
    select 1 from implied forth join implied back on forth.own = back.other and forth.other = back.own
    where forth.own = entity and forth.other in (from declared))
"""
_ADD_IMPLIED = """
insert into facts
select own.relation, if(reversed, facts.object, facts.subject) as subject,
    if(reversed, facts.subject, facts.object) as object, literal
from implied join properties own on own.entity = implied.own
    join properties other on other.entity = implied.other join facts on facts.relation = other.relation
where not (literal and reversed) and not exists (
    select 1 from facts known where known.relation = own.relation
        and known.subject = if(reversed, facts.object, facts.subject)
        and known.object = if(reversed, facts.subject, facts.object) and known.literal = facts.literal)
group by all order by min(facts.rowid), own.relation
"""
_DROP_SCHEMA = f"""
create temporary table schema_terms as
with classes as (select key(term, '') from ends where datatype = '' and regexp_full_match(term, '{_PROPERTY_CLASS}'))
select subject as term from {_facts_of(*_TYPES)} and object in (from classes)
union select unnest([subject, object]) from {_facts_of(_SUB, _EQUIVALENT, *_INVERSE)}
union select subject from {_facts_of(f"{RDFS}domain", f"{RDFS}range")}
union select key(term, '') from ends
where datatype = '' and (regexp_full_match(term, '{_PROPERTY}')
    or {" or ".join(f"starts_with(term, '{name}')" for name in VOCABULARIES)});
create temporary table schema_facts as
select relation, rowid as place from facts
where subject in (from schema_terms) or (not literal and object in (from schema_terms));
create table schema_counts as
select any_value(predicates.relation) as relation, count(distinct place) as count
from schema_facts join predicates on schema_facts.relation = key(predicates.relation, 'relation')
where schema_facts.relation not in {_key_list(_TYPES, "relation")} group by schema_facts.relation order by min(place);
delete from facts where rowid in (select place from schema_facts);
delete from ends where datatype = '' and key(term, '') in (from schema_terms);
"""


def entail(connection: DuckDBPyConnection, obsolete: int, naming_entity: str) -> None:
    """Join the entities that `owl:sameAs` declares equal, and add the facts that other relations imply.

    The first of equal entities in the facts has all names, its own first. Entities with names of the kind `obsolete`
    are not joined. Relations that are transitive, by themselves or by their inverse, are listed in the table
    `transitive`. Only relations that have facts get implied ones. Then facts about properties, and those with terms of
    RDF, RDFS and OWL, are dropped and counted. `naming_entity` is an SQL expression that maps the column `relation` to
    the entity whose names the relation has.
    """
    [[has_equal]] = connection.execute(f"select count(*) from {_facts_of(_SAME)}").fetchall()
    if has_equal:
        _join_equal(connection, obsolete)
    connection.execute(_IMPLIED.format(naming_entity=naming_entity))
    connection.execute(_ADD_IMPLIED)
    connection.execute(_DROP_SCHEMA)


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
