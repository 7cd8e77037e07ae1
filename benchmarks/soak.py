"""Random kills and faults over all steps, for as long as SOAK_SECONDS says; the end must be that of an undisturbed run.

Each try runs the commands of one lane against a server on loopback that plays faults at random, kills them, sends
Ctrl-C, or bounds the size of files as a full disk does, and then runs them once more undisturbed. Then each question
has its answer, none was asked again that was answered before a kill, and all files but those with times are, byte by
byte, those of a run that nothing disturbed; no run shows a traceback, and no file holds the key. Prints a line for each
try; exit code 1 where one did not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from fault_bench.attempt import EXAM, Attempt, Ended, NotHeldError, hold
from fault_bench.kill_rows import LIMITED

from tests.models.server import Endpoint, Sent, completion, endpoint, raw, send

HOUR = 3600
_MODEL = ("openai", "stub")
_LONGEST = 300.0
"""Seconds that a command may take, on a machine that others use for an hour."""
_STARTED = 0.2
"""Seconds until Python runs factprobe; a signal before that is met by Python itself."""
_TIMED = ("manifest.json", ".lock", ".manifest.lock")
"""Files that hold times, or nothing."""
_REPLIES = [
    ("Verdict:", "Entailment"),
    ("The JSON object:", '{"verdict": "factual", "reason": ["It says so."]}'),
    ("Text, between the same lines", '[["Paris", "is the capital of", "France"], ["Lima", "lies in", "Peru"]]'),
]
"""What the last message of a request has, and its reply; any other is `Paris`."""
_TEXTS = [
    {"response": f"Paris is the capital of France. Lima lies in Peru, in {year}.", "reference": "Paris is a capital."}
    for year in range(1990, 1996)
]
_LOG = [
    {
        "question": f"Which is the capital of number {n}?",
        "answers": ["Paris", "Lima"][n % 2],
        "response": "It is Paris.",
    }
    for n in range(200)
]


def _at(prefix: str, url: str) -> list[str]:
    """Return the settings by which a part asks the server."""
    return [
        f"{prefix}={_MODEL[0]}",
        f"{prefix}.model={_MODEL[1]}",
        f"{prefix}.base_url={url}",
        f"{prefix}.retry_wait=0",
    ]


def lanes(url: str) -> dict[str, list[list[str]]]:
    """Return the commands of each lane, in order."""
    probe = [*EXAM, *_at("model", url)]
    parts = ["claim_extractor=llm", *_at("claim_extractor.model", url), "checker=llm", *_at("checker.model", url)]
    return {
        "probe": [["step=all", *probe], ["step=quality", *EXAM], ["step=report", *probe]],
        "steps": [[f"step={step}", *probe] for step in ("extract", "generate", "answer", "evaluate", "report")],
        "grade": [["step=grade", "input=log.jsonl"]],
        "texts": [["step=extract_check", "input=texts.json", "output=checked.json", *parts]],
        "detect": [
            ["step=detect", "detector=judge", "input=texts.json", "output=found.json", *_at("detector.model", url)]
        ],
        "graph": [["step=extract", *EXAM], ["step=inspect", *EXAM], ["step=export", "format=nt", *EXAM]],
    }


class Server:
    """What the server answers: each request its reply, or, while a try disturbs it, a fault at random."""

    def __init__(self) -> None:
        self.draw: Random | None = None
        """Where faults come from; None for none."""
        self.paid: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> Sent:
        if self.draw is not None and self.draw.random() < 0.3:
            faults: list[Sent] = [(429, {}), (500, {}), (400, {"error": {"message": "no"}}), raw(b""), send(b"{")]
            return self.draw.choice(faults)
        text = body["messages"][-1]["content"]
        self.paid[json.dumps(body["messages"])] += 1
        return 200, completion(next((reply for part, reply in _REPLIES if part in text), "Paris"))


class Soak:
    """Tries of all lanes against one server.

    Args:
        folder: the tries' folders lie there.
        here: the server.
        server: what it answers.
    """

    def __init__(self, folder: Path, here: Endpoint, server: Server) -> None:
        self._folder, self._server = folder, server
        self._lanes = lanes(here.base_url)
        self._calm: dict[str, tuple[dict[str, bytes], Counter[str]]] = {}

    def attempt(self, seed: int) -> str:
        """Try one lane, and return what was done.

        Raises:
            NotHeldError: something does not hold.
        """
        draw = Random(seed)
        lane = draw.choice(list(self._lanes))
        if lane not in self._calm:
            with self._fresh(f"calm {lane}") as calm:
                self._finish(calm, lane)
                self._calm[lane] = _files(calm.folder), self._server.paid.copy()
        expected, usual = self._calm[lane]
        with self._fresh(f"soak {seed}") as one:
            done = [self._disturb(one, lane, draw) for _ in range(draw.randint(1, 4))]
            self._finish(one, lane)
            paid = {text: number - usual[text] for text, number in self._server.paid.items()}
            kills = len(done) * len(self._lanes[lane])
            most = max((more / max(usual[text], 1) for text, more in paid.items()), default=0)
            hold(most <= kills, f"asked {most:g} times too often for each usual call")  # equal calls may be under way
            hold(sum(paid.values()) <= kills * 16, f"{sum(paid.values())} calls too many, with {done}")
            found = _files(one.folder)
            differs = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
            first = f": {_difference(found, expected, differs[0])}" if differs else ""
            hold(not differs, f"other bytes than undisturbed: {differs}, after {done}{first}")
            one.check_files()
        return f"{lane}: {', '.join(done)}"

    @contextmanager
    def _fresh(self, seed: str) -> Iterator[Attempt]:
        self._server.paid.clear()
        with (
            tempfile.TemporaryDirectory(dir=self._folder) as name,
            closing(Attempt(Path(name), Path(name), seed)) as one,
        ):
            (one.folder / "texts.json").write_text(json.dumps(_TEXTS))
            (one.folder / "log.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in _LOG))
            yield one

    def _disturb(self, one: Attempt, lane: str, draw: Random) -> str:
        """Run the commands of a lane, up to one that is disturbed."""
        self._server.draw = draw if draw.random() < 0.7 else None
        kind = draw.choice(["SIGKILL", "SIGINT", "SIGTERM", "full disk", "faults"])
        commands = self._lanes[lane]
        last = draw.randrange(len(commands))
        for command in commands[:last]:
            one.start(*command).end(_LONGEST)
        size = str(draw.choice((5_000, 20_000, 60_000)))
        running = one.start(
            *commands[last], wrapper=(sys.executable, "-c", LIMITED, size) if kind == "full disk" else ()
        )
        if kind.startswith("SIG"):
            time.sleep(_STARTED + draw.random() * 6)
            os.kill(running.process.pid, signal.Signals[kind])
        _check(running.end(_LONGEST), kind)
        self._server.draw = None
        return kind

    def _finish(self, one: Attempt, lane: str) -> None:
        """Run the commands of a lane to their end."""
        for command in self._lanes[lane]:
            ended = one.start(*command).end(_LONGEST)
            hold(ended.code == 0, f"undisturbed, {command[0]} ends with {ended.code}: {ended.last}")
            _check(ended, "")


def _check(ended: Ended, kind: str) -> None:
    hold("Traceback" not in ended.out + ended.err, f"{kind}: a traceback: {ended.last}")
    hold(ended.code != -signal.SIGALRM, f"{kind}: it takes more than {_LONGEST:.0f} s")
    usual = (
        0,
        2,
        3,
        4,
        *((130, 143, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM) if kind.startswith("SIG") else ()),
    )
    hold(ended.code in usual, f"{kind}: exit code {ended.code}: {ended.last}")


def _difference(found: dict[str, bytes], expected: dict[str, bytes], name: str) -> str:
    """Return the first part of a file that differs, and what it is undisturbed."""
    one, other = (files.get(name, b"") for files in (found, expected))
    pairs = enumerate(zip(one, other, strict=False))
    start = max(0, next((i for i, (byte, calm) in pairs if byte != calm), min(len(one), len(other))) - 20)
    return f"{one[start : start + 120]!r} in place of {other[start : start + 120]!r}"


def _files(folder: Path) -> dict[str, bytes]:
    """Return the content of what the commands made, without the temporary files that kills leave for a day."""
    every = [path for path in (folder / "outputs").rglob("*") if path.is_file() and path.name not in _TIMED]
    made = [path for path in every if path.suffix != ".tmp"]
    made += list(folder.glob("*.json*"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in made}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("SOAK_SECONDS", HOUR)))
    parser.add_argument("--seed", type=int, default=0, help="of the first try; the next one has the next")
    options = parser.parse_args()
    end, server, failed, tried = time.monotonic() + options.seconds, Server(), 0, 0
    with tempfile.TemporaryDirectory() as folder, endpoint(server, delay=0.02) as here:
        soak = Soak(Path(folder), here, server)
        for seed in count(options.seed):
            if time.monotonic() >= end:
                break
            tried += 1
            try:
                print(f"{seed:5}  held   {soak.attempt(seed)}", flush=True)
            except NotHeldError as error:
                failed += 1
                print(f"{seed:5}  NOT    {' '.join(str(error).split())[:600]}", flush=True)
    print(f"{tried - failed} of {tried} tries held")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
