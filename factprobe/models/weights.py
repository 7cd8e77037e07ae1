"""Hash of local weights, without reading large files completely."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b

_CHUNK_COUNT, _CHUNK_BYTES = 64, 1 << 16
_SUFFIXES = {".bin", ".gguf", ".jinja", ".json", ".model", ".py", ".safetensors", ".txt"}


def weights_hash(path: Path) -> str:
    """Return a hash (32 hexadecimal digits) of a model's file, or of the files in its folder that can change answers.

    Of a file larger than 4 MiB, only the size and 64 evenly spread chunks are read.
    """
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    files = sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES) if path.is_dir() else [path]
    for file in files:
        if path.is_dir():
            digest.update(os.fsencode(file.name) + b"\0")
        _hash_sample(file, digest)
    return digest.hexdigest()


def _hash_sample(path: Path, digest: blake2b) -> None:
    size = path.stat().st_size
    digest.update(size.to_bytes(8, "big"))
    with path.open("rb") as file:
        if size <= _CHUNK_COUNT * _CHUNK_BYTES:
            digest.update(file.read())
            return
        for i in range(_CHUNK_COUNT):
            file.seek(i * (size - _CHUNK_BYTES) // (_CHUNK_COUNT - 1))
            digest.update(file.read(_CHUNK_BYTES))
