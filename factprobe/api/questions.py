"""Making of questions about a graph from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from factprobe.api.graphs import require_graph, summarise, summary_with_facts
from factprobe.config import compose, from_omegaconf
from factprobe.factories import build_generator
from factprobe.generators import Survey
from factprobe.kgs import Graph
from factprobe.kgs.default_labels import warn_of_same_templates, warn_without_facts
from factprobe.models import Model
from factprobe.records import Question


def make_questions(
    kg: Graph,
    relations: str | Sequence[str] | None = None,
    *,
    limit: int | None = None,
    seed: int = 0,
    generator: str = "template",
    model: str | Model | Mapping[str, Any] | None = None,
    **settings: Any,
) -> list[Question]:
    """Make questions about a graph, as `step=generate` does.

    Args:
        kg: The graph.
        relations: One or several ids of relations, or paths of two, e.g. `P19/P17`; by default all that have facts.
        limit: The maximum number of triplets of each relation to ask about.
        seed: The seed of all random choices.
        generator: The name of the generator's config, e.g. `template`.
        model: The model that phrases the facts, for generators that use one: the name of its config, a loaded model, or
            changes to the settings of the default model.
        settings: Changes to the generator's settings, e.g. `ask="both"`.

    Raises:
        ConfigError: A setting is wrong, or `kg` is no graph.
        NoAnswersError: The model that phrases the facts answers nothing.
    """
    chosen = [f"generator={generator}", f"seed={seed}", f"limit={'null' if limit is None else limit}"]
    chosen += [f"generator.model={model}"] if isinstance(model, str) else []
    config = from_omegaconf(compose(chosen))
    if isinstance(model, Mapping):
        settings["model"] = {**config.generator.get("model", {}), **model}
    loaded = model if isinstance(model, Model) else None
    maker = build_generator({**config.generator, **settings}, config.seed, config.limit, loaded)
    usable = require_graph(kg).with_facts()
    maker.graph = lambda: (summarise(kg, relation) for relation in usable)
    if relations is None:
        having_facts = {relation.relation for relation in usable}
        warn_without_facts([name for name in kg.by_name() if name not in having_facts], kg.place)
    subset = usable if relations is None else [relations] if isinstance(relations, str) else relations
    warn_of_same_templates((one for one in usable if one in subset or kg.get_relation_name(one) in subset), kg.name)
    if maker.wants_survey:
        maker.survey(Survey.of(summary_with_facts(kg, one) for one in subset))
    return [question for relation in subset for question in maker.questions(*summary_with_facts(kg, relation))]
