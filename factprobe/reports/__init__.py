"""Reports: scores for people, as a terminal table, files and one web page."""

from factprobe.reports.collect import Graded, collect, ending_notes
from factprobe.reports.files import to_show, write_report, write_scores
from factprobe.reports.table import score_table, systems_table

__all__ = [
    "Graded",
    "collect",
    "ending_notes",
    "score_table",
    "systems_table",
    "to_show",
    "write_report",
    "write_scores",
]
