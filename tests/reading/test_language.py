"""The language packs: what they hold is asked for by name, and one more is found by its folder."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import factprobe
from factprobe.evaluators.true_false import judged_clauses
from factprobe.reading import assertion, language
from factprobe.text import normalise
from tests.tables import for_each_row

ROOT = Path(factprobe.__file__).parents[1]
FILES = sorted(language.FOLDER.glob("*/*.toml"))
ASKING: dict[str, Callable[[str], object]] = {
    "vocabulary": language.vocabulary,
    "phrases": language.phrases,
    "in_order": language.in_order,
    "table": language.table,
}
RAW = {
    "agreement",
    "assertion",
    "cleaning",
    "judgments",
    "negation",
    "options",
    "passages",
    "quantities",
    "signs",
    "unknown",
    "values",
}
"""Files whose words are looked for in a text as it came."""


def calls() -> Iterator[tuple[str, str]]:
    """The lists that code asks for, each with the function by which it does."""
    for path in sorted(Path(factprobe.__file__).parent.rglob("*.py")):
        code = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(code)) if "factprobe.reading" in code or "keys_of" in code else ():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {*ASKING, "numbers_of", "keys_of"}
            ):
                yield from ((node.func.id, str(arg.value)) for arg in node.args if isinstance(arg, ast.Constant))


LOOPED = {*judged_clauses.CUES, *(f"assertion_{kind}" for kind in get_args(assertion.Kind))}
CALLS = sorted({*calls(), *(("in_order", name) for name in LOOPED)})


@for_each_row(("function", "name"), [call for call in CALLS if call[0] in ASKING])
def test_a_list_that_is_asked_for_is_there(function: str, name: str) -> None:
    assert ASKING[function](name)


@for_each_row("file", FILES)
def test_what_a_pack_holds_is_asked_for(file: Path) -> None:
    assert tomllib.loads(file.read_text(encoding="utf-8")).keys() <= {name for _, name in CALLS}


@for_each_row("pack", language.packs())
def test_a_pack_has_a_list_once(pack: str) -> None:
    found = [name for file in FILES if file.parent.name == pack for name in tomllib.loads(file.read_text("utf-8"))]
    assert sorted(found) == sorted(set(found))


@for_each_row("file", [file for file in FILES if file.stem not in RAW])
def test_words_are_written_as_they_are_compared(file: Path) -> None:
    lists = tomllib.loads(file.read_text(encoding="utf-8")).values()
    texts = [text for found in lists for text in ([found] if isinstance(found, str) else found.values())]
    every = [w for text in texts for w in re.findall(r"[^\W\d_]+", re.sub(r"\(\?P<\w+>|\\.|\{[^}]*\}", " ", text))]
    assert [word for word in every if normalise(word) != word and word not in ("a", "an", "the")] == []


def test_a_list_is_that_of_all_packs() -> None:
    assert language.vocabulary("link_or") >= {"or", "oder"}
    assert language.vocabulary("link_and", "link_or") == language.vocabulary("link_and") | language.vocabulary(
        "link_or"
    )
    assert {"nicht", "never"} <= {*language.in_order("assertion_denies")}
    assert {"march", "märz", "marzo"} <= {*language.table("month")["3"]}


def test_the_language_of_the_questions_comes_first() -> None:
    assert next(iter(language.packs())) == "en"
    assert language.in_order("answer_key")[0] == "answer"


def test_a_list_that_no_pack_has() -> None:
    with pytest.raises(KeyError, match="no language pack has a list 'nonsense'"):
        language.vocabulary("nonsense")


def test_no_german_word_is_a_common_english_one() -> None:
    english = {
        "die",
        "war",
        "also",
        "man",
        "in",
        "an",
        "so",
        "hat",
        "not",
        "was",
        "will",
        "bald",
        "fast",
        "brief",
        "gift",
    }
    for name in ("function", "hedge", "exclamation", "link_and", "link_or", "judgment_not"):
        assert english.isdisjoint(re.findall(r"\w+", language.packs()["de"].get(name, "")))


FILE = re.compile(r"`eo/(\S+)`.*?^```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)
ESPERANTO = dict(FILE.findall((ROOT / "docs/extending.md").read_text(encoding="utf-8")))
"""The pack that the docs show."""
GRADE = """
import sys
from pathlib import Path
from typing import get_args
import factprobe.reading.language as language
language.FOLDER = Path(sys.argv[1])
from tests.evaluators.worlds import World, ask_object, graded, true_or_false
born = World("[X] was born in [Y].", {"Albert Einstein": ["Ulm"], "Max Born": ["Breslau"]})
dated = World("[X] was born on [Y].", {"Albert Einstein": ["14 March 1879"], "Max Born": ["11 December 1882"]})
print(graded(true_or_false(born, "Albert Einstein", "Ulm"), "Malvera.").verdict)
print(graded(ask_object(born, "Albert Einstein"), "mi ne scias").verdict)
print(graded(ask_object(dated, "Albert Einstein"), "14 marto 1879").verdict)
print(graded(ask_object(born, "Albert Einstein"), "ne Ulm").verdict)
"""


@pytest.mark.parametrize(
    ("pack", "verdicts"),
    [
        (ESPERANTO, ["incorrect", "abstained", "correct", "incorrect"]),
        ({}, ["unparsed", "incorrect", "incorrect", "incorrect"]),
    ],
    ids=["with its pack", "without"],
)
def test_a_language_is_added_by_its_folder(tmp_path: Path, pack: dict[str, str], verdicts: list[str]) -> None:
    folder = tmp_path / "language"
    shutil.copytree(language.FOLDER, folder)
    (folder / "eo").mkdir()
    for name, text in pack.items():
        (folder / "eo" / name).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", GRADE, folder], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == verdicts
