"""Registries of implementations by name, and the built-in implementations of each; a class is imported on first use.

An implementation is registered in one of three ways: by the decorator `@kgs.register("mykg")`, in `BUILT_IN`, or as an
entry point of the group `factprobe.<registry>` in an installed package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from factprobe.errors import ConfigError, NameClashError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: Mapping[str, Mapping[str, str]] = {
    "kgs": {
        "trex": "factprobe.kgs.published:TREx",
        "google_re": "factprobe.kgs.published:GoogleRE",
        "umls": "factprobe.kgs.published:UMLS",
        "wiki_bio": "factprobe.kgs.published:WikiBio",
        "ctd": "factprobe.kgs.published:CTD",
        "bear": "factprobe.kgs.published:Bear",
        "csv": "factprobe.kgs.tables.table_graph:TableGraph",
        "rdf": "factprobe.kgs.rdf.rdf_graph:Rdf",
        "sparql": "factprobe.kgs.sparql.sparql_graph:Sparql",
        "wikidata": "factprobe.kgs.sparql.sparql_graph:Wikidata",
        "umls_rrf": "factprobe.kgs.umls.metathesaurus:Metathesaurus",
    },
    "extractors": {
        "triplets": "factprobe.extractors.triplets:TripletExtractor",
    },
    "negatives": {
        "random": "factprobe.generators.negatives.base:Range",
        "typed": "factprobe.generators.negatives.typed:Typed",
        "near": "factprobe.generators.negatives.near:Near",
        "popular": "factprobe.generators.negatives.popular:Popular",
    },
    "generators": {
        "template": "factprobe.generators.template:TemplateGenerator",
        "likelihood": "factprobe.generators.likelihood:LikelihoodGenerator",
        "placebo": "factprobe.generators.placebo:PlaceboGenerator",
        "prior": "factprobe.generators.placebo:PriorGenerator",
        "llm_mask": "factprobe.generators.llm:LlmMaskGenerator",
        "llm_question": "factprobe.generators.llm:LlmQuestionGenerator",
    },
    "models": {
        "smollm2": "factprobe.models.providers.llama_cpp:SmolLM2",
        "llama_cpp": "factprobe.models.providers.llama_cpp:LlamaCpp",
        "openai": "factprobe.models.providers.openai:OpenAIModel",
        "replay": "factprobe.models.providers.replay:Replay",
        "litellm": "factprobe.models.providers.litellm:LiteLLM",
        "scripted": "factprobe.models.providers.scripted:Scripted",
        "transformers": "factprobe.models.hf.transformers:Transformers",
    },
    "embedders": {
        "minilm": "factprobe.models.hf.sentence_embedder:SentenceEmbedder",
        "openai": "factprobe.models.providers.embeddings:EndpointEmbedder",
        "sentence_transformers": "factprobe.models.hf.sentence_embedder:SentenceEmbedder",
        "wordllama": "factprobe.models.embedders:StaticEmbedder",
    },
    "inputs": {
        "csv": "factprobe.inputs.table_formats:Csv",
        "helm": "factprobe.inputs.helm:Helm",
        "inspect": "factprobe.inputs.inspect_logs:InspectLog",
        "json": "factprobe.inputs.table_formats:Json",
        "lm_eval": "factprobe.inputs.lm_eval:LmEval",
        "parquet": "factprobe.inputs.table_formats:Parquet",
    },
    "evaluators": {
        "binary_answer": "factprobe.evaluators.true_false.evaluator:BinaryEvaluator",
        "multi_choices": "factprobe.evaluators.options.evaluator:OptionsEvaluator",
        "ranked": "factprobe.evaluators.ranking:RankedEvaluator",
        "open_answer": "factprobe.evaluators.reference.evaluator:ReferenceEvaluator",
        "single_answer": "factprobe.evaluators.single.evaluator:SingleEvaluator",
        "llm_facteval_binary": "factprobe.evaluators.llm_facteval:FactevalBinary",
        "llm_facteval_choices": "factprobe.evaluators.llm_facteval:FactevalChoices",
        "llm_facteval_short": "factprobe.evaluators.llm_facteval:FactevalShort",
        "multiple_answer": "factprobe.evaluators.answer_set.evaluator:MultipleEvaluator",
    },
    "breakdowns": {
        "consistency": "factprobe.metrics.breakdowns.consistency:FormBreakdown",
        "guesses": "factprobe.metrics.breakdowns.guessing:MadeUpBreakdown",
        "prior": "factprobe.metrics.breakdowns.guessing:WithoutSubject",
        "bias": "factprobe.metrics.breakdowns.bias:ByAnswer",
        "contexts": "factprobe.metrics.breakdowns.contexts:ByContext",
        "reversal": "factprobe.metrics.breakdowns.asked_twice:BothEndsBreakdown",
        "composition": "factprobe.metrics.breakdowns.composition:TwoSteps",
        "negation": "factprobe.metrics.breakdowns.asked_twice:Negations",
        "paraphrases": "factprobe.metrics.breakdowns.paraphrases:ByWording",
        "repeats": "factprobe.metrics.breakdowns.repeats:ByRepeat",
    },
    "claim_extractors": {
        "graph": "factprobe.claims.by_graph.reader:GraphClaims",
        "llm": "factprobe.claims.by_model.extractor:LlmClaims",
        "sentences": "factprobe.claims.base:SentenceClaims",
    },
    "checkers": {
        "graph": "factprobe.checkers.graph:GraphChecker",
        "llm": "factprobe.checkers.llm:LlmChecker",
        "majority": "factprobe.checkers.majority:MajorityChecker",
        "nli": "factprobe.checkers.nli:NliChecker",
    },
    "retrievers": {
        "bm25": "factprobe.retrievers.bm25:Bm25Retriever",
        "graph": "factprobe.retrievers.graph:GraphRetriever",
        "serper": "factprobe.retrievers.serper:SerperRetriever",
    },
    "detectors": {
        "hades_lr": "factprobe.detectors.hades.classical:LogisticRegressionDetector",
        "hades_svm": "factprobe.detectors.hades.classical:SvmDetector",
        "hades_token_probability": "factprobe.detectors.hades.probability:TokenProbabilityDetector",
        "hades_transformer": "factprobe.detectors.hades.transformer:TransformerDetector",
        "judge": "factprobe.detectors.judge:JudgeDetector",
        "selfcheck": "factprobe.detectors.selfcheck:SelfCheckDetector",
        "shroom": "factprobe.detectors.shroom:ShroomDetector",
        "span_features": "factprobe.detectors.spans.detector:SpanFeaturesDetector",
        "span_judge": "factprobe.detectors.spans.span_judge:SpanJudgeDetector",
    },
}
"""Built-in implementations of each registry, as `"module:Class"`; the module is imported on first use."""

T = TypeVar("T")
C = TypeVar("C", bound=type[Any])


class Registry(Generic[T]):
    """Registry of the implementations of one interface, by name.

    Args:
        name: Plural name of the interface, e.g. `kgs`; entry points are in the group `factprobe.<name>`.
        kind: Singular name of the interface, e.g. `kg`, as in messages and on the command line.
        targets: Built-in implementations as `"module:Class"`, imported on first use; by default those of `BUILT_IN`.
    """

    def __init__(self, name: str, kind: str, targets: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.kind = kind
        self._targets: dict[str, str] = dict(BUILT_IN.get(name, {}) if targets is None else targets)
        self._classes: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[C], C]:
        """Return a decorator that registers a class under `name`; it raises a `NameClashError` if another has it."""

        def enter(cls: C) -> C:
            place = _where(cls)
            other = _where(self._classes[name]) if name in self._classes else self._targets.get(name)
            if other is not None and other != place:
                what = f"{self.kind} {name!r} is registered by both {other} and {place}"
                raise NameClashError(what, hint="rename one")
            self._classes[name] = cls
            return cls

        return enter

    def names(self) -> list[str]:
        """Return the sorted names of all implementations, including those of entry points.

        Raises:
            NameClashError: An entry point has the name of another implementation.
        """
        return sorted({*self._classes, *self._targets, *self._entry_points()})

    def get(self, name: str) -> type[T]:
        """Return the class registered under `name`.

        Raises:
            UnknownNameError: No class has the name.
            ConfigError: An entry point or a target cannot be imported.
            NameClashError: An entry point has the name of another implementation.
        """
        if name not in self._classes:
            target = self._targets.get(name) or self._entry_points().get(name)
            if target is None:
                raise UnknownNameError(self.kind, name, self.names())
            module, _, attribute = target.partition(":")
            try:
                loaded: type[T] = getattr(import_module(module), attribute)
            except (ImportError, AttributeError) as error:
                raise ConfigError(f"{self.kind} {name!r} cannot be loaded from {target}: {error}") from error
            self._classes[name] = loaded
        return self._classes[name]

    @cached_property
    def _offered(self) -> tuple[EntryPoint, ...]:
        """Entry points of the installed packages; cached, since a file of every package must be read."""
        from importlib.metadata import entry_points

        return tuple(entry_points(group=f"factprobe.{self.name}"))

    def _entry_points(self) -> dict[str, str]:
        targets: dict[str, str] = {}
        for point in self._offered:
            existing = self._classes.get(point.name)
            for place in (targets.get(point.name), self._targets.get(point.name), existing and _where(existing)):
                if place not in (None, point.value):
                    clash = f"{self.kind} {point.name!r} is registered by both {place} and {point.value}"
                    raise NameClashError(clash, hint="uninstall one of the packages")
            targets[point.name] = point.value
        return targets


REGISTRIES = {
    "kg": "factprobe.kgs:kgs",
    "extractor": "factprobe.extractors:extractors",
    "generator": "factprobe.generators:generators",
    "model": "factprobe.models:models",
    "evaluator": "factprobe.evaluators.base:evaluators",
    "claim_extractor": "factprobe.claims.base:claim_extractors",
    "checker": "factprobe.checkers.base:checkers",
    "aggregator": "factprobe.checkers.aggregators:aggregators",
    "retriever": "factprobe.retrievers.base:retrievers",
    "detector": "factprobe.detectors.base:detectors",
    "embedder": "factprobe.models.embedders:embedders",
}
"""Module and name of the registry of each config group; the module is imported on first use."""


def registry(group: str) -> Registry[Any]:
    """Return the registry of a config group, e.g. `models` for `model`."""
    module, _, attribute = REGISTRIES[group].partition(":")
    result: Registry[Any] = getattr(import_module(module), attribute)
    return result


def _where(cls: type[Any]) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"
