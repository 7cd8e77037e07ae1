"""Self-consistency: what is asked again, how replies are compared, and what is marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from factprobe.checkers.base import Checker
from factprobe.config import convert
from factprobe.detectors.selfcheck import SelfCheckDetector, SelfCheckSettings
from factprobe.errors import ConfigError
from factprobe.evaluators.reference.evaluator import ReferenceEvaluator
from factprobe.factories import build_component, named_settings
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, ClaimedText, ClaimVerdict, Detection, DetectorItem
from tests.claims.asking import InMemory, Says, in_turn
from tests.contracts.texts import means

ITEM = DetectorItem("a", "Paris", "What is the capital of France?")
YES, NO = HALLUCINATION, NOT_HALLUCINATION


class Labels(Checker):
    """Says of each text and reference what a test has it say."""

    def __init__(self, says: Callable[[str, str], ClaimVerdict]) -> None:
        super().__init__(None)
        self.says, self.seen = says, 0

    def check(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[ClaimVerdict, ...]]:
        for text in texts:
            self.seen += 1
            yield tuple(self.says(claim.text, text.item.references[0]) for claim in text.claims)


def detector(says: Says, checker: Checker | None = None, **settings: Any) -> tuple[SelfCheckDetector, InMemory]:
    given = {"messages": [{"role": "user", "content": "{task} {input}"}]}
    base = {"name": "selfcheck", "model": {"backend": "scripted"}, "wording": given, "samples": 4}
    made = SelfCheckDetector(convert({**base, **settings}, SelfCheckSettings, "detector"))
    made.ask = asked = InMemory(says)
    made.parts = [checker] if checker else []
    return made, asked


def found(says: Says, item: DetectorItem = ITEM, checker: Checker | None = None, **settings: Any) -> Detection:
    [one] = detector(says, checker, **settings)[0].detect([item])
    return one


class TestAnswers:
    @pytest.mark.parametrize(
        ("said", "probability"),
        [
            (("Paris", "paris.", "It is Paris.", "The capital of France is Paris."), 0.0),
            (("Lyon", "Paris", "Lyon", "Nice"), 0.75),
            (("Lyon", "Nice", "I don't know.", "no idea"), 1.0),
            (("Paris", "Paris", "Lyon", "Lyon"), 0.5),
        ],
    )
    def test_probability_is_the_share_of_disagreeing_samples(self, said: tuple[str, ...], probability: float) -> None:
        one = found(in_turn(*said))
        assert one == Detection(YES if probability > 0.5 else NO, probability, samples=4, tie=probability == 0.5)

    def test_abstentions_agree(self) -> None:
        item = DetectorItem("a", "I do not know.", "Who?")
        assert found(in_turn("no idea", "I have no idea.", "I don't know.", "Paris"), item).probability == 0.25

    def test_blank_samples_are_left_out_and_reported(self) -> None:
        one = found(in_turn(), DetectorItem("a", "Paris", "Where?", samples=("Lyon", "", "Paris")))
        assert (one.probability, one.samples, one.reasons) == (0.5, 2, ("blank samples left out: 1 of 3",))
        assert found(in_turn("Paris", " ", "Lyon", "Paris")).reasons == ("blank samples left out: 1 of 4",)

    def test_blank_stored_samples_are_not_replaced(self) -> None:
        made, asked = detector(in_turn("Paris"))
        [one] = made.detect([DetectorItem("a", "Paris", "Where?", samples=("", " "))])
        assert one.reasons == ("all samples are empty",)
        assert not asked.rounds

    def test_entropy_counts_the_text_among_the_replies(self) -> None:
        assert found(in_turn("Paris", "Paris", "Paris", "Paris"), measure="entropy").probability == 0
        assert found(in_turn("Lyon", "Nice", "Metz", "Brest"), measure="entropy").probability == 1

    def test_evaluator_failure_affects_one_item(self, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = ReferenceEvaluator.decide

        def decide(self: ReferenceEvaluator, reading: Any) -> Any:
            if "boom" in reading.reply:
                raise ZeroDivisionError
            return usual(self, reading)

        monkeypatch.setattr(ReferenceEvaluator, "decide", decide)
        made, _ = detector(in_turn("Paris"))
        one, other = made.detect([DetectorItem("a", "boom", "Who?"), DetectorItem("b", "Paris", "Where?")])
        assert (one.label, one.probability) == (None, None)
        assert "the evaluator fails on a reply: ZeroDivisionError" in one.reasons[0]
        assert other.probability == 0


class TestSamples:
    def test_prompt_contains_question_but_not_the_answer(self) -> None:
        item = DetectorItem("a", "Paris", "the source", "the target", task="PG")
        made, asked = detector(in_turn("x"), tasks={"PG": "Rephrase:"})
        list(made.detect([item]))
        assert [request.sample for request in asked.rounds["samples"]] == [0, 1, 2, 3]
        assert {request.prompts[0].content for request in asked.rounds["samples"]} == {"Rephrase: the source"}

    def test_stored_samples_are_scored_without_asking(self) -> None:
        made, asked = detector(in_turn("x"))
        item = DetectorItem("a", "Paris", samples=("Paris", "Lyon", "Paris", "Lyon", "Lyon"))
        assert list(made.detect([item])) == [Detection(YES, 0.6, samples=5)]
        assert not asked.rounds

    @pytest.mark.parametrize(
        ("item", "said", "reason"),
        [
            (ITEM, ("Paris", None), "3 of 4 samples failed: there is no reply"),
            (ITEM, (" ",), "all samples are empty"),
            (DetectorItem("a", " ", "Who?"), ("x",), "the output is empty"),
            (DetectorItem("a", "Paris"), ("x",), "there is nothing to ask again"),
        ],
    )
    def test_uncomparable_items_are_marked(self, item: DetectorItem, said: Any, reason: str) -> None:
        one = found(in_turn(*said), item)
        assert (one.label, one.probability) == (None, None)
        assert one.reasons[0].startswith(reason)

    def test_samples_at_temperature_0_are_refused(self) -> None:
        with pytest.raises(ConfigError, match=r"detector\.samples: 4 samples at temperature 0 would be identical"):
            detector(in_turn(""), model={"backend": "scripted", "temperature": 0})


class TestSentences:
    TEXT = DetectorItem("a", "Paris is large. Paris is old.", "Tell me of Paris.", samples=("one", "two"))

    def test_sentences_are_compared_with_every_sample(self) -> None:
        labels = {"one": ClaimVerdict("Entailment"), "two": ClaimVerdict("Contradiction")}
        neutral = Labels(lambda claim, of: labels[of] if "large" in claim else ClaimVerdict("Neutral"))
        assert found(in_turn("x"), self.TEXT, neutral).probability == (0 + 0.5 + 1 + 0.5) / 4
        assert neutral.seen == 2

    def test_probabilities_override_labels(self) -> None:
        given = {"Entailment": 0.6, "Neutral": 0.3, "Contradiction": 0.2}
        sure = Labels(lambda *_: ClaimVerdict("Entailment", probabilities=given))  # type: ignore[arg-type]
        assert found(in_turn("x"), self.TEXT, sure).probability == pytest.approx(0.2 / 0.8)

    def test_missing_sentence_verdict_leaves_item_undecided(self) -> None:
        for verdict in (ClaimVerdict(None, "unclear"), _without_number()):
            one = found(in_turn("x"), self.TEXT, Labels(lambda *_, verdict=verdict: verdict))
            assert one.probability is None
            assert one.reasons

    def test_entropy_is_over_clusters_that_entail_each_other(self) -> None:
        item = DetectorItem("a", "A.", "q", samples=("B.", "C."))
        alike = Labels(lambda claim, of: ClaimVerdict("Entailment" if "C." not in (claim, of) else "Neutral"))
        pair = found(in_turn("x"), item, alike, measure="entropy").probability
        one_sided = Labels(lambda claim, of: ClaimVerdict("Entailment" if claim < of else "Neutral"))
        assert found(in_turn("x"), item, one_sided, measure="entropy").probability == pytest.approx(1)
        assert pair == pytest.approx(0.579380, abs=1e-6)
        assert alike.seen == 6

    def test_checker_is_named_and_asks_for_itself(self) -> None:
        settings = {**named_settings("detector", "selfcheck"), "model": {"backend": "scripted"}, "samples": 2}
        checker = {"name": "llm", "model": "scripted"}
        made = build_component("detector", {**settings, "checker": checker}, means("Contradiction"))
        [one] = made.detect([DetectorItem("a", "It is so.", "Is it?")])
        assert (one.label, one.probability) == (YES, 1.0)


def _without_number() -> ClaimVerdict:
    nan = float("nan")
    return ClaimVerdict("Neutral", probabilities={"Entailment": nan, "Neutral": nan, "Contradiction": nan})


def test_wording_has_what_was_given_and_what_is_to_be_done() -> None:
    content = "".join(message["content"] for message in _shipped()["messages"])
    assert all(f"{{{name}}}" in content for name in ("task", "input", "context"))


def _shipped() -> dict[str, Any]:
    found: dict[str, Any] = named_settings("detector", "selfcheck")["wording"]
    return found
