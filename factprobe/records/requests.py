"""Requests, and questions with their right answers and their content as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from factprobe.question_types import End, QuestionType, sought_by_id
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
    """Sentence of a relation, with a name or a blank at each end."""

    text: str
    subject: Span
    """Span of the subject's name, or of the blank in its place."""
    object: Span
    """Span of the object's name, or of the blank in its place."""
    blank: End | Literal[""] = ""
    """End that the blank stands for; empty if both names are shown."""

    def at(self, end: End) -> str:
        """Return the text at one end."""
        start, stop = self.subject if end == "subject" else self.object
        return self.text[start:stop]

    def with_ends(self, subject: str, object_: str, blank: End | Literal[""] = "") -> Statement:
        """Return the sentence with other texts at its ends."""
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
    """Passage shown before a question."""

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
    """Chat to be continued by the model."""
    choices: tuple[str, ...] = ()
    """Allowed answers in the order shown; empty if any answer is allowed."""
    cloze: tuple[str, str] | None = None
    """Statement before and after its gap, if choices are ranked by likelihood; None otherwise."""
    sample: int = 0
    """Number among requests with the same prompts, each of which is sampled separately."""
    grammar: str = ""
    """Grammar of the reply in llama.cpp's GBNF, for models that support it; empty for free text."""


Giveaway = Literal["", "subject", "words"]
"""Place of a right answer in the question's own words; empty if it is not there.

`subject` is within the subject's name, as in Bank of *England*; `words` is elsewhere.
"""


class Question(Struct, frozen=True, omit_defaults=True, gc=False):
    """Question with its right answers.

    Its content is stored as data too, so that no code has to parse a prompt. Records from elsewhere may lack this data.
    """

    question_id: str
    """`<subject_uri>:<object_uri>:<relation>:<type>:<form>`, the same in every run."""
    question_type: QuestionType
    prompts: tuple[Message, ...]
    answers: tuple[Answer, ...] | Literal["correct", "incorrect"]
    """Answer set; for `binary_answer` whether the statement is correct."""
    relation: str
    subject_uri: str
    object_uri: str
    choices: tuple[str, ...] = ()
    """For `multi_choices`: the labels in the order shown."""
    cloze: tuple[str, str] | None = None
    """Statement before and after its gap, if the choices are ranked by their likelihood in it; None otherwise."""
    statement: Statement | None = None
    """Statement that is shown: complete for `binary_answer`, otherwise with a blank; None for other wordings."""
    shown: str = ""
    """URI of the entity that is shown at the end that may be wrong, for `binary_answer`."""
    bare: str = ""
    """Question without instructions, options and context; empty if it is the statement."""
    context: Context | None = None
    """Passage before the question, if any."""
    denied: Statement | None = None
    """For a negated true/false statement: the statement that it negates, with the same names."""
    outdated: tuple[Answer, ...] = ()
    """Answers that were right at another time only, for a question about one day with a written answer."""
    path: tuple[Hop, ...] = ()
    """For a question through several facts: the steps from the given entity to the answers."""
    none: str = ""
    """Choice "none of these" of `multi_choices`; empty without one. Its URI as an answer is `none_of_these`."""
    given: Literal["", "made_up", "none"] = ""
    """What stands in place of the subject; empty if the subject itself is shown.

    `made_up` is an invented name, so that no answer is right; `none` is a placeholder.
    """
    popularity: Popularity | Literal[""] = ""
    """Popularity of the subject, if the file gives it; otherwise the graph is used."""
    giveaway: Giveaway = ""
    """Place of a right answer in the question's own words, without context and options."""
    first_number: int = 1
    """Number of the first choice in replies; 0 if choices are shown with numbers from 0."""
    wrong: tuple[str, ...] = ()
    """Answers that the source says are wrong, for a written answer without a graph."""

    @property
    def sample(self) -> int:
        """Always 0, since a question is asked once."""
        return 0

    @property
    def grammar(self) -> str:
        """Always empty, since a question is answered freely."""
        return ""

    @property
    def sought(self) -> End:
        """End of the fact that is asked for, or that may be wrong in a true/false statement."""
        return sought_by_id(self.question_id)

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
