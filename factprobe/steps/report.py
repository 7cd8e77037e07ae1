"""The step `report`: scores of everything that is graded."""

from __future__ import annotations

from factprobe.config import RunConfig
from factprobe.metrics import scores
from factprobe.records import Relation
from factprobe.reports import collect, score_table, write_report, write_scores
from factprobe.steps.base import Done, Run, missing


def report(this: Run) -> Done:
    """Sums up the grades of every generator and model that there are."""
    with this.using():
        return _report(this)


def _report(this: Run) -> Done:
    relations = [Relation(found.relation, "", found.label, type=found.type) for found in this.relations()]
    graded = collect(this.layout, relations)
    if not graded.files:
        raise missing("evaluate", this.layout.root / "grades", this.config)
    rows = scores(graded.tallies, {relation.relation: relation for relation in relations})
    write_scores(this.layout, rows)
    write_report(this.layout, rows, graded, this.config.samples, this.config.seed, _shown(this.config))
    print(score_table(rows))
    count = sum(tally.verdicts.total() for tally in graded.tallies.values())
    return Done(f"{count:,} grades → {this.layout.report}", graded.files, {"grades": count})


def _shown(config: RunConfig) -> tuple[tuple[str, str], ...]:
    shown = {"kg": config.kg.name, "data_dir": config.kg.data_dir or "bundled", "seed": config.seed}
    return tuple((name, str(value)) for name, value in shown.items())
