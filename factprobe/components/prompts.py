"""Chat messages with placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from factprobe.errors import ConfigError
from factprobe.records import Message

_USUAL = ("statement", "choices")


class PromptSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """One prompt, a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Of a chat, with placeholders."""
    none_of_these: str = ""
    """For `multi_choices`: the option that says that none of the others is right."""


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """Prompt for a model whose reply is parsed, a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Of a chat, with placeholders; pairs of `user` and `assistant` before the last one are examples."""
    again: str
    """Text added to the last message after a rejected reply; `{fault}` is the reason."""


class Prompt:
    """Chat messages of one question type.

    `{statement}`, `{choices}` and whatever else the type needs are replaced in one pass, so braces in a label, or any
    others in the wording, stay.

    Args:
        name: the name of the prompt under `where`.
        messages: of the chat.
        needs: the placeholders that must be there.
        knows: further ones that may be.
        where: the setting that it is a part of.

    Raises:
        ConfigError: a placeholder that the question type needs is missing.
    """

    def __init__(
        self,
        name: str,
        messages: Sequence[Message],
        needs: Sequence[str],
        knows: Iterable[str] = _USUAL,
        where: str = "generator.prompts",
    ) -> None:
        placeholder = re.compile(rf"\{{({'|'.join({*knows, *needs})})\}}")
        parts = [placeholder.split(message.content) for message in messages]
        used = {name for some in parts for name in some[1::2]}
        for missing in sorted({*needs} - used):
            raise ConfigError(
                f"the prompt has no {{{missing}}}",
                where=f"{where}.{name}",
                hint=f"put {{{missing}}} into one of its messages",
            )
        self._messages = list(messages)
        self._formats = [
            (place, messages[place].role, _format(some)) for place, some in enumerate(parts) if len(some) > 1
        ]
        """Messages with placeholders: index, role, text."""

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """Replace the placeholders in the messages."""
        filled = self._messages.copy()
        for place, role, text in self._formats:
            filled[place] = Message(role, text % values)
        return tuple(filled)


class RepeatedPrompt(Prompt):
    """Chat messages of a prompt, and those after a rejected reply.

    Args:
        wording: the prompt and its examples.
        needs: the placeholders that must be there.
        knows: further ones that may be.
        where: the setting that it is.

    Raises:
        ConfigError: a placeholder that is needed is missing.
    """

    def __init__(self, wording: Wording, needs: Sequence[str], knows: Iterable[str], where: str) -> None:
        super().__init__("messages", wording.messages, needs, knows, where)
        self._again = Prompt("again", (Message("user", wording.again),), ("fault",), (), where)

    def again(self, values: Mapping[str, str], fault: str, number: int) -> tuple[Message, ...]:
        """Return the messages with the examples in another order, and the reason of the rejection.

        Every try is another request, so that a cache and a model without chance have something new to say. The reply
        itself is not shown, for small models would only repeat it.

        Args:
            values: for the placeholders.
            fault: the reason why the previous reply was rejected.
            number: of the try, from 1.
        """
        [note] = self._again.fill({"fault": fault})
        *before, last = _rotate_examples(self.fill(values), number)
        return (*before, replace(last, content=f"{last.content}\n{note.content}"))


def _rotate_examples(messages: tuple[Message, ...], by: int) -> tuple[Message, ...]:
    """Rotate the examples of a chat, pairs of question and answer before the last message."""
    start = next((at for at, message in enumerate(messages) if message.role != "system"), 0)
    examples = messages[start:-1]
    if not examples or len(examples) % 2:
        return messages
    begin = 2 * by % len(examples)
    return (*messages[:start], *examples[begin:], *examples[:begin], messages[-1])


def _format(parts: Sequence[str]) -> str:
    """Return a format string; every second part of the text is the name of a placeholder."""
    return "".join([f"%({part})s" if at % 2 else part.replace("%", "%%") for at, part in enumerate(parts)])


def fence(text: str) -> str:
    """Return a delimiter line that a text cannot contain."""
    salted = (f"{number}:{text}".encode() for number in count())
    fences = (f"=== {blake2b(salt, digest_size=12).hexdigest()} ===" for salt in salted)
    return next(fence for fence in fences if fence not in text)
