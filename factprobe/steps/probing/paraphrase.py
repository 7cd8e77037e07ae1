"""The step `paraphrase`: further templates that a model proposes and the user reviews."""

from __future__ import annotations

from factprobe.errors import ConfigError
from factprobe.generators.phrasing.proposals import Proposals
from factprobe.records import RelationSummary
from factprobe.steps import CALLS
from factprobe.steps.base import Run, Step, StepResult, SweepClaim, folder_lock
from factprobe.steps.proposing import add_templates, ask_for_templates
from factprobe.storage import read_summary
from factprobe.templating import read_templates
from factprobe.text import format_count


def paraphrase(run: Run) -> StepResult:
    """Ask the model for further templates of each relation, and write the usable ones into a file.

    Relations in the file are left unchanged, since the user may have edited them; new ones are appended.
    """
    layout, model = run.layout, run.model
    wanted = _relations_without_proposals(run)
    sources = [run.need("extract", layout.summary(relation)) for relation in wanted]
    proposals = Proposals(run.config.paraphrase.messages, run.config.paraphrase.count)
    requests = (proposals.request(read_summary(path, RelationSummary)) for path in sources)
    relations = (read_summary(path, RelationSummary).relation_info for path in sources)
    files = layout.template_requests(model.name)
    templates, counts = ask_for_templates(run, "paraphrase", files, requests, proposals, relations)
    note = f"Templates that {model.name} proposes. Take out or mend those that do not say the same, then:"
    use = f"  generator.templates_file={layout.templates} generator.template=all"
    add_templates(layout.templates, [note, use], templates)
    total = sum(len(texts) for _, texts in templates.values())
    recorded = {**counts.as_dict(), "templates": total, "rejected": dict(proposals.rejected)}
    found = f"{format_count(total, 'template')} of {format_count(len(templates), 'relation')}"
    parts = [f"{found} to review → {layout.templates}"] if templates else []
    if missing_count := len(wanted) - len(templates):
        parts.append(f"none of {format_count(missing_count, 'relation')}")
    return StepResult("; ".join(parts), sources, recorded, [layout.templates] if templates else [], [counts.unanswered])


def _relations_without_proposals(run: Run) -> list[str]:
    """Return the relations without templates in the file; raise a `ConfigError` if there are none."""
    path = run.layout.templates
    templates = read_templates(str(path)) if path.exists() else {}
    relations = [relation.relation for relation in run.relations() if relation.relation not in templates]
    if not relations:
        hint = "take a relation out of it, or move it away, to have others proposed"
        raise ConfigError("is there already", where=path, hint=hint)
    return relations


STEP = Step(
    run=paraphrase,
    needs=("extract",),
    makes=("templates.yaml", "paraphrases/<model>/questions.jsonl", "paraphrases/<model>/responses.jsonl"),
    settings=("model", "relations", "paraphrase", *CALLS),
    locks=lambda run: folder_lock(run, run.layout.template_requests("")[0].parents[1]),
    sweep_claims=lambda run: [SweepClaim(run.layout.templates, "proposes templates", run.settings("model"))],
)
