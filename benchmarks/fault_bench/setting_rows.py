"""The rows about settings: one line says what is wrong and where, and no secret reaches a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable

from fault_bench.attempt import EXAM, NOTHING, Attempt, hold
from fault_bench.calls import to
from tests.models.server import closed_port, completion, endpoint

_OPENAI = (*EXAM, "model=openai", "model.model=m")


def _refused(part: str, *arguments: str) -> Callable[[Attempt], None]:
    """The row of settings that are refused, with what the line must tell."""

    def play(attempt: Attempt) -> None:
        ended = attempt.run(*arguments, codes=(2,))
        hold(part in ended.last, f"{part!r} is not in the last line, {ended.last}")
        hold(len(ended.err.splitlines()) == 1, f"more than one line: {ended.err}")

    return play


def _nobody(host: str) -> Callable[[Attempt], None]:
    """The row of an address where nobody is."""

    def play(attempt: Attempt) -> None:
        run = (*_OPENAI, f"'model.base_url=http://{host}/v1'", "model.retry_wait=0", "model.max_retries=1")
        attempt.run("step=all", *run, codes=(2, NOTHING))
        hold(not (attempt.root / "grades").exists(), "step=all went on to grade what was not answered")

    return play


def _config(name: str, content: bytes, part: str, *arguments: str) -> Callable[[Attempt], None]:
    """The row of a config file of one's own."""

    def play(attempt: Attempt) -> None:
        path = attempt.folder / "mine" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        _refused(part, "--config-dir", "mine", "step=all", *EXAM, *arguments)(attempt)

    return play


def _secret(*settings: str) -> Callable[[Attempt], None]:
    """The row of a secret in the settings, `SECRET`: whatever comes of the run, it is in no file."""

    def play(attempt: Attempt) -> None:
        secret = f"sk-hunter22{attempt.random.getrandbits(64):016x}"
        attempt.secrets.append(secret)
        attempt.copy_exam()
        agree = "labels={a: outputs/trex/grades/template/scripted, b: outputs/trex/grades/template/scripted}"
        steps = ["step=extract", "step=generate", "step=answer", "step=report", "step=all", f"step=agree '{agree}'"]
        step, *more = attempt.random.choice(steps).split(" ", 1)
        sweep = attempt.random.choice([(), (), ("-m",)])
        mine = [one.replace("SECRET", secret) for one in settings]
        attempt.run(*sweep, step, *(one.strip("'") for one in more), *EXAM, *mine)

    return play


def _in_a_config(attempt: Attempt) -> None:
    """A secret in a config file is in no other."""
    secret = f"sk-hunter22{attempt.random.getrandbits(64):016x}"
    attempt.secrets.append(secret)
    path = attempt.folder.with_name(f"{attempt.folder.name}-config") / "model" / "mine.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(f"backend: openai\nmodel: m\nbase_url: http://me:{secret}@127.0.0.1:1/v1\n")
    sweep = attempt.random.choice([(), ("-m",)])
    attempt.run(*sweep, "--config-dir", str(path.parents[1]), "step=generate", *EXAM, "model=mine")


def _named(name: str) -> Callable[[Attempt], None]:
    """The row of a model's name: the reports know it in full."""

    def play(attempt: Attempt) -> None:
        with endpoint(lambda _: (200, completion("Paris"))) as server:
            run = [*to(server.base_url), f"model.model={json.dumps(name, ensure_ascii=False)}"]
            attempt.run("step=all", *run, codes=(0,))
            attempt.run("step=report", *run, codes=(0,))
            attempt.run("step=all", *EXAM, "model=scripted", codes=(0,))
            attempt.run("step=compare", *run, codes=(0,))
        scores = json.loads((attempt.root / "scores.json").read_text())
        hold(name in {row["model"] for row in scores}, f"the scores are of { ({row['model'] for row in scores}) }")
        with (attempt.root / "comparison.csv").open(newline="") as file:
            cells = {cell for row in csv.reader(file) for cell in row}
        hold(any(name in cell for cell in cells), "the comparison leaves it out")

    return play


def _extra_keys(attempt: Attempt) -> None:
    """Settings that are mappings take keys."""
    with endpoint(lambda _: (200, completion("Paris"))) as server:
        attempt.run("step=all", *to(server.base_url), "model.extra_body={top_p: 0.9}", codes=(0,))
        hold(all(one.get("top_p") == 0.9 for one in server.requests), "the key is not sent")


_DEEP = "[" * 1_000 + "]" * 1_000

ROWS: dict[str, Callable[[Attempt], None]] = {
    "an unknown setting": _refused("limti", "step=all", *EXAM, "limti=3"),
    "an unknown step": _refused("answr", "step=answr", *EXAM),
    "an unknown model": _refused("nobody", "step=all", *EXAM, "model=nobody"),
    "a number that is none": _refused("limit", "step=all", "limit=many"),
    "a deep setting": _refused("deep", "step=answer", *_OPENAI, f"model.extra_body={{a: {_DEEP}}}"),
    "a file that is not there": _refused("x.gguf", "step=all", *EXAM, "model=smollm2", "model.path=~/models/x.gguf"),
    "no base URL": _refused("model.base_url", "step=all", *_OPENAI, "model.base_url=nonsense"),
    **{f"nobody at {host}": _nobody(host) for host in ("256.1.1.1", "a..b", "☃.invalid", "nowhere.invalid")},
    "nobody at a name of 300 characters": _nobody("x" * 300),
    "nobody at a closed port": _nobody(f"127.0.0.1:{closed_port()}"),
    "a config with a syntax error": _config("kg/mine.yaml", b"name: [trex\nformat: x", "mine.yaml", "kg=mine"),
    "a config with a tab": _config("kg/mine.yaml", b"name:\n\t- trex\n", "mine.yaml", "kg=mine"),
    "a config with a key twice": _config("kg/mine.yaml", b"name: a\nname: b\n", "mine.yaml", "kg=mine"),
    "a config in Latin-1": _config("kg/mine.yaml", "name: Zürich\n".encode("latin-1"), "mine.yaml", "kg=mine"),
    "a config in UTF-16": _config("kg/mine.yaml", "name: trex\n".encode("utf-16"), "mine.yaml", "kg=mine"),
    "a config of NULs": _config("kg/mine.yaml", bytes(100), "mine.yaml", "kg=mine"),
    "a config that is a list": _config("kg/mine.yaml", b"- name\n- format\n", "mine.yaml", "kg=mine"),
    "a deep config": _config("kg/mine.yaml", b"name: " + _DEEP.encode(), "mine.yaml", "kg=mine"),
    "a model without a backend": _config("model/mine.yaml", b"max_tokens: 3\n", "backend", "model=mine"),
    "a callback of one's own": _config(
        "mine.yaml",
        b"defaults: [config, _self_]\nhydra: {callbacks: {mine: {_target_: os.mkdir, path: here}}}\n",
        "callbacks",
        *("--config-name", "mine"),
    ),
    "a password in the address": _secret("model=openai", "model.model=m", "model.base_url=http://me:SECRET@host/v1"),
    "a key in the address": _secret("model=openai", "model.model=m", "'model.base_url=http://host/v1?key=SECRET'"),
    "a key for its variable": _secret("model=openai", "model.model=m", "model.api_key_env=SECRET"),
    "a key as a setting": _secret("model=openai", "model.model=m", "+model.api_key=SECRET"),
    "a key in extra_body": _secret("model=openai", "model.model=m", "+model.extra_body.api_key=SECRET"),
    "a password in api_base": _secret(
        "model=litellm", "model.model=openai/m", "model.api_base=http://me:SECRET@host/v1"
    ),
    "a key in litellm's extra": _secret("model=litellm", "model.model=openai/m", "+model.extra.api_key=SECRET"),
    "a key of the judge": _secret(
        *("model=scripted", "model@judge=openai", "judge.model=m", "judge.base_url=http://me:SECRET@host/v1")
    ),
    "a password in a config": _in_a_config,
    "a model's name of 130 characters": _named("model-" + "x" * 124),
    "a model's name of 30 Cyrillic ones": _named("модель-" + "ж" * 23),
    "a model's name that is a path": _named("/data/models/" + "deep/" * 20 + "model"),
    "a model's name that is a formula": _named("=cmd()"),
    "a model's name of odd characters": _named("a|b<c>\u202e &amp; ../x"),
    "keys of the request": _extra_keys,
}
