"""Reports: scores for people, as a terminal table, files and one web page."""

from factprobe.reports.collection.graph_grades import Graded as Graded
from factprobe.reports.collection.graph_grades import collect as collect
from factprobe.reports.collection.graph_grades import ending_notes as ending_notes
from factprobe.reports.collection.graph_grades import tables as tables
from factprobe.reports.collection.graph_grades import unequal_exams as unequal_exams
from factprobe.reports.collection.leaks import leak_lines as leak_lines
from factprobe.reports.report_files import report_data as report_data
from factprobe.reports.report_files import sampled_cells as sampled_cells
from factprobe.reports.report_files import write_report as write_report
from factprobe.reports.report_files import write_scores as write_scores
from factprobe.reports.table import MORE as MORE
from factprobe.reports.table import score_table as score_table
from factprobe.reports.table import summary_table as summary_table
from factprobe.reports.table import systems_table as systems_table
from factprobe.reports.vocabulary import ReportVocabulary as ReportVocabulary
from factprobe.reports.vocabulary import of_replies as of_replies
