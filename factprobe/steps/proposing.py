"""Templates of relations that a model proposes and writes into a file for review."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from factprobe.asking.job import CallCounts
from factprobe.asking.pending import PendingRequests
from factprobe.generators.phrasing.proposals import Proposals
from factprobe.records import PlainRequest, Relation
from factprobe.steps.base import DryRunEnd, Run
from factprobe.steps.calls import describe_calls_left, make_calls
from factprobe.storage import whole_file, write_lines

log = logging.getLogger(__name__)

ProposedTemplates = Mapping[str, tuple[str, Sequence[str]]]
"""By relation: its own template, and the templates that the model proposes."""


def ask_for_templates(
    run: Run,
    step: str,
    files: tuple[Path, Path],
    requests: Iterable[PlainRequest],
    proposals: Proposals,
    relations: Iterable[Relation],
) -> tuple[ProposedTemplates, CallCounts]:
    """Ask the model of the run about each relation, and return the usable proposals with the counts of the calls.

    `files` are the files of requests and responses. A dry run ends before the model is asked; the errors are those of
    `make_calls`.
    """
    write_lines(files[0], requests)
    todo = PendingRequests({"": files}, PlainRequest, run.model.settings_hash)
    if run.config.dry_run:
        raise DryRunEnd(describe_calls_left(run, run.model, todo))
    counts = make_calls(run, step, run.model, todo)
    proposed_templates: dict[str, tuple[str, Sequence[str]]] = {}
    for relation, (_, response) in zip(relations, todo.answers(""), strict=True):
        if texts := proposals.accept(relation, response):
            proposed_templates[relation.relation] = relation.template, texts
    if proposals.rejected:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in proposals.rejected.most_common())
        log.warning("%d proposals are not taken: %s", proposals.rejected.total(), reasons)
    return proposed_templates, counts


def add_templates(path: Path, head: Iterable[str], proposals: ProposedTemplates) -> None:
    """Append any proposed templates to a file in YAML, below the own template of each relation as a comment.

    A new file begins with the comment lines in `head`.
    """
    if not proposals:
        return
    comments = "".join(f"# {line}\n" for line in head).encode()
    content = path.read_bytes().rstrip() + b"\n" if path.exists() else comments
    lines: list[str] = []
    for relation, (own, texts) in proposals.items():
        lines += ["", f"# {' '.join(own.split())}", f"{json.dumps(relation, ensure_ascii=False)}:"]
        lines += [f"  - {json.dumps(text, ensure_ascii=False)}" for text in texts]
    with whole_file(path) as file:
        file.write(content + "\n".join([*lines, ""]).encode())
