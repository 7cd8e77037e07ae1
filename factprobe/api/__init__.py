"""factprobe from Python: a graph, its questions, a model's responses, their grades, a table of scores.

    import factprobe

    kg = factprobe.load_kg("trex")
    questions = factprobe.make_questions(kg, relations=["P36"], limit=5)
    model = factprobe.load_model("smollm2")
    responses = factprobe.ask_model(model, questions)
    grades = factprobe.grade_responses(kg, questions, responses)
    print(factprobe.score(kg, questions, grades, model=model.name))

The functions take the settings of the command line under the same names and leave no files; `run` is the command line.
"""

from __future__ import annotations

from factprobe.api.grading import grade_answers, grade_responses, judge_grades
from factprobe.api.graphs import load_kg, summarise
from factprobe.api.models import load_model
from factprobe.api.questions import make_questions
from factprobe.api.result_tables import AgreementTable, AnswerGrades, ComparisonTable, PeopleTable, ScoreTable
from factprobe.api.running import run
from factprobe.api.scoring import agree, compare, plot, score
from factprobe.asking.in_memory import ask_model

__all__ = [
    "AgreementTable",
    "AnswerGrades",
    "ComparisonTable",
    "PeopleTable",
    "ScoreTable",
    "agree",
    "ask_model",
    "compare",
    "grade_answers",
    "grade_responses",
    "judge_grades",
    "load_kg",
    "load_model",
    "make_questions",
    "plot",
    "run",
    "score",
    "summarise",
]
