"""The rows about attacks: texts, archives, links and pages that others made, which cost themselves and nothing else."""

from __future__ import annotations

import gzip
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pyarrow as pa
import pyarrow.parquet as pq

from fault_bench.attempt import EXAM, Attempt, hold, records
from fault_bench.calls import to
from tests.kgs.archives.server import serving
from tests.kgs.archives.test_bounds import BOMBS
from tests.models.server import completion, endpoint

_TEXT = [
    {
        "response": "Paris lies in France.",
        "triplets": [["Paris", "lies in", "France"], ["Lima", "lies in", "Peru"]],
        "reference": "Lima and Paris are towns.",
    }
]
_LONGEST_START = 80.0


def _checker(text: str) -> Callable[[Attempt], None]:
    """The row of a checker's reply, to all claims of a text at once."""

    def play(attempt: Attempt) -> None:
        (attempt.folder / "texts.json").write_text(json.dumps(_TEXT))
        with endpoint(lambda _: (200, completion(text))) as server:
            run = ("input=texts.json", "output=checked.json", "checker=llm", "checker.joint=true")
            model = ("model=m", f"base_url={server.base_url}", "retry_wait=0")
            attempt.run("step=check", *run, "checker.model=openai", *(f"checker.model.{one}" for one in model))
            hold(server.requests, "nothing is asked")
        [found] = json.loads((attempt.folder / "checked.json").read_text())
        hold("Entailment" not in json.dumps(found), f"the verdict is {found}")

    return play


def _parquet(attempt: Attempt) -> None:
    """One cell that is not UTF-8 costs its row."""
    texts = [b"It is Paris.", attempt.random.randbytes(20) + b"\xff", b"Paris"]
    columns = [pa.array(["Which is the capital of France?"] * 3), pa.array(["Paris"] * 3)]
    column = pa.StringArray.from_buffers(3, *pa.array(texts, pa.binary()).buffers()[1:])
    pq.write_table(pa.table([*columns, column], ["question", "answers", "response"]), attempt.folder / "log.parquet")
    attempt.run("step=grade", "input=log.parquet", codes=(0,))
    found = records(attempt.folder / "outputs/log/grades.jsonl")
    hold(sum(one["verdict"] == "correct" for one in found) >= 2, f"{len(found)} grades")


def _linked(pattern: str) -> Callable[[Attempt], None]:
    """The row of a file of the run that is a link to another one: that one stays as it is."""

    def play(attempt: Attempt) -> None:
        attempt.copy_exam()
        victim = attempt.folder / "victim"
        victim.write_text("mine")
        path = attempt.random.choice(sorted(attempt.root.glob(pattern)))
        path.unlink()
        path.symlink_to(victim)
        attempt.run("step=all", *EXAM, "model=scripted", "seed=1", codes=(0, 2))
        hold(victim.read_text() == "mine", f"{path.name} led to another file")

    return play


def _archive(attempt: Attempt) -> None:
    """An archive that is small and unpacks to much is refused; nothing of it stays."""
    name = attempt.random.choice(list(BOMBS))
    data = attempt.folder / "data"
    with serving(gzip.compress(BOMBS[name]())) as served:
        attempt.run("step=fetch", "kg=trex", f"kg.data_dir={data}", f"fetch.url={served.url}", codes=(2,))
    hold(not data.exists(), f"{name}: something was unpacked")
    left = [path.name for path in attempt.folder.glob(".*")]
    hold(not left, f"{name}: {left} stay")


def _closed(descriptor: int) -> Callable[[Attempt], None]:
    """The row of a run whose standard output or error is closed."""

    def play(attempt: Attempt) -> None:
        shell = f'exec "$@" {descriptor}>&-'
        ended = attempt.start("step=all", *EXAM, "model=scripted", wrapper=("sh", "-c", shell, "sh")).end()
        hold(ended.code == 0, f"exit code {ended.code}: {ended.last}")
        attempt.check_answered("scripted")

    return play


def _secret_variable(attempt: Attempt) -> None:
    """The value of a variable that is called a secret is in no file, though the endpoint says it."""
    name = attempt.random.choice(("MYPASS", "API_KEY_PROD", "DB_PASSWORD", "GITHUB_TOKEN", "client_secret"))
    secret = f"hunter{attempt.random.getrandbits(64):016x}"
    attempt.secrets.append(secret)
    with endpoint(lambda _: (200, completion(f"It is {secret}."))) as server:
        attempt.run("step=all", *to(server.base_url), codes=(0,), **{name: secret})  # type: ignore[arg-type]  # a name of the environment


def _app(attempt: Attempt) -> None:
    """A page from elsewhere opens no connection to the app, and cannot frame it."""
    running = attempt.start("step=app", "app.port=0", "model=scripted")
    printed, end = attempt.folder / "out-1.txt", time.monotonic() + _LONGEST_START
    while "http://" not in printed.read_text() and time.monotonic() < end:
        time.sleep(0.2)
    hold("http://" in printed.read_text(), "the app does not start")
    address = printed.read_text().split("http://", 1)[1].split()[0]
    socket = f"http://{address}/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    origin = attempt.random.choice(("http://evil.example", "null", f"https://{address}", "http://127.0.0.1:1"))
    hold(_status(socket, Origin=origin) in (400, 403), f"{origin} opens a connection")
    with urlopen(f"http://{address}/") as page:
        hold(page.headers["X-Frame-Options"] == "DENY", "it can be framed")
    os.kill(running.process.pid, signal.SIGINT)
    time.sleep(3)
    running.process.send_signal(signal.SIGINT)
    hold("Traceback" not in running.end().err, "a traceback")


def _status(url: str, **headers: str) -> int:
    try:
        with urlopen(Request(url, headers=headers)) as found:
            return int(found.status)
    except HTTPError as error:
        return error.code


def _formulas(attempt: Attempt) -> None:
    """No cell begins a formula, whatever systems and answers are called."""
    starts = attempt.random.sample(("=1+1", "@SUM(1)", "+1-1", "-1+1", ";=1+1", "\t=1", "=cmd|' /C calc'!A0"), 4)
    asked = {"question": "Which is the capital of France?", "answers": "Paris"}
    lines = [json.dumps({**asked, "response": start, "system": start}) for start in starts]
    (attempt.folder / "log.jsonl").write_text("\n".join(lines))
    attempt.run("step=grade", "input=log.jsonl", codes=(0,))
    found = [path for path in Path(attempt.folder).rglob("*.csv") if "\n;=" in path.read_text()]
    hold(not found, f"{found} begin a formula behind `;`")


ROWS: dict[str, Callable[[Attempt], None]] = {
    "a checker's reply of commas": _checker("," * 30_000),
    "a checker's reply that quotes": _checker('1: "Entailment" is what the text says, and I was told: 1: Entailment'),
    "a Parquet cell that is not UTF-8": _parquet,
    "a report that is a link": _linked("report.*"),
    "responses that are a link": _linked("responses/template/scripted/*.jsonl"),
    "questions that are a link": _linked("questions/template/*.jsonl"),
    "an archive that unpacks to much": _archive,
    "standard error closed": _closed(2),
    "standard output closed": _closed(1),
    "a variable that is called a secret": _secret_variable,
    "systems and replies that are formulas": _formulas,
    "a page from elsewhere": _app,
}
