"""Chat messages with placeholders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from factprobe.errors import ConfigError
from factprobe.records import Message

_USUAL = ("statement", "choices")


class Prompt:
    """The chat messages of one question type.

    `{statement}`, `{choices}` and whatever else the type needs are replaced in one pass, so braces in a label, or any
    others in the wording, stay.

    Raises:
        ConfigError: a placeholder that the question type needs is missing.
    """

    def __init__(self, name: str, messages: Sequence[Message], needs: Sequence[str]) -> None:
        placeholder = re.compile(rf"\{{({'|'.join({*_USUAL, *needs})})\}}")
        self._messages = [(message, placeholder.split(message.content)) for message in messages]
        used = {part for _, parts in self._messages for part in parts[1::2]}
        for missing in sorted({*needs} - used):
            raise ConfigError(
                f"the prompt has no {{{missing}}}",
                where=f"generator.prompts.{name}",
                mend=f"put {{{missing}}} into one of its messages",
            )

    def fill(self, values: Mapping[str, str]) -> tuple[Message, ...]:
        """The messages with the placeholders replaced."""
        return tuple(
            message
            if len(parts) == 1
            else Message(message.role, "".join(values[part] if i % 2 else part for i, part in enumerate(parts)))
            for message, parts in self._messages
        )
