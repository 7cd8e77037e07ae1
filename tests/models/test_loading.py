"""Models from Python by name: those with a config file, and those that are only registered."""

from __future__ import annotations

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import ConfigError, UnknownNameError
from factprobe.models import Model, ModelSettings, Reply, models
from factprobe.records import Request
from tests.models.questions import question


class ParrotSettings(ModelSettings, frozen=True, kw_only=True):
    word: str
    times: int = 1


@pytest.fixture(autouse=True)
def parrot() -> None:
    @models.register("parrot")
    class Parrot(Model):
        settings_type = ParrotSettings

        async def reply(self, request: Request) -> Reply:
            return Reply(" ".join([self.settings.word] * self.settings.times))


def test_model_need_not_have_a_config_file() -> None:
    [response] = ask_model(load_model("parrot", word="Ulm", times=2), [question()])
    assert response.response == "Ulm Ulm"


def test_required_setting_is_named() -> None:
    with pytest.raises(ConfigError, match="word"):
        load_model("parrot")


def test_unknown_setting_is_named() -> None:
    with pytest.raises(ConfigError, match="wordd"):
        load_model("parrot", word="Ulm", wordd="Ulm")


def test_similar_setting_is_suggested_first() -> None:
    with pytest.raises(ConfigError, match=r"^unknown setting 'model.max_token'; did you mean model.max_tokens\?"):
        load_model("openai", max_token=3)


@pytest.mark.parametrize("name", ["parot", "a/b", ""])
def test_unknown_name_is_one_line(name: str) -> None:
    with pytest.raises((UnknownNameError, ConfigError)) as found:
        load_model(name)
    assert "\n" not in str(found.value)


def test_similar_name_is_suggested() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'scripted'"):
        load_model("scriptd")
