"""Scores: counts of verdicts and the rates that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Literal, NamedTuple, TypedDict

from msgspec.structs import replace

from factprobe.records import Grade, QuestionType, Relation, Score

ALL = "all"
"""What stands in a row for a column that the row sums over."""

Level = Literal["cell", "relation", "question_type", "relation_type", "total"]


class Cell(NamedTuple):
    """What is counted together: one generator, model, relation and question type."""

    generator: str
    model: str
    relation: str
    question_type: QuestionType


class Rates(TypedDict):
    """The rates of a tally: fractions in [0, 1], or None where nothing was counted."""

    accuracy: float | None
    precision: float | None
    recall: float | None
    f1: float | None
    set_precision: float | None
    set_recall: float | None
    set_f1: float | None
    mrr: float | None
    precision_at_5: float | None
    precision_at_10: float | None
    abstention_rate: float | None
    invalid_rate: float | None


class Tally:
    """Verdicts counted, for answer sets the single answers, and for ranked questions the ranks."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.true_positives = self.false_positives = self.false_negatives = 0
        self.ranks: Counter[int] = Counter()

    def add(self, grade: Grade) -> None:
        """Counts one more grade."""
        self.verdicts[grade.verdict] += 1
        if grade.rank:
            self.ranks[grade.rank] += 1
        if grade.question_type == "multiple_answer":
            self.true_positives += grade.true_positives
            self.false_positives += grade.false_positives
            self.false_negatives += grade.false_negatives

    def __add__(self, other: Tally) -> Tally:
        total = Tally()
        total.verdicts = self.verdicts + other.verdicts
        total.ranks = self.ranks + other.ranks
        total.true_positives = self.true_positives + other.true_positives
        total.false_positives = self.false_positives + other.false_positives
        total.false_negatives = self.false_negatives + other.false_negatives
        return total

    def rates(self) -> Rates:
        """The rates; higher is better but for the last two.

        A failed question is in no denominator. An unparsed reply is an attempt that is not correct: precision is
        correct / (correct + incorrect + unparsed). Accuracy and recall are correct / all. The mean reciprocal rank and
        precision at k (as LAMA and LM Pub Quiz call the share of right answers among the first k) are over the ranked
        questions alone.
        """
        counts = self.verdicts
        right, attempts = counts["correct"], counts["correct"] + counts["incorrect"] + counts["unparsed"]
        every = attempts + counts["abstained"]
        precision, recall = _ratio(right, attempts), _ratio(right, every)
        set_precision = _ratio(self.true_positives, self.true_positives + self.false_positives)
        set_recall = _ratio(self.true_positives, self.true_positives + self.false_negatives)
        return Rates(
            accuracy=recall,
            precision=precision,
            recall=recall,
            f1=_harmonic(precision, recall),
            set_precision=set_precision,
            set_recall=set_recall,
            set_f1=_harmonic(set_precision, set_recall),
            mrr=_mean_reciprocal(self.ranks),
            precision_at_5=_within(self.ranks, 5),
            precision_at_10=_within(self.ranks, 10),
            abstention_rate=_ratio(counts["abstained"], every),
            invalid_rate=_ratio(counts["unparsed"], every),
        )


def scores(tallies: Mapping[Cell, Tally], relations: Mapping[str, Relation], kg: str = "") -> list[Score]:
    """The score table: a row for each cell, then the totals of each generator and model.

    Args:
        tallies: the counts of each cell.
        relations: by id, for their labels and types.
        kg: the name of their graph.

    Returns:
        Micro rows (every question counts alike) of all levels and, for those that sum over relations, macro rows: the
        mean of the relations' own rates (every relation counts alike), those without a rate left out.
    """
    rows = [_row(cell, "cell", tally, relations, kg) for cell, tally in tallies.items()]
    levels: tuple[tuple[Level, bool], ...] = (
        ("relation", False),
        ("question_type", True),
        ("relation_type", True),
        ("total", True),
    )
    for level, has_macro in levels:
        for key, members in _groups(tallies, level, relations).items():
            rows.append(_row(key, level, _sum(tallies[cell] for cell in members), relations, kg))
            if has_macro:
                rows.append(_macro(rows[-1], members, tallies))
    return rows


def overall(graphs: Iterable[tuple[Mapping[Cell, Tally], Mapping[str, Relation]]]) -> list[Score]:
    """The rows that sum over several graphs, given the tallies and relations of each; their `kg` is `all`.

    A relation that two graphs have counts twice in a macro row.
    """
    tallies: dict[Cell, Tally] = {}
    relations: dict[str, Relation] = {}
    for number, (counts, known) in enumerate(graphs):
        tallies.update((cell._replace(relation=f"{number} {cell.relation}"), tally) for cell, tally in counts.items())
        relations.update((f"{number} {name}", relation) for name, relation in known.items())
    return [row for row in scores(tallies, relations, ALL) if row.level not in ("cell", "relation")]


def _groups(
    tallies: Mapping[Cell, Tally], level: Level, relations: Mapping[str, Relation]
) -> dict[tuple[str, str, str, str], list[Cell]]:
    groups: dict[tuple[str, str, str, str], list[Cell]] = {}
    for cell in tallies:
        relation_type = relations[cell.relation].type
        part = {
            "relation": (cell.relation, ALL),
            "question_type": (ALL, cell.question_type),
            "relation_type": (relation_type, ALL),
        }.get(level, (ALL, ALL))
        groups.setdefault((cell.generator, cell.model, *part), []).append(cell)
    return groups


def _row(
    key: tuple[str, str, str, str], level: Level, tally: Tally, relations: Mapping[str, Relation], kg: str
) -> Score:
    generator, model, name, question_type = key
    relation = relations[name] if level in ("cell", "relation") else None
    return Score(
        level=level,
        average="micro",
        kg=kg,
        generator=generator,
        model=model,
        relation=relation.relation if relation else ALL,
        relation_label=relation.label if relation else ALL,
        relation_type=relation.type if relation else name if level == "relation_type" else ALL,
        question_type=question_type,
        questions=tally.verdicts.total(),
        correct=tally.verdicts["correct"],
        incorrect=tally.verdicts["incorrect"],
        abstained=tally.verdicts["abstained"],
        unparsed=tally.verdicts["unparsed"],
        failed=tally.verdicts["failed"],
        **tally.rates(),
    )


def _macro(micro: Score, members: Iterable[Cell], tallies: Mapping[Cell, Tally]) -> Score:
    by_relation: dict[str, Tally] = {}
    for cell in members:
        by_relation[cell.relation] = by_relation.get(cell.relation, Tally()) + tallies[cell]
    rates = [tally.rates() for tally in by_relation.values()]
    means = {name: _mean(rate[name] for rate in rates) for name in Rates.__required_keys__}  # type: ignore[literal-required]
    return replace(micro, average="macro", **means)


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean_reciprocal(ranks: Counter[int]) -> float | None:
    """Summed in the order of the ranks, so that the order of the grades changes no digit."""
    return sum(count / rank for rank, count in sorted(ranks.items())) / ranks.total() if ranks else None


def _within(ranks: Counter[int], k: int) -> float | None:
    return _ratio(sum(count for rank, count in ranks.items() if rank <= k), ranks.total())


def _harmonic(first: float | None, second: float | None) -> float | None:
    if first is None or second is None:
        return None
    return 2 * first * second / (first + second) if first + second else 0.0
