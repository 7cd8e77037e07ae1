"""Log-likelihood of statements under a local language model, as LM Pub Quiz defines it.

Causal models: the log-probability of each token given those before it, except the start token (Petroni et al., 2019;
Wiland et al., 2024). Masked models: the pseudo-log-likelihood, for which each token in turn is masked and predicted
from the others (Salazar et al., 2020, *Masked Language Model Scoring*). Later tokens of the same word are masked too,
`within_word_l2r` (Kauf & Ivanova, 2023, *A Better Way to Do Masked Language Model Scoring*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.models.hf.checkpoints import Checkpoint
from factprobe.models.hf.packing import batch_by_length, build_trees, pad_rows

if TYPE_CHECKING:
    import torch

_TOLERANCE, _HALF_PRECISION_TOLERANCE = 0.01, 0.5
"""Tolerated difference of a token's log-probability between packed and plain computation: in single precision, and in
half precision."""
_COMPARED_STATEMENTS = 8
"""Number of statements on which packed and plain computation are compared."""
_TOKENS_ON_CPU, _TOKENS_ELSEWHERE = 512, 2048


class TokenisedStatement(NamedTuple):
    """Statement as tokens."""

    ids: tuple[int, ...]
    scored: tuple[bool, ...]
    """True for each token of the text; False for tokens that the tokenizer adds."""
    words: tuple[int | None, ...]
    """Index of each token's word; None for tokens that the tokenizer adds."""

    def with_start_token(self, start: int | None) -> TokenisedStatement:
        """Return the statement for a causal model: beginning with the start token, if any, without added end tokens."""
        end = max((i + 1 for i, scored in enumerate(self.scored) if scored), default=0)
        ids, scored, words = self.ids[:end], self.scored[:end], self.words[:end]
        if start is None or ids[:1] == (start,):
            return TokenisedStatement(ids, scored, words)
        return TokenisedStatement((start, *ids), (False, *scored), (None, *words))


def causal_logprobs(model: Any, sentences: Sequence[tuple[int, ...]], max_tokens: int) -> list[list[float]]:
    """Return, for each sentence, the log-probability of each token after the first, given those before it.

    Sentences are packed into one row as a prefix tree in which a token attends to its ancestors: common prefixes are
    computed once, and there is no padding. The model must accept a custom mask and positions; `packing_is_exact` checks
    it. A forward pass has at most `max_tokens` tokens.
    """
    import torch

    found: list[list[float]] = [[] for _ in sentences]
    for tree in build_trees(sentences, max_tokens):
        size = len(tree.tokens)
        attended = torch.zeros(size, size, dtype=torch.bool)
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                attended[node] = attended[parent]
            attended[node, node] = True
        mask = torch.zeros(size, size, dtype=model.dtype).masked_fill_(~attended, torch.finfo(model.dtype).min)
        tokens, parents = torch.tensor(tree.tokens), torch.tensor(tree.parents)
        children = (parents >= 0).nonzero()[:, 0]
        queried, rows = torch.unique(parents[children], return_inverse=True)
        logits = logits_at(
            model,
            (torch.zeros_like(queried), queried),
            input_ids=tokens[None],
            attention_mask=mask[None, None],
            position_ids=torch.tensor(tree.depths)[None],
            use_cache=False,
        )
        logprobs = [0.0] * size
        values = _label_logprobs(logits, rows, tokens[children])
        for child, value in zip(children.tolist(), values, strict=True):
            logprobs[child] = value
        for number, path in tree.paths:
            found[number] = [logprobs[node] for node in path[1:]]
    return found


def causal_logprobs_unpacked(model: Any, sentences: Sequence[tuple[int, ...]], max_tokens: int) -> list[list[float]]:
    """Return the result of `causal_logprobs` with a row for each sentence: slower, and without custom masks."""
    import torch

    logprobs: list[list[float]] = [[] for _ in sentences]
    for numbers in batch_by_length([len(ids) for ids in sentences], max_tokens):
        batch = [sentences[number] for number in numbers]
        places = [(row, i) for row, ids in enumerate(batch) for i in range(len(ids) - 1)]
        labels = torch.tensor([ids[i + 1] for ids in batch for i in range(len(ids) - 1)], dtype=torch.long)
        where = torch.tensor(places, dtype=torch.long).reshape(-1, 2)
        logits = logits_at(model, (where[:, 0], where[:, 1]), **pad_rows(batch, 0), use_cache=False)
        for (row, _), value in zip(places, _label_logprobs(logits, torch.arange(len(places)), labels), strict=True):
            logprobs[numbers[row]].append(value)
    return logprobs


def packing_is_exact(model: Any, sentences: Sequence[tuple[int, ...]], max_tokens: int) -> bool:
    """Return whether packed sentences get the same log-probabilities, up to rounding, as in rows of their own."""
    import torch

    close = _TOLERANCE if model.dtype == torch.float32 else _HALF_PRECISION_TOLERANCE
    try:
        packed = causal_logprobs(model, sentences, max_tokens)
    except torch.OutOfMemoryError:  # not due to the architecture
        raise
    except (RuntimeError, TypeError, ValueError):  # the architecture lacks these arguments
        return False
    pairs = zip(packed, causal_logprobs_unpacked(model, sentences, max_tokens), strict=True)
    return all(abs(a - b) <= close for ours, plain in pairs for a, b in zip(ours, plain, strict=True))


def masked_logprobs(
    model: Any, sentences: Sequence[TokenisedStatement], mask: int, pad: int, max_tokens: int
) -> list[list[float]]:
    """Return, for each sentence, the log-probability of each scored token given the others.

    Scored tokens that follow a token within its word are masked together with it. Equal inputs of several sentences are
    computed once. A forward pass has at most `max_tokens` tokens.
    """
    import torch

    inputs: dict[tuple[tuple[int, ...], int], int] = {}
    targets: list[tuple[int, int]] = []
    for sentence in sentences:
        for place, label in enumerate(sentence.ids):
            if sentence.scored[place]:
                masked = _masked_positions(sentence, place, mask)
                targets.append((inputs.setdefault((masked, place), len(inputs)), label))
    rows = list(inputs)
    labels_of: dict[int, list[int]] = {}
    for row, label in targets:
        labels_of.setdefault(row, []).append(label)
    values: dict[tuple[int, int], float] = {}
    for numbers in batch_by_length([len(ids) for ids, _ in rows], max_tokens):
        places = torch.tensor([rows[number][1] for number in numbers])
        batch = pad_rows([rows[number][0] for number in numbers], pad)
        logits = logits_at(model, (torch.arange(len(numbers)), places), **batch)
        pairs = [(i, label) for i, number in enumerate(numbers) for label in labels_of[number]]
        positions, labels = (torch.tensor(column) for column in zip(*pairs, strict=True))
        for (i, label), value in zip(pairs, _label_logprobs(logits, positions, labels), strict=True):
            values[numbers[i], label] = value
    scores = iter([values[key] for key in targets])
    return [[next(scores) for scored in sentence.scored if scored] for sentence in sentences]


def _masked_positions(sentence: TokenisedStatement, place: int, mask: int) -> tuple[int, ...]:
    ids = list(sentence.ids)
    ids[place] = mask
    word = sentence.words[place]
    if word is not None:
        for i in range(place + 1, len(ids)):
            if sentence.scored[i] and sentence.words[i] != word:
                break
            if sentence.scored[i]:
                ids[i] = mask
    return tuple(ids)


def logits_at(model: Any, where: tuple[torch.Tensor, torch.Tensor], **inputs: Any) -> torch.Tensor:
    """Return the logits at pairs of row and position, shape (pairs, vocabulary), computing no others if possible."""
    import torch

    rows, places = (index.to(model.device) for index in where)
    for name, value in inputs.items():
        if isinstance(value, torch.Tensor):
            inputs[name] = value.to(model.device)
    with torch.inference_mode(), _select_places(model, rows, places) as selected:
        logits: torch.Tensor = model(**inputs).logits
    return (logits if selected else logits[rows, places]).float()


@contextmanager
def _select_places(model: Any, rows: torch.Tensor, places: torch.Tensor) -> Iterator[list[bool]]:
    selected: list[bool] = []

    def pick_places(_: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        selected.append(True)
        return (inputs[0][rows, places], *inputs[1:])

    head = model.get_output_embeddings()
    handle = head.register_forward_pre_hook(pick_places) if head is not None else None
    try:
        yield selected
    finally:
        if handle is not None:
            handle.remove()


def _label_logprobs(logits: torch.Tensor, rows: torch.Tensor, labels: torch.Tensor) -> list[float]:
    rows, labels = rows.to(logits.device), labels.to(logits.device)
    values: list[float] = (logits[rows, labels] - logits.logsumexp(-1)[rows]).tolist()
    return values


class StatementScorer:
    """Scorer of statements under a causal or masked model, by default with 512 tokens at once on a CPU, else 2048."""

    def __init__(self, checkpoint: Checkpoint, max_tokens: int | None = None) -> None:
        on_cpu = checkpoint.model.device.type == "cpu"
        self._checkpoint = checkpoint
        max_tokens = max_tokens or (_TOKENS_ON_CPU if on_cpu else _TOKENS_ELSEWHERE)
        self._max_tokens = min(max_tokens, checkpoint.context or max_tokens)  # some models limit the length of a row
        self._packs: bool | None = None

    def logprobs(self, sentences: Sequence[TokenisedStatement]) -> list[list[float]]:
        """Return, for each statement, the log-probability of each scored token."""
        model, tokenizer, kind, _, pad, _ = self._checkpoint
        if kind == "masked":
            return masked_logprobs(model, sentences, tokenizer.mask_token_id, pad, self._max_tokens)
        ids = [sentence.ids for sentence in sentences]
        if self._packs is None:
            self._packs = packing_is_exact(model, ids[:_COMPARED_STATEMENTS], self._max_tokens)
        logprobs = (causal_logprobs if self._packs else causal_logprobs_unpacked)(model, ids, self._max_tokens)
        return [
            [value for value, scored in zip(values, sentence.scored[1:], strict=True) if scored]
            for values, sentence in zip(logprobs, sentences, strict=True)
        ]


def reduce_logprobs(logprobs: Iterable[float], reduction: str) -> float:
    """Return the sum or the mean of log-probabilities."""
    values = list(logprobs)
    return sum(values) / len(values) if reduction == "mean" else sum(values)
