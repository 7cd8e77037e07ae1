"""Conversion of a request's messages to the text that a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from factprobe.records import Message, join_messages


def render_chat(tokenizer: Any, messages: Sequence[Message]) -> str:
    """Render messages in the tokenizer's chat template; a rejected system message is put before the user's."""
    from jinja2 import TemplateError

    def apply_template(chat: Sequence[Message]) -> str:
        dicts = [{"role": message.role, "content": message.content} for message in chat]
        return str(tokenizer.apply_chat_template(dicts, tokenize=False, add_generation_prompt=True))

    try:
        return apply_template(messages)
    except TemplateError:
        if [message.role for message in messages] != ["system", "user"]:
            raise
        return apply_template([Message("user", join_messages(messages))])
