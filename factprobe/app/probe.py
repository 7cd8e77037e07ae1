"""Page that probes a model: a relation, questions about it, the replies, and the reasons for their grades."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from factprobe.app.error_texts import FIELD_LABELS
from factprobe.app.probe_controller import ProbeController
from factprobe.app.shell import Notice, card, page, text
from factprobe.question_types import question_types, type_label
from factprobe.records import Grade, Question, Response

_EVERY_TYPE = "every type"
_FACT_COUNTS = (1, 3, 5, 10)
_MARKS = {"correct": "✓", "incorrect": "✗", "abstained": "–", "unparsed": "?", "failed": "!"}


class ProbePage:
    """Probe page of one visitor of the app."""

    def __init__(self, controller: ProbeController) -> None:
        self._controller, self._seed = controller, controller.config.seed
        self._rows: list[_QuestionRow] = []
        with page("/probe", "Questions about facts of a knowledge graph, put to a model and graded by that graph."):
            with card("What is asked"), ui.element("div").classes("fields"):
                kinds = {_EVERY_TYPE: _EVERY_TYPE, **{name: type_label(name) for name in question_types()}}
                self._graph = ui.select(controller.graphs(), label=FIELD_LABELS["kg"], value=controller.config.kg.name)
                self._relation = ui.select({}, label="Relation", with_input=True).classes("wide")
                self._kind = ui.select(kinds, label="Type of question", value=_EVERY_TYPE)
                self._facts = ui.select(list(_FACT_COUNTS), label="Facts", value=3)
                self._model = ui.select(controller.models(), label="Model", value=controller.model.name)
                for field in (self._graph, self._relation, self._kind, self._facts, self._model):
                    field.props("outlined dense")
            with ui.element("div").classes("actions"):
                self._ask_all = ui.button("Ask all", on_click=self._ask_every)
                self._ask_all.props("no-caps unelevated")
                ui.button("Other facts", on_click=self._draw_questions).props("no-caps outline")
                self._summary = text("", "soft")
            self._notice = Notice()
            self._list = ui.element("div").classes("questions")
        self._graph.on_value_change(self._choose_graph)
        for chosen in (self._relation, self._kind, self._facts, self._model):
            chosen.on_value_change(self._show_questions)

    async def open(self) -> None:
        """Build the page."""
        await self._choose_graph()

    async def _choose_graph(self) -> None:
        graph = self._graph.value
        result = await self._notice.run(lambda: self._controller.relations(graph), group="kg")
        relations = {name: label if label == name else f"{label} ({name})" for name, label in (result or {}).items()}
        earlier, first = self._relation.value, next(iter(relations), None)
        self._relation.set_options(relations, value=earlier if earlier in relations else first)
        await self._show_questions()

    async def _draw_questions(self) -> None:
        self._seed += 1
        await self._show_questions()

    async def _show_questions(self) -> None:
        """Show questions about random facts of the chosen relation."""
        graph, relation, facts, seed = self._graph.value, self._relation.value, self._facts.value, self._seed
        self._rows = []
        self._list.clear()
        self._summary.set_text("")
        if relation is None:
            return
        kind = None if self._kind.value == _EVERY_TYPE else self._kind.value
        questions = await self._notice.run(lambda: self._controller.questions(graph, relation, kind, facts, seed))
        if (graph, relation, seed) != (self._graph.value, self._relation.value, self._seed):
            return  # the choice has changed in the meantime
        self._list.clear()
        with self._list:
            if not questions and questions is not None:
                text("No question of this type can be made of these facts; take other ones, or more.", "soft")
            self._rows = [
                _QuestionRow(self._controller, graph, self._model.value, question) for question in questions or ()
            ]

    async def _ask_every(self) -> None:
        rows = self._rows
        for count, row in enumerate(rows, 1):
            if row.grade is None:
                await row.ask(self._ask_all)
            right = sum(other.grade is not None and other.grade.verdict == "correct" for other in rows)
            if rows is not self._rows or row.grade is None:
                return
            self._summary.set_text(f"{right} of {count} correct")


class _QuestionRow:
    """Question on the page, with the model's reply and its grade once the model was asked."""

    def __init__(self, controller: ProbeController, graph: str, model: str, question: Question) -> None:
        self._controller, self._graph, self._model, self._question = controller, graph, model, question
        self.grade: Grade | None = None
        with ui.element("article").classes("card question"):
            with ui.element("div").classes("cap"):
                text(type_label(question.question_type), "kind")
                self._button = ui.button("Ask", on_click=partial(self.ask, None)).props("no-caps flat dense")
            text(question.prompts[-1].content, "asked")
            if len(question.prompts) > 1:
                with ui.expansion("What the model is told before").classes("before").props("dense"):
                    for message in question.prompts[:-1]:
                        text(f"{message.role}: {message.content}", "asked soft")
            self._notice = Notice()
            self._result = ui.element("div").classes("result")

    async def ask(self, button: ui.button | None) -> None:
        """Ask the model, and show the reply with its grade."""
        result = await self._notice.run(self._ask_model, button or self._button)
        if result is not None:
            response, self.grade = result
            self._show_reply(response, self.grade)

    def _ask_model(self) -> tuple[Response, Grade]:
        response = self._controller.ask(self._question, self._model)
        return response, self._controller.grade(self._graph, self._question, response)

    def _show_reply(self, response: Response, grade: Grade) -> None:
        self._result.clear()
        with self._result:
            with ui.element("div").classes("reply"):
                text(response.response or response.fault or "(an empty reply)", "said")
                text(f"{_MARKS[grade.verdict]} {grade.verdict}", "chip", grade.verdict)
            with ui.element("dl").classes("facts"):
                for term, content in (
                    ("Right", _format_answers(self._question)),
                    ("Taken for the answer", grade.answer),
                    ("Decided by", grade.rule),
                    ("Why", grade.why),
                ):
                    if content:
                        with ui.element("div"):
                            text(term, "term")
                            text(content, "said")


def _format_answers(question: Question) -> str:
    """Return the right answers in one line."""
    answers = question.answers
    return answers if isinstance(answers, str) else " · ".join(answer.label for answer in answers)
