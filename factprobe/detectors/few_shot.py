"""Few-shot prompts, which consist of a wording and examples with their replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factprobe.components.prompts import RepeatedPrompt, Wording, fence
from factprobe.records import Message


class FewShotExample(NamedTuple):
    """Item with its reply."""

    values: Mapping[str, str]
    reply: str


class FewShotPrompt:
    """Prompt about an item, after examples in the same wording.

    Texts cannot pose as instructions, since they are put between lines that do not occur in them. The lines of an
    example depend only on its own texts, so that all requests share a prefix, which a model or endpoint may cache. The
    last message of the wording asks about an item. Items and examples have values for the placeholders `needs`, which
    are required like `{fence}`, and for the optional ones `knows`.
    """

    def __init__(
        self, wording: Wording, needs: Sequence[str], knows: Sequence[str], examples: Sequence[FewShotExample] = ()
    ) -> None:
        *before, last = wording.messages
        shown: list[Message] = []
        self._values: dict[str, str] = {}
        for number, example in enumerate(examples):
            content = last.content
            for name, value in {**example.values, "fence": fence("\n".join(example.values.values()))}.items():
                # so that placeholders in a text are not filled
                content = content.replace(f"{{{name}}}", f"{{{name}_{number}}}")
                self._values[f"{name}_{number}"] = value
            self._values[f"reply_{number}"] = example.reply
            shown += [Message("user", content), Message("assistant", f"{{reply_{number}}}")]
        asked = Wording((*before, *shown, last), wording.again)
        self._prompt = RepeatedPrompt(asked, (*needs, "fence"), (*knows, *self._values), "detector.wording")

    def ask(self, values: Mapping[str, str], fault: str = "", number: int = 0) -> tuple[Message, ...]:
        """Return the messages about an item; attempts after the first, number 0, state the previous reply's fault."""
        every = {**self._values, **values, "fence": fence("\n".join(values.values()))}
        return self._prompt.again(every, fault, number) if number else self._prompt.fill(every)
