"""Chat messages with placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from factprobe.config.paths import resource
from factprobe.errors import ConfigError
from factprobe.records import Message

T = TypeVar("T")

_OPTIONAL_PLACEHOLDERS = ("statement", "choices")


def load_prompt(name: str, type_: type[T]) -> T:
    """Read factprobe's own `conf/prompts/<name>.yaml` as a value of a type."""
    return msgspec.yaml.decode((resource("conf") / "prompts" / f"{name}.yaml").read_bytes(), type=type_)


class PromptSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Prompt of a question type, as in a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Messages of the chat, with placeholders."""
    none_of_these: str = ""
    """Text of the option "none of these" of `multi_choices`."""


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """Prompt, as in a file of `conf/prompts/`, with a text to add if it is repeated after a rejected reply."""

    messages: tuple[Message, ...]
    """Messages of the chat, with placeholders; pairs of `user` and `assistant` before the last message are examples."""
    again: str
    """Text that is added to the last message after a rejected reply; `{fault}` is the reason of the rejection."""


class Prompt:
    """Chat messages with placeholders such as `{statement}` and `{choices}`.

    Placeholders are replaced in one pass; braces in inserted labels, and other braces in the messages, stay. The
    messages must have the `required` placeholders (or else a `ConfigError` is raised) and may have the `optional` ones.
    `where` is the setting that contains the prompt, and `name` that below it.
    """

    def __init__(
        self,
        name: str,
        messages: Sequence[Message],
        required: Sequence[str],
        optional: Iterable[str] = _OPTIONAL_PLACEHOLDERS,
        where: str = "generator.prompts",
    ) -> None:
        placeholder = re.compile(rf"\{{({'|'.join({*optional, *required})})\}}")
        parts = [placeholder.split(message.content) for message in messages]
        used = {name for pieces in parts for name in pieces[1::2]}
        for missing in sorted({*required} - used):
            raise ConfigError(
                f"the prompt has no {{{missing}}}",
                where=f"{where}.{name}",
                hint=f"put {{{missing}}} into one of its messages",
            )
        self._messages = list(messages)
        self._formats = [
            (index, messages[index].role, _format(some)) for index, some in enumerate(parts) if len(some) > 1
        ]
        """Index, role and format string of each message that has placeholders."""

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """Replace the placeholders in the messages."""
        filled = self._messages.copy()
        for index, role, text in self._formats:
            filled[index] = Message(role, text % values)
        return tuple(filled)


class RepeatedPrompt(Prompt):
    """Prompt that is repeated, with changes, after a rejected reply.

    `wording` has the messages, with examples, and the text for further tries; the others are arguments of `Prompt`.
    """

    def __init__(self, wording: Wording, required: Sequence[str], optional: Iterable[str], where: str) -> None:
        super().__init__("messages", wording.messages, required, optional, where)
        self._again = Prompt("again", (Message("user", wording.again),), ("fault",), (), where)

    def fill_for_retry(self, values: Mapping[str, str], fault: str, number: int) -> tuple[Message, ...]:
        """Return the messages of a further try: examples in another order, and the reason of the rejection.

        Each try (`number`, from 1) is a different request, so that neither a cache nor a deterministic model repeats
        the reply: once all orders of the examples are used, the `fault` is stated once more. The rejected reply itself
        is left out, since small models would repeat it.
        """
        [note] = self._again.fill({"fault": fault})
        *before, last = self.fill(values)
        # examples are the pairs of question and answer between the system message and the last message
        start = next((at for at, message in enumerate(before) if message.role != "system"), len(before))
        examples = before[start:]
        orders = 1 if len(examples) % 2 else max(len(examples) // 2, 1)
        begin = 2 * (number % orders)
        content = "\n".join([last.content, *[note.content] * (1 + (number - 1) // orders)])
        return (*before[:start], *examples[begin:], *examples[:begin], replace(last, content=content))


def _format(parts: Sequence[str]) -> str:
    """Return a format string made of parts that are alternately text and the name of a placeholder."""
    return "".join([f"%({part})s" if at % 2 else part.replace("%", "%%") for at, part in enumerate(parts)])


def fence(text: str) -> str:
    """Return a line that does not occur in a text and can delimit it."""
    salted = (f"{number}:{text}".encode() for number in count())
    fences = (f"=== {blake2b(salt, digest_size=12).hexdigest()} ===" for salt in salted)
    return next(fence for fence in fences if fence not in text)
