"""File names that stay where they belong, and the folders of a graph's outputs."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.records import Answer
from factprobe.storage import (
    Layout,
    path_inside,
    read_json,
    safe_name,
    write_json,
    write_lines,
)

ONE = Answer("Q1", "Ada")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("P19", "P19"),
        ("place_of_birth", "place_of_birth"),
        ("gpt-4o (2024), a+b@c=1", "gpt-4o (2024), a+b@c=1"),
        ("org/model:v1", "org%2Fmodel%3Av1"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        (".", "%2E"),
        ("..", "%2E."),
        (".hidden", "%2Ehidden"),
        ("a\\b", "a%5Cb"),
        ("a\0b\n", "a%00b%0A"),
        ("é", "%C3%A9"),
    ],
)
def test_safe_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


NASTY = [
    "../../etc/passwd",
    "",
    ".",
    "..",
    "/",
    "\\",
    "a" * 5000,
    "é" * 400,
    "\0",
    "%",
    "%2E",
    "~",
    "日本",
    "CON:",
    "a\nb",
]
names = (
    st.text() | st.sampled_from(NASTY) | st.text(alphabet="./\\~%a", max_size=6) | st.text(min_size=119, max_size=130)
)


@pytest.mark.parametrize("name", [*NASTY, "\udcff"], ids=ascii)
def test_hostile_name_is_one_file_in_its_folder(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{safe_name(name)}.summary.json"
    write_json(path, ONE)
    assert list(tmp_path.iterdir()) == [path]
    assert read_json(path, Answer) == ONE


@given(names)
def test_safe_name_never_leaves_its_folder(name: str) -> None:
    safe = safe_name(name)
    assert re.fullmatch(r"[A-Za-z0-9_.~%() +,=@-]+", safe)
    assert not safe.startswith(".")
    assert len(safe) < 200


@given(names, names)
def test_two_names_never_share_a_file(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) is (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", "%"),
        (".", "%2E"),
        ("a" * 121, "a" * 122),
        ("é", "e\u0301"),
        ("~", "%7E"),
        ("a" * 121, safe_name("a" * 121)),
    ],
    ids=["empty", "dot", "long", "twins", "tilde", "its own safe name"],
)
def test_near_names_do_not_share_a_file(one: str, other: str) -> None:
    assert safe_name(one) != safe_name(other)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("P19.jsonl", "P19.jsonl"),
        ("sub/P19.jsonl", "sub/P19.jsonl"),
        ("sub/../P19.jsonl", "P19.jsonl"),
        ("../P19.jsonl", "%2E.%2FP19.jsonl"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        ("/etc/passwd", "%2Fetc%2Fpasswd"),
        ("sub/../../other/P19.jsonl", "sub%2F..%2F..%2Fother%2FP19.jsonl"),
        ("../kg2/P19.jsonl", "%2E.%2Fkg2%2FP19.jsonl"),
        ("..", "%2E."),
    ],
)
def test_inside(tmp_path: Path, name: str, path: str) -> None:
    assert path_inside(tmp_path / "kg", name) == tmp_path / "kg" / path


@given(st.text(alphabet="./a~%", max_size=12) | st.text())
def test_inside_never_leaves_the_folder(name: str) -> None:
    folder = Path("/data/kg")
    assert Path(os.path.normpath(path_inside(folder, name))).is_relative_to(folder)


def test_inside_works_without_a_common_drive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os.path, "relpath", pytest.fail)  # on Windows there is none
    assert path_inside(tmp_path, "/else/where") == tmp_path / "%2Felse%2Fwhere"


def test_inside_relative_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (Path(), Path("kg"), Path("kg/../other"), Path("..")):
        assert path_inside(folder, "P19.jsonl").resolve() == (folder / "P19.jsonl").resolve()
        assert path_inside(folder, "../x.jsonl").resolve().parent == folder.resolve()


def test_layout_is_the_one_of_the_contract() -> None:
    layout = Layout(Path("out"))
    paths = {
        layout.triplets("P19"): "out/triplets/P19.jsonl",
        layout.summary("P19"): "out/triplets/P19.summary.json",
        layout.graph_summary: "out/triplets/summary.json",
        layout.questions("template", "P19"): "out/questions/template/P19.jsonl",
        layout.responses("template", "smollm2", "P19"): "out/responses/template/smollm2/P19.jsonl",
        layout.grades("template", "smollm2", "P19"): "out/grades/template/smollm2/P19.jsonl",
        layout.scores_csv: "out/scores.csv",
        layout.scores_json: "out/scores.json",
        layout.report: "out/report.html",
        layout.manifest: "out/manifest.json",
    }
    assert {path.as_posix(): expected for path, expected in paths.items() if path.as_posix() != expected} == {}


def test_layout_lists_existing_files(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert (layout.graphs(), layout.graded_folders()) == ([], [])
    for model in ("m2", "m/1", "m.1"):
        write_lines(layout.grades("a/b", model, "P19"), [])
    layout.grades("a/b", "locked only", "P19").parent.mkdir()
    write_lines(layout.grades("z", "m3", "P20"), [])
    write_lines(layout.compat("z", "m3", "their/rules", "P20"), [])
    graded = layout.graded_folders()
    assert [found[:2] for found in graded] == [("a/b", "m/1"), ("a/b", "m.1"), ("a/b", "m2"), ("z", "m3")]
    for found in graded:
        names = found.generator, found.model, "P20"
        assert found.grades("P20") == layout.grades(*names)
        assert found.questions("P20") == layout.questions(found.generator, "P20")
        assert found.responses("P20") == layout.responses(*names)
    assert graded[-1].alternative_grades("P20") == {"their/rules": layout.compat("z", "m3", "their/rules", "P20")}
    assert graded[-1].alternative_grades("P19") == {}


@pytest.mark.parametrize("long", ["a" * 121, "я" * 25, "/models/" + "deep/" * 30, "日本" * 30 + "~"], ids=ascii)
def test_shortened_folder_name_is_recorded(tmp_path: Path, long: str) -> None:
    layout = Layout(tmp_path)
    names = [(long + one, long + other) for one in "xy" for other in ("", "1", "2")]
    for generator, model in names:
        layout.record_names(generator, model, long)
        for path in (layout.grades(generator, model, "P1"), layout.compat(generator, model, long, "P1")):
            write_lines(path, [])
    graded = layout.graded_folders()
    assert sorted(found[:2] for found in graded) == sorted(names)
    for found in graded:
        assert found.responses(long) == layout.responses(found.generator, found.model, long)
        assert found.alternative_grades("P1") == {long: layout.compat(found.generator, found.model, long, "P1")}
    for record in tmp_path.rglob("name.json"):
        record.unlink()
    assert len({found[:2] for found in layout.graded_folders()}) == len(names)
    assert all(found.grades("P1").exists() for found in layout.graded_folders())


def test_full_folder_name_is_not_recorded(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.record_names("template", "org/model:v1 é", "their/rules")
    assert list(tmp_path.iterdir()) == []


def test_layout_finds_the_graphs_under_a_folder(tmp_path: Path) -> None:
    for name in ("two/deep", "one", "much/too/deep"):
        write_json(Layout(tmp_path / name).graph_summary, {})
    assert [found.root for found in Layout(tmp_path).graphs()] == [tmp_path / "one", tmp_path / "two/deep"]
    write_json(Layout(tmp_path).graph_summary, {})
    assert [found.root for found in Layout(tmp_path).graphs()] == [tmp_path]


@given(names, names, names)
def test_layout_keeps_every_name_in_its_folder(generator: str, model: str, relation: str) -> None:
    layout = Layout(Path("out"))
    assert layout.triplets(relation).parent == Path("out/triplets")
    assert layout.summary(relation).parent == Path("out/triplets")
    assert layout.questions(generator, relation).parents[1] == Path("out/questions")
    assert layout.responses(generator, model, relation).parents[2] == Path("out/responses")
    assert layout.grades(generator, model, relation).parents[2] == Path("out/grades")


@pytest.mark.parametrize("relation", ["summary", "P19.summary", "manifest"])
def test_relation_names_do_not_collide_with_other_files(relation: str) -> None:
    layout = Layout(Path("out"))
    files = {layout.graph_summary, layout.manifest, layout.triplets("P19"), layout.summary("P19")}
    assert not files & {layout.triplets(relation), layout.summary(relation)}
