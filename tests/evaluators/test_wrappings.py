"""What stands around an answer and is none of it: echoed prompts, marks of final answers, odd markup."""

from __future__ import annotations

import pytest

from factprobe.api import grade_answers

CAPITAL = "What is the capital of France?"
ALPACA = "Below is an instruction that describes a task. Write a response that appropriately completes the request."
LLAMA = "<|start_header_id|>{}<|end_header_id|>\n\n"


def verdict(reply: str, answer: str = "Paris") -> str:
    [found] = grade_answers([{"question": CAPITAL, "answers": [answer], "response": reply}])
    return found.verdict


@pytest.mark.parametrize(
    "prompt",
    [
        f"### Question:\n{CAPITAL}\n### Answer:\n",
        f"### Instruction:\n{CAPITAL} Is it Lyon?\n\n### Response:\n",
        f"{ALPACA}\n\n### Instruction:\n{CAPITAL}\n\n### Response:\n",
        f"### Human: {CAPITAL}\n### Assistant: ",
        LLAMA.format("assistant"),
        f"<|begin_of_text|>{LLAMA.format('system')}Be brief.<|eot_id|>{LLAMA.format('user')}{CAPITAL}<|eot_id|>"
        + LLAMA.format("assistant"),
        f"[INST] {CAPITAL} [/INST] ",
        f"<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n{CAPITAL} [/INST] ",
        f"<|im_start|>user\n{CAPITAL} Lyon?<|im_end|>\n<|im_start|>assistant\n",
        f"<start_of_turn>user\n{CAPITAL}<end_of_turn>\n<start_of_turn>model\n",
        f"<|user|>\n{CAPITAL}</s>\n<|assistant|>",
    ],
)
def test_the_prompt_before_an_answer_is_none_of_it(prompt: str) -> None:
    assert verdict(f"{prompt}Paris") == "correct"
    assert verdict(f"{prompt}Lyon") == "incorrect"


@pytest.mark.parametrize(
    "behind",
    [
        "<|im_end|>\n<|im_start|>user\nSure?<|im_end|>\n<|im_start|>assistant\nLyon",
        "\n### Instruction:\nName another.\n### Response:\nLyon",
        " [/INST] Lyon [INST] Sure? [/INST] Lyon",
    ],
)
def test_what_follows_an_answer_is_none_of_it(behind: str) -> None:
    assert verdict(f"Paris{behind}") == "correct"
    assert verdict(f"Paris{behind}", "Lyon") == "incorrect"


@pytest.mark.parametrize(
    ("reply", "answer", "expected"),
    [
        ("Reasoning: some say Lyon.\n#### Paris", "Paris", "correct"),
        ("It may be Paris.\n\n#### Lyon\n", "Paris", "incorrect"),
        ("3 × 12 = 36\n36 - 4 = 32\n#### 36", "32", "incorrect"),
        ("3 × 12 = 36\n36 - 4 = 32\n#### 32", "32", "correct"),
        ("The capital is Paris.\n#### Background\nIt lies on the Seine.", "Paris", "correct"),
    ],
)
def test_the_marked_last_line_is_the_answer(reply: str, answer: str, expected: str) -> None:
    assert verdict(reply, answer) == expected


@pytest.mark.parametrize(
    "wrapping",
    [
        "<{}>",
        "<<{}>>",
        "Finish[{}]",
        "Thought 1: Oslo?\nAction 1: Search[Oslo]\nObservation 1: none\nAction 2: Finish[{}]",
        "<|begin_of_thought|>Oslo?<|end_of_thought|>\n<|begin_of_solution|>{}<|end_of_solution|>",
        "<|START_THINKING|>Oslo?<|END_THINKING|><|START_RESPONSE|>{}<|END_RESPONSE|>",
    ],
)
def test_odd_markup_is_none_of_the_answer(wrapping: str) -> None:
    for name, expected in (("Paris", "correct"), ("Lyon", "incorrect")):
        assert verdict(wrapping.format(name)) == expected
    assert verdict(wrapping.format("206"), "206") == "correct"


@pytest.mark.parametrize(("reply", "expected"), [("<br>", "unparsed"), ("NOANSWER", "abstained")])
def test_a_reply_without_an_answer(reply: str, expected: str) -> None:
    assert verdict(reply) == expected
