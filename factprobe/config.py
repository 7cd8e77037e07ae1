"""The settings of a run, typed, and where the files that come with factprobe lie."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from factprobe.errors import ConfigError, FactprobeError, MissingExtraError
from factprobe.records import QuestionType

if TYPE_CHECKING:
    from omegaconf import DictConfig

T = TypeVar("T")

CacheMode = Literal["off", "read", "refresh"]
"""`read` takes what is there and adds to it, `refresh` asks anew and replaces it; `off` does neither."""

_CONVERT_ERROR = re.compile(r"^(?P<what>.*) - at `\$\.?(?P<where>.*)`$")


class KgConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `conf/kg/<name>.yaml` sets."""

    name: str
    adapter: str | None = None
    data_dir: str | None = None
    extractor: str = "triplets"


class EvaluatorConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `conf/evaluator/<name>.yaml` sets: the registered evaluator for each question type."""

    name: str
    binary_answer: str
    multi_choices: str
    single_answer: str
    multiple_answer: str
    settings: dict[str, Any] = {}
    """What the evaluators' own settings types take."""

    def by_type(self) -> dict[QuestionType, str]:
        """The evaluators by question type."""
        return {
            "binary_answer": self.binary_answer,
            "multi_choices": self.multi_choices,
            "single_answer": self.single_answer,
            "multiple_answer": self.multiple_answer,
        }


class LabelSource(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rater of `step=agree`: a JSON list, JSON Lines or a folder of grades, and under which keys what stands."""

    path: str
    id: str | None = None
    """By default `question_id` or `id`; where no rater's records have one, they are matched by their order."""
    label: str | None = None
    """By default `label` or `verdict`."""
    probability: str | None = None
    """By default `probability` or `p(Hallucination)`."""
    annotators: str | None = None
    """The key of a list of several people's labels, by default `labels`."""
    map: dict[str | int | float | bool, str | int | float | bool] = {}
    """Labels to be read as others."""


class RunConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `conf/config.yaml` sets; the registered classes check the settings of their own groups."""

    step: str
    kg: KgConfig
    generator: dict[str, Any]
    model: dict[str, Any]
    evaluator: EvaluatorConfig
    compat: EvaluatorConfig | None = None
    judge: dict[str, Any] | None = None
    judge_samples: Annotated[int, Meta(ge=1)] = 1
    judge_rules: tuple[str, ...] | str | None = None
    output_dir: str
    relations: tuple[str, ...] | str | None = None
    limit: Annotated[int, Meta(ge=1)] | None = None
    seed: int = 0
    strict: bool = False
    shard: str | None = None
    cache: CacheMode = "read"
    cache_dir: str | None = None
    dry_run: bool = False
    max_cost_usd: Annotated[float, Meta(ge=0)] | None = None
    samples: Annotated[int, Meta(ge=0)] = 600
    parquet: bool = False
    models: tuple[str, ...] | str | None = None
    labels: dict[str, str | LabelSource] | None = None
    gold: str | None = None
    plugins: tuple[str, ...] = ()
    debug: bool = False

    @property
    def picked(self) -> tuple[str, ...] | None:
        """The relations that the run is limited to, or None for all."""
        return _several(self.relations)

    @property
    def compared(self) -> tuple[str, ...] | None:
        """The models that `step=compare` is limited to, or None for all."""
        return _several(self.models)

    @property
    def judged(self) -> tuple[str, ...] | None:
        """The verdicts and rules that go to the judge, or None for the usual ones."""
        return _several(self.judge_rules)


def _several(names: tuple[str, ...] | str | None) -> tuple[str, ...] | None:
    """One name stands for a list of it."""
    return (names,) if isinstance(names, str) else names


def from_omegaconf(config: DictConfig) -> RunConfig:
    """The typed settings of a composed config.

    Raises:
        ConfigError: a setting is missing or of the wrong type.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        key = getattr(error, "full_key", None) or "config"
        raise ConfigError(str(error).splitlines()[0], where=key, mend=f"set {key}=...") from error
    return convert(plain, RunConfig)


def convert(settings: Any, into: type[T], where: str = "") -> T:
    """Settings as a typed record.

    Raises:
        ConfigError: one is of the wrong type, unknown or missing; it is named.
    """
    try:
        return msgspec.convert(settings, into)
    except msgspec.ValidationError as error:
        found = _CONVERT_ERROR.match(str(error))
        inner = found["where"] if found else ""
        path = ".".join(part for part in (where, inner) if part) or "config"
        what = (found["what"] if found else str(error)).replace("`", "'")
        raise ConfigError(
            what[:1].lower() + what[1:], where=path, mend="python run.py --help lists the settings"
        ) from error


def compose(overrides: Sequence[str] = ()) -> DictConfig:
    """The config as the command line would compose it from these overrides, for use from Python.

    Raises:
        ConfigError: an override names what is not there.
    """
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    with initialize_config_dir(config_dir=str(resource("conf")), version_base="1.3"):
        try:
            return hydra_compose("config", overrides=list(overrides))
        except (HydraException, OmegaConfBaseException) as error:
            raise explain(error) from error


def explain(error: Exception) -> FactprobeError:
    """An error of Hydra's in one line, with the near name where a name is wrong, or the extra that is missing."""
    from hydra.errors import MissingConfigException

    from factprobe.errors import UnknownNameError, nearest

    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        if group == "hydra/launcher" and name in known_names("launcher"):
            extra = name.partition("_")[0]
            what = f"hydra-{extra}-launcher is not installed"
            return MissingExtraError(what, where=f"{group}={name}", extra=extra)
        return UnknownNameError(group or "config", name, error.options or known_names(group))
    message = str(error)
    unknown = re.search(r"Could not override '([^']+)'|Key '([^']+)' is not in struct", message)
    if unknown:
        key = str(unknown[1] or unknown[2])
        near = nearest(key, _setting_names())
        mend = f"did you mean {near}? " if near else ""
        return ConfigError(f"unknown setting {key!r}", mend=f"{mend}python run.py --help lists the settings")
    return ConfigError(" ".join(message.split()), mend="python run.py --help shows how settings are written")


def known_names(group: str) -> list[str]:
    """The choices of a config group that come with factprobe."""
    return sorted(path.stem for path in (resource("conf") / group).glob("*.yaml"))


def _setting_names() -> list[str]:
    from omegaconf import DictConfig

    def names(node: DictConfig, prefix: str = "") -> list[str]:
        found: list[str] = []
        for key in node:
            name = prefix + str(key)
            found.append(name)
            value = node._get_node(key)
            if isinstance(value, DictConfig):
                found += names(value, f"{name}.")
        return found

    return names(compose())


def load_plugins(modules: Sequence[str]) -> None:
    """Imports the user's modules, whose decorators enter their classes into the registries.

    Raises:
        ConfigError: one cannot be imported.
    """
    import sys

    if modules and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    for module in modules:
        try:
            import_module(module)
        except ImportError as error:
            mend = "name modules that Python finds from this folder or that are installed"
            raise ConfigError(f"{module} cannot be imported: {error}", where="plugins", mend=mend) from error


def resource(name: str) -> Path:
    """A folder that comes with factprobe, `conf` or `kgs`: inside the installed package, or in the checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def data_dir(kg: KgConfig) -> Path:
    """The folder of a graph's data: the one that is named, or that of the small graph of the same name.

    Raises:
        ConfigError: none is named and none comes with factprobe.
    """
    if kg.data_dir is not None:
        return Path(kg.data_dir).expanduser()
    bundled = resource("kgs") / kg.name
    if not bundled.is_dir():
        what = f"no data comes with factprobe for the graph {kg.name!r}"
        raise ConfigError(what, where="kg.data_dir", mend="set kg.data_dir= to the folder of its data")
    return bundled


def plain(config: RunConfig) -> Mapping[str, Any]:
    """The settings as the manifest keeps them."""
    settings: Mapping[str, Any] = msgspec.to_builtins(config)
    return settings
