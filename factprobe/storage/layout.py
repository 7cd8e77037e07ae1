"""Where each file of a run lies, and file names for any string."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, unquote

SUPERSEDED = "superseded"
"""The folder of responses that fit no question as it is worded now."""

_LONGEST_NAME = 120


def safe_name(name: str) -> str:
    """A file name for any string: it never leaves its folder, and two names never share one."""
    quoted = quote(name, safe=" ()+,=@", errors="surrogatepass")
    if quoted.startswith(".") or not quoted:
        quoted = "%2E" + quoted[1:] if quoted else "%"
    if len(quoted) > _LONGEST_NAME:
        from hashlib import blake2b

        digest = blake2b(name.encode(errors="surrogatepass"), digest_size=8).hexdigest()
        quoted = f"{quoted[:_LONGEST_NAME]}~{digest}"
    return quoted


def inside(folder: Path, name: str) -> Path:
    """The path of `name` in a folder; a name that would leave the folder or can be no file's is made safe first."""
    path = Path(os.path.normpath(folder / name))
    leaves = Path(os.path.relpath(path, folder)).parts[:1] == ("..",)
    fits = "\0" not in name and all(len(os.fsencode(part)) < 256 for part in path.parts)
    return path if fits and not leaves else folder / safe_name(name)


def made(path: Path) -> bool:
    """Whether a file of a run has been made."""
    return path.exists()


def jsonl_files(path: Path) -> list[Path]:
    """A file, or every `*.jsonl` of a folder in the order of their names."""
    return sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


class Layout:
    """Where the files of one run lie under its output folder, and what of them has been made."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lock = root / ".lock"
        self.graph_summary = root / "triplets" / "summary.json"
        self.manifest = root / "manifest.json"
        self.scores_csv = root / "scores.csv"
        self.scores_json = root / "scores.json"
        self.scores_parquet = root / "scores.parquet"
        self.consistency = root / "consistency.json"
        self.calibration = root / "calibration.json"
        self.comparison_csv = root / "comparison.csv"
        self.comparison_json = root / "comparison.json"
        self.agreement_csv = root / "agreement.csv"
        self.agreement_json = root / "agreement.json"
        self.report = root / "report.html"
        self.report_markdown = root / "report.md"

    def triplets(self, relation: str) -> Path:
        """The triplets of a relation."""
        return self.root / "triplets" / f"{safe_name(relation)}.jsonl"

    def summary(self, relation: str) -> Path:
        """The relation summary of a relation."""
        return self.root / "triplets" / f"{safe_name(relation)}.summary.json"

    def questions(self, generator: str, relation: str) -> Path:
        """The questions that a generator made of a relation."""
        return self.root / "questions" / safe_name(generator) / f"{safe_name(relation)}.jsonl"

    def responses(self, generator: str, model: str, relation: str) -> Path:
        """A model's responses to them."""
        return self.root / "responses" / safe_name(generator) / safe_name(model) / f"{safe_name(relation)}.jsonl"

    def grades(self, generator: str, model: str, relation: str) -> Path:
        """The grades of those responses."""
        return self.root / "grades" / safe_name(generator) / safe_name(model) / f"{safe_name(relation)}.jsonl"

    def graded(self) -> list[tuple[str, str]]:
        """Generator and model of all grades that have been made, in the order of their folders."""
        generators = sorted((self.root / "grades").glob("*/"))
        return [(unquote(folder.name), model) for folder in generators for model in _graded(folder)]

    def graded_models(self, generator: str) -> list[str]:
        """The models whose responses to a generator's questions have been graded, in the order of their names."""
        return sorted(_graded(self.root / "grades" / safe_name(generator)))

    def compat(self, generator: str, model: str, rules: str, relation: str) -> Path:
        """The grades of those responses by other rules."""
        own = self.grades(generator, model, relation)
        return own.parent / "compat" / safe_name(rules) / own.name

    def compats(self, generator: str, model: str, relation: str) -> dict[str, Path]:
        """All grades of those responses by other rules, by the name of the rules."""
        own = self.grades(generator, model, relation)
        paths = [folder / own.name for folder in sorted((own.parent / "compat").glob("*/"))]
        return {unquote(path.parent.name): path for path in paths if made(path)}

    def judged(self, generator: str, model: str, judge: str, relation: str) -> Path:
        """What a judge is asked of those responses, as questions."""
        folder = self.root / "judgments" / safe_name(generator) / safe_name(model) / safe_name(judge)
        return folder / "questions" / f"{safe_name(relation)}.jsonl"

    def judgments(self, generator: str, model: str, judge: str, repeat: int, relation: str) -> Path:
        """What the judge says, as responses; each sample has its own `repeat`."""
        asked = self.judged(generator, model, judge, relation)
        return asked.parents[1] / str(repeat) / asked.name

    def graphs(self) -> list[Layout]:
        """This folder where it is a graph's own, or else the graphs' folders in it or in its own folders."""
        if made(self.graph_summary):
            return [self]
        folders = sorted((*self.root.glob("*/"), *self.root.glob("*/*/")))
        return [found for found in map(Layout, folders) if made(found.graph_summary)]


def _graded(folder: Path) -> list[str]:
    """The models that have grades in the folder of a generator."""
    return [unquote(path.name) for path in sorted(folder.glob("*/")) if any(path.glob("*.jsonl"))]
