"""A small graph behind an endpoint, for each adapter that asks one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from factprobe.config import convert
from factprobe.factories import build_kg
from factprobe.kgs import Graph, kgs
from tests.kgs.layouts import Case
from tests.kgs.oxigraph import oxigraph
from tests.kgs.sources import TEMPLATES, WITHOUT_DATA


@dataclass(frozen=True)
class EndpointCase(Case):
    """A case with the settings that it is read by."""

    settings: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def opened(self, adapter: str, folder: Path) -> Iterator[Graph]:
        """The graph behind a server that holds the files."""
        with oxigraph("".join(self.files.values())) as url:
            chosen = {
                "name": adapter,
                "endpoint": url,
                "store": str(folder),
                "templates": {WITHOUT_DATA: TEMPLATES[WITHOUT_DATA]},
            }
            chosen |= self.settings
            yield build_kg(convert(chosen, kgs.get(adapter).settings_type, "kg"))


_TEMPLATES = {WITHOUT_DATA: TEMPLATES[WITHOUT_DATA]}
_WD, _WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"


def _case(entity: str, relation: str, mouth: str, crosses: str, **settings: Any) -> EndpointCase:
    """The Danube flows into the Black Sea and through two towns, the Inn into the Danube; in the order of the ids."""
    links = {
        mouth: [(f"{entity}Q1653", f"{entity}Q166"), (f"{entity}Q1718", f"{entity}Q1653")],
        crosses: [(f"{entity}Q1653", f"{entity}Q1741"), (f"{entity}Q1653", f"{entity}Q1781")],
    }
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    named = {end: f'<{end}> {label} "{end[-5:]}"@en .\n' for pairs in links.values() for pair in pairs for end in pair}
    told = [f"<{a}> <{relation}{name}> <{b}> .\n" for name, pairs in links.items() for a, b in pairs]
    return EndpointCase({"rivers.nt": "".join([*named.values(), *told])}, links, WITHOUT_DATA, (), settings)


ENDPOINTS = {
    "sparql": _case("http://example.org/", "http://example.org/p/", "crosses", "mouth"),
    "wikidata": _case(_WD, _WDT, "P403", "P131", predicates=["P403", "P131"], requests_per_minute=None),
}
"""By the name of the adapter."""
