"""Paths of a run's files, and safe file names for arbitrary strings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

from factprobe.storage.json_files import read_json, write_json

SUPERSEDED = "superseded"
"""Folder of responses to earlier wordings of questions."""

_LONGEST_NAME = 120
_NAME = "name.json"
"""File with the full name of a folder with a shortened name."""


def safe_name(name: str) -> str:
    """Return a file name without path separators for any string; different strings have different names."""
    quoted = quote(name, safe=" ()+,=@", errors="surrogatepass")
    if quoted.startswith(".") or not quoted:
        quoted = "%2E" + quoted[1:] if quoted else "%"
    if len(quoted) > _LONGEST_NAME:
        from hashlib import blake2b

        digest = blake2b(name.encode(errors="surrogatepass"), digest_size=8).hexdigest()
        quoted = f"{quoted[:_LONGEST_NAME]}~{digest}"
    return quoted


def inside(folder: Path, name: str) -> Path:
    """Return the path of `name` in a folder; if the name is invalid or leads outside, a safe one replaces it."""
    path = Path(os.path.normpath(folder / name))
    leaves = not Path(os.path.normpath(path.absolute())).is_relative_to(os.path.normpath(folder.absolute()))
    fits = "\0" not in name and all(len(os.fsencode(part)) < 256 for part in path.parts)
    return path if fits and not leaves else folder / safe_name(name)


def jsonl_files(path: Path) -> list[Path]:
    """Return a file as a list, or all `*.jsonl` files of a folder in the order of their names."""
    return sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


REPEAT = "~"
"""Mark between the name of a model and the index of a repeat."""


def repeat_name(model: str, repeat: int) -> str:
    """Return the name of a repeat in file names: `m` for repeat 0 of model `m`, `m~2` for repeat 2."""
    return f"{model}{REPEAT}{repeat}" if repeat else model


class GradedFolder(NamedTuple):
    """Folder of grades, with the paths of the graded files.

    The paths derive from the folder and not from the names, since an earlier version may have shortened the folder's
    name so that they are unknown.
    """

    generator: str
    model: str
    folder: Path

    @property
    def examined(self) -> str:
        """Name of the model without the index of a repeat, e.g. `m` for `m~2`."""
        name, mark, repeat = self.model.rpartition(REPEAT)
        return name if mark and name and repeat.isdecimal() else self.model

    def grades(self, relation: str) -> Path:
        """Return the path of the grades of a relation."""
        return self.folder / f"{safe_name(relation)}.jsonl"

    def questions(self, relation: str) -> Path:
        """Return the path of the graded questions."""
        return self.folder.parents[2] / "questions" / self.folder.parent.name / f"{safe_name(relation)}.jsonl"

    def responses(self, relation: str) -> Path:
        """Return the path of the graded responses."""
        folder = self.folder.parents[2] / "responses" / self.folder.parent.name / self.folder.name
        return folder / f"{safe_name(relation)}.jsonl"

    def alternative_grades(self, relation: str) -> dict[str, Path]:
        """Return the paths of the relation's grades under alternative rules, by name of the rules."""
        paths = [folder / f"{safe_name(relation)}.jsonl" for folder in sorted((self.folder / "compat").glob("*/"))]
        return {_full_name(path.parent): path for path in paths if path.exists()}


_FOLDERS = (
    "triplets",
    "paraphrases",
    "worded",
    "phrases",
    "questions",
    "responses",
    "grades",
    "judgments",
    "asked",
    "samples",
    "selfcheck",
)


class Layout:
    """Paths of a run's files in its output folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lock = root / ".lock"
        self.graph_summary = root / "triplets" / "summary.json"
        self.manifest = root / "manifest.json"
        self.scores_csv = root / "scores.csv"
        self.scores_json = root / "scores.json"
        self.scores_parquet = root / "scores.parquet"
        self.templates = root / "templates.yaml"
        self.worded = root / "worded.yaml"
        self.inspection = root / "inspect.json"
        self.inspection_page = root / "inspect.html"
        self.calibration = root / "calibration.json"
        self.comparison_csv = root / "comparison.csv"
        self.comparison_json = root / "comparison.json"
        self.differences_csv = root / "differences.csv"
        self.checks = root / "checks.xml"
        self.agreement_csv = root / "agreement.csv"
        self.agreement_json = root / "agreement.json"
        self.answer_grades = root / "grades.jsonl"
        self.labels = root / "labels.jsonl"
        self.quality = root / "quality.json"
        self.benchmark = root / "benchmark.json"
        self.classified = root / "unlabelled.json"
        self.detection = root / "detection.json"
        self.study = root / "study.json"
        self.study_page = root / "study.html"
        self.detection_page = root / "detection.html"
        self.checked_page = root / "claims.html"
        self.report = root / "report.html"
        self.report_markdown = root / "report.md"

    def triplets(self, relation: str) -> Path:
        """Return the path of a relation's triplets."""
        return self.root / "triplets" / f"{safe_name(relation)}.jsonl"

    def summary(self, relation: str) -> Path:
        """Return the path of a relation's summary."""
        return self.root / "triplets" / f"{safe_name(relation)}.summary.json"

    def questions(self, generator: str, relation: str) -> Path:
        """Return the path of a generator's questions about a relation."""
        return self.root / "questions" / safe_name(generator) / f"{safe_name(relation)}.jsonl"

    def template_requests(
        self, model: str, step: Literal["paraphrases", "worded"] = "paraphrases"
    ) -> tuple[Path, Path]:
        """Return the paths of the requests for templates of relations, and of the responses."""
        folder = self.root / step / safe_name(model)
        return folder / "questions.jsonl", folder / "responses.jsonl"

    def export(self, format_: str, *, is_graph: bool) -> Path:
        """Return the path of an exported graph, or the folder of an exported exam or of exported results."""
        return self.root / (f"graph.{format_}" if is_graph else f"export/{format_}")

    def phrases(self, generator: str, relation: str) -> Path:
        """Return the path of a relation's facts in the wording of a generator's model."""
        return self.root / "phrases" / safe_name(generator) / f"{safe_name(relation)}.jsonl"

    def phrase_requests(self, generator: str, number: int, relation: str) -> tuple[Path, Path]:
        """Return the paths of the phrasing requests in one round, and of the responses."""
        folder, name = self.phrases(generator, "").parent, f"{safe_name(relation)}.jsonl"
        return folder / "questions" / str(number) / name, folder / "responses" / str(number) / name

    def asked(self, part: str, model: str, round_: str) -> tuple[Path, Path]:
        """Return the paths of a component's requests to a model in one round, and of the responses."""
        folder, name = self.root / "asked" / safe_name(part) / safe_name(model), f"{safe_name(round_)}.jsonl"
        return folder / "questions" / name, folder / "responses" / name

    def generators(self) -> list[str]:
        """Return the names of the generators with questions, in the order of their folders."""
        return [_full_name(path) for path in sorted((self.root / "questions").glob("*/")) if any(path.glob("*.jsonl"))]

    def responses(self, generator: str, model: str, relation: str) -> Path:
        """Return the path of a model's responses to a generator's questions."""
        return self.root / "responses" / safe_name(generator) / safe_name(model) / f"{safe_name(relation)}.jsonl"

    def grades(self, generator: str, model: str, relation: str) -> Path:
        """Return the path of the grades of a model's responses."""
        return self.root / "grades" / safe_name(generator) / safe_name(model) / f"{safe_name(relation)}.jsonl"

    def samples(self, generator: str, model: str, repeat: int, relation: str) -> Path:
        """Return the path of a model's further responses, sampled under another `repeat`."""
        own = self.responses(generator, model, relation)
        return self.root / "samples" / own.parent.relative_to(self.root / "responses") / str(repeat) / own.name

    def self_check_records(self, generator: str, model: str, relation: str) -> Path:
        """Return the path of the agreement between the samples and the responses."""
        own = self.responses(generator, model, relation)
        return self.root / "selfcheck" / own.relative_to(self.root / "responses")

    def self_check(self, generator: str, model: str) -> Path:
        """Return the path of the scores, which relate the agreement of samples to correctness."""
        return self.self_check_records(generator, model, "").with_name("scores.json")

    def self_check_page(self, generator: str, model: str) -> Path:
        """Return the path of the page, which plots the agreement of samples against correctness."""
        return self.self_check(generator, model).with_name("report.html")

    def study_pass(self, panel: str, variant: str, number: int) -> Path:
        """Return the folder of one run of a detector in a study."""
        return self.root.joinpath("study", safe_name(panel), safe_name(variant), str(number))

    def breakdown(self, name: str) -> Path:
        """Return the path of a breakdown, a table computed from the grades."""
        return self.root / f"{safe_name(name)}.json"

    def graded(self) -> list[GradedFolder]:
        """Return the folders with grades, in alphabetical order."""
        folders = [folder for folder in sorted((self.root / "grades").glob("*/*/")) if any(folder.glob("*.jsonl"))]
        return [GradedFolder(_full_name(folder.parent), _full_name(folder), folder) for folder in folders]

    def record_names(self, generator: str, model: str, rules: str | None) -> None:
        """Write the full names into the folders of a model's grades whose names are shortened."""
        own = self.grades(generator, model, "").parent
        named = {own.parent: generator, own: model}
        if rules is not None:
            named[self.compat(generator, model, rules, "").parent] = rules
        for folder, name in named.items():
            if unquote(folder.name) != name:
                write_json(folder / _NAME, name)

    def compat(self, generator: str, model: str, rules: str, relation: str) -> Path:
        """Return the path of the grades of a model's responses under alternative rules."""
        own = self.grades(generator, model, relation)
        return own.parent / "compat" / safe_name(rules) / own.name

    def judged(self, names: Sequence[str], relation: str) -> Path:
        """Return the path of the questions to a judge about responses.

        `names` are the generator and model of the responses, or one name for replies from a file.
        """
        folder = self.root.joinpath("judgments", *map(safe_name, names))
        return folder / "questions" / f"{safe_name(relation)}.jsonl"

    def judgments(self, names: Sequence[str], repeat: int, relation: str) -> Path:
        """Return the path of the judge's responses; each sample has its own `repeat`."""
        asked = self.judged(names, relation)
        return asked.parents[1] / str(repeat) / asked.name

    def folders(self) -> Iterator[Path]:
        """Yield the output folder and its subfolders with files of a run, at any depth."""
        yield self.root
        for name in _FOLDERS:
            yield from (Path(found) for found, _, _ in os.walk(self.root / name))

    def graphs(self) -> list[Layout]:
        """Return the layouts with a graph: this one, or else those up to two levels below it."""
        if self.graph_summary.exists():
            return [self]
        folders = sorted((*self.root.glob("*/"), *self.root.glob("*/*/")))
        return [found for found in map(Layout, folders) if found.graph_summary.exists()]


def _full_name(folder: Path) -> str:
    """Return the full name that a folder stands for, even if the folder's name is shortened."""
    record = folder / _NAME
    return read_json(record, str) if record.exists() else unquote(folder.name)
