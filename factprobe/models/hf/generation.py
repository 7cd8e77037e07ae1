"""Text generation with local models: continuing prompts, choosing among given texts, filling masks; chat templates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.models.hf.packing import pad_rows
from factprobe.models.hf.statement_likelihood import logits_at
from factprobe.records import Message, join_messages

if TYPE_CHECKING:
    import torch


class GeneratedText(NamedTuple):
    """Generated text, as token ids."""

    ids: list[int]
    is_finished: bool
    """True if the model ended the text; False if the token limit did."""


class _GumbelSampler:
    """Sampler by the Gumbel-max trick (Gumbel, 1954), with a random generator for each row, independent of others."""

    def __init__(self, temperature: float, seeds: Iterable[int]) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:  # noqa: ARG002  (transformers passes both)
        import torch

        noise = torch.stack([torch.rand(scores.shape[1], generator=each) for each in self._generators])
        gumbel = -torch.log(-torch.log(noise.clamp(1e-20, 1 - 1e-7)))
        return scores / self._temperature + gumbel.to(scores)


def generate(
    model: Any,
    prompts: Sequence[Sequence[int]],
    pad_id: int,
    end_ids: Iterable[int],
    max_tokens: int,
    temperature: float,
    seeds: Sequence[int],
    allowed: Sequence[Sequence[Sequence[int]]] = (),
) -> list[GeneratedText]:
    """Generate a text for each prompt: its continuation, or the output of a sequence-to-sequence model.

    Prompts are token ids. `end_ids` are the ids of tokens that end a text. The temperature 0 is greedy; otherwise
    `seeds` has one for each prompt. `allowed` has, for each prompt of a causal model, the token ids of the texts from
    which the model must choose, or none for free text; it is ignored without `end_ids`.
    """
    import torch
    from transformers import GenerationConfig

    end_ids = list(end_ids)
    model_config = model.generation_config
    names = ("bos_token_id", "decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id")
    config = GenerationConfig(
        max_new_tokens=max_tokens,
        do_sample=False,
        pad_token_id=pad_id,
        eos_token_id=end_ids or None,
        **{name: getattr(model_config, name, None) for name in names},
    )
    batch = pad_rows(prompts, pad_id, left=not model.config.is_encoder_decoder)
    batch = {name: value.to(model.device) for name, value in batch.items()}
    start = 1 if model.config.is_encoder_decoder else batch["input_ids"].shape[1]
    processors: list[Any] = [ConstrainedDecoder(allowed, start, end_ids)] if any(allowed) and end_ids else []
    processors += [_GumbelSampler(temperature, seeds)] if temperature > 0 else []
    with torch.inference_mode():
        rows = model.generate(**batch, generation_config=config, logits_processor=processors)
    return [_cut_at_end_token(row, end_ids) for row in rows[:, start:].tolist()]


def _cut_at_end_token(ids: list[int], end_ids: list[int]) -> GeneratedText:
    for i, token in enumerate(ids):
        if token in end_ids:
            return GeneratedText(ids[:i], True)
    return GeneratedText(ids, False)


def fill_masks(
    model: Any, texts: Sequence[Sequence[int]], mask_id: int, pad_id: int, forbidden_tokens: Sequence[int]
) -> list[tuple[GeneratedText, float]]:
    """Fill masks from left to right with the likeliest allowed tokens; return these and their mean log-probability."""
    import torch

    rows = [list(text) for text in texts]
    filled: list[list[int]] = [[] for _ in rows]
    logprobs: list[list[float]] = [[] for _ in rows]
    while open_rows := [number for number, row in enumerate(rows) if mask_id in row]:
        places = [rows[number].index(mask_id) for number in open_rows]
        where = torch.arange(len(open_rows)), torch.tensor(places)
        values = logits_at(model, where, **pad_rows([rows[number] for number in open_rows], pad_id)).log_softmax(-1)
        values[:, list(forbidden_tokens)] = -torch.inf
        best, tokens = values.max(-1)
        for number, place, logprob, token in zip(open_rows, places, best.tolist(), tokens.tolist(), strict=True):
            rows[number][place] = token
            filled[number].append(token)
            logprobs[number].append(logprob)
    return [(GeneratedText(ids, True), sum(values) / len(values)) for ids, values in zip(filled, logprobs, strict=True)]


def render_chat(tokenizer: Any, messages: Sequence[Message]) -> str:
    """Render messages by the tokenizer's chat template; if it rejects a system message, join that to the user's."""
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


_LITERAL = r'"(?:[^"\\]|\\.)*"'
_ONE_OF = re.compile(rf"root ::= {_LITERAL}(?: \| {_LITERAL})*")


def allowed_texts(grammar: str) -> list[str]:
    """Return the alternatives of a GBNF grammar that is a choice of literal texts; empty for any other grammar."""
    return [json.loads(text) for text in re.findall(_LITERAL, grammar)] if _ONE_OF.fullmatch(grammar) else []


class ConstrainedDecoder:
    """Logits processor that restricts each row to one of the texts given for it; without texts, it is free.

    `start` is the index of the first generated token in a row; `end_ids` has the ids of tokens that end a text.
    """

    def __init__(self, texts: Sequence[Sequence[Sequence[int]]], start: int, end_ids: Sequence[int]) -> None:
        self._texts = [[[*ids, end] for ids in of_row for end in end_ids] for of_row in texts]
        self._start = start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores with minus infinity for forbidden tokens."""
        import torch

        allowed_scores = scores.clone()
        for row, texts in enumerate(self._texts):
            written = input_ids[row, self._start :].tolist()
            length = len(written)
            if allowed := [ids[length] for ids in texts if ids[:length] == written and len(ids) > length]:
                allowed_scores[row] = torch.full_like(scores[row], -torch.inf)
                allowed_scores[row, allowed] = scores[row, allowed]
        return allowed_scores
