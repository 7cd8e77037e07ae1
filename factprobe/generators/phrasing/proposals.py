"""Further templates of a relation by a model: the request, and the accepted part of the reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from factprobe.components.prompts import Prompt
from factprobe.endings import ending_of
from factprobe.errors import DataError
from factprobe.generators.phrasing.checks import one_sentence_fault
from factprobe.reading.reasoning import without_reasoning
from factprobe.records import Message, PlainRequest, Relation, RelationSummary, Response
from factprobe.templating import Template
from factprobe.text import normalise, one_line

_SHOWN = 3
"""Number of facts that illustrate a template."""
_BULLET = re.compile(r"^(?:[-*+•–]|\(?\d{1,2}[.):])\s+")
_X, _Y = "[X]", "[Y]"


class Proposals:
    """Proposed templates, and the reasons for rejections.

    Args:
        messages: how it is asked.
        count: for how many templates.
        needs: the placeholder that they must have.
        where: the setting that they are a part of.
    """

    def __init__(
        self, messages: Iterable[Message], count: int, needs: str = "template", where: str = "paraphrase"
    ) -> None:
        known = ("template", "relation", "description", "examples", "count")
        self._prompt = Prompt("messages", [*messages], (needs,), known, where)
        self._count = count
        self.rejected: Counter[str] = Counter()
        """Number of rejected lines or replies, by reason."""

    def request(self, summary: RelationSummary) -> PlainRequest:
        """Return the request about a relation."""
        relation = summary.relation_info
        template = Template(relation, relation.relation)
        facts = [(summary.entity(one, "subject"), summary.entity(other, "object")) for one, other in _some(summary)]
        shown = [template.fill(one_line(s.label), one_line(o.label)).text for s, o in facts if s and o]
        values = {
            "template": template.fill(_X, _Y).text,
            "relation": relation.label or relation.relation,
            "description": relation.description,
            "examples": " ".join(shown),
            "count": str(self._count),
        }
        return PlainRequest(relation.relation, self._prompt.fill(values))

    def taken(self, relation: Relation, response: Response | None) -> list[str]:
        """Return the new templates of a reply, each one sentence with both symbols once.

        None of one that is cut off: its last line would be half a sentence, or all of it what the model thought.
        """
        if response is None or response.failed:
            return []
        if ending_of(response.finish_reason) == "cut":
            self.rejected["the reply was cut off"] += 1
            return []
        known = {normalise(Template(relation, "", text).fill(_X, _Y).text) for text in _own(relation)}
        found: list[str] = []
        for line in without_reasoning(response.response or "").splitlines():
            text = _BULLET.sub("", one_line(line)).strip("\"'“”*` ")
            fault = _fault(text)
            text = text if text.endswith(".") else f"{text}."
            if not fault and normalise(text) in known:
                fault = "it is known"
            if fault:
                self.rejected[fault] += bool(one_line(line))
                continue
            known.add(normalise(text))
            found.append(text)
        return found[: self._count]


def _own(relation: Relation) -> tuple[str, ...]:
    return relation.templates or (relation.template,)


def _some(summary: RelationSummary) -> Iterator[tuple[str, str]]:
    return (fact for fact, _ in zip(summary.facts(), range(_SHOWN), strict=False))


def _fault(text: str) -> str:
    """Return why a line is no template; empty if it is one."""
    try:
        said = Template(Relation("", text), "").fill("Name", "Name")
    except DataError:
        return "it has not [X] and [Y] once each"
    return one_sentence_fault(said.text)
