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
    """Prompt of a question type; a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Messages of the chat, with placeholders."""
    none_of_these: str = ""
    """Option of `multi_choices` that none of the other options is right."""


class Wording(Struct, frozen=True, forbid_unknown_fields=True):
    """Prompt for a model whose reply is parsed; a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Messages of the chat, with placeholders; pairs of `user` and `assistant` before the last message are examples."""
    again: str
    """Text added to the last message after a rejected reply; `{fault}` is the reason."""


class Prompt:
    """Chat messages of one question type.

    Placeholders such as `{statement}` and `{choices}` are replaced in one pass, so that braces in a label stay. Other
    braces in the wording stay too.

    Args:
        name: Name of the prompt under `where`.
        messages: Messages of the chat.
        needs: Required placeholders.
        knows: Optional placeholders.
        where: Setting that contains the prompt.

    Raises:
        ConfigError: A required placeholder is missing.
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
        """Messages with placeholders, each as index, role and format string."""

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """Replace the placeholders in the messages."""
        filled = self._messages.copy()
        for place, role, text in self._formats:
            filled[place] = Message(role, text % values)
        return tuple(filled)


class RepeatedPrompt(Prompt):
    """Chat messages of a prompt that is repeated after a rejected reply.

    Args:
        wording: Prompt with its examples.
        needs: Required placeholders.
        knows: Optional placeholders.
        where: Setting that contains the prompt.

    Raises:
        ConfigError: A required placeholder is missing.
    """

    def __init__(self, wording: Wording, needs: Sequence[str], knows: Iterable[str], where: str) -> None:
        super().__init__("messages", wording.messages, needs, knows, where)
        self._again = Prompt("again", (Message("user", wording.again),), ("fault",), (), where)

    def again(self, values: Mapping[str, str], fault: str, number: int) -> tuple[Message, ...]:
        """Return the messages with the examples in another order and the reason of the rejection.

        Each try is a different request, so that neither a cache nor a deterministic model repeats the reply. The reply
        itself is left out, since small models would repeat it.

        Args:
            values: Values of the placeholders.
            fault: Reason why the previous reply was rejected.
            number: Number of the try, from 1.
        """
        [note] = self._again.fill({"fault": fault})
        *before, last = _rotate_examples(self.fill(values), number)
        return (*before, replace(last, content=f"{last.content}\n{note.content}"))


def _rotate_examples(messages: tuple[Message, ...], by: int) -> tuple[Message, ...]:
    """Rotate the examples of a chat, which are pairs of question and answer before the last message."""
    start = next((at for at, message in enumerate(messages) if message.role != "system"), 0)
    examples = messages[start:-1]
    if not examples or len(examples) % 2:
        return messages
    begin = 2 * by % len(examples)
    return (*messages[:start], *examples[begin:], *examples[:begin], messages[-1])


def _format(parts: Sequence[str]) -> str:
    """Return a format string from parts, every second of which is the name of a placeholder."""
    return "".join([f"%({part})s" if at % 2 else part.replace("%", "%%") for at, part in enumerate(parts)])


def fence(text: str) -> str:
    """Return a delimiter line that does not occur in a text."""
    salted = (f"{number}:{text}".encode() for number in count())
    fences = (f"=== {blake2b(salt, digest_size=12).hexdigest()} ===" for salt in salted)
    return next(fence for fence in fences if fence not in text)
