"""The retriever `serper` against a real server on loopback."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from factprobe.asking.cost import CostCounter
from factprobe.asking.in_memory import ask_model
from factprobe.asking.job import price_of
from factprobe.config import convert
from factprobe.errors import ConfigError, CostLimitError, NoAnswersError
from factprobe.records import ClaimedText, Item, Message, PlainRequest
from factprobe.retrievers import Retriever, retrievers
from factprobe.retrievers.serper import SerperSettings
from tests.models.server import Answer, Endpoint, closed_port, endpoint, hang_up, raw, send

KEY = "not-a-real-key-0123456789"
PAGES = {
    "answerBox": {"answer": "Paris", "title": "France / Capital"},
    "knowledgeGraph": {"title": "Paris", "type": "City", "attributes": {"Population": "2.1 million", "Area": 105}},
    "organic": [
        {"title": "Paris", "snippet": "Paris is the capital.", "link": "https://a.example"},
        {"title": "No snippet"},
        {"title": "Paris", "snippet": "Paris is the capital.", "position": 3},
        {"title": "Lyon", "snippet": "Lyon is not."},
    ],
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", KEY)


def retriever(server: Endpoint | str, **settings: Any) -> Retriever:
    base_url = server if isinstance(server, str) else server.base_url
    given = {"name": "serper", "base_url": base_url, "max_retries": 2, **settings}
    found = retrievers.get("serper")(convert(given, SerperSettings))
    model = found.model
    assert model is not None
    found.ask = lambda what, requests: ask_model(model, list(requests))
    return found


def found(answer: Answer, *items: Item, **settings: Any) -> tuple[list[tuple[str, ...]], Endpoint]:
    with endpoint(answer) as server:
        texts = [ClaimedText(item) for item in items or (Item("1", "It is Paris.", "What is the capital of France?"),)]
        return list(retriever(server, **settings).retrieve(texts)), server


def test_passages_come_from_search_results() -> None:
    [passages], server = found(lambda body: (200, PAGES))
    assert passages == (
        "France / Capital. Paris",
        "Paris. City. Population: 2.1 million; Area: 105",
        "Paris. Paris is the capital.",
        "Lyon. Lyon is not.",
    )
    assert server.requests == [{"q": "What is the capital of France?", "num": 5}]


def test_no_more_passages_than_asked_for() -> None:
    [passages], server = found(lambda body: (200, PAGES), count=1)
    assert passages == ("France / Capital. Paris",)
    assert server.requests[0]["num"] == 1


def test_key_goes_into_its_header_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []

    def keep(here: Endpoint, handler: Any) -> None:
        sent.append((handler.path, handler.headers["X-API-KEY"], handler.headers["Authorization"]))
        send(b"{}")(here, handler)

    monkeypatch.setenv("MY_SEARCH_KEY", f" {KEY}-mine ")
    found(lambda body: keep, api_key_env="MY_SEARCH_KEY")
    assert sent == [("/v1/search", f"{KEY}-mine", None)]


def test_text_without_a_question_is_looked_for_by_its_first_sentence_and_none_twice() -> None:
    items = [Item("1", "Paris is\tbig. It is old."), Item("2", "Paris is big."), Item("3", " \n"), Item("4", "Lyon")]
    passages, server = found(lambda body: (200, {"organic": [{"snippet": body["q"]}]}), *items)
    assert passages == [("Paris is big.",), ("Paris is big.",), (), ("Lyon",)]
    assert sorted(body["q"] for body in server.requests) == ["Lyon", "Paris is big."]


def test_empty_query_makes_no_call() -> None:
    assert found(lambda body: (500, {}), Item("1", ""))[0] == [()]


@pytest.mark.parametrize("nothing", [{}, {"organic": []}, {"answerBox": {}, "organic": [{"title": "T"}]}])
def test_no_results_are_no_passages(nothing: dict[str, Any]) -> None:
    assert found(lambda body: (200, nothing))[0] == [()]


@pytest.mark.parametrize(
    "first", [(429, {}), (500, {"message": "down"}), send(b"{broken"), send(b'{"organic": "none"}'), hang_up, raw(b"?")]
)
def test_transient_search_fault_is_retried(first: Any) -> None:
    answers = iter([first, (200, PAGES)])
    [passages], server = found(lambda body: next(answers), count=1)
    assert passages == ("France / Capital. Paris",)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (401, {"message": "Unauthorized."}, "401: Unauthorized.; check that SERPER_API_KEY"),
        (403, {"message": f"{KEY} is wrong"}, "403: *** is wrong; check that SERPER_API_KEY"),
        (400, {"message": "Not enough credits"}, "400: Not enough credits; check the credit of the account"),
        (404, {}, "404: "),
        (302, {}, "302: it redirects calls to"),
    ],
)
def test_permanent_search_fault_is_a_one_line_error(status: int, body: dict[str, Any], message: str) -> None:
    with endpoint(lambda _: (status, body)) as server, pytest.raises(NoAnswersError) as error:
        list(retriever(server).retrieve([ClaimedText(Item("1", "Paris"))]))
    assert message in str(error.value)
    assert KEY not in str(error.value)
    assert "\n" not in str(error.value)
    assert len(server.requests) == 1


def test_single_failed_search_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return (422, {"message": "too odd"}) if body["q"] == "odd" else (200, PAGES)

    passages, _ = found(answer, Item("1", "Paris"), Item("2", "odd"), count=1)
    assert passages == [("France / Capital. Paris",), ()]
    assert "1 of 2 searches failed (422: too odd); their texts have no references" in caplog.text


def test_unreachable_service() -> None:
    with pytest.raises(NoAnswersError, match=r"no connection.*retriever\.base_url"):
        list(retriever(f"http://127.0.0.1:{closed_port()}", max_retries=0).retrieve([ClaimedText(Item("1", "Paris"))]))


@pytest.mark.parametrize(
    ("value", "message"), [("", "is not set; export SERPER"), ("a\nb", "has characters that no key has")]
)
def test_invalid_key(value: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", value)
    model = retriever("http://127.0.0.1:1").model
    assert model is not None
    with pytest.raises(ConfigError, match=f"^retriever: the environment variable SERPER_API_KEY {message}"):
        model.check()


def test_neutral_settings_hit_the_cache() -> None:
    def settings_hash(address: str = "http://a.example", **settings: Any) -> str:
        model = retriever(address, **settings).model
        assert model is not None
        assert model.cached
        return model.settings_hash

    assert settings_hash() == settings_hash(timeout=9.0, api_key_env="OTHER_KEY", max_concurrency=1)
    assert settings_hash() == settings_hash("HTTP://A.example/")
    assert settings_hash() != settings_hash(count=3)


def test_limit_of_the_cost_goes_by_the_price_of_a_search() -> None:
    def ask(settings: dict[str, Any], limit: float) -> tuple[int, CostCounter]:
        with endpoint(lambda body: (200, PAGES)) as server:
            model = retriever(server, **settings).model
            assert model is not None
            spending = CostCounter(price_of(model, limit), limit)
            queries = [PlainRequest(str(i), (Message("user", f"What of {i}? " * 50),)) for i in range(5)]
            with suppress(CostLimitError):
                ask_model(model, queries, spending=spending)
            return len(server.requests), spending

    with pytest.raises(ConfigError, match=r"the price of serper is not known; set retriever\.usd_per_search="):
        ask({}, 1)
    assert ask({"usd_per_search": 0.001}, 0.0035)[0] == 3
    made, spending = ask({"usd_per_search": 0.001}, 1)
    assert made == 5
    assert spending.usd == pytest.approx(0.005)
