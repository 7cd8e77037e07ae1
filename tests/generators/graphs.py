"""Small graphs: made by hand in a line, or at random by Hypothesis with every trap that labels and URIs can hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from factprobe.factories import build_generator
from factprobe.generators import GenerationReport
from factprobe.generators.base import Fact
from factprobe.generators.negatives import negatives
from factprobe.generators.template import TemplateGenerator
from factprobe.generators.wording.written_values import as_written
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import Entity, NodeSummary, ObjectNode, Question, Relation, RelationSummary, SubjectNode
from factprobe.text import normalise

BORN = Relation("P19", "[X] was born in [Y] .", "place of birth", type="N-1")

NONE = "None of these"
PROMPTS: dict[str, Any] = {
    "binary_answer": {"messages": [{"role": "user", "content": "Right or wrong? {statement}"}]},
    "multi_choices": {
        "messages": [{"role": "user", "content": "Choose: {statement}\n{choices}"}],
        "none_of_these": NONE,
    },
    "single_answer": {"messages": [{"role": "user", "content": "Fill: {statement}"}]},
    "multiple_answer": {"messages": [{"role": "user", "content": "List: {statement}"}]},
}


class Graph(NamedTuple):
    """One relation: its entities by URI and its facts in order."""

    entities: Mapping[str, Entity]
    facts: tuple[tuple[str, str], ...]
    relation: Relation = BORN

    def named(self, uri: str) -> Entity:
        """An entity as questions name it: by its label or, for want of one, by its first alias."""
        entity = self.entities[uri]
        others = tuple(alias for alias in entity.aliases if alias.strip())
        return as_written(entity if entity.label.strip() or not others else Entity(uri, others[0], others[1:]))

    def objects(self, subject: str) -> list[str]:
        return [o for s, o in self.facts if s == subject]

    def subjects(self, object_: str) -> list[str]:
        return [s for s, o in self.facts if o == object_]

    def summary(self) -> RelationSummary:
        entities = self.entities
        objects = {
            o: ObjectNode(entities[o].label, o, self.subjects(o), entities[o].aliases, entities[o].types)
            for o in dict.fromkeys(o for _, o in self.facts)
        }
        subjects = {
            s: SubjectNode(entities[s].label, s, self.objects(s), entities[s].aliases, entities[s].types)
            for s in dict.fromkeys(s for s, _ in self.facts)
        }
        return RelationSummary(self.relation, NodeSummary(objects, subjects))

    def pairs(self) -> list[Fact]:
        return [Fact(s, o) for s, o in self.facts]


class Made(NamedTuple):
    """What a generator made of a graph."""

    questions: list[Question]
    report: GenerationReport

    def by_id(self) -> dict[str, Question]:
        return {question.question_id: question for question in self.questions}

    def of(self, form: str) -> list[Question]:
        return [question for question in self.questions if question.form == form]


def graph(facts: Iterable[tuple[str, str]], relation: Relation = BORN, /, **labels: str) -> Graph:
    """A graph whose entities are labelled by their URIs, but for those that `labels` names."""
    facts = tuple(facts)
    uris = dict.fromkeys(uri for fact in facts for uri in fact)
    return Graph({uri: Entity(uri, labels.get(uri, uri)) for uri in uris}, facts, relation)


def generator(seed: int = 0, limit: int | None = None, **settings: Any) -> TemplateGenerator:
    made = build_generator({"name": "template", "prompts": PROMPTS, **settings}, seed, limit)
    assert isinstance(made, TemplateGenerator)
    return made


def make(of: Graph, seed: int = 0, limit: int | None = None, **settings: Any) -> Made:
    report = GenerationReport()
    return Made(list(generator(seed, limit, **settings).questions(of.summary(), of.pairs(), report)), report)


def folded(label: str) -> str:
    """A label as a prompt shows it."""
    return " ".join(label.split())


@cache
def norm(name: str) -> str:
    return normalise(name)


_CAFE = "Café Ñandú"
LABELS = (
    ["Ulm", "ulm", "The Ulm", "Paris", "New York", "München", "Sankt  Pölten", "a\nb", "x\ty", "\u2028z", "Guinea"]
    + [unicodedata.normalize(form, _CAFE) for form in ("NFC", "NFD")]
    + ["", " ", "\n", "[X]", "[Y]", "[MASK]", "{statement}", "{choices}", "{}", "{0}", "\\1", "%s", "...", "!?"]
    + ["Washington, D.C.", 'The "Rock"', "L’Aquila", "L'Aquila", "A) Ulm", "C", "C++", "C#", "____", "🤷"]
    + ["1990", "1990-03", "1990-03-01", "1 March 1990", "03/01/1990", "1,000", "1000", "1.000"]
)
URIS = ["Q1", "Q2", "Q1:Q2", "Q1%3AQ2", "a%b", "a%25b", "http://x/y:z", "é", " ", "a b", ":", "%", "[X]", "Q3", "Q4"]
_LABEL = st.sampled_from(LABELS) | st.text(st.characters(codec="utf-8"), max_size=5)
_TYPES = st.lists(st.sampled_from(["city", "person"]), max_size=2, unique=True).map(tuple)
_ENTITY = st.tuples(_LABEL, st.lists(_LABEL, max_size=2).map(tuple), _TYPES)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to 30 facts over up to 8 entities, any of which may stand on both sides, even of one fact."""
    uris = draw(st.lists(st.sampled_from(URIS), min_size=1, max_size=8, unique=True))
    entities = {uri: Entity(uri, *draw(_ENTITY)) for uri in uris}
    end = st.sampled_from(uris)
    facts = draw(st.lists(st.tuples(end, end), min_size=1, max_size=30, unique=True))
    name = draw(st.sampled_from(["P19", "born:in", "50%"]))
    text = draw(st.sampled_from(["[X] was born in [Y] .", "In [Y], [X] was born.", "[X][Y]", "{choices} [X] % [Y]"]))
    return Graph(entities, tuple(facts), Relation(name, text))


SETTINGS = st.fixed_dictionaries(
    {
        "ask": st.sampled_from(["object", "subject", "both"]),
        "question_types": st.lists(st.sampled_from(QUESTION_TYPES), unique=True, min_size=1, max_size=4).map(tuple),
        "options": st.integers(2, 6),
        "negatives": st.sampled_from(negatives.names()),
        "none_of_these": st.booleans(),
        "balanced": st.booleans(),
    }
)
