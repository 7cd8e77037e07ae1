"""The step `paraphrase`: further templates of the relations, which a model proposes and the user reviews."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

from factprobe.asking.job import calls_left
from factprobe.asking.resuming import Todo
from factprobe.errors import ConfigError
from factprobe.generators.proposals import Proposals
from factprobe.records import PlainRequest, RelationSummary, Response
from factprobe.steps.base import Claim, Done, Lock, Run, Step, reading
from factprobe.steps.calls import ask_settings, make_calls
from factprobe.storage import made, read_json, whole_file, write_lines
from factprobe.storage.locks import LOCK

log = logging.getLogger(__name__)


def paraphrase(this: Run) -> Done:
    """Asks the model for further templates of each relation and writes those that can be used into a file.

    Raises:
        ConfigError: the file is there already, perhaps with changes of the user's.
        NoAnswersError: no call succeeds, or none any more.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    layout, model = this.layout, this.model
    if made(layout.templates):
        raise ConfigError("is there already", where=layout.templates, mend="move it away to have others proposed")
    sources = [this.need("extract", layout.summary(found.relation)) for found in this.relations()]
    proposals = Proposals(this.config.paraphrase.messages, this.config.paraphrase.count)
    asked = layout.template_requests(model.name), layout.template_replies(model.name)
    write_lines(asked[0], (proposals.request(read_json(path, RelationSummary)) for path in sources))
    todo = Todo({"": asked}, PlainRequest, model.settings_hash)
    if this.config.dry_run:
        return Done(calls_left(model, todo, ask_settings(this)), [], None, is_dry=True)
    counts = make_calls(this, "paraphrase", model, todo)
    summaries = (read_json(path, RelationSummary) for path in sources)
    found = {
        summary.relation_info.relation: (summary.relation_info.template, _taken(proposals, summary, response))
        for summary, (_, response) in zip(summaries, todo.answers(""), strict=True)
    }
    with whole_file(layout.templates) as file:
        file.write("\n".join(_written(this, found)).encode())
    total = sum(len(texts) for _, texts in found.values())
    if proposals.rejected:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in proposals.rejected.most_common())
        log.warning("%d proposals are not taken: %s", proposals.rejected.total(), reasons)
    told = {**counts.as_dict(), "templates": total, "rejected": dict(proposals.rejected)}
    message = f"{total:,} templates of {len(found):,} relations to review → {layout.templates}"
    return Done(message, sources, told, [layout.templates], [counts.unanswered])


def _taken(proposals: Proposals, summary: RelationSummary, response: Response | None) -> list[str]:
    if response is None or response.failed:
        return []
    return proposals.taken(summary.relation_info, response.response or "")


def _written(this: Run, found: dict[str, tuple[str, list[str]]]) -> Iterator[str]:
    """The file, for people to read and mend: YAML with each relation's own template as a comment."""
    yield f"# Templates that {this.model.name} proposes. Take out or mend those that do not say the same, then:"
    yield f"#   generator.templates_file={this.layout.templates} generator.template=all"
    for relation, (own, texts) in found.items():
        yield f"\n# {' '.join(own.split())}"
        yield f"{json.dumps(relation, ensure_ascii=False)}:" + ("" if texts else " []")
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
