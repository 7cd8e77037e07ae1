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

from factprobe.api.grading import grade_answers as grade_answers
from factprobe.api.grading import grade_responses as grade_responses
from factprobe.api.graphs import load_kg as load_kg
from factprobe.api.graphs import summarise as summarise
from factprobe.api.judging import judge_grades as judge_grades
from factprobe.api.models import load_model as load_model
from factprobe.api.questions import make_questions as make_questions
from factprobe.api.result_tables import AgreementTable as AgreementTable
from factprobe.api.result_tables import AnswerGrades as AnswerGrades
from factprobe.api.result_tables import ComparisonTable as ComparisonTable
from factprobe.api.result_tables import PeopleTable as PeopleTable
from factprobe.api.result_tables import QuestionGrades as QuestionGrades
from factprobe.api.result_tables import ScoreTable as ScoreTable
from factprobe.api.running import run as run
from factprobe.api.score_tables import agree as agree
from factprobe.api.score_tables import compare as compare
from factprobe.api.score_tables import plot as plot
from factprobe.api.score_tables import score as score
from factprobe.asking.in_memory import ask_model as ask_model
