"""What makes Python's functions pleasant: names, functions as models, files as graphs, tables in a notebook."""

from __future__ import annotations

import asyncio
import bz2
import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import factprobe
from factprobe.errors import ConfigError, DataError, NoAnswersError, UnknownNameError
from tests.models.questions import question

ROWS = [
    {"question": "What is the capital of France?", "answers": "Paris", "response": reply, "system": system}
    for system, reply in (("a", "Paris"), ("b", "<b>Lyon</b>"))
]


def test_all_functions_are_listed() -> None:
    assert set(factprobe.__all__) <= set(dir(factprobe))


def of_text(prompt: str) -> str:
    return f"text {prompt.splitlines()[-1]}"


def of_chat(messages):  # type: ignore[no-untyped-def]  # as in a notebook
    return f"{messages[-1]['role']} {messages[-1]['content']}"


async def of_list(prompt: list[dict[str, str]]) -> str:
    await asyncio.sleep(0)
    return f"list {prompt[-1]['content']}"


def test_requests_of_one_id_have_a_response_each() -> None:
    asked = [question(1, "Where?"), question(1, "When?"), question(1, "Where?")]
    responses = factprobe.ask_model(lambda messages: messages[-1]["content"], asked)
    assert [one.response for one in responses] == ["Where?", "When?", "Where?"]


class Callable:
    async def __call__(self, prompt: str) -> str:
        return "instance"


@pytest.mark.parametrize(
    ("function", "name", "start"),
    [
        (of_text, "of_text", "text "),
        (of_chat, "of_chat", "user "),
        (of_list, "of_list", "list "),
        (lambda prompt: f"none {prompt}", "lambda", "none "),
        (Callable(), "Callable", "instance"),
    ],
)
def test_a_function_is_a_model(function: Any, name: str, start: str) -> None:
    for model in (function, factprobe.load_model(function)):
        [response] = factprobe.ask_model(model, [question(1)])
        assert (response.response or "").startswith(start)
    assert factprobe.load_model(function).name == name
    assert factprobe.load_model(function, name="mine", max_concurrency=4).name == "mine"


def test_what_a_function_may_not_do() -> None:
    def returns_none(prompt: str) -> None: ...

    with pytest.raises(NoAnswersError, match="returned the type NoneType, no text"):
        factprobe.ask_model(returns_none, [question(1)])  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="int is no model; give what load_model returns, or a function"):
        factprobe.ask_model(5, [question(1)])  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="model"):
        factprobe.load_model(of_text, tokens=5)


def test_a_table_of_facts_is_a_graph_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text("subject,relation,object\nFrance,capital,Paris\n")
    for given in (path, str(path)):
        kg = factprobe.load_kg(given)
        assert (kg.name, kg.to_networkx().number_of_edges()) == ("facts", 1)


def test_a_registered_evaluator_needs_no_file() -> None:
    kg = factprobe.load_kg([("France", "capital", "Paris"), ("Peru", "capital", "Lima")])
    questions = [one for one in factprobe.make_questions(kg) if one.question_type == "single_answer"]
    responses = factprobe.ask_model(lambda prompt: "Paris", questions)
    usual = factprobe.grade_responses(kg, questions, responses)
    for evaluator in ("single_answer", {"single_answer": "single_answer"}):
        assert factprobe.grade_responses(kg, questions, responses, evaluator) == usual


def test_texts_are_responses_to_the_questions_in_order() -> None:
    kg = factprobe.load_kg([("France", "capital", "Paris"), ("Peru", "capital", "Lima")])
    questions = [one for one in factprobe.make_questions(kg) if one.question_type == "single_answer"]
    grades = factprobe.grade_responses(kg, questions, ["Rome", "Lima"])
    assert [grade.verdict for grade in grades] == ["incorrect", "correct"]
    with pytest.raises(DataError, match="there are 1 for 2 questions"):
        factprobe.grade_responses(kg, questions, ["Paris"])
    assert [grade.verdict for grade in factprobe.grade_responses(kg, questions, [None, "Lima"])] == [
        "failed",
        "correct",
    ]
    with pytest.raises(DataError, match="number 2 has the type float"):
        factprobe.grade_responses(kg, questions, ["Paris", 1.5])  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [{"limit": -1}, {"limit": 0}, {"seed": -1}])
def test_limit_and_seed_of_questions_are_checked(wrong: dict[str, Any]) -> None:
    kg = factprobe.load_kg([("France", "capital", "Paris")])
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        factprobe.make_questions(kg, **wrong)


def test_tables_are_shown_in_a_notebook() -> None:
    grades = factprobe.grade_answers(ROWS)
    page = grades._repr_html_()
    assert page.count("<table>") == 3
    assert "<td>&lt;b&gt;Lyon&lt;/b&gt;</td><td>incorrect</td>" in page
    assert "no difference shown" in grades.comparison._repr_html_()
    assert factprobe.grade_answers([ROWS[0] | {"human": "1"}]).agreement._repr_html_().count("<tr>") > 1


def test_frames_have_the_texts_and_every_table_has_one() -> None:
    grades = factprobe.grade_answers(ROWS)
    frame = grades.to_frame()
    assert list(frame.columns[:4]) == ["id", "question", "answers", "response"]
    assert frame.loc[0, "answers"] == ["Paris"]
    assert {"difference", "difference_low", "better"} - set(grades.comparison.to_frame().columns) == {"better"}
    assert "measure" in factprobe.grade_answers([ROWS[0] | {"human": "1"}]).agreement.to_frame().columns


def test_grades_of_a_graph_have_a_frame_with_their_texts() -> None:
    kg = factprobe.load_kg([("France", "capital", "Paris"), ("Peru", "capital", "Lima")])
    questions = factprobe.make_questions(kg)
    responses = factprobe.ask_model(lambda prompt: "Paris", questions)
    grades = factprobe.grade_responses(kg, questions, responses)
    for table in (grades, factprobe.judge_grades(lambda prompt: "no", questions, responses, grades)):
        frame = table.to_frame()
        assert list(frame.columns[:5]) == ["question_id", "question", "answers", "response", "question_type"]
        assert list(frame.verdict) == [grade.verdict for grade in grades]
        assert "correct or incorrect" in frame.question[0]
        assert list(frame.answers[:2]) == [["correct"], ["incorrect"]]
        assert set(frame.response) == {"Paris"}
        assert f"<td>Paris</td><td>{grades[0].verdict}</td>" in table._repr_html_()
    assert factprobe.grade_responses(kg, [], []).to_frame().empty


def test_totals_of_a_model_are_found_by_its_name() -> None:
    scores = factprobe.grade_answers(ROWS).scores
    assert (scores["a"].level, scores["a"].correct, scores["b"].correct) == ("total", 1, 0)
    assert scores[0] in scores[:2]
    with pytest.raises(ConfigError, match="scores: unknown model 'c'; known: a, b"):
        scores["c"]


def test_template_of_a_relation_that_the_graph_lacks_is_named(caplog: pytest.LogCaptureFixture) -> None:
    facts = [("France", "capital", "Paris"), ("Peru", "capital", "Lima")]
    kg = factprobe.load_kg(facts, name="places", templates={"capitol": "The capital of [X] is [Y]."})
    factprobe.make_questions(kg)
    assert "no data for 1 of the relations described: capitol" in caplog.text


def test_grades_in_place_of_questions_are_named() -> None:
    kg = factprobe.load_kg([("France", "capital", "Paris"), ("Peru", "capital", "Lima")])
    questions = factprobe.make_questions(kg)
    grades = factprobe.grade_responses(kg, questions, ["Paris"] * len(questions))
    with pytest.raises(ConfigError, match="the questions: hold the type Grade"):
        factprobe.score(kg, grades, questions)  # type: ignore[arg-type]


def test_scores_are_plotted(tmp_path: Path) -> None:
    rows = [{"question": f"What is {at}?", "answers": str(at), "response": str(at % 3)} for at in range(6)]
    graded = factprobe.grade_answers([{**row, "system": system} for row in rows for system in ("a", "<b>")])
    plots = factprobe.plot(graded)
    assert "Accuracy by system" in plots.html
    assert "&lt;b&gt;" in plots.html
    assert plots._repr_html_().startswith("<iframe srcdoc=")
    plots.save(tmp_path / "plots.html")
    assert (tmp_path / "plots.html").read_text(encoding="utf-8") == plots.html
    assert "Accuracy by question type" in factprobe.plot(graded.scores).html
    with pytest.raises(ConfigError, match="no accuracy to plot"):
        factprobe.plot([])
    for others in ([1], list(graded), "scores.csv", None):
        with pytest.raises(ConfigError, match=r"plot: .* are no scores"):
            factprobe.plot(others)  # type: ignore[arg-type]


def test_texts_that_are_none_are_told() -> None:
    with pytest.raises(DataError, match="the texts: are no list or table, but of the type int; give "):
        factprobe.check(5)  # type: ignore[arg-type]


def graded_exam() -> tuple[Any, list[Any], list[Any], Any]:
    kg = factprobe.load_kg("trex")
    questions = factprobe.make_questions(kg, relations=["P36"], limit=3)
    responses = factprobe.ask_model(factprobe.load_model("scripted"), questions)
    return kg, questions, responses, factprobe.grade_responses(kg, questions, responses)


@pytest.mark.parametrize("responses", [{"q1": "Paris"}, "P"])
def test_replies_that_are_no_list_are_refused(responses: Any) -> None:
    kg, asked = factprobe.load_kg([("France", "capital", "Paris")]), [question(1, "Where?")]
    with pytest.raises(DataError, match="the responses: are no list"):
        factprobe.grade_responses(kg, asked, responses)
    with pytest.raises(DataError, match="the responses: are no list"):
        factprobe.judge_grades(lambda text: "A", asked, responses, [])


def test_a_path_is_no_graph() -> None:
    with pytest.raises(ConfigError, match="str is no graph"):
        factprobe.make_questions("facts.csv")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="str is no graph"):
        factprobe.grade_responses("facts.csv", [question(1, "Where?")], ["Ulm"])  # type: ignore[arg-type]


def test_items_of_another_type_are_told() -> None:
    kg = factprobe.load_kg([("France", "P36", "Paris")])
    with pytest.raises(ConfigError, match="type str"):
        factprobe.score(kg, [question(1, "Where?")], ["correct"])  # type: ignore[list-item]
    with pytest.raises(DataError, match="type str"):
        factprobe.ask_model(lambda text: "A", ["Where?"])  # type: ignore[list-item]
    with pytest.raises(DataError, match="type str"):
        factprobe.agree({"a": ["correct"], "b": ["correct"]})  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="step=inspect"):
        factprobe.run(["step=inspect"])  # type: ignore[arg-type]


def test_texts_of_a_table_are_checked_and_a_single_record_is_refused() -> None:
    pandas = pytest.importorskip("pandas")
    records = [{"response": "Paris is the capital of Italy."}]
    [checked] = factprobe.check(pandas.DataFrame(records)).records
    assert checked["ys"] == factprobe.check(records).records[0]["ys"]
    with pytest.raises(DataError, match="of the type dict"):
        factprobe.check(records[0])


def test_grades_of_other_questions_are_told() -> None:
    kg, questions, _, grades = graded_exam()
    with pytest.raises(DataError, match=f"{questions[2].question_id}.*give all questions of these grades"):
        factprobe.score(kg, questions[:2], grades)


def test_responses_to_other_questions_are_told(caplog: pytest.LogCaptureFixture) -> None:
    kg, questions, responses, grades = graded_exam()
    with pytest.raises(DataError, match=f"the responses.*other questions.*{responses[2].question_id}"):
        factprobe.grade_responses(kg, questions[:2], responses[2:])
    assert list(factprobe.grade_responses(kg, questions, [])) == []
    assert caplog.messages == []
    assert list(factprobe.grade_responses(kg, questions[:2], responses)) == list(grades)[:2]
    [line] = caplog.messages
    assert f"{len(responses) - 2} responses are to none of the questions" in line


def test_several_grades_of_one_question_are_told(caplog: pytest.LogCaptureFixture) -> None:
    kg, questions, responses, grades = graded_exam()
    factprobe.score(kg, questions, grades)
    assert caplog.messages == []
    twice = factprobe.grade_responses(kg, questions, responses * 2)
    factprobe.score(kg, questions, twice)
    [line] = caplog.messages
    assert f"{len(questions)} questions have several grades" in line


@pytest.mark.parametrize("name", ["facts.nt.gz", "facts.nt.bz2", "FACTS.NT"])
def test_rdf_is_recognised_by_any_ending(tmp_path: Path, name: str) -> None:
    line = b"<a:/x> <a:/p> <a:/y> .\n"
    content = {".gz": gzip.compress(line), ".bz2": bz2.compress(line)}.get(Path(name).suffix, line)
    (tmp_path / name).write_bytes(content)
    kg = factprobe.load_kg(tmp_path / name)
    assert [fact.object_uri for relation in kg.load_relations() for fact in kg.facts(relation)] == ["a:/y"]


@pytest.mark.parametrize("path", ["nofile.csv", "nofile.nt.gz", "data/nofile", Path("nofile.csv")])
def test_a_file_of_a_graph_that_is_missing_is_told(path: Any) -> None:
    with pytest.raises(DataError, match=f"{path}: there is no such file"):
        factprobe.load_kg(path)


def test_a_name_of_a_graph_that_is_unknown_is_told() -> None:
    with pytest.raises(UnknownNameError, match="unknown kg 'trx'; did you mean 'trex'"):
        factprobe.load_kg("trx")


@pytest.mark.parametrize("settings", ["", ", threshold=3"])
def test_interpreter_ends_with_intact_memory(settings: str) -> None:
    """Types that a library releases twice corrupt the memory when the interpreter ends."""
    lines = [
        "import factprobe, factprobe.errors",
        f"try: factprobe.grade_answers([{ROWS[0]!r}]{settings})",
        "except factprobe.errors.ConfigError: pass",
    ]
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, env=environment, timeout=120)
