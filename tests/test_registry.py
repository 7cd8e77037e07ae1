"""The registry: the three ways in, and what it says when a name is wrong, taken or cannot be loaded."""

from __future__ import annotations

from collections import OrderedDict
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from factprobe.errors import ConfigError, NameClashError, UnknownNameError
from factprobe.registry import Registry


class Shape:
    """The interface of the things registered here."""


class Square(Shape):
    """One implementation."""


class Circle(Shape):
    """Another one."""


HERE = __name__
TARGETS = {"square": f"{HERE}:Square", "gone": "no_such_module:Gone", "renamed": f"{HERE}:Triangle", "bare": HERE}


@pytest.fixture
def shapes() -> Registry[Shape]:
    return Registry("shapes", "shape", TARGETS)


def offer(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str], group: str = "factprobe.shapes") -> None:
    """Makes it look as if packages with these entry points were installed."""
    found = [EntryPoint(name, value, group) for name, value in points]
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point for point in found if point.group == group])


def test_decorator_enters_a_class_and_gives_it_back(shapes: Registry[Shape]) -> None:
    assert shapes.register("circle")(Circle) is Circle
    assert shapes.get("circle") is Circle
    assert "circle" in shapes.names()


def test_target_is_loaded_when_asked_for(shapes: Registry[Shape]) -> None:
    assert shapes.get("square") is Square
    assert shapes.get("square") is Square


def test_target_module_is_not_imported_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "heavy_shape.py").write_text(
        "from pathlib import Path\nPath(__file__ + '.ran').touch()\nclass Cube: ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    shapes: Registry[Shape] = Registry("shapes", "shape", {"cube": "heavy_shape:Cube"})
    assert shapes.names() == ["cube"]
    assert not (tmp_path / "heavy_shape.py.ran").exists()
    assert shapes.get("cube").__name__ == "Cube"
    assert (tmp_path / "heavy_shape.py.ran").exists()


def test_entry_point(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("circle", f"{HERE}:Circle"))
    assert shapes.get("circle") is Circle
    assert shapes.names() == sorted([*TARGETS, "circle"])


def test_entry_point_of_another_registry_is_not_taken(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("circle", f"{HERE}:Circle"), group="factprobe.colours")
    assert shapes.names() == sorted(TARGETS)
    with pytest.raises(UnknownNameError):
        shapes.get("circle")


def test_names_are_sorted_and_each_once(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("circle", f"{HERE}:Circle"), ("square", f"{HERE}:Square"))
    shapes.get("square")
    shapes.register("angle")(Circle)
    assert shapes.names() == ["angle", "bare", "circle", "gone", "renamed", "square"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sqare", "unknown shape 'sqare'; did you mean 'square'? known: bare, gone, renamed, square"),
        ("SQUARE", "unknown shape 'SQUARE'; did you mean 'square'? known: bare, gone, renamed, square"),
        ("hexagon", "unknown shape 'hexagon'; known: bare, gone, renamed, square"),
    ],
)
def test_unknown_name(shapes: Registry[Shape], name: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as error:
        shapes.get(name)
    assert str(error.value) == message


def test_nothing_registered() -> None:
    with pytest.raises(UnknownNameError, match="known: none"):
        Registry[Shape]("shapes", "shape").get("square")


@pytest.mark.parametrize("name", ["gone", "renamed", "bare"])
def test_target_that_cannot_be_imported(shapes: Registry[Shape], name: str) -> None:
    with pytest.raises(ConfigError) as error:
        shapes.get(name)
    assert str(error.value).startswith(f"shape '{name}' cannot be loaded from {TARGETS[name]}: ")


def test_entry_point_that_cannot_be_imported(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("cone", "no_such_package.shapes:Cone"))
    with pytest.raises(ConfigError, match=r"cone.*no_such_package\.shapes:Cone.*No module named"):
        shapes.get("cone")


def test_same_class_again_is_no_clash(shapes: Registry[Shape]) -> None:
    shapes.register("circle")(Circle)
    shapes.register("circle")(Circle)
    shapes.register("square")(Square)
    assert shapes.get("square") is Square


def test_two_classes_clash(shapes: Registry[Shape]) -> None:
    shapes.register("circle")(Circle)
    with pytest.raises(NameClashError) as error:
        shapes.register("circle")(OrderedDict)
    assert "'circle'" in str(error.value)
    assert f"{HERE}:Circle" in str(error.value)
    assert "collections:OrderedDict" in str(error.value)
    assert shapes.get("circle") is Circle


@pytest.mark.parametrize("loaded", [True, False])
def test_class_clashes_with_a_built_in(shapes: Registry[Shape], loaded: bool) -> None:
    if loaded:
        shapes.get("square")
    with pytest.raises(NameClashError, match=f"{HERE}:Square and {HERE}:Circle"):
        shapes.register("square")(Circle)


def test_packages_are_asked_for_their_entry_points_once(
    shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, ("circle", f"{HERE}:Circle"))
    assert shapes.names() == ["bare", "circle", "gone", "renamed", "square"]
    monkeypatch.setattr(metadata, "entry_points", None)
    assert shapes.names() == ["bare", "circle", "gone", "renamed", "square"]
    assert shapes.get("circle") is Circle


def test_two_entry_points_clash(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("circle", "one.shapes:Circle"), ("circle", "two.shapes:Circle"))
    with pytest.raises(NameClashError, match=r"one\.shapes:Circle and two\.shapes:Circle"):
        shapes.get("circle")


def test_same_entry_point_twice_is_no_clash(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("circle", f"{HERE}:Circle"), ("circle", f"{HERE}:Circle"))
    assert shapes.get("circle") is Circle


def test_entry_point_clashes_with_a_built_in(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("square", "other.shapes:Square"))
    with pytest.raises(NameClashError, match=rf"{HERE}:Square and other\.shapes:Square"):
        shapes.names()


def test_entry_point_clashes_with_a_decorated_class(shapes: Registry[Shape], monkeypatch: pytest.MonkeyPatch) -> None:
    shapes.register("circle")(Circle)
    offer(monkeypatch, ("circle", "other.shapes:Circle"))
    with pytest.raises(NameClashError, match=rf"{HERE}:Circle and other\.shapes:Circle"):
        shapes.names()
