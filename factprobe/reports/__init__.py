"""Reports: scores for people, as a terminal table, files and one web page."""

from factprobe.reports.collection.graph_grades import Graded, collect, ending_notes, tables
from factprobe.reports.collection.leaks import leak_lines
from factprobe.reports.report_files import to_show, write_report, write_scores
from factprobe.reports.table import MORE, score_table, summary_table, systems_table
from factprobe.reports.vocabulary import ReportVocabulary, of_replies

__all__ = [
    "MORE",
    "Graded",
    "ReportVocabulary",
    "collect",
    "ending_notes",
    "leak_lines",
    "of_replies",
    "score_table",
    "summary_table",
    "systems_table",
    "tables",
    "to_show",
    "write_report",
    "write_scores",
]
