"""Phrasing of facts by a model in `step=generate`, with stored requests and responses."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from factprobe.asking.job import CallCounts
from factprobe.asking.pending import PendingRequests
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.errors import NoAnswersError
from factprobe.factories import PHRASER
from factprobe.generators.base import Fact
from factprobe.generators.fact_generator import read_facts
from factprobe.generators.llm import LlmGenerator, fallback_warning
from factprobe.generators.phrasing.phraser import Phrase, Phraser, PhrasingResult, Replies, phrase_facts
from factprobe.models import Model
from factprobe.records import PlainRequest, RelationSummary
from factprobe.steps.base import Run
from factprobe.steps.calls import describe_calls_left, make_calls, sum_unanswered
from factprobe.storage import Lines, Problems, read_summary, write_lines

log = logging.getLogger(__name__)


def stored_name(name: str, context: str) -> str:
    """Return the name under which the phrasings of a generator are stored: its name without the kind of its passages.

    Passages do not change phrasings, so that `llm_mask-relevance` uses those of `llm_mask`, and `llm_mask-relevance-1`
    (for the second template) those of `llm_mask-1`.
    """
    return re.sub(rf"(?<=.)-{context}(?=(?:-\d+)?$)", "", name) if context != "none" else name


class Phrasing:
    """Phrasing of the facts of all relations by a model."""

    def __init__(self, run: Run, generator: LlmGenerator, model: Model, relations: Iterable[str]) -> None:
        self._run, self._generator, self._model = run, generator, model
        self._relations = list(relations)
        self._name = stored_name(generator.settings.name, generator.settings.context)
        self._phraser = lru_cache(maxsize=1)(self._phraser_of)
        self._rounds: list[CallCounts] = []
        self._phrases: PhrasingResult | None = None

    def calls_left(self) -> str:
        """Return a line with the estimated calls of the first round; rejected replies lead to further rounds."""
        requests = {name: self._phraser(name).requests(self._read_facts(name)) for name in self._relations}
        line = describe_calls_left(self._run, self._model, self._pending_requests(0, requests))
        further = self._generator.settings.tries - 1
        return f"{line}; what is not taken is asked again, up to {further} times" if further else line

    def ask(self) -> None:
        """Ask the pending requests, write the phrases, and pass them to the generator.

        The errors are those of `make_calls`; a round without an answer is one only if it is the first.
        """
        facts = {name: self._read_facts(name) for name in self._relations}
        phrases = self._phrases = phrase_facts(self._phraser, facts, self._ask_round, self._generator.settings.tries)
        files = {name: self._run.layout.phrases(self._name, name) for name in self._relations}
        for name, file in files.items():
            write_lines(file, phrases.phrases_of(name))
        self._generator.read_from(lambda name: Lines(files[name], Phrase, Problems(strict=True)))
        if phrases.fallbacks:
            where = self._run.layout.phrases(self._name, "").parent
            log.warning("%s; %s has them", fallback_warning(phrases, self._model.name), where)

    def unanswered(self) -> UnansweredQuestions:
        """Return the sum of the unanswered requests of all rounds."""
        return sum_unanswered(f"{self._model.name}, who phrases the facts", self._rounds, self._model, PHRASER)

    def counts(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
        assert self._phrases is not None, "the model was not asked"
        return {
            "model": self._model.name,
            "facts": self._phrases.count,
            "fallbacks": dict(self._phrases.fallbacks),
            "rejected": dict(self._phrases.faults),
            "rounds": [counts.as_dict() for counts in self._rounds],
        }

    def summary(self) -> str:
        """Return how many facts the model phrased, as a part of the step's last message."""
        assert self._phrases is not None, "the model was not asked"
        count = self._phrases.count
        return f"{count - self._phrases.fallbacks.total():,} of {count:,} facts in the words of {self._model.name}"

    def _ask_round(self, number: int, requests: Mapping[str, Iterable[PlainRequest]]) -> Replies | None:
        todo = self._pending_requests(number, requests)
        if not (todo.count or todo.answered_count):
            return None
        try:
            make_calls(self._run, "generate", self._model, todo, self._rounds.append, PHRASER)
        except NoAnswersError as error:
            if not number:
                raise
            log.warning("of the facts that are asked about again: %s", error)  # the template replaces them
        return todo.answers

    def _pending_requests(
        self, number: int, requests_by_relation: Mapping[str, Iterable[PlainRequest]]
    ) -> PendingRequests[PlainRequest]:
        files = {}
        for name, requests in requests_by_relation.items():
            files[name] = self._run.layout.phrase_requests(self._name, number, name)
            write_lines(files[name][0], requests)
        return PendingRequests(files, PlainRequest, self._model.settings_hash)

    def _read_facts(self, name: str) -> Iterable[Fact]:
        relation = read_summary(self._run.layout.summary(name), RelationSummary).relation_info
        return self._generator.select_facts(relation, read_facts(self._run.layout.triplets(name)))

    def _phraser_of(self, name: str) -> Phraser:
        path = self._run.layout.summary(name)
        return self._generator.phraser(read_summary(path, RelationSummary), str(path))
