"""A key in the environment is in no file and in no line that is printed, whatever the endpoint does with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.answering import EXAM, settings
from tests.command_line import CommandLine, process
from tests.models.server import completion, endpoint, fault, send

KEY = "sk-secret-4f9a1c"

ECHOES: dict[str, tuple[Callable[[], Any], int]] = {
    "in the reply": (lambda: (200, completion(f"My key is {KEY}.")), 0),
    "in an error that ends the run": (lambda: (401, fault(f"Incorrect API key provided: {KEY}")), 3),
    "in errors of each call": (lambda: (400, fault(f"{KEY} may not")), 3),
    "in what is no completion": (lambda: send(f"<html>{KEY}</html>".encode()), 3),
}


def holding_it(folder: Path) -> list[str]:
    """The names and the files under a folder that the key is in."""
    paths = list(folder.rglob("*"))
    return [str(path) for path in paths if KEY in path.name or (path.is_file() and KEY.encode() in path.read_bytes())]


@pytest.mark.parametrize("flags", [[], ["debug=true"], ["-m"]], ids=["plain", "debug", "sweep"])
@pytest.mark.parametrize("echo", ECHOES)
def test_the_key_is_nowhere(
    factprobe: CommandLine, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, echo: str, flags: list[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    answer, code = ECHOES[echo]
    with endpoint(lambda body: answer()) as server:
        result = factprobe(*flags, "step=all", *settings(server.base_url, "model.max_retries=0"))
    assert server.keys == {f"Bearer {KEY}"}
    assert result.code == code, result.err
    assert KEY not in result.out + result.err
    assert holding_it(tmp_path) == holding_it(cache) == []
    assert "***" in result.err or any(b"***" in path.read_bytes() for path in tmp_path.rglob("*.jsonl"))


def test_nor_in_a_process_of_its_own(tmp_path: Path, cache: Path) -> None:
    with endpoint(lambda body: (401, fault(f"Incorrect API key provided: {KEY}"))) as server:
        run = process(
            "step=all",
            "debug=true",
            *settings(server.base_url),
            folder=tmp_path,
            OPENAI_API_KEY=KEY,
            OPENAI_LOG="debug",
        )
        out, err = run.communicate(timeout=60)
    assert run.returncode == 3
    assert "Traceback" in err
    assert KEY not in out + err
    assert holding_it(tmp_path) == holding_it(cache) == []


@pytest.mark.parametrize(
    "setting",
    [
        "model.base_url=http://me:hunter22@127.0.0.1:1/v1",
        "model.base_url='http://127.0.0.1:1/v1?key=hunter22'",
        "model.api_key_env=sk-hunter22",
        "model.api_key_env=hunter22",
    ],
)
def test_a_secret_in_the_settings_is_refused_unseen(factprobe: CommandLine, tmp_path: Path, setting: str) -> None:
    line = factprobe.fails("step=all", *EXAM, "model=openai", "model.model=m", setting)
    assert "hunter22" not in line
    assert "model." in line
    assert list(tmp_path.iterdir()) == []
