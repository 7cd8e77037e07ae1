"""Small relations to ask about, questions on them with the wording that factprobe ships, and the grade of a reply.

An entity's URI is its label behind `u/`, so that a table can name it by its label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec.structs import replace
from omegaconf import OmegaConf

from factprobe.config import resource
from factprobe.evaluators import Evaluator, grade
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.generators.ids import question_id
from factprobe.generators.wording.negated_templates import negate
from factprobe.question_types import NEGATED, NONE_OF_THESE, End, Form, QuestionType
from factprobe.reading.names.index import answers_of
from factprobe.records import (
    Answer,
    Grade,
    Message,
    NodeSummary,
    ObjectNode,
    Question,
    Relation,
    RelationSummary,
    Response,
    SubjectNode,
)
from factprobe.templating import Template

BLANK = "____"
Aliases = Mapping[str, Sequence[str]]


class World(NamedTuple):
    """One relation: each subject's objects, and the aliases of either."""

    template: str
    facts: Mapping[str, Sequence[str]]
    aliases: Aliases = MappingProxyType({})

    def names(self, label: str) -> tuple[str, ...]:
        return tuple(self.aliases.get(label, ()))

    def subjects(self, object_: str) -> list[str]:
        return [subject for subject, objects in self.facts.items() if object_ in objects]

    def summary(self) -> RelationSummary:
        objects = dict.fromkeys(object_ for several in self.facts.values() for object_ in several)
        return RelationSummary(
            Relation("P1", self.template),
            NodeSummary(
                {uri(o): ObjectNode(o, uri(o), [uri(s) for s in self.subjects(o)], self.names(o)) for o in objects},
                {
                    uri(s): SubjectNode(s, uri(s), [uri(o) for o in several], self.names(s))
                    for s, several in self.facts.items()
                },
            ),
        )


class Asked(NamedTuple):
    """A question with the world that it is about."""

    world: World
    question: Question

    @property
    def labels(self) -> tuple[str, ...]:
        answers = self.question.answers
        return () if isinstance(answers, str) else tuple(answer.label for answer in answers)


def uri(label: str) -> str:
    return f"u/{label}"


@cache
def wording(question_type: str) -> tuple[Message, ...]:
    loaded = OmegaConf.load(resource("conf") / "prompts" / f"{question_type}.yaml")
    return tuple(Message(message.role, message.content) for message in loaded.messages)


def _ask(
    world: World,
    kind: QuestionType,
    form: Form,
    ends: tuple[str, str],
    shown: tuple[str, str],
    answers: list[str] | Literal["correct", "incorrect"],
    choices: Sequence[str] = (),
) -> Asked:
    blank: End | Literal[""] = "subject" if shown[0] == BLANK else "object" if shown[1] == BLANK else ""
    statement = Template(Relation("P1", world.template), "a test").fill(*shown, blank)
    right = answers if isinstance(answers, str) else tuple(Answer(uri(a), a, world.names(a)) for a in answers)
    subject, object_ = (uri(end) for end in ends)
    name = question_id(subject, object_, "P1", kind, form)
    prompts = _prompts(kind, statement.text, choices)
    asked = Question(name, kind, prompts, right, "P1", subject, object_, tuple(choices), statement=statement)
    return Asked(world, replace(asked, shown=uri(shown[1]) if kind == "binary_answer" else ""))


def _prompts(kind: QuestionType, statement: str, choices: Sequence[str]) -> tuple[Message, ...]:
    listed = "\n".join(f"{'ABCDEFGHIJ'[i]}) {choice}" for i, choice in enumerate(choices))
    return tuple(
        Message(m.role, m.content.replace("{statement}", statement).replace("{choices}", listed)) for m in wording(kind)
    )


def ask_object(world: World, subject: str) -> Asked:
    """Return the question which objects the subject has."""
    objects = world.facts[subject]
    kind: QuestionType = "single_answer" if len(objects) == 1 else "multiple_answer"
    return _ask(world, kind, "ask_object", (subject, objects[0]), (subject, BLANK), [*objects])


def ask_subject(world: World, object_: str) -> Asked:
    """Return the question which subjects have the object."""
    subjects = world.subjects(object_)
    kind: QuestionType = "single_answer" if len(subjects) == 1 else "multiple_answer"
    return _ask(world, kind, "ask_subject", (subjects[0], object_), (BLANK, object_), subjects)


def choose(world: World, subject: str, *choices: str) -> Asked:
    """Return the question which option is the subject's object."""
    (right,) = world.facts[subject]
    return _ask(world, "multi_choices", "multi_choices_obj", (subject, right), (subject, BLANK), [right], choices)


def or_none(asked: Asked) -> Asked:
    """Return the question with the last option that none of the others is right; it is, if the right one is missing."""
    question = asked.question
    none = question.choices[-1]
    is_there = any(answer.label in question.choices for answer in answers_of(question))
    answers = question.answers if is_there else (Answer(NONE_OF_THESE, none),)
    return asked._replace(question=replace(question, none=none, answers=answers))


def choose_subject(world: World, object_: str, *choices: str) -> Asked:
    """Return the question which option has the object."""
    (right,) = world.subjects(object_)
    return _ask(world, "multi_choices", "multi_choices_sub", (right, object_), (BLANK, object_), [right], choices)


def true_or_false(world: World, subject: str, shown: str) -> Asked:
    """Is this statement correct?"""
    (right,) = world.facts[subject]
    form: Form = "binary_correct" if shown == right else "binary_obj_incorrect"
    answer: Literal["correct", "incorrect"] = "correct" if shown == right else "incorrect"
    return _ask(world, "binary_answer", form, (subject, right), (subject, shown), answer)


def negated_statement(world: World, subject: str, shown: str) -> Asked:
    """Is the negation of this statement correct?"""
    asked = true_or_false(world, subject, shown)
    plain = asked.question
    template = negate(Template(world.summary().relation_info, ""))
    assert template is not None
    name, _, form = plain.question_id.rpartition(":")
    question = replace(
        plain,
        question_id=f"{name}:{NEGATED[form]}",
        answers="incorrect" if plain.answers == "correct" else "correct",
        statement=template.fill(subject, shown),
        denied=plain.statement,
    )
    return asked._replace(question=question)


def response(asked: Asked, reply: str | None, error: str | None = None) -> Response:
    return Response(asked.question.question_id, reply, None if reply is None else "stop", None, error)


def graded(asked: Asked, reply: str | None, error: str | None = None) -> Grade:
    """The grade of a reply to the question."""
    question = asked.question
    grader = _graders.get(id(asked.world)) or _Grader(asked.world)
    _graders[id(asked.world)] = grader
    found = grader.grade(question, response(asked, reply, error))
    assert (found.question_id, found.question_type) == (question.question_id, question.question_type)
    assert found.rule
    return found


class _Grader:
    """Grades one reply after the other about one world, whose names are gathered but once; what fails, fails."""

    def __init__(self, world: World) -> None:
        self.world = world  # held, so that no other one gets its id
        self._left: list[tuple[Question, Response]] = []
        self._grades = self._started()

    def grade(self, question: Question, response: Response) -> Grade:
        self._left.append((question, response))
        try:
            return next(self._grades)
        except BaseException:
            self._grades = self._started()  # a generator that raises is at its end
            raise

    def _started(self) -> Iterator[Grade]:
        self._left.clear()
        return grade(iter(self._left.pop, None), self.world.summary(), faults=Raised())


class Raised(RuleErrors):
    """For tests: what an evaluator fails on is raised."""

    def graded(self, evaluator: Evaluator, question: Question, response: Response) -> Grade:
        return evaluator.grade(question, response)


_graders: dict[int, _Grader] = {}


BORN = World(
    "[X] was born in [Y].",
    {
        "Albert Einstein": ["Ulm"],
        "Georgy Ivanov": ["Moscow"],
        "Georgi Ivanov": ["Sofia"],
        "Marie Curie": ["Warsaw"],
        "Duke Ellington": ["Washington, D.C."],
        "Pelé": ["São Paulo"],
        "Herman Melville": ["New York"],
        "Igor Stravinsky": ["St. Petersburg"],
        "Benjamin Franklin": ["Philadelphia"],
        "Franz Strauss": ["Munich"],
        "Edith Piaf": ["Paris"],
        "Artur Rubinstein": ["Łódź"],
        "Baruch Spinoza": ["The Hague"],
        "Bartolo": ["L'Aquila"],
        "Jean Cocteau": ["Saint-Denis"],
        "Hans Krafft": ["Weißenburg"],
    },
    {
        "Albert Einstein": ["Einstein"],
        "Ulm": ["Ulm an der Donau"],
        "New York": ["New York City", "NYC"],
        "Warsaw": ["Warszawa"],
        "St. Petersburg": ["Leningrad", "Saint Petersburg"],
        "Munich": ["München"],
    },
)
BASED = World("[X] is based in [Y].", {"Paris Saint-Germain": ["Paris"], "Chelsea": ["London"]}, {"Paris": ["Lutetia"]})
FLAG = World("[X] is a neighbour of [Y].", {"Sierra Leone": ["Guinea"], "Indonesia": ["Papua New Guinea"]})
PLAYS = World(
    "[X] plays the [Y].", {"Brian May": ["guitar"], "Paul McCartney": ["bass guitar"], "Elton John": ["piano"]}
)
MADE = World("[X] is made of [Y].", {"the crown": ["or"], "the shield": ["argent"]})
ALBUM = World("The first album of [X] is [Y].", {"Joy Division": ["Unknown Pleasures"], "Blur": ["Leisure"]})
WROTE = World("[X] is written in [Y].", {"git": ["C"], "Clang": ["C++"], "Mono": ["C#"]})
YEAR = World("[X] was born in [Y].", {"Isaac Stern": ["1920"], "Max Born": ["1882"]})
SPEAKS = World(
    "An official language of [X] is [Y].",
    {
        "Switzerland": ["German", "French", "Italian", "Romansh"],
        "Belgium": ["Dutch", "French", "German"],
        "Spain": ["Spanish"],
        "Italy": ["Italian"],
    },
    {"German": ["Deutsch"], "Switzerland": ["Swiss Confederation"]},
)
ISLANDS = World(
    "[X] lies in the [Y].",
    {"Trinidad and Tobago": ["Caribbean"], "Jamaica": ["Caribbean"], "Cuba": ["Caribbean"], "Malta": ["Mediterranean"]},
)
LIVED = World(
    "[X] lived in [Y].",
    {"Abraham Lincoln": ["Springfield", "Washington, D.C."], "Mark Twain": ["Hannibal", "Hartford"]},
)
BORDERS = World(
    "[X] trades with [Y].",
    {"Australia": ["Papua New Guinea", "Fiji"], "Senegal": ["Guinea", "Mali"]},
)
