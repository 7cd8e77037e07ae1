"""Chat messages with placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from factprobe.errors import ConfigError
from factprobe.records import Message

_USUAL = ("statement", "choices")


class PromptSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """One wording, a file of `conf/prompts/`."""

    messages: tuple[Message, ...]
    """Of a chat, with placeholders."""
    none_of_these: str = ""
    """For `multi_choices`: the option that says that none of the others is right."""


class Prompt:
    """The chat messages of one question type.

    `{statement}`, `{choices}` and whatever else the type needs are replaced in one pass, so braces in a label, or any
    others in the wording, stay.

    Args:
        name: what it is called under `where`.
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
        self._messages = [(message, placeholder.split(message.content)) for message in messages]
        """With their texts, in which every other part is the name of a placeholder."""
        used = {part for _, parts in self._messages for part in parts[1::2]}
        for missing in sorted({*needs} - used):
            raise ConfigError(
                f"the prompt has no {{{missing}}}",
                where=f"{where}.{name}",
                mend=f"put {{{missing}}} into one of its messages",
            )

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages with the placeholders replaced."""
        filled = [message if len(parts) == 1 else _filled(message, parts, values) for message, parts in self._messages]
        return tuple(filled)


def _filled(message: Message, parts: Sequence[str], values: Mapping[str, str]) -> Message:
    texts = [*parts]
    texts[1::2] = [values[name] for name in parts[1::2]]
    return Message(message.role, "".join(texts))
