"""Packing of token sequences into batches: as a prefix tree, or padded to the same length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Prefix

if TYPE_CHECKING:
    import torch


class PrefixTree:
    """Prefix tree of sentences: tokens of a common prefix are stored once."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.parents: list[int] = []
        """Index of the parent of each node; -1 for the first token of a sentence."""
        self.depths: list[int] = []
        self.paths: list[tuple[int, list[int]]] = []
        """Number of each sentence, with the indices of its nodes."""
        self._path: list[int] = []
        self._last: tuple[int, ...] = ()

    def new_nodes(self, ids: tuple[int, ...]) -> int:
        """Return the number of nodes that adding a sentence would create."""
        return len(ids) - Prefix.similarity(ids, self._last)

    def add(self, number: int, ids: tuple[int, ...]) -> None:
        """Add a sentence; sentences must be added in the order of their token ids."""
        shared = Prefix.similarity(ids, self._last)
        del self._path[shared:]
        for depth in range(shared, len(ids)):
            self.parents.append(self._path[-1] if self._path else -1)
            self._path.append(len(self.tokens))
            self.tokens.append(ids[depth])
            self.depths.append(depth)
        self.paths.append((number, self._path.copy()))
        self._last = ids


def build_trees(sentences: Sequence[tuple[int, ...]], max_nodes: int) -> Iterator[PrefixTree]:
    """Yield trees of the sentences, each with at most `max_nodes` nodes, or one sentence that is longer."""
    tree = PrefixTree()
    for number in sorted(range(len(sentences)), key=sentences.__getitem__):
        ids = sentences[number]
        if tree.tokens and len(tree.tokens) + tree.new_nodes(ids) > max_nodes:
            yield tree
            tree = PrefixTree()
        tree.add(number, ids)
    if tree.tokens:
        yield tree


def pad_rows(rows: Sequence[Sequence[int]], pad: int, *, left: bool = False) -> dict[str, torch.Tensor]:
    """Return token ids and attention mask of rows, padded to the length of the longest; shape (rows, length)."""
    import torch

    width = max(len(row) for row in rows)
    ids = torch.full((len(rows), width), pad, dtype=torch.long)
    mask = torch.zeros(len(rows), width, dtype=torch.long)
    for i, row in enumerate(rows):
        place = slice(width - len(row), width) if left else slice(len(row))
        ids[i, place] = torch.tensor(row, dtype=torch.long)
        mask[i, place] = 1
    return {"input_ids": ids, "attention_mask": mask}


def batch_by_length(lengths: Sequence[int], max_tokens: int) -> Iterator[list[int]]:
    """Yield batches of row indices, the longest rows first, each with up to `max_tokens` tokens including padding."""
    order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
    while order:
        size = max(1, max_tokens // max(1, lengths[order[0]]))
        yield order[:size]
        order = order[size:]
