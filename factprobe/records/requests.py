"""Requests to models: questions with their right answers, and plain requests without."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from msgspec import Struct

from factprobe.question_types import End, QuestionType, sought_end_of_id
from factprobe.records.graph_records import Hop, Named, Popularity

ID_PARTS = 5
"""Number of colon-separated parts in a question's id."""


class Message(Struct, frozen=True, gc=False):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


def join_messages(messages: Iterable[Message]) -> str:
    """Join messages with blank lines, without a chat template."""
    return "\n\n".join(message.content for message in messages)


class Answer(Named, frozen=True, omit_defaults=True, gc=False):
    """Right answer."""


Span = tuple[int, int]
"""Span in a text: offset of its first character, and offset after its last."""


class Statement(Struct, frozen=True, omit_defaults=True, gc=False):
    """Sentence that states a fact of a relation, with a name or a blank for subject and object."""

    text: str
    subject: Span
    """Span of the subject's name, or of the blank for it."""
    object: Span
    """Span of the object's name, or of the blank for it."""
    blank: End | Literal[""] = ""
    """End that is a blank; empty if both ends are names."""

    def at(self, end: End) -> str:
        """Return the text at one end."""
        start, stop = self.subject if end == "subject" else self.object
        return self.text[start:stop]

    def with_ends(self, subject: str, object_: str, blank: End | Literal[""] = "") -> Statement:
        """Return the sentence with other texts for subject and object."""
        ends = sorted([(self.subject, subject, "subject"), (self.object, object_, "object")])
        ((start, stop), left, left_end), ((begin, after), right, _) = ends
        before = self.text[:start]
        between = f"{before}{left}{self.text[stop:begin]}"
        spans = (len(before), len(before) + len(left)), (len(between), len(between) + len(right))
        at_subject, at_object = spans if left_end == "subject" else spans[::-1]
        return Statement(f"{between}{right}{self.text[after:]}", at_subject, at_object, blank)


PassageSource = Literal["evidence", "template"]
"""Origin of a passage: evidence of the source that states the fact, or the relation's template."""


class Context(Struct, frozen=True, omit_defaults=True, gc=False):
    """Passage before a question."""

    text: str
    kind: str = ""
    """Kind of the passage: `relevance` states the fact, `irrelevance` another fact, `antifactual` a wrong answer."""
    planted: Answer | None = None
    """Wrong answer that the passage states, if any."""
    source: PassageSource | Literal[""] = ""
    """Origin of the passage, if known."""


class PlainRequest(Struct, frozen=True, omit_defaults=True, gc=False):
    """Request without right answers."""

    question_id: str
    """Id, unique in its file and the same in every run."""
    prompts: tuple[Message, ...]
    """Chat that the model continues."""
    choices: tuple[str, ...] = ()
    """Allowed answers in the order shown; empty if any answer is allowed."""
    cloze: tuple[str, str] | None = None
    """Text before and after the gap of a statement in which choices are ranked by likelihood; None otherwise."""
    sample: int = 0
    """Index among requests with the same prompts, so that each gets a sample of its own."""
    grammar: str = ""
    """Grammar of the reply in llama.cpp's GBNF, for models that support it; empty for free text."""


Giveaway = Literal["", "subject", "words"]
"""Place of a right answer within the question itself; empty if there is none.

`subject` is within the subject's name, as in Bank of *England*; `words` is elsewhere in the question.
"""


class Question(Struct, frozen=True, omit_defaults=True, gc=False):
    """Question with its right answers.

    Its content is also stored in fields, so that no code has to parse a prompt. Questions of other origin may lack it.
    """

    question_id: str
    """`<subject_uri>:<object_uri>:<relation>:<type>:<form>`, the same in every run."""
    question_type: QuestionType
    prompts: tuple[Message, ...]
    answers: tuple[Answer, ...] | Literal["correct", "incorrect"]
    """Answer set; for `binary_answer`, whether the statement is true."""
    relation: str
    subject_uri: str
    object_uri: str
    choices: tuple[str, ...] = ()
    """For `multi_choices`: the labels of the options, in the order shown."""
    cloze: tuple[str, str] | None = None
    """Text before and after the gap of a statement in which choices are ranked by likelihood; None otherwise."""
    statement: Statement | None = None
    """Statement in the question: complete for `binary_answer`, otherwise with a blank; None in other wordings."""
    shown: str = ""
    """For `binary_answer`: URI of the entity in the statement that may be the wrong one."""
    bare: str = ""
    """Question without instructions, options and passage; empty if it is the same as the statement."""
    context: Context | None = None
    """Passage before the question, if any."""
    denied: Statement | None = None
    """For a negated statement: the statement without the negation."""
    outdated: tuple[Answer, ...] = ()
    """For a question about one day with a written answer: answers that were right only at another time."""
    path: tuple[Hop, ...] = ()
    """For a question through several facts: the steps from the given entity to the answers."""
    none: str = ""
    """Option "none of these" of `multi_choices`; empty without one. Its URI as an answer is `none_of_these`."""
    given: Literal["", "made_up", "none"] = ""
    """Replacement of the subject; empty if the subject itself is given.

    `made_up` is an invented name, so that no answer is right; `none` is a placeholder.
    """
    popularity: Popularity | Literal[""] = ""
    """Popularity of the subject, if the file states it; otherwise it is counted in the graph."""
    giveaway: Giveaway = ""
    """Place of a right answer in the question, apart from passage and options."""
    first_number: int = 1
    """Number of the first choice in replies; 0 if choices are shown with numbers from 0."""
    wrong: tuple[str, ...] = ()
    """For a written answer without a graph: answers that the source calls wrong."""

    sample: ClassVar[int] = 0
    """Index of the request, as of a `PlainRequest`; a question is asked once."""
    grammar: ClassVar[str] = ""
    """Grammar of the reply, as of a `PlainRequest`; a question is answered freely."""

    @property
    def sought(self) -> End:
        """End of the fact that the question asks for; in a true/false statement, the one that may be wrong."""
        return sought_end_of_id(self.question_id)

    @property
    def form(self) -> str:
        """Last part of the id, e.g. `ask_object`."""
        return self.question_id.rpartition(":")[2]


Request = PlainRequest | Question
"""Request to a model."""


def subject_of(question_id: str) -> str:
    """Return the part of a question's id that names its subject entity, or the whole id if it has another form."""
    parts = question_id.split(":")
    return parts[0] if len(parts) == ID_PARTS else question_id
