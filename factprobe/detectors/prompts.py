"""A wording with examples of it: what is asked about each, and the reply that it should get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factprobe.generators.prompts import RepeatedPrompt, Wording, fence
from factprobe.records import Message


class Example(NamedTuple):
    """An item with the reply to it."""

    values: Mapping[str, str]
    """For the placeholders."""
    reply: str


class FewShotPrompt:
    """How a model is asked about an item, after examples that were asked about in the same words.

    The texts cannot talk to the model: they stand between lines that do not occur in them. Those of an example
    are its own, so that the requests of all items begin alike, which a model or endpoint may keep.

    Args:
        wording: the last of its messages asks about an item.
        needs: the placeholders of an item that must be there, beside `{fence}`.
        knows: further ones of an item that may be.
        where: the setting that it is.
        examples: of all these placeholders.

    Raises:
        ConfigError: a placeholder that is needed is missing.
    """

    def __init__(
        self, wording: Wording, needs: Sequence[str], knows: Sequence[str], where: str, examples: Sequence[Example] = ()
    ) -> None:
        *before, last = wording.messages
        shown: list[Message] = []
        self._values: dict[str, str] = {}
        for number, example in enumerate(examples):
            content = last.content
            for name, value in {**example.values, "fence": _fence(example.values)}.items():
                content = content.replace(f"{{{name}}}", f"{{{name}_{number}}}")  # lest a text be a prompt
                self._values[f"{name}_{number}"] = value
            self._values[f"reply_{number}"] = example.reply
            shown += [Message("user", content), Message("assistant", f"{{reply_{number}}}")]
        asked = Wording((*before, *shown, last), wording.again)
        self._prompt = RepeatedPrompt(asked, (*needs, "fence"), (*knows, *self._values), where)

    def ask(self, values: Mapping[str, str], fault: str = "", number: int = 0) -> tuple[Message, ...]:
        """The messages about an item.

        Args:
            values: for the placeholders.
            fault: what is wrong with the reply to the try before.
            number: of the try, from 0.
        """
        every = {**self._values, **values, "fence": _fence(values)}
        return self._prompt.again(every, fault, number) if number else self._prompt.fill(every)


def _fence(values: Mapping[str, str]) -> str:
    return fence("\n".join(values.values()))
