"""Few-shot prompts: a prompt template, filled for examples with their replies and then for the item in question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from factprobe.components.prompts import RepeatedPrompt, Wording, fence
from factprobe.records import Message


class FewShotExample(NamedTuple):
    """Example of an item and the expected reply."""

    values: Mapping[str, str]
    reply: str


class FewShotPrompt:
    """Prompt about an item, preceded by examples in the same wording.

    Against prompt injection, texts stand between delimiter lines that do not occur in them. All requests begin with the
    same examples, so that a model or endpoint can cache them. The last message of `wording` asks about an item and is
    repeated for each example. It must have the placeholders `needs` and `{fence}`, and may have `knows`.
    """

    def __init__(
        self, wording: Wording, needs: Sequence[str], knows: Sequence[str], examples: Sequence[FewShotExample] = ()
    ) -> None:
        *before, last = wording.messages
        example_messages: list[Message] = []
        self._values: dict[str, str] = {}
        for number, example in enumerate(examples):
            content = last.content
            for name, value in {**example.values, "fence": fence("\n".join(example.values.values()))}.items():
                # so that placeholders in a text are not filled
                content = content.replace(f"{{{name}}}", f"{{{name}_{number}}}")
                self._values[f"{name}_{number}"] = value
            self._values[f"reply_{number}"] = example.reply
            example_messages += [Message("user", content), Message("assistant", f"{{reply_{number}}}")]
        with_examples = Wording((*before, *example_messages, last), wording.again)
        self._prompt = RepeatedPrompt(with_examples, (*needs, "fence"), (*knows, *self._values), "detector.wording")

    def ask(self, values: Mapping[str, str], fault: str = "", number: int = 0) -> tuple[Message, ...]:
        """Return the messages about an item; a repeated attempt (`number` > 0) states the last reply's `fault`."""
        all_values = {**self._values, **values, "fence": fence("\n".join(values.values()))}
        return self._prompt.fill_for_retry(all_values, fault, number) if number else self._prompt.fill(all_values)
