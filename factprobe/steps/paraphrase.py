"""The step `paraphrase`: further templates of the relations, which a model proposes and the user reviews."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

from factprobe.asking.job import calls_left
from factprobe.asking.resuming import Todo
from factprobe.errors import ConfigError
from factprobe.generators.proposals import Proposals
from factprobe.generators.wordings import read_templates
from factprobe.records import PlainRequest, RelationSummary
from factprobe.steps.base import Claim, Done, Lock, Run, Step, reading
from factprobe.steps.calls import ask_settings, make_calls
from factprobe.storage import made, read_json, whole_file, write_lines
from factprobe.storage.locks import LOCK

log = logging.getLogger(__name__)


def paraphrase(this: Run) -> Done:
    """Asks the model for further templates of each relation and writes those that can be used into a file.

    Relations that the file has are left as they are, perhaps with changes of the user's; the others go behind them.

    Raises:
        ConfigError: the file has all relations already.
        DataError: the file cannot be read.
        NoAnswersError: no call succeeds, or none any more.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    layout, model = this.layout, this.model
    wanted = _wanted(this)
    sources = [this.need("extract", layout.summary(relation)) for relation in wanted]
    proposals = Proposals(this.config.paraphrase.messages, this.config.paraphrase.count)
    asked = layout.template_requests(model.name), layout.template_replies(model.name)
    write_lines(asked[0], (proposals.request(read_json(path, RelationSummary)) for path in sources))
    todo = Todo({"": asked}, PlainRequest, model.settings_hash)
    if this.config.dry_run:
        return Done(calls_left(model, todo, ask_settings(this)), [], None, is_dry=True)
    counts = make_calls(this, "paraphrase", model, todo)
    summaries = (read_json(path, RelationSummary) for path in sources)
    found: dict[str, tuple[str, list[str]]] = {}
    for summary, (_, response) in zip(summaries, todo.answers(""), strict=True):
        relation = summary.relation_info
        if texts := proposals.taken(relation, response):
            found[relation.relation] = relation.template, texts
    if found:
        _add(this, found)
    total = sum(len(texts) for _, texts in found.values())
    if proposals.rejected:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in proposals.rejected.most_common())
        log.warning("%d proposals are not taken: %s", proposals.rejected.total(), reasons)
    told = {**counts.as_dict(), "templates": total, "rejected": dict(proposals.rejected)}
    parts = [f"{total:,} templates of {len(found):,} relations to review → {layout.templates}"] if found else []
    if left := len(wanted) - len(found):
        parts.append(f"none of {left:,} relations")
    return Done("; ".join(parts), sources, told, [layout.templates] if found else [], [counts.unanswered])


def _wanted(this: Run) -> list[str]:
    """The relations that the file has not."""
    path = this.layout.templates
    there = read_templates(str(path)) if made(path) else {}
    wanted = [found.relation for found in this.relations() if found.relation not in there]
    if not wanted:
        mend = "take a relation out of it, or move it away, to have others proposed"
        raise ConfigError("is there already", where=path, mend=mend)
    return wanted


def _add(this: Run, found: dict[str, tuple[str, list[str]]]) -> None:
    """Puts the templates into the file, behind what is there."""
    path = this.layout.templates
    before = path.read_bytes().rstrip() + b"\n" if made(path) else _head(this).encode()
    with whole_file(path) as file:
        file.write(before + "\n".join(_written(found)).encode())


def _head(this: Run) -> str:
    return (
        f"# Templates that {this.model.name} proposes. Take out or mend those that do not say the same, then:\n"
        f"#   generator.templates_file={this.layout.templates} generator.template=all\n"
    )


def _written(found: dict[str, tuple[str, list[str]]]) -> Iterator[str]:
    """For people to read and mend: YAML with each relation's own template as a comment."""
    for relation, (own, texts) in found.items():
        yield f"\n# {' '.join(own.split())}"
        yield f"{json.dumps(relation, ensure_ascii=False)}:"
        yield from (f"  - {json.dumps(text, ensure_ascii=False)}" for text in texts)
    yield ""


def _locks(this: Run) -> list[Lock]:
    return [*reading(this), Lock(this.layout.template_requests("").parents[1] / LOCK, "write")]


def _claims(this: Run) -> list[Claim]:
    """Sees to it that no two jobs of a sweep propose templates of one graph."""
    return [Claim(this.layout.templates, "proposes templates", {"model": dict(this.config.model)})]


STEP = Step(
    run=paraphrase,
    needs=("extract",),
    makes=(
        "templates.yaml",
        "paraphrases/<model>/questions.jsonl",
        "paraphrases/<model>/responses.jsonl",
    ),
    settings=("model", "relations", "paraphrase", "cache", "cache_dir", "dry_run", "max_cost_usd"),
    locks=_locks,
    claims=_claims,
)
