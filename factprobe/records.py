"""The typed records that cross the stages, and the JSON that they are on disk.

Every record is frozen and knows its own file form: a key that the file contract names has no default here and is always
written, other keys are left out while they are empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, Protocol

from msgspec import UNSET, Meta, Struct, UnsetType

from factprobe.endings import Ending, ending_of
from factprobe.question_types import End, QuestionType, sought_by_id

RelationType = Literal["1-1", "N-1", "1-N", "N-M"]
RELATION_TYPES: tuple[RelationType, ...] = ("1-1", "N-1", "1-N", "N-M")

Verdict = Literal["correct", "incorrect", "abstained", "unparsed", "failed"]
VERDICTS: tuple[Verdict, ...] = ("correct", "incorrect", "abstained", "unparsed", "failed")

Popularity = Literal["head", "torso", "tail"]
POPULARITIES: tuple[Popularity, ...] = ("head", "torso", "tail")

Side = Literal["correct", "incorrect"]
"""Of a statement: that it is true, or that it is false."""

SIDES: dict[str, Side] = {
    **dict.fromkeys(("correct", "true", "yes", "right", "1"), "correct"),
    **dict.fromkeys(("incorrect", "false", "no", "wrong", "0"), "incorrect"),
}
"""How files from elsewhere say that something is right or wrong."""

ID_PARTS = 5
"""The parts of a question's id, between colons."""


class Entity(Struct, frozen=True, gc=False):
    """A node of the graph."""

    uri: str
    """Its identifier in the source: a Wikidata id, a UMLS CUI, any other string."""
    label: str
    """Its preferred name; empty where the source has none."""
    aliases: tuple[str, ...] = ()
    """Other names it is known by."""
    types: tuple[str, ...] = ()
    """Its classes, as the source names them."""

    def names(self) -> tuple[str, ...]:
        """The label and the aliases, those that are not empty."""
        return tuple([name for name in (self.label, *self.aliases) if name.strip()])


class Hop(Struct, frozen=True, omit_defaults=True, gc=False):
    """One step of a question that goes through several facts, from an entity to those that it seeks."""

    relation: str
    sought: End = "object"
    """The end of the relation's facts that the step leads to."""


class Relation(Struct, frozen=True, gc=False):
    """A relation of the graph and how to put it in words."""

    relation: str
    """Its id, e.g. `P19`; it names the relation's files."""
    template: str
    """A sentence with one subject symbol and one object symbol: `[X] was born in [Y].`"""
    label: str = ""
    """Its name for people, e.g. `place of birth`."""
    description: str = ""
    """What it means, in a sentence."""
    type: RelationType | Literal[""] = ""
    """How many: `N-1` means that a subject has one object; empty until it is known."""
    subject_symbol: str = "[X]"
    """What stands for the subject in the template."""
    object_symbol: str = "[Y]"
    """What stands for the object in the template."""
    templates: tuple[str, ...] = ()
    """Every wording that the source has, `template` among them; empty where it has but one."""
    path: tuple[Hop, ...] | UnsetType = UNSET
    """The steps of a relation that others make; left out for one of the graph."""


class Evidence(Struct, frozen=True, omit_defaults=True, gc=False):
    """A piece of text that states a fact, with what the source says of it."""

    masked_sentence: str = ""
    """The sentence with the object replaced by `[MASK]`."""
    sentence: str = ""
    """The sentence as it was."""
    subject_surface: str = ""
    """The words that name the subject there."""
    object_surface: str = ""
    """The words that name the object there."""
    snippet: str = ""
    """A longer passage around it."""
    url: str = ""
    """Where the passage comes from."""
    judgments: tuple[str, ...] = ()
    """What human raters said of it, `yes` or `no`, one entry a rater."""


class Period(Struct, frozen=True, omit_defaults=True, gc=False):
    """When a fact held: ISO dates, months or years; empty where an end is open or not known."""

    start: str = ""
    end: str = ""


class Triplet(Struct, frozen=True, omit_defaults=True, gc=False):
    """One fact, flat as it is on disk; `subject` and `object` give its entities."""

    subject_label: str
    object_label: str
    object_uri: str
    subject_uri: str
    relation_info: Relation
    subject_aliases: tuple[str, ...] = ()
    object_aliases: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()
    evidences: tuple[Evidence, ...] = ()
    start: str = ""
    """Since when it has held, an ISO date, month or year; where it held several times, the first of them."""
    end: str = ""
    """Until when."""

    @property
    def subject(self) -> Entity:
        """The subject entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def object(self) -> Entity:
        """The object entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)


class ObjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """An object of a relation with the subjects that have it."""

    object_label: str
    object_uri: str
    subjects: list[str]
    object_aliases: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()

    @property
    def entity(self) -> Entity:
        """The object as an entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)

    @property
    def partners(self) -> list[str]:
        """The URIs at the other end of its facts."""
        return self.subjects


class SubjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """A subject of a relation with the objects that it has."""

    subject_label: str
    subject_uri: str
    objects: list[str]
    subject_aliases: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    periods: dict[str, tuple[Period, ...]] = {}
    """When each object was one, by its URI; those that are not there always are."""

    @property
    def entity(self) -> Entity:
        """The subject as an entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def partners(self) -> list[str]:
        """The URIs at the other end of its facts."""
        return self.objects


class NodeSummary(Struct, frozen=True):
    """Both sides of a relation, by URI, in the order of the source."""

    objects: dict[str, ObjectNode]
    subjects: dict[str, SubjectNode]


class RelationSummary(Struct, frozen=True):
    """The N-M answer sets of one relation: each subject's objects and each object's subjects.

    What a question needs of them is asked entity by entity.
    """

    relation_info: Relation
    node_summary: NodeSummary

    def entity(self, uri: str, end: End) -> Entity | None:
        """The subject or object of that URI, None where the relation has none."""
        node = self._nodes(end).get(uri)
        return None if node is None else node.entity

    def partners(self, uri: str, end: End) -> Sequence[str]:
        """The URIs of a subject's objects or an object's subjects, in the order of the source; empty for a stranger."""
        node = self._nodes(end).get(uri)
        return () if node is None else node.partners

    def periods(self, subject: str, object_: str) -> tuple[Period, ...]:
        """When a fact held; empty where that is not known."""
        node = self.node_summary.subjects.get(subject)
        return () if node is None else node.periods.get(object_, ())

    def entities(self, end: End) -> Iterator[Entity]:
        """Every subject or object, in the order of the source."""
        return (node.entity for node in self._nodes(end).values())

    def facts(self) -> Iterator[tuple[str, str]]:
        """Subject and object URI of every fact, subject by subject."""
        return ((uri, object_) for uri, node in self.node_summary.subjects.items() for object_ in node.objects)

    def _nodes(self, end: End) -> Mapping[str, SubjectNode | ObjectNode]:
        return self.node_summary.subjects if end == "subject" else self.node_summary.objects


class RelationCount(Struct, frozen=True):
    """How much of one relation was extracted."""

    relation: str
    label: str
    type: RelationType | Literal[""]
    num_facts: int
    num_subjects: int
    num_objects: int
    path: tuple[Hop, ...] | UnsetType = UNSET
    """The steps of a relation that others make; left out for one of the graph."""


class GraphSummary(Struct, frozen=True):
    """What an extraction holds: the index that the later steps go by."""

    kg: str
    num_relations: int
    num_entities: int
    num_facts: int
    relations: tuple[RelationCount, ...]
    limit: int | None = None
    """How many triplets of each relation were taken at most; the relation summaries are whole all the same."""


class Message(Struct, frozen=True, gc=False):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


class Answer(Struct, frozen=True, omit_defaults=True, gc=False):
    """One right answer."""

    uri: str
    label: str
    aliases: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """The label and the aliases, those that are not empty."""
        return tuple([name for name in (self.label, *self.aliases) if name.strip()])


Span = tuple[int, int]
"""Where something stands in a text: the offset of its first character, and that behind its last."""


class Statement(Struct, frozen=True, omit_defaults=True, gc=False):
    """A relation's sentence with a name or a blank at either end."""

    text: str
    subject: Span
    """Where the subject's name stands, or the blank in its place."""
    object: Span
    """The same of the object."""
    blank: End | Literal[""] = ""
    """The end that the blank stands for; empty where both names are shown."""

    def at(self, end: End) -> str:
        """What stands at one end."""
        start, stop = self.subject if end == "subject" else self.object
        return self.text[start:stop]

    def with_ends(self, subject: str, object_: str, blank: End | Literal[""] = "") -> Statement:
        """The sentence with something else at its ends."""
        spans = sorted([(self.subject, subject, "subject"), (self.object, object_, "object")])
        text, behind, found = "", 0, {}
        for (start, stop), name, end in spans:
            text += self.text[behind:start]
            found[end] = len(text), len(text) + len(name)
            text, behind = text + name, stop
        return Statement(text + self.text[behind:], found["subject"], found["object"], blank)


class Context(Struct, frozen=True, omit_defaults=True, gc=False):
    """A passage that a question shows before it asks."""

    text: str
    kind: str = ""
    """What it is to the question: its fact's own evidence, another fact's, or one that states something false."""
    planted: Answer | None = None
    """The wrong answer that the passage states, where it states one."""


class Request(Protocol):
    """What a model is asked. A `Question` is one kind of it; what has no right answers is a `PlainRequest`."""

    @property
    def question_id(self) -> str:
        """What the response is told by."""

    @property
    def prompts(self) -> tuple[Message, ...]:
        """The chat that the model is to go on with."""

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be answered, in the order shown; empty where anything can."""

    @property
    def cloze(self) -> tuple[str, str] | None:
        """The statement before and after its gap, where the choices are to be ranked by their likelihood in the gap;
        None where the answer is to be written."""


class PlainRequest(Struct, frozen=True, omit_defaults=True, gc=False):
    """A request that is no question: there is no right answer to it."""

    question_id: str
    """Unique in its file, and the same in every run."""
    prompts: tuple[Message, ...]
    choices: tuple[str, ...] = ()
    cloze: tuple[str, str] | None = None


class Question(Struct, frozen=True, omit_defaults=True, gc=False):
    """One question with its right answers.

    What it asks is also there as data, so that nobody need read a prompt; in records from elsewhere it may be missing.
    """

    question_id: str
    """`<subject_uri>:<object_uri>:<relation>:<type>:<form>`, the same in every run."""
    question_type: QuestionType
    prompts: tuple[Message, ...]
    answers: tuple[Answer, ...] | Literal["correct", "incorrect"]
    """The answer set; for `binary_answer` whether the statement is correct."""
    relation: str
    subject_uri: str
    object_uri: str
    choices: tuple[str, ...] = ()
    """For `multi_choices`: the labels in the order shown."""
    cloze: tuple[str, str] | None = None
    """The statement before and after its gap, for a question whose choices are ranked by their likelihood in the gap;
    None for one that is answered in words."""
    statement: Statement | None = None
    """The statement that is shown, whole for `binary_answer`, else with a blank; None where a question is put in other
    words."""
    shown: str = ""
    """For `binary_answer`: the URI of the entity that stands at the end which is right or wrong."""
    bare: str = ""
    """The question alone, without instructions, options and context; empty where it is the statement."""
    context: Context | None = None
    """The passage before it, where there is one."""
    denied: Statement | None = None
    """For a negated true/false statement: the statement that it denies, with the same names."""
    outdated: tuple[Answer, ...] = ()
    """For a question about one day whose answer is put in words: what was right at another time, but not then."""
    path: tuple[Hop, ...] = ()
    """For a question that goes through several facts: the steps from the entity that it gives to its answers."""
    none: str = ""
    """For `multi_choices`: the one of the choices that says that none of the others is right; empty where there is none
    such. Where it is right, it is the answer, with `none_of_these` for its URI."""
    given: Literal["", "made_up", "none"] = ""
    """What stands in the place of the entity that it is about: a made-up name, so that no answer is right, or a word
    that names nobody; empty where that entity itself does."""
    popularity: Popularity | Literal[""] = ""
    """How popular the subject is, where a file says that; else the graph does."""

    @property
    def sought(self) -> End:
        """The end of the fact that is asked for, or that a true/false statement may have wrong."""
        return sought_by_id(self.question_id)

    @property
    def form(self) -> str:
        """The last part of the id, e.g. `ask_object`."""
        return self.question_id.rpartition(":")[2]


def subject_of(question_id: str) -> str:
    """The part of a question's id that names its subject entity; an id of another make stands for itself."""
    parts = question_id.split(":")
    return parts[0] if len(parts) == ID_PARTS else question_id


Tokens = Annotated[int, Meta(ge=0, le=2**53)]
"""A count that every program can read and sum up."""


class Usage(Struct, frozen=True, gc=False):
    """The tokens that a response took."""

    prompt_tokens: Tokens
    completion_tokens: Tokens


class Response(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a model returned for one request, as it came, or the error that stands in its place."""

    question_id: str
    response: str | None
    finish_reason: str | None
    usage: Usage | None
    error: str | None
    prompts_hash: str = ""
    """Of the prompts: an answer to another wording is no answer to this question."""
    settings_hash: str = ""
    """Of the model's settings that change its answers."""
    scores: tuple[float, ...] = ()
    """For a ranked question: the log-likelihood (natural logarithm) of each choice, in the order of the choices."""
    logprobs: tuple[float, ...] = ()
    """The log-probability (natural logarithm) of each token of the response, where they were asked for."""

    @property
    def failed(self) -> bool:
        """Whether it is no answer: an error, nothing, or what a fault broke off."""
        return self.error is not None or self.response is None or ending_of(self.finish_reason) == "broken"

    @property
    def fault(self) -> str:
        """Why it is no answer, where it is none."""
        return self.error or ("neither a reply nor an error" if self.response is None else "the answer was broken off")


class Grade(Struct, frozen=True, omit_defaults=True, gc=False):
    """One response's verdict, what it matched, and the rule that decided."""

    question_id: str
    question_type: QuestionType
    verdict: Verdict
    matched: tuple[str, ...]
    """URIs of the right answers that the response names."""
    true_positives: int
    false_positives: int
    false_negatives: int
    rule: str
    rank: int = 0
    """For a ranked question: the place of the right answer among the choices, 1 for the likeliest; else 0."""
    answer: str = ""
    """The words of the reply that were taken for the answer, as it has them; empty where none were."""
    why: str = ""
    """What the rule saw, in a few words, for people to read."""
    ending: Ending = ""
    """`cut`, `filtered` or `refused` where the reply did not end by itself."""
    prompts_hash: str = ""
    """Of the prompts that were answered, as in the response: a question that is worded anew has no grade yet."""
    option: int = 0
    """For a question with options: the number of the one that is chosen, from 1; 0 where none is, or none alone."""
    planted: bool = False
    """Whether an incorrect reply gives the wrong answer that the passage before the question states."""


class AnswerGrade(Struct, frozen=True, omit_defaults=True, gc=False):
    """The grade of one reply of `step=grade`, by the id that its input gives it."""

    id: str
    verdict: Verdict
    rule: str
    matched: tuple[str, ...]
    """The right answers that the reply names."""
    answer: str
    """The words of the reply that were taken for the answer, as it has them; empty where none were."""
    why: str
    """What the rule saw, in a few words."""
    system: str = ""
    """Who replied, where the input tells."""
    human: str = ""
    """What people say of the reply, where the input tells."""


class Score(Struct, frozen=True, kw_only=True):
    """One row of the score table.

    The columns of counts are followed by those of the metrics that have always been there, named here for whoever
    reads rows; any other registered metric has its own behind them, in a subclass that `metrics.scores` makes. They are
    None where nothing was counted; `_low` and `_high` are the ends of 95 % intervals that take the questions about one
    subject entity as alike. What each is, its range and direction: `factprobe.metrics`.
    """

    level: str
    """What the row sums over: `cell` is one relation and question type; then `relation`, `question_type`,
    `relation_type`, `popularity`, `answer_set_size` and `total`."""
    average: Literal["micro", "macro"]
    """Micro counts every question alike, macro every relation."""
    kg: str
    generator: str
    model: str
    relation: str
    relation_label: str
    relation_type: str
    question_type: str
    popularity: str
    """Of the subject entity in the graph: `head`, `torso` or `tail`."""
    answer_set_size: str
    """How many right answers a question has whose answer is written: `1`, `2`, `3-5`, `6-10`, `11+`."""
    questions: int
    """Those that have a grade, the failed ones included."""
    correct: int
    incorrect: int
    abstained: int
    unparsed: int
    failed: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    precision: float | None
    precision_low: float | None
    precision_high: float | None
    recall: float | None
    recall_low: float | None
    recall_high: float | None
    f1: float | None
    f1_low: float | None
    f1_high: float | None
    guess_corrected_accuracy: float | None
    guess_corrected_accuracy_low: float | None
    guess_corrected_accuracy_high: float | None
    guess_corrected_precision: float | None
    guess_corrected_precision_low: float | None
    guess_corrected_precision_high: float | None
    exact_set_accuracy: float | None
    exact_set_accuracy_low: float | None
    exact_set_accuracy_high: float | None
    set_precision: float | None
    set_recall: float | None
    set_f1: float | None
    set_f1_low: float | None
    set_f1_high: float | None
    mrr: float | None
    mrr_low: float | None
    mrr_high: float | None
    precision_at_5: float | None
    precision_at_10: float | None
    coverage: float | None
    abstention_rate: float | None
    invalid_rate: float | None
