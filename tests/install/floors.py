"""Check that the installed versions are the lowest that factprobe declares: `make test-lowest`.

A resolver may take a newer version than the declared one because another package needs it. The tests then say nothing
about the declared version, so this script fails.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import requires, version

from packaging.requirements import Requirement
from packaging.version import Version


def direct_dependencies(extras: set[str]) -> Iterator[Requirement]:
    """Yield the requirements of the core and of the extras, which may name each other."""
    for requirement in map(Requirement, requires("factprobe") or ()):
        if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            continue
        if requirement.name == "factprobe":
            yield from direct_dependencies(requirement.extras - extras)
        else:
            yield requirement


def check_floor(requirement: Requirement) -> str | None:
    """Return what is wrong with the floor of a requirement, or None if exactly this version is installed."""
    floors = [Version(one.version) for one in requirement.specifier if one.operator == ">="]
    installed = version(requirement.name)
    if not floors:
        return f"{requirement.name}: pyproject.toml declares no lowest version; {installed} is installed"
    if Version(installed) != max(floors):
        return f"{requirement.name}: pyproject.toml declares {max(floors)}, but {installed} is installed"
    return None


def main() -> None:
    """Exit with the list of wrong floors, given the names of extras with commas between them."""
    [_, names] = sys.argv
    extras = {re.sub(r"[-_.]+", "-", name) for name in names.split(",")}
    found = sorted({wrong for requirement in direct_dependencies(extras) if (wrong := check_floor(requirement))})
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
