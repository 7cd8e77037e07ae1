"""Paths of a run's files, and file names for arbitrary strings."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote, unquote

from factprobe.errors import DataError
from factprobe.storage.json_files import read_json, write_json

SUPERSEDED = "superseded"
"""Name of the folder for responses that no longer match a question, e.g. since its wording has changed."""

BEGUN = ".begun-"
"""Start of the names of empty files that record which steps have begun to write in an output folder."""

_MAX_NAME_LENGTH = 120
_FULL_NAME_FILE = "name.json"
"""File in a folder with a shortened name, which holds the full name."""


def safe_name(name: str) -> str:
    """Return a valid file name for any string; different strings have different names."""
    quoted = quote(name, safe=" ()+,=@", errors="surrogatepass")
    if quoted.startswith(".") or not quoted:
        quoted = "%2E" + quoted[1:] if quoted else "%"
    if len(quoted) > _MAX_NAME_LENGTH:
        from hashlib import blake2b

        digest = blake2b(name.encode(errors="surrogatepass"), digest_size=8).hexdigest()
        quoted = f"{quoted[:_MAX_NAME_LENGTH]}~{digest}"
    return quoted


def path_inside(folder: Path, name: str) -> Path:
    """Return the path of `name` in a folder; an invalid name, or one that leads outside, is made a `safe_name`."""
    path = Path(os.path.normpath(folder / name))
    leaves = not Path(os.path.normpath(path.absolute())).is_relative_to(os.path.normpath(folder.absolute()))
    fits = "\0" not in name and all(len(os.fsencode(part)) < 256 for part in path.parts)
    return path if fits and not leaves else folder / safe_name(name)


def check_encodable(path: Path) -> Path:
    """Return a path; raise a `DataError` if it is not UTF-8, since JSON, as of the manifest, holds no other names."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise DataError("has a name that is not UTF-8", where=ascii(str(path)), hint="rename it") from error
    return path


def jsonl_files(path: Path) -> list[Path]:
    """Return a folder's `*.jsonl` files by name, or a list of one file; a name not in UTF-8 raises a `DataError`."""
    return sorted(map(check_encodable, path.glob("*.jsonl"))) if path.is_dir() else [path]


REPEAT = "~"
"""Separator of a model's name and the index of a repeat."""


def repeat_name(model: str, repeat: int) -> str:
    """Return the name of a model's repeat for file names: `m` for repeat 0 of model `m`, `m~2` for repeat 2."""
    return f"{model}{REPEAT}{repeat}" if repeat else model


def name_without_repeat(name: str) -> str:
    """Return the name of a model without the index of a repeat: `m` for `m~2`, and for `m` itself."""
    model, mark, repeat = name.rpartition(REPEAT)
    return model if mark and model and repeat.isdecimal() else name


class GradedFolder(NamedTuple):
    """Folder with the grades of one generator's questions by one model, and paths of the graded files.

    The paths are made from the folder, since its name may be a shortened form of the names.
    """

    generator: str
    model: str
    folder: Path

    @property
    def examined(self) -> str:
        """Name of the model without the index of a repeat, e.g. `m` for `m~2`."""
        return name_without_repeat(self.model)

    def grades(self, relation: str) -> Path:
        """Return the path of the grades of a relation."""
        return self.folder / f"{safe_name(relation)}.jsonl"

    def questions(self, relation: str) -> Path:
        """Return the path of the graded questions about a relation."""
        return self.folder.parents[2] / "questions" / self.folder.parent.name / f"{safe_name(relation)}.jsonl"

    def responses(self, relation: str) -> Path:
        """Return the path of the graded responses to questions about a relation."""
        folder = self.folder.parents[2] / "responses" / self.folder.parent.name / self.folder.name
        return folder / f"{safe_name(relation)}.jsonl"

    def alternative_grades(self, relation: str) -> dict[str, Path]:
        """Return the paths of a relation's grades under other rules (setting `compat`), by name of these rules."""
        paths = [folder / f"{safe_name(relation)}.jsonl" for folder in sorted((self.folder / "compat").glob("*/"))]
        return {_full_name(path.parent): path for path in paths if path.exists()}


LOG_FOLDERS = frozenset({"paraphrases", "worded", "phrases", "responses", "judgments", "asked", "samples", "selfcheck"})
"""Folders with logs of responses, at any depth; steps append to these files."""


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
        """Return the paths of the requests for templates of relations and of their responses."""
        folder = self.root / step / safe_name(model)
        return folder / "questions.jsonl", folder / "responses.jsonl"

    def export(self, format_: str, *, is_graph: bool) -> Path:
        """Return the path of an exported graph, or the folder of an exported exam or results."""
        return self.root / (f"graph.{format_}" if is_graph else f"export/{format_}")

    def phrases(self, generator: str, relation: str) -> Path:
        """Return the path of a relation's facts as phrased by the model of a generator."""
        return self.root / "phrases" / safe_name(generator) / f"{safe_name(relation)}.jsonl"

    def phrase_requests(self, generator: str, number: int, relation: str) -> tuple[Path, Path]:
        """Return the paths of the requests to phrase a relation's facts in round `number`, and of their responses."""
        folder, name = self.phrases(generator, "").parent, f"{safe_name(relation)}.jsonl"
        return folder / "questions" / str(number) / name, folder / "responses" / str(number) / name

    def component_requests(self, component: str, model: str, round_: str) -> tuple[Path, Path]:
        """Return the paths of a component's requests to a model in one round, and of their responses."""
        folder, name = self.root / "asked" / safe_name(component) / safe_name(model), f"{safe_name(round_)}.jsonl"
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
        """Return the path of the responses that a model samples as repeat `repeat`."""
        own = self.responses(generator, model, relation)
        return self.root / "samples" / own.parent.relative_to(self.root / "responses") / str(repeat) / own.name

    def self_check_records(self, generator: str, model: str, relation: str) -> Path:
        """Return the path of the records of how far samples agree with each response."""
        own = self.responses(generator, model, relation)
        return self.root / "selfcheck" / own.relative_to(self.root / "responses")

    def self_check(self, generator: str, model: str) -> Path:
        """Return the path of the scores that relate the agreement of samples to correctness."""
        return self.self_check_records(generator, model, "").with_name("scores.json")

    def self_check_page(self, generator: str, model: str) -> Path:
        """Return the path of the page that plots the agreement of samples against correctness."""
        return self.self_check(generator, model).with_name("report.html")

    def study_pass(self, panel: str, variant: str, number: int) -> Path:
        """Return the folder of one run of a detector in a study."""
        return self.root.joinpath("study", safe_name(panel), safe_name(variant), str(number))

    def breakdown(self, name: str) -> Path:
        """Return the path of a breakdown: a table of paired or grouped questions."""
        return self.root / f"{safe_name(name)}.json"

    def graded_folders(self) -> list[GradedFolder]:
        """Return the folders with grades, in alphabetical order."""
        folders = [folder for folder in sorted((self.root / "grades").glob("*/*/")) if any(folder.glob("*.jsonl"))]
        return [GradedFolder(_full_name(folder.parent), _full_name(folder), folder) for folder in folders]

    def answered_folders(self) -> list[GradedFolder]:
        """Return the folders for the grades of all responses, in alphabetical order; they may be missing."""
        root = self.root / "responses"
        folders = [self.root / "grades" / folder.relative_to(root) for folder in sorted(root.glob("*/*/"))]
        return [GradedFolder(_full_name(folder.parent), _full_name(folder), folder) for folder in folders]

    def record_names(self, generator: str, model: str, rules: str | None) -> None:
        """Write the full name into each folder of a model's grades that has a shortened name."""
        own = self.grades(generator, model, "").parent
        named = {own.parent: generator, own: model}
        if rules is not None:
            named[self.compat(generator, model, rules, "").parent] = rules
        for folder, name in named.items():
            if unquote(folder.name) != name:
                write_json(folder / _FULL_NAME_FILE, name)

    def compat(self, generator: str, model: str, rules: str, relation: str) -> Path:
        """Return the path of the grades of a model's responses under other rules (setting `compat`)."""
        own = self.grades(generator, model, relation)
        return own.parent / "compat" / safe_name(rules) / own.name

    def judge_requests(self, names: Sequence[str], relation: str) -> Path:
        """Return the path of the questions to a judge about responses.

        `names` are the generator and model of the responses, or one name for replies from a file.
        """
        folder = self.root.joinpath("judgments", *map(safe_name, names))
        return folder / "questions" / f"{safe_name(relation)}.jsonl"

    def judge_responses(self, names: Sequence[str], repeat: int, relation: str) -> Path:
        """Return the path of the judge's responses as repeat `repeat`."""
        requests = self.judge_requests(names, relation)
        return requests.parents[1] / str(repeat) / requests.name

    def begun_mark(self, step: str) -> Path:
        """Return the path of the empty file which records that a step has begun to write."""
        return self.root / f"{BEGUN}{step}"

    def begun_steps(self) -> set[str]:
        """Return the names of the steps that have begun to write."""
        return {path.name.removeprefix(BEGUN) for path in self.root.glob(f"{BEGUN}*")}

    def folders(self) -> Iterator[Path]:
        """Yield the output folder, and all folders in it that may have files of a run, at any depth."""
        yield self.root
        for name in (*LOG_FOLDERS, "triplets", "questions", "grades"):
            yield from (Path(path) for path, _, _ in os.walk(self.root / name))

    def graphs(self) -> list[Layout]:
        """Return the layouts of the folders with an extracted graph: this one, or folders one or two levels below."""
        if self.graph_summary.exists():
            return [self]
        folders = sorted((*self.root.glob("*/"), *self.root.glob("*/*/")))
        return [layout for layout in map(Layout, folders) if layout.graph_summary.exists()]


def _full_name(folder: Path) -> str:
    """Return the full name that a folder stands for, even if the folder's name is shortened or quoted."""
    record = folder / _FULL_NAME_FILE
    return read_json(record, str) if record.exists() else unquote(folder.name)
