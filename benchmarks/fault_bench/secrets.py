"""Looks for secrets in files, as they are and in the forms that programs give them."""

from __future__ import annotations

import html
import json
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote, quote_plus


def forms(secret: str) -> set[bytes]:
    """What tells that a secret is there: either half of it, plain, URL-quoted, escaped in JSON or HTML, in base64."""
    middle = len(secret) // 2
    found: set[bytes] = set()
    for half in (secret[:middle], secret[middle:]):
        texts = (half, quote(half, safe=""), quote_plus(half), json.dumps(half)[1:-1], html.escape(half))
        found.update(text.encode() for text in texts)
        found.update(_in_base64(half.encode()))
    return found


def _in_base64(text: bytes) -> set[bytes]:
    """What is the same in the base64 of all that holds a text: three forms, by where it begins."""
    found = set()
    for skipped in range(3):
        whole = b64encode(bytes(skipped) + text)
        found.add(whole[-(-skipped * 4 // 3) : -4])
    return found | {form.translate(bytes.maketrans(b"+/", b"-_")) for form in found}


def found_in(folder: Path, secrets: list[str]) -> list[str]:
    """The files under a folder that hold a secret, in their name or their content."""
    wanted = {form for secret in secrets for form in forms(secret)}

    def holds(path: Path) -> bool:
        content = str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b"")
        return any(form in content for form in wanted)

    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if holds(path))
