"""One model for all parts of a step on free texts: overrides of `model` apply to each part that asks one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from factprobe.config.defaults import USUAL

_PARTS = ("claim_extractor", "checker", "detector")
_OTHERS = ("collect", "app", "watch")
"""Steps on texts with a `model` of their own, or that take none."""
_STEP = re.compile(r"^\+{0,2}step=(\w+)$")
_MODEL = re.compile(r"^model(?=[.=])")


def shared_model(overrides: Sequence[str], asks: Callable[[str, str], bool]) -> Iterator[str]:
    """Yield overrides of the parts' models that follow from those of `model`, to stand before all others.

    A part whose own model is chosen takes none of them; settings of its own come later and take precedence. Choices of
    a sweep are left to its jobs, which have one each.

    Args:
        overrides: in the loader's spelling, with the step's usual parts.
        asks: whether a part, given by group and name, asks a model.
    """
    steps = [found[1] for override in overrides if (found := _STEP.match(override))]
    if not steps or steps[-1] not in USUAL or steps[-1] in _OTHERS:
        return
    of_model = [override for override in overrides if _MODEL.match(override) and not _is_swept(override)]
    for part in _PARTS if of_model else ():
        names = [override.partition("=")[2] for override in overrides if override.startswith(f"{part}=")]
        is_chosen = any(override.startswith(f"model@{part}.model=") for override in overrides)
        if names and not is_chosen and asks(part, names[-1]):
            yield from _of_part(of_model, part)


def _of_part(overrides: Iterable[str], part: str) -> Iterator[str]:
    for override in overrides:
        chosen = override.startswith("model=")
        yield f"model@{part}.{override}" if chosen else f"{part}.{override}"


def _is_swept(override: str) -> bool:
    """Return whether several models are chosen; a comma in a setting may stand in a list."""
    return override.startswith("model=") and "," in override
