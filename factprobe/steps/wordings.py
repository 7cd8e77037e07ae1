"""`generator.template=all`: a step that makes something of the questions is run for every wording of the relations."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from msgspec import Struct
from msgspec.structs import replace

from factprobe.records import GraphSummary, Relation
from factprobe.relations import is_composed
from factprobe.steps.base import Run, declared
from factprobe.storage import made, read_json


class _Described(Struct, frozen=True):
    """What is read of a relation summary."""

    relation_info: Relation


def each_wording(run: Run, step: str) -> Iterator[Run]:
    """The runs of a step, one for each template where all are asked: the first has the generator's own name, those
    behind it `<name>-1`, `<name>-2`. They share the model and the limit of the cost."""
    declaration = declared(step)
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
    """How many templates the relation has that has most of them, of those that the run is about; 1 where none is
    extracted, as the step itself then says."""
    from factprobe.building import build_generator
    from factprobe.generators.facts import FactGenerator  # what most steps need not load

    generator = build_generator(run.config.generator)
    if not (isinstance(generator, FactGenerator) and made(run.layout.graph_summary)):
        return 1
    found = read_json(run.layout.graph_summary, GraphSummary).relations
    picked = run.config.picked
    names = [
        one.relation
        for one in found
        if picked is None or one.relation in picked or is_composed(run.config, one.relation, one)
    ]
    paths = [path for path in map(run.layout.summary, names) if made(path)]
    return max((len(generator.templates(read_json(path, _Described).relation_info)) for path in paths), default=1)
