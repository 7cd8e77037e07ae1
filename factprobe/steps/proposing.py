"""Templates of relations that a model proposes, in a file for review."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from factprobe.asking.job import CallCounts
from factprobe.asking.pending import PendingRequests
from factprobe.generators.phrasing.proposals import Proposals
from factprobe.models import Model
from factprobe.records import PlainRequest, Relation
from factprobe.steps.base import Run
from factprobe.steps.calls import make_calls
from factprobe.storage import whole_file, write_lines

log = logging.getLogger(__name__)

Found = Mapping[str, tuple[str, Sequence[str]]]
"""Template and proposed templates of each relation."""


def to_ask(model: Model, files: tuple[Path, Path], requests: Iterable[PlainRequest]) -> PendingRequests[PlainRequest]:
    """Return the open requests with the files of requests and responses."""
    write_lines(files[0], requests)
    return PendingRequests({"": files}, PlainRequest, model.settings_hash)


def proposed(
    run: Run, step: str, todo: PendingRequests[PlainRequest], proposals: Proposals, relations: Iterable[Relation]
) -> tuple[Found, CallCounts]:
    """Ask the run's model about each relation and return the usable proposals, with the errors of `make_calls`."""
    counts = make_calls(run, step, run.model, todo)
    found: dict[str, tuple[str, Sequence[str]]] = {}
    for relation, (_, response) in zip(relations, todo.answers(""), strict=True):
        if texts := proposals.accept(relation, response):
            found[relation.relation] = relation.template, texts
    if proposals.rejected:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in proposals.rejected.most_common())
        log.warning("%d proposals are not taken: %s", proposals.rejected.total(), reasons)
    return found, counts


def add_templates(path: Path, head: Iterable[str], found: Found) -> None:
    """Append templates to a file; a new file begins with the comments in `head`."""
    comments = "".join(f"# {line}\n" for line in head).encode()
    before = path.read_bytes().rstrip() + b"\n" if path.exists() else comments
    with whole_file(path) as file:
        file.write(before + "\n".join(_format_yaml(found)).encode())


def _format_yaml(found: Found) -> Iterator[str]:
    """Yield YAML for review, with each relation's own template as a comment."""
    for relation, (own, texts) in found.items():
        yield f"\n# {' '.join(own.split())}"
        yield f"{json.dumps(relation, ensure_ascii=False)}:"
        yield from (f"  - {json.dumps(text, ensure_ascii=False)}" for text in texts)
    yield ""
