"""Where each file of a run lies, and file names for any string."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from factprobe.storage.files import read_json, write_json

SUPERSEDED = "superseded"
"""The folder of responses that fit no question as it is worded now."""

_LONGEST_NAME = 120
_NAME = "name.json"
"""The record of a folder's name where the folder's own was cut."""


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
    leaves = not Path(os.path.normpath(path.absolute())).is_relative_to(os.path.normpath(folder.absolute()))
    fits = "\0" not in name and all(len(os.fsencode(part)) < 256 for part in path.parts)
    return path if fits and not leaves else folder / safe_name(name)


def made(path: Path) -> bool:
    """Whether a file of a run has been made."""
    return path.exists()


def jsonl_files(path: Path) -> list[Path]:
    """A file, or every `*.jsonl` of a folder in the order of their names."""
    return sorted(path.glob("*.jsonl")) if path.is_dir() else [path]


class GradedFolder(NamedTuple):
    """A folder of grades, and where lies what they are about.

    By the folder and not by the names: of a name that was cut before names were recorded, only the cut one is known.
    """

    generator: str
    model: str
    folder: Path

    def grades(self, relation: str) -> Path:
        """The grades of a relation."""
        return self.folder / f"{safe_name(relation)}.jsonl"

    def questions(self, relation: str) -> Path:
        """What was asked."""
        return self._beside("questions", self.folder.parent.name) / f"{safe_name(relation)}.jsonl"

    def responses(self, relation: str) -> Path:
        """What was replied."""
        return self._beside("responses", self.folder.parent.name, self.folder.name) / f"{safe_name(relation)}.jsonl"

    def compats(self, relation: str) -> dict[str, Path]:
        """All grades by other rules, by the name of the rules."""
        paths = [folder / f"{safe_name(relation)}.jsonl" for folder in sorted((self.folder / "compat").glob("*/"))]
        return {_name(path.parent): path for path in paths if made(path)}

    def _beside(self, *names: str) -> Path:
        return self.folder.parents[2].joinpath(*names)


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
    """Where the files of one run lie under its output folder, and what of them has been made."""

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
        self.agreement_csv = root / "agreement.csv"
        self.corrected_json = root / "corrected.json"
        self.agreement_json = root / "agreement.json"
        self.answer_grades = root / "grades.jsonl"
        self.quality = root / "quality.json"
        self.benchmark = root / "benchmark.json"
        self.classified = root / "unlabelled.json"
        self.detection = root / "detection.json"
        self.study = root / "study.json"
        self.study_page = root / "study.html"
        self.detection_page = root / "detection.html"
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

    def template_requests(self, model: str) -> Path:
        """What a model is asked that proposes templates."""
        return self.root / "paraphrases" / safe_name(model) / "questions.jsonl"

    def template_replies(self, model: str) -> Path:
        """What it says, as responses."""
        return self.root / "paraphrases" / safe_name(model) / "responses.jsonl"

    def wording_requests(self, model: str) -> tuple[Path, Path]:
        """What a model is asked that puts relations into sentences, as questions, and what it says, as responses."""
        folder = self.root / "worded" / safe_name(model)
        return folder / "questions.jsonl", folder / "responses.jsonl"

    def export(self, ending: str) -> Path:
        """The graph in another format, told by its ending."""
        return self.root / f"graph.{ending}"

    def phrases(self, generator: str, relation: str) -> Path:
        """The facts of a relation in the words of the model that a generator asks."""
        return self.root / "phrases" / safe_name(generator) / f"{safe_name(relation)}.jsonl"

    def phrase_requests(self, generator: str, number: int, relation: str) -> Path:
        """What that model is asked in each round, as questions."""
        found = self.phrases(generator, relation)
        return found.parent / "questions" / str(number) / found.name

    def phrase_replies(self, generator: str, number: int, relation: str) -> Path:
        """What it says, as responses."""
        found = self.phrases(generator, relation)
        return found.parent / "responses" / str(number) / found.name

    def asked(self, part: str, model: str, round_: str) -> tuple[Path, Path]:
        """What a model is asked by a part of the steps that check texts, as questions, and what it says, as
        responses."""
        folder, name = self.root / "asked" / safe_name(part) / safe_name(model), f"{safe_name(round_)}.jsonl"
        return folder / "questions" / name, folder / "responses" / name

    def generators(self) -> list[str]:
        """Whose questions have been made, in the order of their folders."""
        return [_name(path) for path in sorted((self.root / "questions").glob("*/")) if any(path.glob("*.jsonl"))]

    def responses(self, generator: str, model: str, relation: str) -> Path:
        """A model's responses to them."""
        return self.root / "responses" / safe_name(generator) / safe_name(model) / f"{safe_name(relation)}.jsonl"

    def grades(self, generator: str, model: str, relation: str) -> Path:
        """The grades of those responses."""
        return self.root / "grades" / safe_name(generator) / safe_name(model) / f"{safe_name(relation)}.jsonl"

    def samples(self, generator: str, model: str, repeat: int, relation: str) -> Path:
        """A model's further responses to them, under another `repeat`."""
        own = self.responses(generator, model, relation)
        return self.root / "samples" / own.parent.relative_to(self.root / "responses") / str(repeat) / own.name

    def self_checked(self, generator: str, model: str, relation: str) -> Path:
        """How far these say the same as its responses."""
        own = self.responses(generator, model, relation)
        return self.root / "selfcheck" / own.relative_to(self.root / "responses")

    def self_check(self, generator: str, model: str) -> Path:
        """What that tells of whether they are right."""
        return self.self_checked(generator, model, "").with_name("scores.json")

    def self_check_page(self, generator: str, model: str) -> Path:
        """The same with plots."""
        return self.self_check(generator, model).with_name("report.html")

    def study_pass(self, panel: str, variant: str, number: int) -> Path:
        """The folder of one run of a detector in a study."""
        return self.root.joinpath("study", safe_name(panel), safe_name(variant), str(number))

    def breakdown(self, name: str) -> Path:
        """A breakdown of the grades."""
        return self.root / f"{safe_name(name)}.json"

    def graded(self) -> list[GradedFolder]:
        """Whose grades have been made, in the order of their folders."""
        folders = sorted((self.root / "grades").glob("*/*/"))
        return [
            GradedFolder(_name(folder.parent), _name(folder), folder)
            for folder in folders
            if any(folder.glob("*.jsonl"))
        ]

    def record_names(self, generator: str, model: str, rules: str | None) -> None:
        """Leaves the names of a model's grades in their folders, where the folders' own are cut."""
        own = self.grades(generator, model, "").parent
        named = {own.parent: generator, own: model}
        if rules is not None:
            named[self.compat(generator, model, rules, "").parent] = rules
        for folder, name in named.items():
            if unquote(folder.name) != name:
                write_json(folder / _NAME, name)

    def compat(self, generator: str, model: str, rules: str, relation: str) -> Path:
        """The grades of those responses by other rules."""
        own = self.grades(generator, model, relation)
        return own.parent / "compat" / safe_name(rules) / own.name

    def judged(self, names: Sequence[str], relation: str) -> Path:
        """What a judge is asked, as questions, of the responses of a generator and a model, where its name is behind
        theirs; alone it stands for replies of anyone's."""
        folder = self.root.joinpath("judgments", *map(safe_name, names))
        return folder / "questions" / f"{safe_name(relation)}.jsonl"

    def judgments(self, names: Sequence[str], repeat: int, relation: str) -> Path:
        """What the judge says, as responses; each sample has its own `repeat`."""
        asked = self.judged(names, relation)
        return asked.parents[1] / str(repeat) / asked.name

    def folders(self) -> Iterator[Path]:
        """This folder and those that hold a run's files, at any depth."""
        yield self.root
        for name in _FOLDERS:
            yield from (Path(found) for found, _, _ in os.walk(self.root / name))

    def graphs(self) -> list[Layout]:
        """This folder where it is a graph's own, or else the graphs' folders in it or in its own folders."""
        if made(self.graph_summary):
            return [self]
        folders = sorted((*self.root.glob("*/"), *self.root.glob("*/*/")))
        return [found for found in map(Layout, folders) if made(found.graph_summary)]


def _name(folder: Path) -> str:
    """The name that a folder was made for."""
    record = folder / _NAME
    return read_json(record, str) if made(record) else unquote(folder.name)
