"""Ranking by an endpoint that returns the log-probabilities of a prompt: a real model behind HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import CallError, ModelError
from factprobe.models.providers.completions import locate_tokens
from factprobe.models.token_scorer import TokenScorer, read_scored_tokens, scoring_request
from factprobe.records import Answer, Message, Question
from tests.models.hf import tiny
from tests.models.server import completion, endpoint

CHOICES = ("Paris", "Rome", "Oslo", "Kristiansund", "Copenhagen and Oslo")


def ranked(number: int, before: str, after: str) -> Question:
    """A question whose choices are ranked in the gap."""
    prompts = (Message("user", f"{before}____{after}"),)
    name = f"Q{number}:Q90:P36:multi_choices:multi_choices_obj"
    answers = (Answer("Q90", "Paris"),)
    return Question(name, "multi_choices", prompts, answers, "P36", f"Q{number}", "Q90", CHOICES, cloze=(before, after))


ASKED = [ranked(1, "The capital of France is ", "."), ranked(2, "", " is the capital of Italy."), ranked(3, "At ", "")]


class EchoingModel:
    """What vLLM and OpenAI's completions do with `echo` and `logprobs`, by a model from a folder."""

    def __init__(self, folder: str) -> None:
        import transformers

        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def __call__(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        assert body["echo"]
        prompts = [body["prompt"]] if isinstance(body["prompt"], str) else body["prompt"]
        choices = [self._echo(body, index, text) for index, text in enumerate(prompts)]
        used = sum(len(choice["logprobs"]["token_logprobs"]) for choice in choices)
        return 200, {"choices": choices[::-1], "usage": {"prompt_tokens": used, "completion_tokens": 0}}

    def _echo(self, body: dict[str, Any], index: int, text: str) -> dict[str, Any]:
        import torch

        ids = torch.tensor([self.tokenizer.bos_token_id, *self.tokenizer(text)["input_ids"]])
        with torch.inference_mode():
            logprobs = self.model(ids[None]).logits[0].log_softmax(-1)
        found = [None, *(float(logprobs[i - 1, ids[i]]) for i in range(1, len(ids)))]
        shown = [self.tokenizer.decode(token) for token in ids]
        written = body["max_tokens"]
        told = {"token_logprobs": [*found, *[-0.1] * written], "tokens": [*shown, *["!"] * written]}
        return {"index": index, "text": text, "logprobs": told}


@pytest.mark.slow
@pytest.mark.parametrize("extra", [{}, {"max_tokens": 1}])
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_endpoint_scores_as_the_model_behind_it(tmp_path: Path, reduction: str, extra: dict[str, int]) -> None:
    folder = tiny.save(tmp_path, "llama")
    direct = ask_model(load_model("transformers", model=folder, reduction=reduction), ASKED)
    with endpoint(EchoingModel(folder)) as server:
        model = load_model("openai", model="m", base_url=server.base_url, reduction=reduction, extra_body=extra)
        responses = ask_model(model, ASKED)
    for response, expected in zip(responses, direct, strict=True):
        assert response.error is None
        assert response.scores == pytest.approx(expected.scores, abs=1e-4)
        assert response.response == expected.response
        assert response.usage is not None
        assert response.usage.prompt_tokens > 0


@pytest.mark.slow
@pytest.mark.parametrize("extra", [{}, {"max_tokens": 1}])
def test_tokens_of_a_text_are_as_probable_as_in_the_model_behind_the_endpoint(
    tmp_path: Path, extra: dict[str, int]
) -> None:
    folder, text = tiny.save(tmp_path, "llama"), "The capital of France is Paris."
    asked = [scoring_request("a", text, 15)]
    [direct] = ask_model(TokenScorer(load_model("transformers", model=folder)), asked)
    with endpoint(EchoingModel(folder)) as server:
        model = load_model("openai", model="m", base_url=server.base_url, extra_body=extra)
        [response] = ask_model(TokenScorer(model), asked)
    found, expected = read_scored_tokens(response), read_scored_tokens(direct)
    assert [(token.start, token.end) for token in found] == [(token.start, token.end) for token in expected]
    assert [token.logprob for token in found] == pytest.approx([token.logprob for token in expected], abs=1e-4)
    assert {text[token.start : token.end][:1] for token in found} > {"F", "P"}


def placed_words(text: str, *tokens: str) -> list[str]:
    return [text[token.start : token.end] for token in locate_tokens(text, tokens, [None, *[-1.0] * (len(tokens) - 1)])]


def test_token_offsets() -> None:
    assert placed_words("a bc", "<s>", "a", " b", "c") == ["a", "b", "c"]
    assert placed_words("a bc", "<s>", " a", " b", "c") == ["a", "b", "c"]
    assert placed_words("a bc", "a", " b", "c") == ["b", "c"], "the first has no probability"
    for wrong in (("a", " b"), ("a", " x", "c"), ("a", " b", "bytes:\\xe2")):
        with pytest.raises(CallError, match="do not add up"):
            placed_words("a bc", *wrong)


def test_endpoint_without_log_probabilities_ends_the_run() -> None:
    with endpoint(lambda body: (200, {"choices": [{"index": i, "text": ""} for i in range(5)]})) as server:
        with pytest.raises(ModelError, match="no log-probabilities of a prompt"):
            ask_model(load_model("openai", model="m", base_url=server.base_url), ASKED)
        assert len(server.requests) <= 3


@pytest.mark.parametrize("logprobs", [[None], [None, None], [None, -1.0, None], [-1.0, None], [None, float("nan")]])
def test_unknown_log_probability_of_a_prompt_fails_the_question(logprobs: list[float | None]) -> None:
    def reply(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        good = {"token_logprobs": [None, -2.0], "tokens": ["a", "b"]}
        odd = {"token_logprobs": logprobs, "tokens": [*"abc"[: len(logprobs)]]}
        sent = [odd if "France" in text else good for text in body["prompt"]]
        return 200, {"choices": [{"index": i, "text": "", "logprobs": told} for i, told in enumerate(sent)]}

    with endpoint(reply) as server:
        responses = ask_model(load_model("openai", model="m", base_url=server.base_url, max_retries=0), ASKED)
    assert [response.scores for response in responses] == [(), (-2.0,) * 5, (-2.0,) * 5]
    assert responses[0].error


@pytest.mark.parametrize(("text", "reason"), [(" foo", "does not return the prompt"), ("{} foo", "writes on after")])
def test_endpoint_that_does_not_echo_the_prompt_alone_ends_the_run(text: str, reason: str) -> None:
    def reply(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        told = {"token_logprobs": [-1.0], "tokens": [" foo"]}
        sent = [text.replace("{}", prompt) for prompt in body["prompt"]]
        return 200, {"choices": [{"index": i, "text": one, "logprobs": told} for i, one in enumerate(sent)]}

    with endpoint(reply) as server, pytest.raises(ModelError, match=reason):
        ask_model(load_model("openai", model="m", base_url=server.base_url), ASKED)


def test_unknown_log_probability_of_an_answer_is_left_out_with_the_others() -> None:
    told = {"token_logprobs": [None, -0.5], "tokens": ["Par", "is"]}
    reply = {"choices": [{"index": 0, "text": "Paris", "finish_reason": "stop", "logprobs": told}]}
    asked = Question("q", "single_answer", ASKED[0].prompts, (), "P36", "Q1", "Q2")
    with endpoint(lambda body: (200, reply)) as server:
        model = load_model("openai", model="m", base_url=server.base_url, api="completions", logprobs=True)
        [response] = ask_model(model, [asked])
    assert (response.response, response.logprobs) == ("Paris", ())


def test_log_probabilities_of_the_answer() -> None:
    reply = completion("Paris")
    reply["choices"][0]["logprobs"] = {"content": [{"token": "Par", "logprob": -0.5}, {"token": "is", "logprob": -0.1}]}
    with endpoint(lambda body: (200, reply)) as server:
        model = load_model("openai", model="m", base_url=server.base_url, logprobs=True)
        [response] = ask_model(model, [Question("q", "single_answer", ASKED[0].prompts, (), "P36", "Q1", "Q2")])
    assert response.logprobs == (-0.5, -0.1)
    assert server.requests[0]["logprobs"] is True


def test_plain_completions_and_a_schema() -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
    asked = Question(
        "q", "single_answer", (Message("system", "Be brief."), Message("user", "France?")), (), "P36", "Q1", "Q2"
    )
    reply = {"choices": [{"index": 0, "text": '{"answer": "Paris"}', "finish_reason": "stop"}]}
    with endpoint(lambda body: (200, reply)) as server:
        settings = {"model": "m", "base_url": server.base_url, "json_schema": schema}
        [response] = ask_model(load_model("openai", **settings, api="completions"), [asked])
    assert response.response == '{"answer": "Paris"}'
    [request] = server.requests
    assert request["prompt"] == "Be brief.\n\nFrance?"
    assert request["response_format"]["json_schema"]["schema"] == schema
