"""The summary of a report in sentences."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.collection.vocabulary import GRAPH
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.comparison import TypedVerdict, comparisons
from factprobe.metrics.corrected import CorrectedTable
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import Score
from factprobe.reports.plots import model_plot
from factprobe.reports.summary import model_totals, summary_sentences
from tests.reports.pages import corrected_score, page, render, sample

GRADED: dict[str, dict[str, TypedVerdict]] = {
    "tiny": {"q": TypedVerdict("single_answer", "correct", None)},
    "large": {"q": TypedVerdict("single_answer", "correct", None)},
}
NAMES = {("template", "tiny"): "tiny", ("template", "large"): "large"}


def totals() -> tuple[Score, ...]:
    [row] = [row for row in page().scores if (row.level, row.average) == ("total", "micro")]
    better = replace(row, model="large", accuracy=0.75, accuracy_low=0.3, accuracy_high=0.95, hallucination_rate=0.25)
    return (replace(row, accuracy=0.5, accuracy_low=0.15, accuracy_high=0.85, hallucination_rate=1.0), better)


def test_the_best_model_comes_first_with_its_interval() -> None:
    data = replace(page(), scores=totals(), comparisons=())
    assert [row.model for row in model_totals(data.scores)] == ["large", "tiny"]
    first, second, *_ = summary_sentences(data, NAMES)
    assert first == "large answers 75.0% of 4 questions correctly (95% interval 30.0 to 95.0)."
    assert second.startswith("tiny answers 50.0% of 4 questions correctly")


def corrected_totals() -> tuple[Score, ...]:
    """The same totals, the worse one better as people judge."""
    tiny, large = totals()
    tiny = replace(tiny, corrected_accuracy=0.8, corrected_accuracy_low=0.2, corrected_accuracy_high=0.9)
    return tiny, replace(large, corrected_accuracy=0.6, corrected_accuracy_low=0.2, corrected_accuracy_high=0.9)


def test_accuracies_corrected_by_labels_lead_and_the_automatic_ones_follow() -> None:
    score = corrected_score(20, Interval(0.8, 0.2, 0.9))
    table = BreakdownTable("corrected", CorrectedTable, (score, replace(score, model="large")))
    pair = replace(comparisons(GRADED)[-1], corrected=Interval(0.2, -0.1, 0.4))
    data = replace(page(), scores=corrected_totals(), breakdowns=(table,), comparisons=(("trex", pair),))
    first, second, third, *_ = summary_sentences(data, NAMES)
    assert first == (
        "tiny answers 80.0% of 4 questions correctly (95% interval 20.0 to 90.0), corrected by 20 human labels; "
        "50.0% by the grades alone."
    )
    assert second.startswith("large answers 60.0% of 4 questions")
    assert third == (
        "Corrected, tiny is ahead of large by 20.0 points (95% interval -10.0 to 40.0), which shows no difference."
    )
    [plot] = model_plot(data.scores, NAMES, GRAPH)
    assert [bar.figure.value for row in plot.rows for bar in row.bars] == [0.8, 0.6]
    assert "corrected by their labels" in plot.note


def test_labels_of_all_graphs_are_counted() -> None:
    score = corrected_score(20, Interval(0.8, 0.2, 0.9))
    rows = (score, replace(score, kg="umls", labels=15), replace(score, model="large", labels=11))
    table = BreakdownTable("corrected", CorrectedTable, rows)
    data = replace(page(), scores=corrected_totals(), breakdowns=(table,), comparisons=())
    first, second, *_ = summary_sentences(data, NAMES)
    assert "corrected by 35 human labels" in first
    assert "corrected by 11 human labels" in second


def test_a_chart_shows_corrected_accuracies_only_if_all_are() -> None:
    tiny, large = corrected_totals()
    [plot] = model_plot((tiny, replace(large, corrected_accuracy=None)), NAMES, GRAPH)
    assert [bar.figure.value for row in plot.rows for bar in row.bars] == [0.75, 0.5]


def test_wrong_answers_are_told_from_abstentions() -> None:
    *_, last = summary_sentences(replace(page(), scores=totals(), comparisons=()), NAMES)
    assert "25.0% of large's and 100.0% of tiny's are wrong answers" in last


def test_a_type_that_is_not_better_than_guessing_is_named() -> None:
    rows = [replace(row, level="question_type", question_type="multi_choices") for row in totals()]
    low = replace(rows[0], questions=20, guess_corrected_accuracy_low=-0.1)
    found = summary_sentences(replace(page(), scores=(*totals(), low), comparisons=()), NAMES)
    assert "tiny is not shown to do better than guessing on multiple choice questions." in found
    few = summary_sentences(replace(page(), scores=(*totals(), replace(low, questions=4)), comparisons=()), NAMES)
    assert not any("guessing" in sentence for sentence in few)


def test_models_of_one_accuracy_are_not_ranked() -> None:
    [row, _] = totals()
    rows = [replace(row, model=f"m{number}") for number in range(4)]
    names = {("template", one.model): one.model for one in rows}
    first, second, *_ = summary_sentences(replace(page(), scores=tuple(rows), comparisons=()), names)
    assert first == "All 4 models have the same accuracy."
    assert second.startswith("m0 answers 50.0% of 4 questions correctly")
    best = replace(rows[2], accuracy=0.75)
    first, *shown = summary_sentences(replace(page(), scores=(*rows[:2], best, rows[3]), comparisons=()), names)
    assert first == "Of 4 models, the first named has the highest accuracy and the second the lowest."
    assert [sentence.partition(" ")[0] for sentence in shown[:2]] == ["m2", "m3"]


def test_nothing_is_told_without_scores() -> None:
    assert summary_sentences(replace(page(), scores=()), {}) == []


def test_reasoning_before_an_answer_is_folded() -> None:
    text = render(page([sample("<think>Peru lies on the coast.</think>\nLima")]))
    folded = text.partition('<details class="thoughts">')[2].partition("</details>")[0]
    assert "Peru lies on the coast." in folded
    assert "Lima" not in folded


def test_the_table_of_corrected_accuracies_is_folded_until_replies_are_labelled() -> None:
    waiting, labelled = corrected_score(0, half_widths={4: 0.4}), corrected_score(20, Interval(0.8, 0.2, 0.9))
    for row, is_folded in ((waiting, True), (labelled, False)):
        text = render(replace(page(), breakdowns=(BreakdownTable("corrected", CorrectedTable, (row,)),)))
        assert ("<summary>Accuracy as people would judge it" in text) is is_folded
        assert ("<h3>Accuracy as people would judge it</h3>" in text) is not is_folded
