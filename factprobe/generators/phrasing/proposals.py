"""Templates of a relation that a model proposes: the request, and the acceptance of lines of the reply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from factprobe.components.prompts import Prompt
from factprobe.endings import ending_of
from factprobe.errors import DataError
from factprobe.generators.phrasing.checks import one_sentence_fault
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.records import Message, PlainRequest, Relation, RelationSummary, Response
from factprobe.templating import Template
from factprobe.text import normalise, one_line

_EXAMPLES = 3
"""Number of facts that the request has as examples."""
_BULLET = re.compile(r"^(?:[-*+•–]|\(?\d{1,2}[.):])\s+")
_X, _Y = "[X]", "[Y]"


class Proposals:
    """Requests for `count` templates, by a prompt with the placeholder `needs`, and acceptance of replies."""

    def __init__(
        self, messages: Iterable[Message], count: int, needs: str = "template", where: str = "paraphrase"
    ) -> None:
        placeholders = ("template", "relation", "description", "examples", "count")
        self._prompt = Prompt("messages", [*messages], (needs,), placeholders, where)
        self._count = count
        self.rejected: Counter[str] = Counter()
        """Number of rejected lines or replies, by reason."""

    def request(self, summary: RelationSummary) -> PlainRequest:
        """Return the request for templates of a relation."""
        relation = summary.relation_info
        template = Template(relation, relation.relation)
        first = islice(summary.facts(), _EXAMPLES)
        facts = [(summary.entity(one, "subject"), summary.entity(other, "object")) for one, other in first]
        statements = [template.fill(one_line(s.label), one_line(o.label)).text for s, o in facts if s and o]
        values = {
            "template": template.fill(_X, _Y).text,
            "relation": relation.label or relation.relation,
            "description": relation.description,
            "examples": " ".join(statements),
            "count": str(self._count),
        }
        return PlainRequest(relation.relation, self._prompt.fill(values))

    def accept(self, relation: Relation, response: Response | None) -> list[str]:
        """Return up to `count` new templates in a reply: lines that are one sentence with [X] and [Y] once each.

        The templates have the placeholders of the relation. There are none in a failed reply, or in one that was cut
        off, since it may end within a sentence or consist of reasoning only.
        """
        if response is None or response.failed:
            return []
        if ending_of(response.finish_reason) == "cut":
            self.rejected["the reply was cut off"] += 1
            return []
        templates_so_far = {
            normalise(Template(relation, "", text).fill(_X, _Y).text)
            for text in relation.templates or (relation.template,)
        }
        templates: list[str] = []
        for line in without_reasoning(response.response or "").splitlines():
            text = _BULLET.sub("", one_line(line)).strip("\"'“”*` ")
            fault = _template_problem(text)
            text = text if text.endswith(".") else f"{text}."
            if not fault and normalise(text) in templates_so_far:
                fault = "it is not new"
            if fault:
                self.rejected[fault] += bool(one_line(line))
                continue
            templates_so_far.add(normalise(text))
            own_symbols = relation.subject_symbol, relation.object_symbol
            templates.append(Template(Relation("", text), "").fill(*own_symbols).text)
        return templates[: self._count]


def _template_problem(text: str) -> str:
    """Return why a line is not a template; empty if it is one."""
    try:
        statement = Template(Relation("", text), "").fill("Name", "Name")
    except DataError:
        return "it does not contain [X] and [Y] once each"
    return one_sentence_fault(statement.text)
