"""A secret, in the environment or in the settings, is in no file and in no line that is printed."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import traceback
import warnings
from base64 import b64encode, encodebytes, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from factprobe.api import ask_model, load_model, run
from factprobe.asking.cache import ResponseCache
from factprobe.asking.runner import ask
from factprobe.cli.process import set_up
from factprobe.config import compose
from factprobe.errors import ConfigError
from factprobe.factories import build_model
from factprobe.models import Model, ModelSettings, Reply, models
from factprobe.models.base import request_hash
from factprobe.secrecy import hide, refuse, refuse_argument
from tests.answering import EXAM, manifest, records, settings
from tests.command_line import CommandLine, process
from tests.growth import grows_linearly
from tests.models.questions import question
from tests.models.server import completion, endpoint, fault, raw, send

KEY = 'sk-"secret"/4f9a+1c~?~'
SECRET = "hunter22"
LONG = "sk-proj-0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3"


def forms(secret: str) -> dict[str, str]:
    """The ways in which a secret is written."""
    return {
        "plain": secret,
        "quoted": quote(secret, safe=""),
        "quoted as a form": quote_plus(secret).lower(),
        "JSON": json.dumps(secret)[1:-1],
        "JSON in JSON": json.dumps(json.dumps(secret))[3:-3],
        "JSON with slashes": json.dumps(secret)[1:-1].replace("/", "\\/").replace("+", "\\u002B"),
        "HTML": secret.replace('"', "&quot;").replace("/", "&#x2F;"),
        "Basic": b64encode(f":{secret}".encode()).decode(),
        "Basic with a user": b64encode(f"me:{secret}".encode()).decode(),
        "Basic with a longer user": b64encode(f"you:{secret}".encode()).decode(),
        "base64": b64encode(secret.encode()).decode(),
        "base64 in an address": urlsafe_b64encode(f"{secret}??".encode()).decode(),
        "base64 in lines": encodebytes(f"{'.' * 50}{secret}".encode()).decode(),
        "base64 in indented lines": encodebytes(f"{'.' * 46}{secret}".encode()).decode().replace("\n", "\r\n    "),
        "base64 in lines in JSON": json.dumps(encodebytes(f"{'.' * 42}{secret}".encode()).decode()),
        "each character in JSON": "".join(f"\\u{ord(character):04x}" for character in secret),
        "each character in JSON in JSON": "".join(f"\\\\u{ord(character):04X}" for character in secret),
        "each character in Python": "".join(f"\\x{ord(character):02x}" for character in secret),
        "each character in C": "".join(f"\\{ord(character):03o}" for character in secret),
        "each character in JavaScript": "".join(f"\\u{{{ord(character):x}}}" for character in secret),
        "each character quoted": "".join(f"%{ord(character):02x}" for character in secret),
        "each character quoted twice": "".join(f"%25{ord(character):02X}" for character in secret),
        "each character in HTML": "".join(f"&#{ord(character)};" for character in secret),
        "each character in HTML in HTML": "".join(f"&amp;#x{ord(character):X};" for character in secret),
        "hexadecimal": secret.encode().hex(),
        "hexadecimal in pairs": secret.encode().hex(":").upper(),
        "hexadecimal in a dump": " ".join(f"0x{byte:02x}" for byte in secret.encode()),
        "some characters": "".join(
            f"%{ord(character):02x}" if character in "aeio14" else character for character in secret
        ),
    }


def holding_it(folder: Path, secret: str = KEY) -> list[str]:
    """The names and the files under a folder that a secret is in, in any form."""
    found = []
    for path in folder.rglob("*"):
        content = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        found += [f"{path}: {name}" for name, form in forms(secret).items() if form.encode() in content]
    return found


def is_in(secret: str, text: str) -> bool:
    return any(form in text for form in forms(secret).values())


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return KEY


ECHOES: dict[str, tuple[Callable[[], Any], int]] = {
    "in the reply": (lambda: (200, completion(f"My key is {KEY}.")), 0),
    "in the reason for its end": (lambda: (200, completion("Paris", finish_reason=f"stop {KEY}")), 0),
    "in an error that ends the run": (lambda: (401, fault(f"Incorrect API key provided: {KEY}")), 3),
    "in errors of each call": (lambda: (400, fault(f"{KEY} may not")), 3),
    "in what is no completion": (lambda: send(f"<html>{KEY}</html>".encode()), 3),
    "in what is no HTTP": (lambda: raw(f"HTTP/1.1 {KEY}\r\n\r\n".encode()), 3),
    "in a header": (lambda: send(json.dumps(completion("Paris")).encode(), X_Request_Id=KEY), 0),
}


@pytest.mark.parametrize(
    ("flag", "echo"),
    [
        *(("debug=true", echo) for echo in ECHOES),
        pytest.param("-m", "in the reply", marks=pytest.mark.slow),
        ("-m", "in an error that ends the run"),
    ],
)
def test_key_is_stored_nowhere(
    factprobe: CommandLine, tmp_path: Path, cache: Path, key: str, flag: str, echo: str
) -> None:
    answer, code = ECHOES[echo]
    with endpoint(lambda body: answer()) as server:
        result = factprobe(flag, "step=all", *settings(server.base_url, "model.max_retries=0"))
    assert server.keys == {f"Bearer {KEY}"}
    assert result.code == code, result.err
    assert not is_in(KEY, result.out + result.err)
    assert holding_it(tmp_path) == holding_it(cache) == []
    if "header" not in echo and "HTTP" not in echo:
        assert "***" in result.err or any(b"***" in path.read_bytes() for path in tmp_path.rglob("*.jsonl"))


def test_encoded_key_is_stored_nowhere(factprobe: CommandLine, tmp_path: Path, cache: Path, key: str) -> None:
    echo = ", ".join(forms(KEY).values())
    with endpoint(lambda body: (200, completion(echo)) if "statement" in str(body) else (400, fault(echo))) as server:
        result = factprobe("step=all", *settings(server.base_url))
    assert result.code == 0, result.err
    responses = records(tmp_path / "outputs/trex/responses")
    assert {(response["response"] or response["error"]).count("***") for response in responses} == {len(forms(KEY))}
    assert {response["error"] is None for response in responses} == {True, False}
    assert not is_in(KEY, result.out + result.err)
    assert holding_it(tmp_path) == holding_it(cache) == []


@pytest.mark.slow
def test_child_process_hides_the_key(tmp_path: Path, cache: Path) -> None:
    echo = fault(f"Incorrect API key provided: {KEY}")
    with endpoint(lambda body: send(json.dumps(echo).encode(), 401, X_Request_Id=KEY)) as server:
        run = process(
            "step=all",
            "debug=true",
            *settings(server.base_url),
            "hydra.verbose=true",
            folder=tmp_path,
            OPENAI_API_KEY=KEY,
            OPENAI_LOG="debug",
        )
        out, err = run.communicate(timeout=60)
    assert run.returncode == 3
    assert "Traceback" in err
    assert not is_in(KEY, out + err)
    assert "request_id: ***" in err
    assert holding_it(tmp_path) == holding_it(cache) == []


@pytest.mark.parametrize("line", [f"{KEY} fails", "the settings hold what is wrong"])
def test_traceback_and_log_hide_the_key(
    capsys: pytest.CaptureFixture[str], key: str, tmp_path: Path, line: str
) -> None:
    log = logging.FileHandler(tmp_path / "log")
    loggers = [logging.getLogger(name) for name in ("library", "py.warnings")]
    for logger in loggers:
        logger.addHandler(log)
    try:
        with warnings.catch_warnings():
            logging.captureWarnings(False)  # as another test may have left it
            set_up()
            warnings.simplefilter("always")
            warnings.warn(f"{KEY} is odd", stacklevel=1)
        raise ValueError(line) from KeyError(KEY)
    except ValueError as error:
        loggers[0].exception("after %s", line)
        sys.excepthook(type(error), error, None)
    finally:
        logging.captureWarnings(False)
        for logger in loggers:
            logger.removeHandler(log)
        log.close()
    printed = capsys.readouterr().err
    assert "ValueError: " + line.replace(KEY, "***") in printed
    assert "KeyError: '***'" in printed
    logged = (tmp_path / "log").read_text()
    assert "UserWarning: *** is odd" in logged
    assert "after" in logged
    assert not is_in(KEY, printed + logged)


class TokenSettings(ModelSettings, frozen=True, kw_only=True):
    token_env: str = "A_PLACE"


class Talker(Model):
    """A model of one's own that reads a secret from a variable of its own, and shows it."""

    settings_type = TokenSettings

    async def reply(self, request: Any) -> Reply:
        if "1" in request.question_id:
            raise ValueError(f"no answer for {KEY}")
        return Reply(f"{KEY} it is", f"stop {KEY}")


def test_custom_model_cannot_show_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_PLACE", KEY)
    models.register("talker")(Talker)
    failed, answered = ask_model(build_model({"backend": "talker", "token_env": "A_PLACE"}), [question(1), question(2)])
    assert failed.error == "ValueError: no answer for ***"
    assert (answered.response, answered.finish_reason) == ("*** it is", "stop ***")


LEAKY = """
import os
from factprobe.models import Model, models


@models.register("leaky")
class Leaky(Model):
    async def start(self):
        raise models_error("no entry with " + os.environ["OPENAI_API_KEY"])

    async def reply(self, request):
        pass
"""


@pytest.mark.parametrize("error", ["from factprobe.errors import ModelError as", "from builtins import OSError as"])
@pytest.mark.parametrize("flag", ["debug=true", "-m"])
def test_failing_start_hides_the_key(factprobe: CommandLine, tmp_path: Path, key: str, flag: str, error: str) -> None:
    (tmp_path / "leaky.py").write_text(f"{error} models_error" + LEAKY)
    result = factprobe(flag, "step=all", *EXAM, "plugins=[leaky]", "model=leaky")
    assert result.code == 2
    assert "no entry with ***" in result.err
    assert manifest(tmp_path / "outputs/trex")["counts"]["stopped"] == "no entry with ***"
    assert not is_in(KEY, result.out + result.err)
    assert holding_it(tmp_path) == []


def test_keys_in_an_old_cache_are_hidden(tmp_path: Path, key: str) -> None:
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        model = load_model("openai", model="m", base_url=server.base_url)
    cache = ResponseCache(tmp_path)
    cache.put(request_hash(question()), model.settings_hash, Reply(KEY, KEY))
    found: list[Any] = []
    asyncio.run(ask(model, [question()], found.append, cache))
    cache.close()
    assert (found[0].response.response, found[0].response.finish_reason) == ("***", "***")


LAUNCHERS = [
    [],
    *(pytest.param([f"hydra/launcher={name}"], marks=pytest.mark.slow) for name in ("joblib", "submitit_local")),
]
OPENAI = ["model=openai", "model.model=m"]
LITELLM = ["model=litellm", "model.model=openai/m"]
REFUSED: list[tuple[list[str], str]] = [
    (OPENAI, f"model.base_url=http://me:{SECRET}@127.0.0.1:1/v1"),
    (OPENAI, f"model.base_url=http://{SECRET}@127.0.0.1:1/v1"),
    (OPENAI, f"model.base_url='http://me:pa/{SECRET}@127.0.0.1:1/v1'"),
    (OPENAI, f"model.base_url='http://127.0.0.1:1/v1?key={SECRET}'"),
    (OPENAI, f"model.base_url=http://127.0.0.1:1/v1#{SECRET}"),
    (OPENAI, f"model.base_url={SECRET}"),
    (OPENAI, f"model.api_key_env=sk-{SECRET}"),
    (OPENAI, f"model.api_key_env={SECRET}"),
    (OPENAI, f"model.api_key_env=AKIA{SECRET.upper()}0123456789"),
    (OPENAI, f"+model.api_key={SECRET}"),
    (OPENAI, f"++model.api_key='{SECRET}'"),
    (OPENAI, f"model.api_key={SECRET}"),
    (OPENAI, f"model.extra_body.api_key={SECRET}"),
    (OPENAI, f"model.extra_body={{user: {{apiKey: {SECRET}}}}}"),
    (OPENAI, f"model.extra_body={{headers: {{X-API-Key: [{SECRET}]}}}}"),
    (OPENAI, f"model.extra_body={{extra_headers: {{Authorization: 'Bearer {SECRET}'}}}}"),
    (OPENAI, f"model.extra_body={{extra_headers: {{X-Note: 'Bearer {SECRET}'}}}}"),
    (OPENAI, f"model.extra_body={{credentials: {{value: {SECRET}}}}}"),
    (OPENAI, f"model.extra_body={{credentials: [{{name: x, parts: [{{first: {SECRET}}}]}}]}}"),
    (OPENAI, f"model.extra_body.client_secret.v1.value={SECRET}"),
    (OPENAI, f"model.extra_body={{auth: {{value: {SECRET}}}}}"),
    (OPENAI, f"model.extra_body={{credentials: {{value: {SECRET}}}"),
    (LITELLM, f"+model.extra.vertex_credentials={{private: {SECRET}}}"),
    (OPENAI, f"model.extra_body.hf_token={SECRET}"),
    (OPENAI, f"model.extra_body.token={SECRET}"),
    (OPENAI, f"model.extra_body.my_token={SECRET}"),
    (OPENAI, f"model.extra_body.sk-{SECRET}abcdefghijklmn=1"),
    (OPENAI, f"model.name=sk-{SECRET}abcdefghijklmn"),
    (OPENAI, f"model.extra_body={{api_key: {SECRET}"),
    (OPENAI, f"model.base_url=http://me:{SECRET}=,[@host/v1"),
    (OPENAI, f"model.extra_body.proxy=http://me:{SECRET}@proxy:3128"),
    (LITELLM, f"model.api_base=http://me:{SECRET}@127.0.0.1:1/v1"),
    (LITELLM, f"model.api_base='http://127.0.0.1:1/v1?api-key={SECRET}'"),
    (LITELLM, f"+model.extra.api_key={SECRET}"),
    (LITELLM, f"model.extra.aws_secret_access_key={SECRET}"),
    (["model@judge=openai", "judge.model=m"], f"judge.base_url=http://me:{SECRET}@127.0.0.1:1/v1"),
    (["model@judge=openai", "judge.model=m"], f"+judge.api_key={SECRET}"),
    ([], f"hydra.job.env_set.OPENAI_API_KEY={SECRET}"),
    ([], f"+evaluator.settings.password={SECRET}"),
    ([], f"+hydra.sweeper.params={{model.base_url: 'http://host/v1,http://me:{SECRET}@host/v1'}}"),
    (["hydra/launcher=submitit_slurm"], f"hydra.launcher.setup=['export OPENAI_API_KEY={SECRET}']"),
]


def refused(factprobe: CommandLine, *arguments: str, secret: str = SECRET) -> str:
    """The line by which a run is refused that has left no file and shown no secret, its traceback included."""
    code, out, err = factprobe("debug=true", *arguments)
    assert (code, out) == (2, "")
    assert "Traceback" in err
    assert not is_in(secret, err)
    assert list(factprobe.folder.iterdir()) == []
    line = err.splitlines()[-1]
    assert line.startswith("factprobe: error: ")
    return line


@pytest.mark.parametrize(("model", "setting"), REFUSED)
def test_secret_in_the_settings_is_refused_unseen(factprobe: CommandLine, model: list[str], setting: str) -> None:
    line = refused(factprobe, "step=generate", *EXAM, *model, setting)
    assert f" {setting.lstrip('+').partition('.')[0]}." in line


@pytest.mark.parametrize(
    ("setting", "out", "hint"),
    [
        ("model.base_url", "remove user, password, query and fragment", "put the key .* model.api_key_env; litellm"),
        ("kg.endpoint", "remove user, password and key", "put the key .* set its name with kg.token_env$"),
        ("hydra.sweeper.params.kg.endpoint", "remove user, password and key", "put the key .* with kg.token_env$"),
        ("retriever.url", "remove user, password and key", "put the key .* with retriever.api_key_env$"),
        ("kg.archive.url", "remove user, password and key", "fetch it with a browser, .* with kg.data_dir=$"),
        ("fetch.url", "remove user, password and key", "fetch it with a browser, .* with kg.data_dir=$"),
    ],
)
@pytest.mark.parametrize("address", ["http://me:hunter22@host/x", "http://host/x?apikey=hunter22"])
def test_hint_for_key_in_address(setting: str, out: str, hint: str, address: str) -> None:
    with pytest.raises(ConfigError, match=f"{setting}: an address is written to .*; {out}; {hint}"):
        refuse(address, setting)
    with pytest.raises(ConfigError, match=f"{setting}: settings are written to .*; {hint}"):
        refuse_argument(f"{setting}={address}")


def test_query_without_a_key_in_an_address_of_an_archive() -> None:
    refuse("http://host/x?download=1", "fetch.url")


@pytest.mark.parametrize("name", ["X-Amz-Signature", "Signature", "sig"])
def test_address_that_is_signed(name: str) -> None:
    with pytest.raises(ConfigError, match=r"^fetch\.url: an address is written to files"):
        refuse(f"https://host/x.zip?Expires=1&{name}=d41d8cd9", "fetch.url")


@pytest.mark.parametrize("step", ["extract", "generate", "answer", "evaluate", "report", "compare", "agree", "all"])
def test_every_step_refuses(factprobe: CommandLine, step: str) -> None:
    line = refused(factprobe, f"step={step}", *OPENAI, f"model.base_url=http://me:{SECRET}@host/v1")
    assert "model.base_url: an address is written to files" in line
    assert "environment variable" in line
    assert "model.api_key_env" in line


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize(
    "sweep",
    [
        f"model.base_url=http://127.0.0.1:1/v1,http://me:{SECRET}@127.0.0.1:1/v1",
        f"model.extra_body={{a: 1}},{{api_key: '{SECRET}'}}",
        f"model.api_key_env=OPENAI_API_KEY,sk-{SECRET}",
        f"+model.api_key={SECRET}",
    ],
)
def test_sweep_over_secrets_is_refused_by_every_launcher(
    factprobe: CommandLine, launcher: list[str], sweep: str
) -> None:
    refused(factprobe, "-m", "step=generate", *EXAM, *OPENAI, sweep, *launcher)


@pytest.mark.parametrize("flags", [[], ["-m"], ["--cfg", "job"], ["--cfg", "hydra"]])
def test_config_file_with_a_secret_is_refused(
    factprobe: CommandLine, tmp_path_factory: pytest.TempPathFactory, flags: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("conf")
    (folder / "model").mkdir()
    (folder / "model/mine.yaml").write_text(f"backend: litellm\nmodel: openai/m\nextra: {{api_key: {SECRET}}}\n")
    line = refused(factprobe, "step=extract", "model=mine", "--config-dir", str(folder), *flags)
    assert "model.extra.api_key: settings are written to files" in line


def test_secret_interpolated_from_environment_is_refused(factprobe: CommandLine, key: str) -> None:
    taken = "model.extra_body.user=${oc.env:OPENAI_API_KEY}"
    line = refused(factprobe, "step=extract", *EXAM, *OPENAI, taken, secret=KEY)
    assert "model.extra_body.user: must not contain the key in OPENAI_API_KEY" in line
    copied = "hydra.job.env_copy=[OPENAI_API_KEY]"
    refused(factprobe, "-m", "step=extract", *EXAM, copied, secret=KEY)


@pytest.mark.parametrize("variable", ["GITLAB_PAT", "DB_PW", "MY_CREDS", "LOGIN_SESSION", "ANYTHING"])
def test_value_of_the_environment_that_may_be_a_secret_is_refused(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, PLAIN)
    taken = f"model.extra_body.user=${{oc.env:{variable}}}"
    line = refused(factprobe, "step=extract", *EXAM, *OPENAI, taken, secret=PLAIN)
    assert "model.extra_body.user: " in line
    assert variable in line
    if variable != "ANYTHING":  # also where the shell has put it in
        refused(factprobe, "step=extract", *EXAM, *OPENAI, f"model.extra_body.user={PLAIN}", secret=PLAIN)
        assert hide(f"an echo of {PLAIN}") == "an echo of ***"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MY_MODEL", "Qwen2.5-7B-Instruct"),
        ("FACTPROBE_NOTE", "wanderer-4f9a1c77"),
        ("BATCH", "20260101"),
        ("SERVER", "http://127.0.0.1:8000/v1"),
        ("STAGE", "production"),
        ("PLACE", "/"),
    ],
)
def test_harmless_value_of_the_environment_is_used(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    taken = f"model.extra_body.user=${{oc.env:{variable}}}"
    assert factprobe("step=extract", *EXAM, *OPENAI, taken).code == 0


PLAIN = "wanderer-4f9a1c77"
ENV = "${oc.env:OPENAI_API_KEY}"
TAKING = {
    "hydra.sweep.dir": f"hydra.sweep.dir=out-{ENV}",
    "hydra.sweep.subdir": f"hydra.sweep.subdir={ENV}",
    "hydra.run.dir": f"hydra.run.dir={ENV}",
    "hydra.output_subdir": f"hydra.output_subdir={ENV}",
    "hydra.job.name": f"hydra.job.name={ENV}",
    "hydra.sweeper.x": f"+hydra.sweeper.x={{output_dir: '{ENV}'}}",
    "hydra.launcher.name": f"+hydra.launcher.name={ENV}",
    "hydra.launcher.x": f"+hydra.launcher.x=[{{a: '{ENV}'}}]",
}


@pytest.mark.parametrize(
    ("name", "flags"),
    [*((name, ["-m"]) for name in TAKING), ("hydra.run.dir", []), ("hydra.run.dir", ["--cfg", "hydra", "--resolve"])],
)
def test_hydra_settings_with_secret_are_refused(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str, flags: list[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", PLAIN)
    line = refused(factprobe, "step=extract", *EXAM, TAKING[name], *flags, secret=PLAIN)
    assert f"error: {name}" in line
    assert "must not contain the key in OPENAI_API_KEY" in line


@pytest.mark.parametrize(
    ("subdir", "launcher"),
    [
        (f"${{hydra.job.num}}-{ENV}", "basic"),
        pytest.param(f"${{hydra:job.num}}${{model.name}}{ENV}", "basic", marks=pytest.mark.slow),
        pytest.param("${hydra.job.num}-${output_dir}", "joblib", marks=pytest.mark.slow),
    ],
)
def test_secret_known_only_to_a_job_is_refused(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, subdir: str, launcher: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", PLAIN)
    sweep = ["-m", "step=extract", *EXAM, f"output_dir=x{ENV}", f"hydra.sweep.subdir='{subdir}'"]
    line = factprobe.fails(*sweep, f"hydra/launcher={launcher}")
    assert "error: hydra.sweep.subdir: " in line or "${output_dir}" in subdir
    assert "must not contain the key in OPENAI_API_KEY" in line
    assert PLAIN not in line
    assert holding_it(factprobe.folder, PLAIN) == []


def test_other_environment_values_may_be_interpolated(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLACE", "here")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    folders = ["hydra.sweep.dir=${oc.env:PLACE}", "hydra.sweep.subdir=${oc.env:NOWHERE,x}/${oc.env:OPENAI_API_KEY}"]
    result = factprobe("-m", "step=extract", "kg=umls", "limit=1", *folders)
    assert result.code == 0, result.err
    assert (factprobe.folder / "here/x/none").is_dir()


@pytest.mark.parametrize("flag", [f"--api-key={SECRET}", f"--url=http://me:{SECRET}@host/v1"])
def test_flag_with_a_secret(factprobe: CommandLine, flag: str) -> None:
    assert "the command line" in refused(factprobe, "step=extract", flag)


@pytest.mark.parametrize(
    "given", [{"base_url": f"http://me:{SECRET}@host/v1"}, {"api_key": SECRET}, {"api_key_env": SECRET}]
)
def test_python_refuses_the_same(given: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [(name, value)] = given.items()
    for call in (
        lambda: load_model("openai", model="m", **given),
        lambda: build_model({"backend": "openai", "model": "m", **given}, "judge"),
        lambda: compose([*OPENAI, f"+model.{name}='{value}'"]),
        lambda: run("step=generate", *OPENAI, f"++model.{name}='{value}'"),
    ):
        with pytest.raises(ConfigError) as caught:
            call()
        assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "settings",
    [
        {"max_tokens": 48, "min_tokens": 1, "tokens_per_minute": 1000.0},
        {
            "stop_token": "endoftext",
            "pad_token": "endoftext",
            "eos_token": "<|im_end|>",
            "stop_token_ids": [128001, 128009],
            "token": "[MASK]",
            "image_token": "image_0001",
            "video_token": "reserved_special_token_250",
            "mask_token": {"content": "extra_id_99", "single_word": False, "id": 32099},
        },
        {"base_url": "https://api.example.com/openai/v1", "api_base": "http://[::1]:8000/v1"},
        {"base_url": "${oc.env:ENDPOINT}", "api_base": None, "api_key_env": "MY_KEY_2"},
        {"extra": {"api_key": "none", "api_version": "2024-06-01"}},
        {"json_schema": {"properties": {"password": {"type": "string"}, "token": {"type": "string"}}}},
        {"json_schema": {"required": ["password", "api_key"], "title": "secret"}},
        {"json_schema": {"$defs": {"secret": {"properties": {"credentials": {"items": {"type": "string"}}}}}}},
        {"model": "sk-wiki-bert-base-2020-uncased", "name": "org/hf_transformers_2024-key"},
        {"revision": "0123456789abcdef0123456789abcdef01234567"},
        {"messages": [{"content": "The password: [X]. Write to me@example.com, token = 12345678."}]},
        {"labels": {"key": "gold2024.jsonl", "secret_santa": "labels.jsonl"}, "gold": "key"},
        {"sort_key": "question_id", "keys": ["a1234567"], "monkey": "a1234567", "secretary": "a1234567"},
        {"prompt_cache_key": "factprobe-run-1", "idempotency_key": "abc-123-def", "partition_key": "shard_2024_01"},
        {"metadata": {"project_key": "FACT-123456"}},
        {"content": "the basic 1st-approximation-of-truth of a bearer 42nd-street"},
        {"price": "???", "base_url": "???", "api_key_env": "???"},
        {"data_dir": "data@2024/token=1/key", "see": "https://example.com/@me/x?page=2"},
    ],
)
def test_ordinary_settings_are_accepted(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORT_KEY", "question")
    monkeypatch.setenv("SSH_KEY", sys.prefix)
    refuse(settings, "model")


def test_key_is_secret_even_if_a_file_has_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As a shell makes one of `> $OPENAI_API_KEY`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / LONG).touch()
    (tmp_path / "key.pem").touch()
    monkeypatch.setenv("LONG_API_KEY", LONG)
    monkeypatch.setenv("TLS_PRIVATE_KEY", str(tmp_path / "key.pem"))
    assert hide(f"{LONG} and {tmp_path / 'key.pem'}") == f"*** and {tmp_path / 'key.pem'}"
    with pytest.raises(ConfigError, match="must not contain the key in LONG_API_KEY"):
        refuse({"note": LONG.replace("-", "%2D")}, "model")


def test_key_beyond_ascii_is_hidden_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_PASSWORD", "pässwörd+12")
    assert hide(f"illegal header {'pässwörd+12'.encode()!r}, {'pässwörd+12'.encode('latin-1')!r}") == (
        "illegal header b'***', b'***'"
    )


@pytest.mark.parametrize("settings", [{KEY: "[X] is [Y]."}, {"a": {quote(KEY): ["x"]}}, {f"of {KEY}": 1}])
def test_key_of_a_mapping_that_is_secret_is_refused(settings: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError, match="must not contain the key in OPENAI_API_KEY") as caught:
        refuse(settings, "kg.templates")
    assert str(caught.value).startswith("kg.templates.")
    assert not is_in(key, str(caught.value))


def test_ordinary_texts_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SORT_KEY": "question", "SSH_KEY": sys.prefix, "OPENAI_API_KEY": "none"}.items():
        monkeypatch.setenv(name, value)
    text = f"none of the question is in {sys.prefix}"
    assert hide(text) == text


@pytest.mark.parametrize("word", ["template", "TEMPLATE", "Template", "multiple_choice", "template "])
def test_ordinary_word_in_secret_variable_is_not_a_secret(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("DB_PASSWORD", word)
    monkeypatch.setenv("DATABASE_URL", f"postgres://postgres:{word.strip()}@127.0.0.1/postgres")
    refuse({"generator": word.strip(), "name": "postgres"}, "hydra.runtime.choices")
    assert hide(f"It is the {word}.") == f"It is the {word}."
    assert (
        hide(f"no way to postgres://postgres:{word.strip()}@127.0.0.1") == "no way to postgres://postgres***127.0.0.1"
    )


@pytest.mark.parametrize("word", ["template", "lm-studio"])
def test_lookalikes_of_secrets_are_accepted(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("DB_PASSWORD", word)
    result = factprobe("step=extract", "kg=trex", "limit=2", "model=openai", f"model.model={word}")
    assert result.code == 0, result.err


def test_word_that_a_setting_names_as_a_key_is_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORD_API_KEY", "swordfish")
    refuse({"api_key_env": "WORD_API_KEY"}, "model")
    assert hide("My key is swordfish.") == "My key is ***."
    with pytest.raises(ConfigError, match="if WORD_API_KEY is not a secret, unset or rename this variable"):
        refuse({"name": "swordfish"}, "model")


@pytest.mark.parametrize(
    "placeholder",
    ["lm-studio", "token-abc123", "sk-no-key-required", "ollama", "local", "test", "EMPTY", "not-needed"],
)
def test_placeholder_key_is_not_a_secret(monkeypatch: pytest.MonkeyPatch, placeholder: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", placeholder)
    monkeypatch.setenv("HF_TOKEN", placeholder)
    refuse({"api_key_env": "OPENAI_API_KEY", "model": placeholder, "extra_body": {"api_key": placeholder}}, "model")
    assert hide(f"I am {placeholder}.") == f"I am {placeholder}."


def test_secrets_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", f"http://me:{SECRET}%2Fx@proxy:3128")
    monkeypatch.setenv("HF_TOKEN", "hf_0123456789")
    monkeypatch.setenv("CLIENT_SECRET", "correcthorsebattery")
    monkeypatch.setenv("LONG_API_KEY", LONG)
    monkeypatch.setenv("DB_PASSWORD", "swordFish")
    monkeypatch.setenv("MASTER_KEY", "sk-swordfish")
    text = f"{SECRET}/x, {SECRET}%2Fx, hf_0123456789, correcthorsebattery, '{LONG[:20]}...{LONG[-16:]}'"
    assert hide(text) == "***, ***, ***, ***, '***'"
    assert hide("swordFish, sk-swordfish") == "***, ***"


@pytest.mark.parametrize(
    ("start", "repeated"),
    [
        *(("", "\\\\"), ("", "%25"), ("", "&amp;"), ("&#x", "0"), ("", r"\u0073"), ("&", "c2st \\n")),
        *(("", KEY[:-1]), ("", b64encode(KEY[:-2].encode()).decode())),
    ],
)
def test_the_time_grows_with_the_text_alone(start: str, repeated: str, key: str) -> None:
    def read(length: int) -> None:
        text = start + repeated * (length // len(repeated))
        assert hide(text) == text

    assert grows_linearly(read, 60_000)


@pytest.mark.parametrize(
    "name",
    ["MYPASS", "DB_PASS", "API_KEY_PROD", "OPENAI_API_KEY_2", "APIKEY_TEST", "MY_SECRET_DEV", "AUTH_TOKEN_EU"],
)
def test_secret_variable_name_with_suffix(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "hunter22-of-2024")
    assert hide("It is hunter22-of-2024.") == "It is ***."
    with pytest.raises(ConfigError, match=f"must not contain the key in {name}"):
        refuse({"note": "hunter22-of-2024"}, "model")
    with pytest.raises(ConfigError, match="settings are written to files"):
        refuse({name.lower(): "q7hunter22of2024"}, "model.extra_body")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BYPASS", "always"),
        ("SECRET_NAME", "my.name"),
        ("SESSION_COOKIE_AGE", "86400000"),
        ("API_KEY_FILE", "/nowhere/k1"),
    ],
)
def test_property_of_a_secret_is_not_a_secret(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert hide(f"It is {value}.") == f"It is {value}."
    refuse({name.lower(): value}, "model.extra_body")
