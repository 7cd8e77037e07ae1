"""A small graph in the form of each adapter whose files hold all relations, with mistakes on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from factprobe.build import build_kg
from factprobe.config import convert
from factprobe.kgs import Graph, kgs
from factprobe.storage import Problems
from tests.kgs.layouts import Case

WITHOUT_DATA = "source"
TEMPLATES = {WITHOUT_DATA: "[X] rises in [Y].", "mouth": "[X] flows into [Y]."}


@dataclass(frozen=True)
class SourceCase(Case):
    """A case with the settings that it is read by."""

    settings: dict[str, Any] = field(default_factory=dict)

    def build(self, adapter: str, folder: Path, *, strict: bool = False) -> Graph:  # type: ignore[override]
        """Writes the files and opens them as a graph."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files.items():
            (folder / name).write_text(content, encoding="utf-8")
        chosen = {
            "name": adapter,
            "source": str(folder / next(iter(self.files))),
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

SOURCES: dict[str, SourceCase] = {"csv": CSV}
"""By the name of the adapter."""
