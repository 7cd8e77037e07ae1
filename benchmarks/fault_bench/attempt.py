"""One try: a folder of its own, in which the command runs as a process of its own, and what must hold of any run."""

from __future__ import annotations

import csv
import json
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from endpoint import environment
from speed import ROOT

from fault_bench.secrets import found_in
from fault_bench.warm import Printed, Warm

EXAM = ["kg=trex", "relations=[P36]", "limit=5"]
GRAPH = "trex"
MODEL = "stub"
LONGEST = 90.0
"""Seconds that a run may take, however busy the machine is."""

NOTHING = 3
"""The exit code of a run in which no call succeeded."""

MISSING = 4
"""The exit code of a run with failed calls and `fail_on_missing=true`."""

STOPPED = 130

_MOST_MEMORY = 450.0
_MOST_ERRORS = 20_000
_DONE = re.compile(r"^(extract|generate|answer|evaluate|report|compare|agree|sweep|grade|check|fetch): ")
_OURS = re.compile(r"^(factprobe: |WARNING: )")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FORMULA = re.compile(r"^[=@\t\r]|^[+-](?![\d.]+(e[+-]?\d+)?$|inf$)")


class NotHeldError(Exception):
    """What does not hold."""


def hold(fine: object, what: str) -> None:
    """Sees to it that something holds."""
    if not fine:
        raise NotHeldError(what)


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str
    megabytes: float = 0.0

    @property
    def last(self) -> str:
        """The last line that it printed about what went wrong."""
        return (self.err.splitlines() or [""])[-1]

    def check(self, *codes: int) -> None:
        """What must hold of any run that was not killed.

        Args:
            codes: the exit codes that are right; by default any that is one of ours.
        """
        hold(self.code != -signal.SIGALRM, "it takes too long")
        hold(self.megabytes <= _MOST_MEMORY, f"{self.megabytes:,.0f} MB of memory")
        hold("Traceback" not in self.out + self.err, f"a traceback: {self.last}")
        hold(self.code in (codes or (0, 2, NOTHING, MISSING)), f"exit code {self.code}: {self.last or self.out[-200:]}")
        lines = self.err.splitlines()
        for line in lines:
            hold(_OURS.match(line), f"a line that is not ours: {line}")
        if self.code:
            hold(lines and self.last.startswith("factprobe: "), f"exit code {self.code} and the last line {self.last}")
        else:
            printed = self.out.splitlines()
            hold(printed and _DONE.match(printed[-1]), f"exit code 0 and the last line {printed[-1:]}")
        hold(not _CONTROLS.search(self.out + self.err), f"control codes: {_CONTROLS.findall(self.out + self.err)[:5]}")
        hold(len(self.err) <= _MOST_ERRORS, f"{len(self.err):,} characters of errors")


class Running:
    """A process of its own.

    Args:
        process: it.
        printed: the files that it prints to.
    """

    def __init__(self, process: subprocess.Popen[bytes], printed: Printed) -> None:
        self.process, self._printed = process, printed

    def end(self, longest: float = LONGEST) -> Ended:
        """Waits for its end, which must come in time."""
        try:
            code = self.process.wait(longest)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = -signal.SIGALRM
        return _ended(code, self._printed)


class Attempt:
    """One try of a row.

    Args:
        folder: its own; the command's working, home, cache and temporary folders lie there.
        exam: an output folder that holds the exam and what the scripted model made of it.
        seed: what is drawn at random hangs on it alone.
        warm: runs the command; without it only `start` does.
    """

    def __init__(self, folder: Path, exam: Path, seed: str, warm: Warm | None = None) -> None:
        self.folder, self._exam, self._warm = folder, exam, warm
        self.random = Random(seed)
        digits = f"{self.random.getrandbits(160):040x}"
        self.key = f'sk-{digits[:20]}+/="&{digits[20:]}'
        self.secrets = [self.key]
        self.root = folder / "outputs" / GRAPH
        self._runs = 0
        self._started: list[subprocess.Popen[bytes]] = []
        questions = records(exam / "questions" / "template" / "P36.jsonl")
        self.texts = {one["question_id"]: one["prompts"][-1]["content"] for one in questions}
        """What is asked last by each question."""
        for name in ("home", "cache", "tmp"):
            (folder / name).mkdir(parents=True)

    def copy_exam(self, *parts: str) -> None:
        """Puts parts of the exam into the output folder; all of it where none are named."""
        for part in parts or [path.name for path in self._exam.iterdir()]:
            source, target = self._exam / part, self.root / part
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)

    def start(self, *arguments: str, wrapper: Iterable[str] = ()) -> Running:
        """Starts a process of its own, for what is not to be run to its end.

        Args:
            arguments: of the command.
            wrapper: a command that runs it.
        """
        printed = self._printed()
        command = [*wrapper, sys.executable, str(ROOT / "run.py"), *arguments]
        with printed[0].open("wb") as out, printed[1].open("wb") as err:
            process = subprocess.Popen(command, cwd=self.folder, env=self._environment(), stdout=out, stderr=err)
        self._started.append(process)
        return Running(process, printed)

    def close(self) -> None:
        """Ends what was started."""
        for process in self._started:
            process.kill()
            process.wait()

    def run(self, *arguments: str, codes: Iterable[int] = (), longest: float = LONGEST, **variables: str) -> Ended:
        """Runs the command to its end, of which all must hold that holds of any run.

        Args:
            arguments: of the command.
            codes: the exit codes that are right; by default any that is one of ours.
            longest: the seconds that it may take.
            variables: of its environment.
        """
        printed = self._printed()
        environment = self._environment() | variables
        assert self._warm is not None
        code, megabytes = self._warm.run(list(arguments), self.folder, environment, printed, longest)
        ended = _ended(code, printed, megabytes)
        ended.check(*codes)
        return ended

    def _printed(self) -> Printed:
        self._runs += 1
        return self.folder / f"out-{self._runs}.txt", self.folder / f"err-{self._runs}.txt"

    def _environment(self) -> dict[str, str]:
        home = str(self.folder / "home")
        own = {"HOME": home, "XDG_CACHE_HOME": home, "TMPDIR": str(self.folder / "tmp"), "OPENAI_API_KEY": self.key}
        return environment() | own | {"FACTPROBE_CACHE": str(self.folder / "cache")}

    def responses(self, model: str = MODEL) -> list[dict[str, Any]]:
        """The responses of a model, those that were set aside left out."""
        return records(self.root / "responses" / "template" / model / "P36.jsonl")

    def check_records(self, model: str = MODEL) -> dict[str, dict[str, Any]]:
        """Sees to it that each question has one record, with an answer or a reason, and returns them."""
        found = {one["question_id"]: one for one in self.responses(model)}
        counts = Counter(one["question_id"] for one in self.responses(model))
        hold(all(number == 1 for number in counts.values()), f"several records of {counts.most_common(1)}")
        hold(list(counts) == list(self.texts), f"{len(counts)} of {len(self.texts)} questions have a record, in order")
        for name, one in found.items():
            reason = (one["response"] is None) == bool(one["error"])
            hold(reason, f"{name} has the answer {one['response']} and the reason {one['error']}")
        return found

    def check_answered(self, model: str = MODEL) -> None:
        """Sees to it that each question has one record, with an answer."""
        failed = [one["error"] for one in self.check_records(model).values() if one["error"]]
        hold(not failed, f"{len(failed)} questions without an answer, the first one: {failed[:1]}")

    def check_files(self) -> None:
        """What must hold of the files of any try."""
        hidden = found_in(self.folder, self.secrets)
        hold(not hidden, f"a secret in {hidden}")
        for path in self.folder.rglob("*.csv"):
            with path.open(newline="") as file:
                cells = [cell for row in csv.reader(file) for cell in row if _FORMULA.search(cell)]
            hold(not cells, f"{path.name} holds the formula {cells[:1]}")


def _ended(code: int, printed: Printed, megabytes: float = 0.0) -> Ended:
    out, err = (path.read_text(errors="replace") for path in printed)
    return Ended(code, out, err, megabytes)


def records(path: Path) -> list[dict[str, Any]]:
    """Those of a file; none where there is none."""
    return list(_lines(path)) if path.exists() else []


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_bytes().splitlines():  # which splits at fewer characters than those of a text
        try:
            yield json.loads(line, parse_constant=lambda _: None)  # NaN is a missing value
        except ValueError as error:
            raise NotHeldError(f"{path.name} has the line {line[:80]!r}") from error
