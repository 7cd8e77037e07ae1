"""Marking spans: alignment of tokens, features, the choice of words, the graph, a model's lists, and single words."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.detectors.hades.trained import detect_by_word
from factprobe.detectors.spans.alignment import align
from factprobe.detectors.spans.features import FEATURES, SpanWords, features_of, words_of_sentences
from factprobe.detectors.spans.span_judge import read_spans
from factprobe.detectors.spans.span_model import baselines, mark_words, select_by_expected_iou
from factprobe.factories import build_component
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, Detection, DetectorItem, PlainRequest
from tests.contracts.texts import means

ITEM = DetectorItem("1", "Ada Byrne was born in 1912 in Lyon.", "Where was Ada Byrne born?", wants_spans=True)


@pytest.mark.parametrize(
    "tokens",
    [
        ["H", "Ã©", "Ġ12", "<|end|>"],
        ["<s>", "▁H", "é", "▁", "1", "2", "</s>"],
        ["▁H", "<0xC3>", "<0xA9>", "▁12"],
        ["H", "é▁", "12"],
        ["H", "é", " 12", "\n", "more"],
    ],
)
def test_tokens_of_any_spelling_are_aligned(tokens: list[str]) -> None:
    owners = align("Hé 12", tokens)
    assert owners is not None
    pieces = [tokens[owner].strip("▁Ġ ") for owner in owners if owner >= 0]
    assert owners[2] in (-1, owners[1], owners[3])
    assert pieces[0] == "H"
    assert tokens[owners[3]].strip("▁Ġ ")[0] == "1"
    assert owners == sorted(owners) or -1 in owners


def test_tokens_of_another_text_are_not_aligned() -> None:
    assert align("Hé 12", ["other", "▁words"]) is None
    assert align("a prompt: Hé", ["▁Hé", "</s>"]) == [-1] * 10 + [0, 0]


@given(st.text(max_size=30))
def test_any_text_has_features_in_the_same_columns(text: str) -> None:
    words, features = features_of(DetectorItem("1", text, text[::-1]))
    assert features.shape == (len(words.spans), len(FEATURES))
    assert np.isfinite(features).all()


def test_words_of_a_script_without_spaces_are_single_letters() -> None:
    words = SpanWords("他于1912年出生。在里昂")
    assert words.raw[:4] == ["他", "于", "1912", "年"]
    assert words_of_sentences(words)[0].tolist() == [0] * 7 + [1] * 3


def test_set_with_the_greatest_expected_iou_is_chosen() -> None:
    lengths = np.ones(4)
    assert select_by_expected_iou(np.array([0.9, 0.0, 0.8, 0.1]), lengths).tolist() == [True, False, True, False]
    assert select_by_expected_iou(np.full(4, 0.2), lengths).all(), "one of equal words says nothing"
    assert not select_by_expected_iou(np.zeros(4), lengths).any()


def test_marked_words_are_joined_and_soft_spans_cover_the_gaps() -> None:
    found = mark_words("New York, 1912", ((0, 3), (4, 8), (8, 9), (10, 14)), np.array([0.9, 0.8, 0.1, 0.9]))
    assert found.label == HALLUCINATION
    assert found.spans == ((0, 8), (10, 14))
    assert found.soft_spans == ((0, 3, 0.9), (3, 8, 0.8), (8, 10, 0.1), (10, 14, 0.9))


def test_baselines_mark_all_none_and_new_names() -> None:
    found = {name: [ITEM.output[slice(*span)] for span in one.spans] for name, [one] in baselines([ITEM]).items()}
    assert found == {"mark all": [ITEM.output], "mark none": [], "names and numbers": ["1912", "Lyon"]}


def probability_at(found: Detection, place: int) -> float:
    return next((probability for start, end, probability in found.soft_spans if start <= place < end), 0.0)


class TestFeatures:
    def test_new_values_are_more_probable_than_words_of_the_question(self) -> None:
        [found] = build_component("detector", {"name": "span_features"}, means("no")).detect([ITEM])
        of = {word: probability_at(found, ITEM.output.index(word)) for word in ("Ada", "1912", "Lyon")}
        assert of["1912"] > of["Ada"] < of["Lyon"]
        assert "Lyon" in " ".join(ITEM.output[slice(*span)] for span in found.spans)

    def test_logits_that_are_of_another_text_are_left_out_with_a_warning(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        detector = build_component("detector", {"name": "span_features"}, means("no"))
        other = DetectorItem("1", ITEM.output, ITEM.input, tokens=("x",), logits=(1.0,))
        with caplog.at_level(logging.WARNING):
            assert list(detector.detect([other])) == list(detector.detect([ITEM]))
        assert "the tokens of 1 of 1 items do not spell their text" in caplog.text

    def test_named_graph_overrides_marks(self) -> None:
        text = "Paris is the capital of France. Melbourne is the capital of France."
        item = DetectorItem("1", text, "Which city is the capital?", wants_spans=True)
        asked = means("no")._replace(is_graph_named=True)
        [found] = build_component("detector", {"name": "span_features"}, asked).detect([item])
        assert probability_at(found, text.index("France")) == 0
        assert probability_at(found, text.index("Melbourne")) == 1
        assert (32, 41) in found.spans


class TestJudge:
    @pytest.mark.parametrize(
        ("reply", "spans"),
        [
            ('["1912", "Lyon"]', ((22, 26), (30, 34))),
            ('Two parts.\n```json\n["LYON", "born  in 1912"]\n```', ((14, 26), (30, 34))),
            ('{"spans": ["1912"]}', ((22, 26),)),
            ("[]", ()),
            ('["in", "in"]', ((19, 21), (27, 29))),
        ],
    )
    def test_list_of_parts_is_marked(self, reply: str, spans: tuple[tuple[int, int], ...]) -> None:
        assert read_spans(reply, ITEM.output) == (spans, "")

    @pytest.mark.parametrize(
        ("reply", "fault"),
        [
            ("all of it", "no JSON list"),
            ('["Rome"]', "does not have the words 'Rome'"),
            ("[1912]", "no JSON list"),
            ('["Lyon", "Lyon"]', "does not have"),
        ],
    )
    def test_other_replies_give_no_verdict(self, reply: str, fault: str) -> None:
        found, why = read_spans(reply, ITEM.output)
        assert found is None
        assert fault in why

    def test_list_of_the_output_is_a_quotation(self) -> None:
        text = 'Lyon. Mark ["Lyon"].'
        assert read_spans('It says ["Lyon"].', text, [text])[0] is None

    def test_unusable_reply_is_requested_again(self) -> None:
        def reply(request: PlainRequest) -> str:
            return '["Lyon"]' if "could not be used" in request.prompts[-1].content else "Lyon"

        settings = {"name": "span_judge", "model": {"backend": "scripted"}, "wording": WORDING}
        [found] = build_component("detector", settings, means(reply)).detect([ITEM])
        assert (found.label, found.spans) == (HALLUCINATION, ((30, 34),))


WORDING = {
    "messages": [{"role": "user", "content": "{fence} {input} {context} {output}"}],
    "again": "(The last try could not be used: {fault})",
}


def test_detector_of_single_spans_judges_each_word() -> None:
    def detect(items: Sequence[DetectorItem]) -> Iterator[Detection]:
        for item in items:
            is_number = item.span is not None and item.output[slice(*item.span)].isdigit()
            yield Detection(HALLUCINATION if is_number else NOT_HALLUCINATION, 0.75 if is_number else 0.25)

    plain = DetectorItem("2", "1912", span=(0, 4))
    first, second = detect_by_word(detect, [ITEM, plain])
    assert first.spans == ((22, 26),)
    assert (22, 26, 0.75) in first.soft_spans
    assert second == Detection(HALLUCINATION, 0.75)
