"""A small graph in the form of each adapter whose files hold all relations, with mistakes on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from factprobe.config import convert
from factprobe.factories import build_kg
from factprobe.kgs import Graph, kgs
from factprobe.storage import Problems
from tests.kgs.layouts import Case
from tests.kgs.rrf import named, related, typed

WITHOUT_DATA = "source"
TEMPLATES = {WITHOUT_DATA: "[X] rises in [Y].", "mouth": "[X] flows into [Y]."}


@dataclass(frozen=True)
class SourceCase(Case):
    """A case with the settings that it is read by."""

    settings: dict[str, Any] = field(default_factory=dict)
    source: str | None = None
    """What of the folder is named; by default the first file."""

    def build(self, adapter: str, folder: Path, *, strict: bool = False) -> Graph:
        """Writes the files and opens them as a graph."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            (folder / name).write_text(content, encoding="utf-8")
        chosen = {
            "name": adapter,
            "source": str(folder / (next(iter(self.files)) if self.source is None else self.source)),
            "templates": TEMPLATES,
            **self.settings,
        }
        return build_kg(convert(chosen, kgs.get(adapter).settings_type, "kg"), Problems(strict))


CSV = SourceCase(
    files={
        "rivers.csv": (
            "subject_id,subject,relation,object_id,object\n"
            "Q1653,Danube,mouth,Q166,Black Sea\n"
            "Q1653,Danube,crosses,Q1741,Vienna\n"
            "Q584,Rhine,mouth,Q1693\n"
            "Q584,Rhine,mouth,Q1693,North Sea\n"
            ",,mouth,Q166,Black Sea\n"
            "Q1653,Danube,crosses,Q1781,Budapest\n"
            "Q1653,Danube,mouth,Q166,Black Sea\n"
        )
    },
    facts={
        "mouth": [("Q1653", "Q166"), ("Q584", "Q1693"), ("Q1653", "Q166")],
        "crosses": [("Q1653", "Q1741"), ("Q1653", "Q1781")],
    },
    without_data=WITHOUT_DATA,
    broken=("rivers.csv:4", "rivers.csv:6"),
)

_E = "http://example.org/"
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def _fact(subject: str, relation: str, object_: str) -> str:
    return f"<{_E}{subject}> <{_E}{relation}> <{_E}{object_}> .\n"


RDF = SourceCase(
    files={
        "rivers.nt": (
            f'<{_E}Danube> {_LABEL} "Danube"@en .\n<{_E}Vienna> {_LABEL} "Vienna" .\n'
            + _fact("Danube", "mouth", "Black_Sea")
            + f"<{_E}Danube> mouth <{_E}Black_Sea> .\n"
            + _fact("Danube", "crosses", "Vienna")
            + _fact("Danube", "mouth", "Black_Sea")
            + f"<{_E}Danube> <{_E}crosses> .\n"
            + _fact("Inn", "mouth", "Danube")
            + _fact("Danube", "crosses", "Budapest")
            + f'<{_E}Black_Sea> {_LABEL} "Black Sea"@en .\n'
        )
    },
    facts={
        "mouth": [(f"{_E}Danube", f"{_E}Black_Sea")] * 2 + [(f"{_E}Inn", f"{_E}Danube")],
        "crosses": [(f"{_E}Danube", f"{_E}Vienna"), (f"{_E}Danube", f"{_E}Budapest")],
    },
    without_data=WITHOUT_DATA,
    broken=("rivers.nt:4", "rivers.nt:7"),
)

RRF = SourceCase(
    files={
        name: "".join(f"{row}\n" for row in rows)
        for name, rows in {
            "MRREL.RRF": [
                related("C4", "mouth", "C1"),
                "C4|A4|AUI|RO|",
                related("C2", "crosses", "C1"),
                related("C5", "mouth", "C6"),
                related("C4", "mouth", "C1", sab="NCI"),
                "C5|A4|AUI|RO|",
                related("C3", "crosses", "C1"),
            ],
            "MRCONSO.RRF": [
                named(f"C{number}", name)
                for number, name in enumerate(("Danube", "Vienna", "Budapest", "Black Sea", "North Sea", "Rhine"), 1)
            ],
            "MRSTY.RRF": [typed("C1", "River")],
        }.items()
    },
    facts={"mouth": [("C1", "C4"), ("C6", "C5"), ("C1", "C4")], "crosses": [("C1", "C2"), ("C1", "C3")]},
    without_data=WITHOUT_DATA,
    broken=("MRREL.RRF:2", "MRREL.RRF:6"),
    source="",
)

SOURCES: dict[str, SourceCase] = {"csv": CSV, "rdf": RDF, "umls_rrf": RRF}
"""By the name of the adapter."""
