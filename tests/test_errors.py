"""Every error is one line, and the tree in the docstring is the tree of the classes."""

from __future__ import annotations

import inspect
import pickle
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe import errors
from factprobe.errors import (
    CallError,
    ConfigError,
    DataError,
    FactprobeError,
    MissingExtraError,
    UnknownNameError,
    format_list,
    nearest,
    require,
)

MANY = [f"P{number:05}" for number in range(100_000)]
CLASSES = [found for _, found in inspect.getmembers(errors, inspect.isclass) if issubclass(found, FactprobeError)]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (DataError("is broken"), "is broken"),
        (DataError("is broken", where="a.jsonl:3"), "a.jsonl:3: is broken"),
        (DataError("is broken", hint="fix it"), "is broken; fix it"),
        (DataError("is broken", where=Path("d") / "a.jsonl", hint="fix it"), "d/a.jsonl: is broken; fix it"),
        (ConfigError("two\nlines", where="a\r\nb", hint="do\n\n  this\t"), "a b: two lines; do this"),
        (UnknownNameError("kg", "umsl", ["trex", "umls"]), "unknown kg 'umsl'; did you mean 'umls'? known: trex, umls"),
        (MissingExtraError("x is missing", where="y", extra="z"), "y: x is missing; pip install 'factprobe[z]'"),
        (MissingExtraError("x is not installed", hint="pip install x"), "x is not installed; pip install x"),
        (UnknownNameError("kg", "xyzzy", ["umls", "trex"]), "unknown kg 'xyzzy'; known: trex, umls"),
        (UnknownNameError("kg", "trex", []), "unknown kg 'trex'; known: none"),
        (UnknownNameError("kg", "umsl", ["umls"], hint="ask"), "unknown kg 'umsl'; ask"),
        (UnknownNameError("kg", "a\nb", ["a\nc"]), "unknown kg 'a\\nb'; did you mean 'a\\nc'? known: a c"),
    ],
)
def test_message(error: FactprobeError, message: str) -> None:
    assert str(error) == message


@given(st.text(), st.none() | st.text(), st.none() | st.text())
def test_message_is_one_line_whatever_is_in_it(what: str, where: str | None, hint: str | None) -> None:
    error = DataError(what, where=where, hint=hint)
    assert len(str(error).splitlines()) <= 1
    assert (error.what, error.where, error.hint) == (what, where, hint)


@given(st.text(), st.text(), st.lists(st.text(), max_size=4))
def test_unknown_name_error_is_one_line(kind: str, name: str, known: list[str]) -> None:
    assert len(str(UnknownNameError(kind, name, known)).splitlines()) == 1


def tree(cls: type[FactprobeError]) -> list[type[FactprobeError]]:
    """A class of errors and all below it."""
    return [cls, *(found for below in cls.__subclasses__() for found in tree(below))]


MADE_OTHERWISE: dict[type[FactprobeError], FactprobeError] = {
    UnknownNameError: UnknownNameError("kg", "umsl", ["trex", "umls"]),
    CallError: CallError("too many requests", transient=True, congested=True, retry_after=2.5),
}


@pytest.mark.parametrize("cls", tree(FactprobeError))
def test_error_goes_from_one_process_to_another(cls: type[FactprobeError]) -> None:
    error = MADE_OTHERWISE.get(cls) or cls("is broken", where=Path("a.jsonl"), hint="fix it")
    there = pickle.loads(pickle.dumps(error))
    assert type(there) is cls
    assert str(there) == str(error)
    assert there.args == error.args
    assert vars(there) == vars(error)


@pytest.mark.parametrize("cls", CLASSES)
def test_every_error_is_caught_as_one_of_ours(cls: type[FactprobeError]) -> None:
    assert issubclass(cls, FactprobeError)
    assert cls.__doc__


def test_docstring_draws_the_tree_of_the_classes() -> None:
    assert drawn_tree(inspect.cleandoc(errors.__doc__ or "")) == {
        cls.__name__: cls.__bases__[0].__name__ for cls in CLASSES
    }


def drawn_tree(text: str) -> dict[str, str]:
    """Each class that a drawn tree has, with the one that it hangs from."""
    parents: dict[str, str] = {}
    path: dict[int, str] = {}
    for line in text.splitlines():
        name = line.lstrip(" │├└─")
        if not line.strip() or not name.split()[0].endswith("Error"):
            continue
        depth = len(line) - len(name)
        name = name.split()[0]
        path = {at: found for at, found in path.items() if at < depth} | {depth: name}
        above = [found for at, found in path.items() if at < depth]
        parents[name] = above[-1] if above else "Exception"
    return parents


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("TREX", "trex"),
        ("umsl", "umls"),
        ("google-re", "google_re"),
        ("wikibio", "wiki_bio"),
        ("zzz", None),
        ("", None),
    ],
)
def test_nearest(name: str, near: str | None) -> None:
    assert nearest(name, ["trex", "umls", "google_re", "wiki_bio"]) == near


def test_nearest_of_none() -> None:
    assert nearest("trex", []) is None


@pytest.mark.parametrize(
    ("modules", "called", "message"),
    [
        (["nowhere"], None, "nowhere is not installed"),
        (["json", "nowhere"], None, "json and nowhere are not installed"),
        (["nowhere"], "No.where", "No.where is not installed"),
    ],
)
def test_missing_requirement_is_named(modules: list[str], called: str | None, message: str) -> None:
    with pytest.raises(MissingExtraError) as caught:
        require(*modules, extra="some", where="here", called=called)
    assert str(caught.value) == f"here: {message}; pip install 'factprobe[some]'"


def test_present_requirement_is_not_imported() -> None:
    sys.modules.pop("this", None)
    require("json", "this", extra="some", where="here")
    assert "this" not in sys.modules


def test_many_names_are_no_long_message() -> None:
    assert format_list([]) == "none"
    assert format_list(MANY[:50]) == ", ".join(MANY[:50])
    assert format_list(MANY) == f"{format_list(MANY[:50])} and 99,950 more"
    assert len(str(UnknownNameError("relation", "P99999x", MANY))) < 1000
