"""Generator of ranked questions: a statement with a gap, and all answers of the relation as options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from factprobe.generators.base import Fact
from factprobe.generators.fact_generator import FactGenerator
from factprobe.generators.questioner import Questioner, answer
from factprobe.generators.wording.articles import agree
from factprobe.records import Entity, Message, Question


class _GapQuestioner(Questioner):
    """Questioner of ranked questions, with a gap at one end of a fact."""

    def __init__(self, generator: FactGenerator, *args: Any) -> None:
        super().__init__(generator, *args)
        self.sampler.shuffle(generator.rng(self.relation, self.choices_form))

    def ask(self, fact: Fact, known: Entity, right: Entity, *, with_true_statement: bool) -> Iterable[Question | None]:  # noqa: ARG002  # it makes no statement
        """Yield the ranked question about a fact, if it has labels and a wrong answer."""
        options = self.sampler.answer_space(known, right)
        if not (self.has_labels(known, right) and self.has_choice(options)):
            return
        choices = tuple(option.label for option in options)
        statement = self.statement(known)
        prompts = (Message("user", self.generator.with_day(statement.text)),)
        lead, rest = self.generator.affixes
        ends = (known.label, self._blank) if self.end == "object" else (self._blank, known.label)
        filled = agree(self.template.fill(*ends, self.end))  # the cloze keeps the line breaks of the name
        start, stop = filled.object if self.end == "object" else filled.subject
        cloze = f"{lead}{filled.text[:start]}", f"{filled.text[stop:]}{rest}"
        form, answers = self.choices_form, (answer(right),)
        yield self.question(fact, "multi_choices", form, prompts, answers, statement, choices, cloze)


class LikelihoodGenerator(FactGenerator):
    """Generator of ranked questions, with all answers of the relation as options.

    Each triplet has a question for each end that `ask` names, unless the triplet lacks labels or a wrong answer. The
    options are the distinct labels of all objects (or subjects), in one random order for the relation, so that of
    options with equal scores, of which the first ranks highest, the right one is no likelier to be first. Left out are
    other right answers and entities that share a name with one: the filtered setting of link prediction (Bordes et al.,
    2013, *Translating Embeddings for Modeling Multi-relational Data*). A model ranks the options by the likelihood of
    the statement with each in the gap, as in LAMA (Petroni et al., 2019) and BEAR (Wiland et al., 2024).
    """

    questioner_type: ClassVar[type[Questioner]] = _GapQuestioner
