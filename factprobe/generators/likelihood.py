"""The likelihood generator: statements with a gap, and all answers of the relation to rank there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from factprobe.generators.base import Fact
from factprobe.generators.facts import FactGenerator
from factprobe.generators.questioner import Questioner, answer
from factprobe.generators.wording.agreement import agree
from factprobe.records import Entity, Message, Question


class _GapQuestioner(Questioner):
    """Questions with a gap at one end of the facts."""

    def ask(
        self,
        fact: Fact,
        known: Entity,
        right: Entity,
        *,
        with_true_statement: bool,  # noqa: ARG002  # there is none
    ) -> Iterable[Question | None]:
        """See the base class."""
        options = self.direction.answer_space(known, right)
        if not (self.has_labels(known, right) and self.has_choice(options)):
            return
        choices = tuple(option.label for option in options)
        statement = self.statement(known)
        prompts = (Message("user", self.generator.dated(statement.text)),)
        lead, rest = self.generator.around
        ends = (known.label, self._blank) if self.end == "object" else (self._blank, known.label)
        shown = agree(self.template.fill(*ends, self.end))  # the name as it is, where the statement has it on one line
        start, stop = shown.object if self.end == "object" else shown.subject
        cloze = f"{lead}{shown.text[:start]}", f"{shown.text[stop:]}{rest}"
        yield self.question(
            fact, "multi_choices", self.choices_form, prompts, (answer(right),), statement, choices, cloze
        )


class LikelihoodGenerator(FactGenerator):
    """Makes one ranked question of each triplet, whose options are the whole answer space of the relation.

    The choices are the labels of all objects (or subjects) that the relation has anywhere in the graph, in the order of
    the source, distinct in label, without the other right answers and whoever bears a name of a right one: the filtered
    setting of link prediction (Bordes et al., 2013, *Translating Embeddings for Modeling Multi-relational Data*). A
    model ranks them by the likelihood of the statement with each in its gap, as in LAMA (Petroni et al., 2019) and BEAR
    (Wiland et al., 2024).
    """

    questioner_type: ClassVar[type[Questioner]] = _GapQuestioner
