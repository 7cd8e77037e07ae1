"""`generator.template=all`: a step runs for every template of the relations."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from msgspec import Struct
from msgspec.structs import replace

from factprobe.records import GraphSummary, Relation
from factprobe.relations import is_composed
from factprobe.steps.base import Run, load_step
from factprobe.storage import is_made, read_json


class _Described(Struct, frozen=True):
    """Fields that are read of a relation summary."""

    relation_info: Relation


def expand_templates(run: Run, step: str) -> Iterator[Run]:
    """Return the runs of a step, one for each template.

    The first keeps the generator's name, later ones are `<name>-1`, `<name>-2`; they share the model and the cost
    limit.
    """
    declaration = load_step(step)
    if run.config.generator.get("template") != "all" or not declaration.is_apart_by("generator"):
        yield run
        return
    if declaration.is_apart_by("model"):
        _ = run.model  # loaded once for all
    for number in range(_most(run)):
        one = copy(run)
        own = run.config.generator
        name = f"{own['name']}-{number}" if number else own["name"]
        one.config = replace(run.config, generator={**own, "template": number, "name": name})
        yield one
        run.usd = one.usd


def _most(run: Run) -> int:
    """Return the largest number of templates of a relation; 1 if none is extracted, which the step reports."""
    from factprobe.factories import build_generator
    from factprobe.generators.fact_generator import FactGenerator  # what most steps need not load

    generator = build_generator(run.config.generator)
    if not (isinstance(generator, FactGenerator) and is_made(run.layout.graph_summary)):
        return 1
    found = read_json(run.layout.graph_summary, GraphSummary).relations
    picked = run.config.selected_relations
    names = [
        one.relation
        for one in found
        if picked is None or one.relation in picked or is_composed(run.config, one.relation, one)
    ]
    paths = [path for path in map(run.layout.summary, names) if is_made(path)]
    return max((len(generator.templates(read_json(path, _Described).relation_info)) for path in paths), default=1)
