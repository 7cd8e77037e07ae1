"""Text generation with local models: token by token, limited to given texts, or into the masks of a masked model.

Also the text of a chat that such a model reads.
"""

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
    """Generated text."""

    ids: list[int]
    finished: bool
    """True if the text ended by itself."""


class _GumbelSampler:
    """Sampler by the Gumbel-max trick (Gumbel, 1954): the maximum of logits / temperature + noise is a softmax sample.

    Each row has its own generator, so that samples do not depend on the other rows.
    """

    def __init__(self, temperature: float, seeds: Iterable[int]) -> None:
        import torch

        self._temperature = temperature
        self._generators = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:  # noqa: ARG002  (transformers passes both)
        import torch

        noise = torch.stack([torch.rand(scores.shape[1], generator=each) for each in self._generators])
        gumbel = -torch.log(-torch.log(noise.clamp(1e-20, 1 - 1e-7)))
        return scores / self._temperature + gumbel.to(scores)


def write(
    model: Any,
    prompts: Sequence[Sequence[int]],
    pad: int,
    ends: Iterable[int],
    max_tokens: int,
    temperature: float,
    seeds: Sequence[int],
    allowed: Sequence[Sequence[Sequence[int]]] = (),
) -> list[GeneratedText]:
    """Continue prompts, or answer them in the decoder of a sequence-to-sequence model.

    Prompts are token ids, padded on the left for a causal model; `ends` are the ids of tokens that end a text. The
    temperature 0 is greedy; otherwise each prompt has a seed. For a causal model, `allowed` has the token ids of the
    texts allowed as each answer, none if it is free.
    """
    import torch
    from transformers import GenerationConfig

    ends = list(ends)
    own = model.generation_config
    names = ("bos_token_id", "decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id")
    config = GenerationConfig(
        max_new_tokens=max_tokens,
        do_sample=False,
        pad_token_id=pad,
        eos_token_id=ends or None,
        **{name: getattr(own, name, None) for name in names},
    )
    batch = pad_rows(prompts, pad, left=not model.config.is_encoder_decoder)
    batch = {name: value.to(model.device) for name, value in batch.items()}
    start = 1 if model.config.is_encoder_decoder else batch["input_ids"].shape[1]
    processors: list[Any] = [ConstrainedDecoder(allowed, start, ends)] if any(allowed) and ends else []
    processors += [_GumbelSampler(temperature, seeds)] if temperature > 0 else []
    with torch.inference_mode():
        rows = model.generate(**batch, generation_config=config, logits_processor=processors)
    return [_cut_at_end_token(row, ends) for row in rows[:, start:].tolist()]


def _cut_at_end_token(ids: list[int], ends: list[int]) -> GeneratedText:
    for i, token in enumerate(ids):
        if token in ends:
            return GeneratedText(ids[:i], True)
    return GeneratedText(ids, False)


def fill(
    model: Any, texts: Sequence[Sequence[int]], mask: int, pad: int, never: Sequence[int]
) -> list[tuple[GeneratedText, float]]:
    """Fill the masks of each text from left to right with the likeliest tokens but those in `never`.

    Each filled-in text comes with the mean log-probability of its tokens.
    """
    import torch

    rows = [list(text) for text in texts]
    filled: list[list[int]] = [[] for _ in rows]
    logprobs: list[list[float]] = [[] for _ in rows]
    while open_rows := [number for number, row in enumerate(rows) if mask in row]:
        places = [rows[number].index(mask) for number in open_rows]
        where = torch.arange(len(open_rows)), torch.tensor(places)
        values = logits_at(model, where, **pad_rows([rows[number] for number in open_rows], pad)).log_softmax(-1)
        values[:, list(never)] = -torch.inf
        best, tokens = values.max(-1)
        for number, place, logprob, token in zip(open_rows, places, best.tolist(), tokens.tolist(), strict=True):
            rows[number][place] = token
            filled[number].append(token)
            logprobs[number].append(logprob)
    return [(GeneratedText(ids, True), sum(values) / len(values)) for ids, values in zip(filled, logprobs, strict=True)]


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


_LITERAL = r'"(?:[^"\\]|\\.)*"'
_ONE_OF = re.compile(rf"root ::= {_LITERAL}(?: \| {_LITERAL})*")


def allowed_texts(grammar: str) -> list[str]:
    """Return the texts that a GBNF grammar allows if it only lists texts, else none."""
    return [json.loads(text) for text in re.findall(_LITERAL, grammar)] if _ONE_OF.fullmatch(grammar) else []


class ConstrainedDecoder:
    """Logits processor that limits each row to the tokens of given texts.

    A row without texts is free. The generated text begins at `start`; `ends` are the ids of tokens that end a text, at
    least one.
    """

    def __init__(self, texts: Sequence[Sequence[Sequence[int]]], start: int, ends: Sequence[int]) -> None:
        self._texts = [[[*ids, end] for ids in of_row for end in ends] for of_row in texts]
        self._start = start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores, in which those of forbidden tokens are minus infinity."""
        import torch

        kept = scores.clone()
        for row, texts in enumerate(self._texts):
            written = input_ids[row, self._start :].tolist()
            many = len(written)
            if allowed := [ids[many] for ids in texts if ids[:many] == written and len(ids) > many]:
                kept[row] = torch.full_like(scores[row], -torch.inf)
                kept[row, allowed] = scores[row, allowed]
        return kept
