"""The text that a model reads for the messages of a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from factprobe.records import Message


def joined(messages: Sequence[Message]) -> str:
    """The messages without a chat template, with a blank line between them."""
    return "\n\n".join(message.content for message in messages)


def rendered_chat(tokenizer: Any, messages: Sequence[Message]) -> str:
    """The messages in the tokenizer's chat template; where that knows no system message, it leads the user's."""
    from jinja2 import TemplateError

    def rendered(chat: Sequence[Message]) -> str:
        dicts = [{"role": message.role, "content": message.content} for message in chat]
        return str(tokenizer.apply_chat_template(dicts, tokenize=False, add_generation_prompt=True))

    try:
        return rendered(messages)
    except TemplateError:
        if [message.role for message in messages] != ["system", "user"]:
            raise
        return rendered([Message("user", joined(messages))])
