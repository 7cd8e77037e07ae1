"""What is asked: requests, and questions with their right answers and what they ask as data."""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from factprobe.question_types import End, QuestionType, sought_by_id
from factprobe.records.graph import Hop, Named, Popularity

ID_PARTS = 5
"""The parts of a question's id, between colons."""


class Message(Struct, frozen=True, gc=False):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


class Answer(Named, frozen=True, omit_defaults=True, gc=False):
    """One right answer."""


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
        ends = sorted([(self.subject, subject, "subject"), (self.object, object_, "object")])
        ((start, stop), one, first), ((begin, behind), other, _) = ends
        before = self.text[:start]
        between = f"{before}{one}{self.text[stop:begin]}"
        spans = (len(before), len(before) + len(one)), (len(between), len(between) + len(other))
        at_subject, at_object = spans if first == "subject" else spans[::-1]
        return Statement(f"{between}{other}{self.text[behind:]}", at_subject, at_object, blank)


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

    @property
    def sample(self) -> int:
        """Its number among requests with the same prompts, each of which is to draw an answer of its own."""

    @property
    def grammar(self) -> str:
        """What a reply keeps to where a model can be held to it, in llama.cpp's notation, GBNF; empty for anything."""


class PlainRequest(Struct, frozen=True, omit_defaults=True, gc=False):
    """A request that is no question: there is no right answer to it."""

    question_id: str
    """Unique in its file, and the same in every run."""
    prompts: tuple[Message, ...]
    choices: tuple[str, ...] = ()
    cloze: tuple[str, str] | None = None
    sample: int = 0
    """Its number among requests with the same prompts, each of which is to draw an answer of its own."""
    grammar: str = ""
    """What a reply keeps to where a model can be held to it, in llama.cpp's notation, GBNF; empty for anything."""


Giveaway = Literal["", "subject", "words"]
"""Where a right answer stands in a question's own words: within the name of the entity that it is about, as in
Bank of *England*, elsewhere, or nowhere."""


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
    giveaway: Giveaway = ""
    """Where it names one of its right answers itself, without its context and options."""

    @property
    def sample(self) -> int:
        """A question is asked once."""
        return 0

    @property
    def grammar(self) -> str:
        """A question is answered freely."""
        return ""

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
