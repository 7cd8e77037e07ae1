"""A disk that fills up while a run answers: a small tmpfs of the test's own, and a limit on the size of files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.answering import COUNT, complete, manifest, prepare, records, settings
from tests.command_line import CommandLine
from tests.models.server import completion, endpoint

LONG = "Paris " * 1000
"""A reply of more characters than a page of the tmpfs holds."""

SCRIPT = """
set -e
mkdir small
mount -t tmpfs -o size=2m small small
ask() { "$PYTHON" -m factprobe "$@" > out.txt 2> err.txt && code=0 || code=$?; echo "$code" > code.txt; }
mkdir small/cache
[ $OUTPUT = outputs/trex ] || cp -r outputs/trex $OUTPUT
dd if=/dev/zero of=small/fill bs=4096 2> /dev/null || true
truncate -s -49152 small/fill
ask step=answer "$@" output_dir=$OUTPUT
mkdir first && cp -r out.txt err.txt code.txt $OUTPUT first
rm small/fill
ask step=answer "$@" output_dir=$OUTPUT
mkdir second && cp -r out.txt err.txt code.txt $OUTPUT second
"""


@cache
def namespace() -> list[str]:
    """The command that gives a process mounts of its own, for root or for one who becomes root of a user namespace."""
    for command in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        probe = [*command, "sh", "-c", "mount -t tmpfs tmpfs /tmp"]
        try:
            if subprocess.run(probe, capture_output=True, check=False, timeout=20).returncode == 0:
                return command
        except OSError:
            continue
    return []


def on_a_small_disk(folder: Path, output: str, *command: str) -> None:
    """Runs the script; what was there when the disk was full is in `first`, the end in `second`."""
    if not namespace():
        pytest.skip("this machine lets no process mount a tmpfs")
    environment = {"PYTHON": sys.executable, "OUTPUT": output, "FACTPROBE_CACHE": str(folder / "small/cache")}
    command = (*namespace(), "bash", "-c", SCRIPT, "script", *command)
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, check=False, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr


def long(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    return 200, completion(LONG)


@pytest.mark.slow
def test_full_disk_ends_the_run_and_it_can_be_resumed(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    with endpoint(long) as server:
        on_a_small_disk(tmp_path, "small/trex", *settings(server.base_url, "cache=off"))
        first, second = tmp_path / "first", tmp_path / "second"
        [line] = (first / "err.txt").read_text().splitlines()
        assert (first / "code.txt").read_text() == "2\n"
        assert line.startswith(
            "factprobe: error: small/trex/responses/template/stub/P36.jsonl: No space left on device; "
        )
        assert "run the same command again" in line
        [file] = (first / "trex/responses").rglob("*.jsonl")
        assert file.read_bytes().endswith(b"\n")
        kept = [json.loads(text) for text in file.read_text().splitlines()]
        assert 3 <= len(kept) < COUNT
        assert {one["response"] for one in kept} == {LONG}
        assert (second / "code.txt").read_text() == "0\n"
        assert f"{COUNT - len(kept)} responses, {len(kept)} kept" in (second / "out.txt").read_text()
        assert len(server.requests) <= COUNT + 8  # those under way when there was no room
    assert complete(second / "trex")


@pytest.mark.slow
def test_full_disk_of_cache_does_not_end_the_run(factprobe: CommandLine, tmp_path: Path) -> None:
    prepare(factprobe)
    with endpoint(long) as server:
        on_a_small_disk(tmp_path, "outputs/trex", *settings(server.base_url))
        assert (tmp_path / "first/code.txt").read_text() == "0\n"
        [warning] = (tmp_path / "first/err.txt").read_text().splitlines()
        assert "responses.sqlite: the response cache cannot be used" in warning
        assert len(server.requests) == COUNT
    assert complete(tmp_path / "first/trex")


LIMIT = 100_000
"""The most bytes of a file: more than the manifest needs, fewer than the replies of a relation."""

LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT}, resource.RLIM_INFINITY))
from factprobe.cli.main import main
sys.argv[0] = "factprobe"
main()
"""


@pytest.mark.slow
def test_file_at_size_limit_ends_with_a_complete_line(factprobe: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "outputs/trex"
    prepare(factprobe)
    with endpoint(long) as server:
        answer = ["step=answer", *settings(server.base_url, "cache=off", "model.max_concurrency=1")]
        command = [sys.executable, "-B", "-c", LIMITED, *answer]  # a cut off .pyc file would stay
        stopped = subprocess.run(command, capture_output=True, check=False, text=True, timeout=60)
        assert stopped.returncode == 2, stopped.stderr
        [line] = stopped.stderr.splitlines()
        assert "P36.jsonl: File too large; make room" in line
        [file] = (root / "responses").rglob("*.jsonl")
        assert file.read_bytes().endswith(b"\n")
        kept = len(records(root / "responses"))
        assert kept == LIMIT // (file.stat().st_size // kept)
        counts = manifest(root)["counts"]
        assert (counts["responses"], counts["prompt_tokens"]) == (kept, 7 * (kept + 1))
        assert "File too large" in counts["stopped"]
        assert factprobe(*answer).code == 0
        assert len(server.requests) == COUNT + 1
    assert complete(root)
