"""Hashes of weights."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from factprobe.models.weights import weights_hash

BIG = 5 << 20


@pytest.mark.parametrize("size", [1, 1 << 16, 4 << 20, (4 << 20) + 1, BIG])
def test_first_and_the_last_byte_and_the_size_count(size: int, tmp_path: Path) -> None:
    zeros = bytes(size)
    contents = {zeros, b"1" + zeros[1:], zeros[1:] + b"1", zeros + b"\0", zeros[1:]}
    assert len({_hash(tmp_path / "a.gguf", content) for content in contents}) == len(contents)


def test_large_file_is_not_read_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "sparse.gguf"
    with file.open("wb") as opened:
        opened.truncate(1 << 40)
    assert len(weights_hash(file)) == 32


def test_other_weights_in_the_middle_count(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    before = _hash(file, bytes(BIG))
    assert _hash(file, bytes(BIG // 2) + b"\1" * (1 << 18) + bytes(BIG // 2 - (1 << 18))) != before


def test_every_relevant_file_of_a_folder_counts(tmp_path: Path) -> None:
    for name in ("config.json", "model.safetensors", "README.md"):
        (tmp_path / name).write_text("1")
    before = weights_hash(tmp_path)
    (tmp_path / "README.md").write_text("2")
    assert weights_hash(tmp_path) == before
    (tmp_path / "config.json").write_text("2")
    changed = weights_hash(tmp_path)
    (tmp_path / "config.json").rename(tmp_path / "other.json")
    assert len({before, changed, weights_hash(tmp_path)}) == 3


def _hash(file: Path, content: bytes) -> str:
    file.write_bytes(content)
    return weights_hash(file)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_are_not_utf8_are_hashed_too(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("1")
    before = weights_hash(tmp_path)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json")).write_text("1")
    assert weights_hash(tmp_path) != before
