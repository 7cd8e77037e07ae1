"""Collection of the data for a report from the grades of an exam on a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from factprobe.asking.log import ResponseLog
from factprobe.collection.current import (
    GradedQuestion,
    QuestionSets,
    count_questions,
    current,
    read,
    unequal_questions,
    warn_of,
)
from factprobe.collection.leaks import LeakCollector
from factprobe.collection.report_data import Note, RuleShare, series_names
from factprobe.collection.vocabulary import GRAPH, ReportVocabulary
from factprobe.endings import notes
from factprobe.evaluators.rules.shared import CUT_OFF, EMPTY, OUTDATED
from factprobe.extractors.extracted import ExtractedFacts
from factprobe.inputs.labels import HumanJudgment, ReplyLabels, reply_hash
from factprobe.metrics import Tallies
from factprobe.metrics.breakdowns.base import Breakdowns, BreakdownTable
from factprobe.metrics.corrected import CorrectedTable, corrected_scores
from factprobe.metrics.leaks import LeakTable
from factprobe.metrics.strata import popularity
from factprobe.records import GraphSummary, Question, Relation
from factprobe.storage import GradedFolder, Layout
from factprobe.text import format_count


class GraphGrades(Struct):
    """Grade files of one graph, with the counts of their grades."""

    kg: str
    layout: Layout
    summary: GraphSummary
    relations: dict[str, Relation]
    tallies: Tallies
    breakdowns: Breakdowns
    asked: QuestionSets = field(default_factory=QuestionSets)
    """Questions that each model in the score table answered."""
    files: list[Path] = []
    sources: list[tuple[GradedFolder, Relation]] = []
    """Folder and relation of each grade file."""
    alternative_grades: dict[Path, dict[str, Path]] = {}
    """Grade files of other evaluators, by main grade file and evaluator name."""
    ungraded: Counter[str] = field(default_factory=Counter)
    """Number of questions without a grade that is up to date, by model."""
    unevaluated: Counter[str] = field(default_factory=Counter)
    """Number of questions, by model, about relations with answers but without grades that are up to date."""
    comparison: Path | None = None
    """File with the comparison of the graph's models; None if it is missing or outdated."""
    quality: Path | None = None
    """File with the measures of question quality; None if it is missing or outdated."""
    inspection: Path | None = None
    """File with the statistics of the relations; None if it is missing or outdated."""
    leaks: LeakCollector | None = None
    """Collector of leaks in the questions; None for replies without a graph."""

    def notes(self) -> list[Note]:
        """Return notes on cut-off, filtered, empty, missing and outdated replies of each generator and model."""
        return [*tally_notes(self.kg, self.tallies, is_asked=self.leaks is not None)]


def collect(
    kg: str,
    layout: Layout,
    summary: GraphSummary,
    picked: Collection[str],
    is_left_out: Callable[[GradedFolder, str, Path], bool],
    labels: ReplyLabels | None = None,
) -> GraphGrades:
    """Read the grades of the relations in `picked`, for all generators and models.

    `is_left_out` returns whether a file of grades is missing, or was made from earlier versions of its input files.
    """
    relations = {
        relation.relation: Relation(relation.relation, "", relation.label, type=relation.type)
        for relation in summary.relations
        if relation.relation in picked
    }
    tallies = Tallies(popularity(ExtractedFacts(layout, summary)))
    breakdowns, leaks = Breakdowns(kg, summary.relations), LeakCollector(layout, len(relations))
    graded = GraphGrades(kg, layout, summary, relations, tallies, breakdowns, leaks=leaks)
    outdated: Counter[Path] = Counter()
    counted: set[tuple[str, str]] = set()
    folders = layout.graded_folders()
    last_folders = {folder.generator: folder for folder in folders}
    for graded_folder in folders:
        folder = graded_folder._replace(model=graded_folder.examined)
        is_repeat = (folder.generator, folder.model) in counted
        counted.add((folder.generator, folder.model))
        for relation in relations.values():
            path = folder.grades(relation.relation)
            if is_left_out(folder, relation.relation, path):
                is_answered = any(ResponseLog(folder.responses(relation.relation)).files())
                counts = graded.unevaluated if is_answered else graded.ungraded
                counts[folder.model] += count_questions(folder, relation.relation)
                continue
            before = outdated.total()
            asked = current(folder, relation.relation, outdated, graded.ungraded)
            is_last = last_folders[folder.generator] is graded_folder
            looked_at = leaks.at(folder.generator, relation.relation, asked, is_last=is_last)
            judgments = people_judgments(graded_folder, relation.relation, labels)
            count = _count_grades(graded, folder, relation.relation, looked_at, judgments, is_repeat)
            if count or outdated.total() == before:
                others = folder.alternative_grades(relation.relation)
                graded.alternative_grades[path] = {
                    name: file for name, file in others.items() if not is_left_out(folder, relation.relation, file)
                }
                graded.files.append(path)
                graded.sources.append((folder, relation))
    shown = {folder.folder for folder in folders}
    for folder in layout.answered_folders():
        for name in relations if folder.folder not in shown else ():
            is_left_out(folder, name, folder.grades(name))  # which warns of answers without grades
    warn_of(outdated)
    return graded


def people_judgments(folder: GradedFolder, relation: str, labels: ReplyLabels | None) -> dict[str, HumanJudgment]:
    """Return people's majority verdicts on a model's replies about a relation, by question id; empty without labels."""
    path = folder.questions(relation)
    if not labels or not path.exists():
        return {}
    asked = (question for question in read(path, Question) if labels.has(folder.model, question.question_id))
    judgments = {}
    for question, response in ResponseLog(folder.responses(relation)).answers(asked):
        if response is not None:
            digest = reply_hash(question.prompts[-1].content, response.response)
            judgments[question.question_id] = labels.match(folder.model, question.question_id, digest)
    return {name: judgment for name, judgment in judgments.items() if judgment is not None}


def _count_grades(
    graded: GraphGrades,
    folder: GradedFolder,
    relation: str,
    asked: Iterable[GradedQuestion],
    judgments: Mapping[str, HumanJudgment],
    is_repeat: bool,
) -> int:
    """Add the grades of a relation to the counts, and return their number."""
    count = 0
    for grade, question in asked:
        judgment = judgments.get(grade.question_id)
        graded.tallies.add(folder.generator, folder.model, relation, grade, question, judgment)
        if question is not None:
            graded.breakdowns.add(folder.generator, folder.model, grade, question, is_repeat=is_repeat)
        if not is_repeat and (question is None or question.given != "made_up"):
            graded.asked.add((folder.generator, folder.model), grade.question_id)
        count += 1
    return count


def tables(graded: GraphGrades) -> list[BreakdownTable]:
    """Return the breakdowns, including empty ones."""
    corrected = BreakdownTable("corrected", CorrectedTable, tuple(corrected_scores(graded.kg, graded.tallies.cells)))
    leaks = graded.leaks.rows(graded.kg) if graded.leaks else ()
    return [corrected, *graded.breakdowns.tables(), BreakdownTable("leaks", LeakTable, tuple(leaks))]


def rule_shares(graded: GraphGrades) -> list[RuleShare]:
    """Return the rules that decided the grades of each generator and model, the most frequent first."""
    return [
        RuleShare(graded.kg, generator, model, rule, count, count / counts.total())
        for (generator, model), counts in graded.tallies.rules.items()
        for rule, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def unequal_exams(graphs: Sequence[GraphGrades], words: ReportVocabulary = GRAPH) -> str:
    """Return a sentence that models answered different questions; empty if all answered the same.

    If `step=compare` could compare two models of an exam, and has not, a second sentence says so.
    """
    names = series_names(cell for graded in graphs for cell in graded.tallies.cells)
    sets = QuestionSets.joined(graded.asked for graded in graphs)
    unequal = unequal_questions(sets, names, words)
    is_exam = all(graded.leaks is not None for graded in graphs)
    are_compared = all(graded.comparison is not None for graded in graphs)
    most_models = max(Counter(generator for generator, _ in sets.counts).values(), default=0)
    if unequal and is_exam and not are_compared and most_models > 1:
        unequal += " Run step=compare to compare two at a time, on the questions that both answered."
    return unequal


def tally_notes(kg: str, tallies: Tallies, *, is_asked: bool) -> Iterator[Note]:
    """Yield notes on cut-off, filtered, empty, missing and outdated replies; `is_asked` is False for input files."""
    for (generator, model), rules in tallies.rules.items():
        endings = tallies.endings[generator, model]
        texts = [*notes(endings, rules[CUT_OFF], endings.total(), rules[EMPTY], is_asked=is_asked)]
        texts += _describe_missing(rules.total(), endings.total(), rules[EMPTY])
        if count := sum(rules[name] for name in OUTDATED):
            share = f"of {rules.total():,} answers {count:,} ({100 * count / rules.total():.1f} %)"
            texts.append(f"{share} are right at another time than the one asked about")
        yield from (Note(kg, generator, model, text) for text in texts)


def _describe_missing(grades: int, replies: int, empty: int) -> Iterator[str]:
    """Describe missing replies, and empty ones if they are at most half (else another note reports them)."""
    if failed := grades - replies:
        yield f"of {format_count(grades, 'reply', 'replies')} {failed:,} failed and {_be_form(failed)} in no rate"
    if 0 < 2 * empty <= replies:
        what = f"{_be_form(empty)} empty or reasoning alone, and unparsed"
        yield f"of {format_count(grades, 'reply', 'replies')} {empty:,} {what}"


def _be_form(number: int) -> str:
    return "is" if number == 1 else "are"
