"""Controller of the probe page, which makes questions about a relation, asks a model and grades its replies."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from factprobe.app.model_calls import ModelCalls
from factprobe.config import KgConfig, RunConfig, compose, data_dir, from_omegaconf, known_names
from factprobe.errors import ConfigError, FactprobeError
from factprobe.evaluators import grade
from factprobe.factories import build_generator, build_kg, build_model
from factprobe.kgs import Graph
from factprobe.kgs.summaries import summaries, summary_and_facts
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Question, RelationSummary, Response


class ProbeController:
    """Controller of the probe page: its graphs, models, questions, replies and grades.

    Requests to the model wait in `model_calls`. A wrong setting of the model raises a `ConfigError`.
    """

    def __init__(self, config: RunConfig, model_calls: ModelCalls) -> None:
        self.config, self._model_calls = config, model_calls
        self.model = build_model(config.model)
        self._models = {self.model.name: self.model}
        self._kgs = {config.kg.name: config.kg}
        self._graphs: dict[str, Graph] = {}
        self._summaries: dict[tuple[str, str], RelationSummary] = {}

    def models(self) -> list[str]:
        """List the names of the models: the run's model, and each choice of `model=` that needs no further setting."""
        for name in known_names("model") if len(self._models) == 1 else ():
            with suppress(FactprobeError):  # it needs a setting, or its package is not installed
                model = build_model(from_omegaconf(compose([f"model={name}"])).model)
                model.check()
                self._models.setdefault(model.name, model)
        return list(self._models)

    def graphs(self) -> list[str]:
        """List the names of the graphs: the run's graph, and the graphs whose data are installed."""
        bundled = [name for name in known_names("kg") if data_dir(KgConfig(name=name)) is not None]
        return list(dict.fromkeys([self.config.kg.name, *bundled]))

    def relations(self, graph: str) -> dict[str, str]:
        """Return the labels of the relations with facts, by name; raise a `DataError` if there are none."""
        kg = self._get_graph(graph)
        names = ((kg.get_relation_name(relation), relation.label) for relation in kg.with_facts())
        return {name: label or name for name, label in names}

    def questions(
        self, graph: str, relation: str, kind: QuestionType | None, facts: int, seed: int = 0
    ) -> list[Question]:
        """Make questions, by default of all types, about at most `facts` randomly drawn facts of a relation.

        Raises:
            ConfigError: The generator needs a pass over all facts before it makes a question.
        """
        chosen = {"question_types": [kind]} if kind else {}
        maker = build_generator({**self.config.generator, **chosen}, seed)
        if maker.wants_survey:
            hint = "set another generator=, or generator.negatives=random"
            raise ConfigError("looks at all that is asked before it asks", where="generator", hint=hint)
        kg = self._get_graph(graph)
        maker.graph = lambda: summaries(kg)
        summary, found = summary_and_facts(kg, kg.by_name()[relation])
        self._summaries[graph, relation], triplets = summary, list(found)
        sampled_facts = Random(f"{seed}:{relation}").sample(triplets, min(facts, len(triplets)))
        return list(maker.questions(summary, sampled_facts))

    def ask(self, question: Question, model: str) -> Response:
        """Ask one of `models` a question.

        Raises:
            ModelError: The model cannot be loaded, or gives no answer.
        """
        [response] = self._model_calls.ask(self._models[model], [question])
        return response

    def grade(self, graph: str, question: Question, response: Response) -> Grade:
        """Grade a reply to a question from `questions` with the run's evaluators."""
        summary, evaluator = self._summaries[graph, question.relation], self.config.evaluator
        [graded] = grade([(question, response)], summary, evaluator.by_type(), evaluator.settings)
        return graded

    def _get_graph(self, name: str) -> Graph:
        if name not in self._graphs:
            if name not in self._kgs:
                self._kgs[name] = from_omegaconf(compose([f"kg={name}"])).kg
            self._graphs[name] = build_kg(self._kgs[name])
        return self._graphs[name]
