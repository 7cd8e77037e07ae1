"""Passages before questions: evidence of the fact, evidence of another fact, or a text that states a wrong answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec.structs import replace

from factprobe.components.prompts import Prompt
from factprobe.errors import ConfigError
from factprobe.generators.distractor_sampler import DistractorSampler
from factprobe.generators.passages.passages import NameKeys, Passage, mentions, passages_of, words_of
from factprobe.generators.wording.articles import fit_article
from factprobe.question_types import End, get_kind_or_default
from factprobe.records import Answer, Context, Entity, Evidence, Message, PassageSource, Question, Span
from factprobe.text import normalise, one_line

if TYPE_CHECKING:
    from factprobe.generators.passages.evidence import EvidenceReader

ContextKind = Literal["none", "relevance", "irrelevance", "antifactual"]
"""Kind of passage: evidence of the fact, of another fact, or for a wrong answer; `none` for no passage."""

NO_PASSAGE = "there is no unrelated passage"
NO_PLANT = "there is no wrong answer to plant"

_RIGHT_NAME, _OTHER_RIGHT_NAME, _RIGHT_FORM, _GIVEN_NAME, _GIVEN_FORM = range(5)
"""Kinds of names, as indices of tables: of the answer, of other right answers, of the answer as the evidence has it, of
the entity in the question, and of that entity as the evidence has it."""
_RIGHT_KINDS, _GIVEN_KINDS = {_RIGHT_NAME, _OTHER_RIGHT_NAME, _RIGHT_FORM}, {_GIVEN_NAME, _GIVEN_FORM}
_TRIES = 16
"""Maximum number of entities that are tried as planted answer, and of passages that are tried as unrelated."""
_MAX_ALTERED = 3
"""Maximum number of passages of a fact in which the answer is replaced, as some become too long with another name."""
_MAX_EARLIER = 256
"""Number of passages of earlier facts to choose from; passages of later facts would depend on `limit`."""


class _StatedPassage(NamedTuple):
    """Passage that states a fact, with the URIs of the entity in the question and of the answer."""

    text: str
    known: str
    right: str
    source: PassageSource


class Contexts:
    """Choice of passages for the questions that ask for one end of a relation.

    The passage of a fact is the first of its evidences, of at most `longest` characters, that states it according to
    `EvidenceReader`, else the template that `verbalised` fills with the entity in the question and an answer.
    """

    def __init__(
        self,
        kind: ContextKind,
        longest: int,
        end: End,
        sampler: DistractorSampler,
        verbalised: Callable[[Entity, Entity], str],
        reader: EvidenceReader,
        rng: Random,
        prompt: Prompt | None,
    ) -> None:
        self._kind, self._longest, self._end, self._prompt = kind, longest, end, prompt
        self._sampler, self._verbalised, self._reader, self._rng = sampler, verbalised, reader, rng
        self._earlier: deque[_StatedPassage] = deque(maxlen=_MAX_EARLIER)
        self._answer_sets: dict[str, NameKeys] = {}
        self._right_names: dict[str, tuple[frozenset[str], frozenset[int]]] = {}

    def begin(self, known: Entity, right: Entity, evidences: Sequence[Evidence]) -> None:
        """Prepare the passages of a fact, with all random draws, so that these do not depend on question types."""
        self._known, self._right, self._evidences = known, right, evidences
        self._tables = self._names()
        self._misleading: dict[str, tuple[str, PassageSource]] = {}
        self._wrong_answers: Sequence[Entity] = ()
        if self._kind == "antifactual":
            self._wrong_answers = self._sampler.draw(_TRIES, known, self._rng, right)
            self._pick = self._rng.random()
            self._to_alter = list(islice(self._alterable(), _MAX_ALTERED))
            return
        self._own = self._own_passage()
        if self._kind == "irrelevance":
            passage = _StatedPassage(self._own[0], known.uri, right.uri, self._own[1])
            self._own = self._unrelated_passage()
            self._earlier.append(passage)

    def add_passage(self, question: Question) -> Question | str:
        """Return a question about the fact with a passage before it, or the reason why there is none."""
        planted = None
        if self._kind == "antifactual":
            planted = self._planted_answer(question)
            if planted is None:
                return NO_PLANT
            text, source = self._misleading_passage(planted)
        else:
            text, source = self._own
        if self._kind == "relevance" and get_kind_or_default(question.question_type).is_set:
            text = self._with_all_answers(question)
        if not text:
            return NO_PASSAGE
        answer = None if planted is None else Answer(planted.uri, planted.label, planted.aliases)
        context = Context(text, self._kind, answer, source)
        if question.cloze is not None:
            before, after = question.cloze
            prompts = tuple(Message(message.role, f"{text} {message.content}") for message in question.prompts)
            return replace(question, prompts=prompts, cloze=(f"{text} {before}", after), context=context)
        if self._prompt is None:
            what = "the generator has no wording for a question with a passage"
            raise ConfigError(what, where="generator.context", hint="set it to none, or its class's context_prompt")
        return replace(question, prompts=in_context(question.prompts, text, self._prompt), context=context)

    def _names(self) -> list[NameKeys]:
        """Return a table of names for each kind, in the order of the indices such as `_RIGHT_NAME`."""
        subjects = NameKeys(dict.fromkeys(evidence.subject_surface for evidence in self._evidences))
        objects = NameKeys(dict.fromkeys(evidence.object_surface for evidence in self._evidences))
        forms, known_forms = (objects, subjects) if self._end == "object" else (subjects, objects)
        return [NameKeys(self._right.names()), self._answers(), forms, NameKeys(self._known.names()), known_forms]

    def _answers(self) -> NameKeys:
        """Return the names of all right answers, if there are several; cached."""
        known, answers = self._known.uri, self._sampler.answers(self._known.uri)
        if len(answers) < 2:
            return NameKeys(())
        if known not in self._answer_sets:
            names = (name for uri in answers for name in self._sampler.sought_entity(uri).names())
            self._answer_sets[known] = NameKeys(names)
        return self._answer_sets[known]

    def _own_passage(self) -> tuple[str, PassageSource]:
        """Return the first evidence that states the fact, else the filled template, and which of the two it is."""
        stating = (passage.text for passage in self._passages() if self._states(passage.text, self._right))
        text = next(stating, "")
        return (text, "evidence") if text else (self._verbalised(self._known, self._right), "template")

    def _states(self, text: str, other: Entity) -> bool:
        """Return whether a text states the relation between the entity in the question and another entity."""
        ends = (self._known, other) if self._end == "object" else (other, self._known)
        return self._reader.states(text, *ends)

    def _passages(self) -> Iterator[Passage]:
        """Yield the evidences that name both ends of the fact, first the evidences with names of the graph."""
        rest = []
        for passage in dict.fromkeys(passages_of(self._evidences, self._longest)):
            named = {mention.table for mention in mentions(words_of(passage.text), self._tables)}
            if named.issuperset((_RIGHT_NAME, _GIVEN_NAME)):
                yield passage
            elif named & {_RIGHT_NAME, _RIGHT_FORM} and named & _GIVEN_KINDS:
                rest.append(passage)
        yield from rest

    def _with_all_answers(self, question: Question) -> str:
        """Return the passage of the fact with filled templates for other answers added, up to the maximum length."""
        own, source = text, _ = self._own
        for answer in question.answers if not isinstance(question.answers, str) else ():
            entity = self._sampler.sought_entity(answer.uri)
            if entity.uri == self._right.uri or (source == "evidence" and self._states(own, entity)):
                continue
            more = f"{text} {self._verbalised(self._known, entity)}"
            if len(more) > self._longest:
                break
            text = more
        return text

    def _unrelated_passage(self) -> tuple[str, PassageSource]:
        """Return a passage that mentions neither the entity in the question nor an answer; empty if there is none."""
        for _ in range(_TRIES if self._earlier else 0):
            passage = self._earlier[int(self._rng.random() * len(self._earlier))]
            related = passage.known == self._known.uri or self._sampler.has_fact(self._known.uri, passage.right)
            if not (related or self._is_about(passage.text)):
                return passage.text, passage.source
        for other in self._sampler.draw(_TRIES, self._known, self._rng):
            uris = self._sampler.entities_with_answer(other.uri)
            holder = self._sampler.given_entity(uris[int(self._rng.random() * len(uris))])
            text = self._verbalised(holder, other)
            if holder.uri != self._known.uri and holder.label.strip() and not self._is_about(text):
                return text, "template"
        return "", "template"

    def _is_about(self, text: str) -> bool:
        return any(mentions(words_of(text), self._tables))

    def _planted_answer(self, question: Question) -> Entity | None:
        """Return the answer to plant: the question's wrong one or a drawn one, without a right name; None if none."""
        sampler, known = self._sampler, self._known.uri
        candidates: Sequence[Entity] = self._wrong_answers
        if question.shown and question.sought == self._end and not sampler.has_fact(known, question.shown):
            candidates = [sampler.sought_entity(question.shown)]
        elif question.choices and question.cloze is None:
            options = (sampler.find_by_label(label) for label in question.choices if label != self._right.label)
            wrong = [entity for entity in options if entity is not None]
            first = int(self._pick * len(wrong))
            candidates = [*wrong[first:], *wrong[:first]]
        return next((entity for entity in candidates if entity.names() and not self._contains_right_name(entity)), None)

    def _contains_right_name(self, entity: Entity) -> bool:
        """Return whether a name of an entity contains the name of a right answer, even within a word."""
        answers = self._sampler.answers(self._known.uri)
        right_names = self._right_names.get(self._known.uri)
        if right_names is None:
            names = frozenset(normalise(name) for uri in answers for name in self._sampler.sought_entity(uri).names())
            right_names = names, frozenset(map(len, names))
            if len(answers) > 1:
                self._right_names[self._known.uri] = right_names
        right, lengths = right_names
        return any(
            name[start : start + length] in right
            for name in map(normalise, entity.names())
            for length in lengths
            for start in range(len(name) - length + 1)
        )

    def _misleading_passage(self, planted: Entity) -> tuple[str, PassageSource]:
        """Return evidence in which the planted answer replaces the right ones, else the template filled with it."""
        if planted.uri not in self._misleading:
            passages = (self._replace_answer(passage, spans, planted) for passage, spans in self._to_alter)
            text = next((text for text in passages if text and self._states(text, planted)), "")
            verbalised: tuple[str, PassageSource] = self._verbalised(self._known, planted), "template"
            self._misleading[planted.uri] = (text, "evidence") if text else verbalised
        return self._misleading[planted.uri]

    def _alterable(self) -> Iterator[tuple[Passage, list[Span]]]:
        """Yield the passages that state the fact, with the spans of right names to replace.

        Passages with an inflected right name are left out. The mention of the answer has to contain one of its names:
        "Ulm, Germany" can be replaced by another name, "French" cannot.
        """
        tables = self._tables
        is_ambiguous = any(not tables[i].keys.isdisjoint(tables[j].keys) for i in _RIGHT_KINDS for j in _GIVEN_KINDS)
        for passage in () if is_ambiguous else self._passages():
            words = words_of(passage.text)
            named = list(mentions(words, tables))
            filled = passage.filled if self._end == "object" else ()
            spans = [*filled, *(m[:2] for m in named if m.table in _RIGHT_KINDS and not _overlaps(m[:2], filled))]
            name_spans = [*spans, *(m[:2] for m in named if m.table == _GIVEN_NAME)]
            other_keys = [word.key for word in words if not _overlaps((word.start, word.end), name_spans)]
            if any(tables[i].is_inflected(key) for key in other_keys for i in _RIGHT_KINDS):
                continue
            right = (tables[_RIGHT_NAME], tables[_OTHER_RIGHT_NAME])
            if all(any(mentions(words_of(passage.text[slice(*span)]), right)) for span in spans) and self._states(
                passage.text, self._right
            ):
                yield passage, sorted(spans)

    def _replace_answer(self, passage: Passage, spans: Sequence[Span], planted: Entity) -> str:
        """Return the passage with the planted answer at the spans; empty if it is too long or names a right answer."""
        text, end_before, name = "", 0, one_line(planted.label)
        for start, end in spans:
            text = fit_article(text + passage.text[end_before:start], name) + name
            end_before = end
        text += passage.text[end_before:]
        if len(text) > self._longest:
            return ""
        tables = [*(self._tables[i] for i in sorted(_RIGHT_KINDS)), NameKeys([self._known.label, planted.label])]
        return "" if any(m.table < len(_RIGHT_KINDS) for m in mentions(words_of(text), tables)) else text


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def in_context(prompts: tuple[Message, ...], text: str, wording: Prompt) -> tuple[Message, ...]:
    """Return the messages of a chat with a passage before the last user message, as the prompt `wording` has it."""
    last = max((i for i, message in enumerate(prompts) if message.role == "user"), default=len(prompts) - 1)
    filled = wording.fill({"context": text, "question": prompts[last].content})
    return (*prompts[:last], *filled, *prompts[last + 1 :])
