"""Prompts: what a wording must have, and what goes into it."""

from __future__ import annotations

import pytest

from factprobe.components.prompts import Prompt, RepeatedPrompt, Wording
from factprobe.errors import ConfigError
from factprobe.records import Message


def test_a_prompt_is_filled_in_one_pass() -> None:
    prompt = Prompt("p", [Message("system", "Be {kind}."), Message("user", "{choices}|{statement}|{statement}")], [])
    messages = prompt.fill({"statement": "{choices}{statement}", "choices": "{statement}\\1"})
    assert messages == (
        Message("system", "Be {kind}."),
        Message("user", "{statement}\\1|{choices}{statement}|{choices}{statement}"),
    )


def test_a_placeholder_may_stand_in_any_message() -> None:
    prompt = Prompt("p", [Message("system", "{choices}"), Message("user", "{statement}")], ["statement", "choices"])
    assert [message.content for message in prompt.fill({"statement": "s", "choices": "c"})] == ["c", "s"]


@pytest.mark.parametrize("content", ["", "statement", "{ statement }", "{Statement}", "{choices}"])
def test_a_missing_placeholder_is_an_error_of_the_settings(content: str) -> None:
    with pytest.raises(ConfigError, match=r"^generator\.prompts\.p: .*no \{statement\}"):
        Prompt("p", [Message("user", content)], ["statement"])


@pytest.mark.parametrize("pairs", range(4))
@pytest.mark.parametrize("has_system", [True, False])
def test_each_try_is_a_different_request(pairs: int, has_system: bool) -> None:
    examples = [Message(role, f"{role} {number}") for number in range(pairs) for role in ("user", "assistant")]
    system = [Message("system", "Judge.")] * has_system
    wording = Wording((*system, *examples, Message("user", "{statement}?")), "Rejected: {fault}.")
    prompt, values = RepeatedPrompt(wording, ("statement",), (), "wording"), {"statement": "s"}
    tries = [prompt.fill(values), *(prompt.fill_for_retry(values, "no label", number) for number in range(1, 9))]
    assert len({*tries}) == len(tries)
    assert all(sorted(map(str, messages[:-1])) == sorted(map(str, tries[0][:-1])) for messages in tries)
    assert tries[1][-1].content == "s?\nRejected: no label."
