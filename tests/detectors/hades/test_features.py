"""HaDes' features, against scikit-learn and numpy, and what is fitted to them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factprobe.detectors.hades import features as made
from factprobe.detectors.hades.classical import FeatureDetector, Kind, fit
from factprobe.detectors.hades.features import FeatureExtractor, Ppmi, WordCounts
from factprobe.detectors.hades.windows import SpanWindow
from factprobe.errors import ConfigError, DataError
from factprobe.factories import build_component, named_settings
from factprobe.models.hf.token_spans import MaskedSpan
from factprobe.reading.tokenisation.tags import by_rules
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, DetectorItem, HallucinationLabel
from tests.contracts.texts import means
from tests.models.hf import tiny

TEXTS = ["the cat sat on the mat", "the dog sat", "a cat and a dog and a cat"]
WINDOW = SpanWindow("the cat sat on Paris", 4, 11)


def counts() -> WordCounts:
    return WordCounts.in_texts(text.split() for text in TEXTS)


@pytest.mark.slow
def test_tf_idf_is_that_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(norm=None, token_pattern=r"\S+").fit(TEXTS)
    row = vectorizer.transform([WINDOW.text]).toarray()[0] / 5
    expected = [row[vectorizer.vocabulary_[word]] for word in ("cat", "sat")]
    found = FeatureExtractor(counts(), by_rules).of(WINDOW)
    assert found["tf_idf_mean"] == pytest.approx(np.mean(expected))
    assert found["tf_idf_max"] == pytest.approx(max(expected))


def test_ppmi_is_that_of_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "NEIGHBOURS", 1)
    words = sorted({word for text in TEXTS for word in text.split()})
    matrix = np.zeros((len(words), len(words)))
    for text in [*TEXTS, "cat cat dog"]:
        for one, other in pairwise(text.split()):
            matrix[words.index(one), words.index(other)] += 1
            matrix[words.index(other), words.index(one)] += 1
    share = matrix / matrix.sum()
    with np.errstate(divide="ignore"):
        expected = np.maximum(np.log(share / np.outer(share.sum(0), share.sum(1))), 0)
    ppmi = Ppmi(WordCounts.in_texts(text.split() for text in [*TEXTS, "cat cat dog"]))
    found = [[ppmi(one, other) for other in words] for one in words]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert ppmi("cat", "unseen") == 0


def test_tags_and_what_a_masked_model_says() -> None:
    masked = MaskedSpan([0.5, 0.1], [1.0, 2.0])
    found = FeatureExtractor(counts(), by_rules, lambda _: masked).of(SpanWindow("He saw Paris in 1999", 7, 20))
    assert (found["pos=PROPN"], found["entity=NAME"], found["entity=DATE"], found["stop"]) == tuple([1 / 3] * 4)
    assert (found["probability_mean"], found["probability_max"]) == (0.3, 0.5)
    assert (found["entropy_mean"], found["entropy_max"]) == (1.5, 2.0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["lr", "svm"])
def test_classifier_is_that_of_scikit_learn(kind: Kind) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 3)) * (1, 5, 0.1) + 2
    truth = rows[:, 0] + rows[:, 1] / 5 + rng.normal(size=60) > 4
    named = [dict(zip("abc", row, strict=True)) for row in rows.tolist()]
    found = fit(named, truth.tolist(), kind, 0)
    model: Any = LogisticRegression(max_iter=1_000) if kind == "lr" else LinearSVC(random_state=0, max_iter=10_000)
    expected = make_pipeline(StandardScaler(), model).fit(rows, truth)
    ours = np.array([found.probability(row) for row in named])
    if kind == "lr":
        np.testing.assert_allclose(ours, expected.predict_proba(rows)[:, 1], atol=1e-6)
    else:
        np.testing.assert_array_equal(np.argsort(ours), np.argsort(expected.decision_function(rows)))
        assert abs(ours.mean() - truth.mean()) < 0.05
    assert found.probability({}) == found.probability({"unseen": 3.0})


def spans(number: int = 12) -> list[tuple[DetectorItem, HallucinationLabel]]:
    found: list[tuple[DetectorItem, HallucinationLabel]] = []
    for n in range(number):
        before, span = f"{n} the town lies ", "in 1999" if n % 2 else "far off"
        item = DetectorItem(str(n), f"{before}{span} then", span=(len(before), len(before + span)))
        found.append((item, HALLUCINATION if n % 2 else NOT_HALLUCINATION))
    return found


def detector(name: str, **settings: Any) -> FeatureDetector:
    built = build_component("detector", {**named_settings("detector", name), **settings}, means("no"))
    assert isinstance(built, FeatureDetector)
    return built


@pytest.mark.parametrize("name", ["hades_lr", "hades_svm"])
def test_trained_detector_is_used(name: str, tmp_path: Path) -> None:
    told = detector(name).train(spans(), tmp_path, 0)
    assert (told["spans"], told["hallucinated"]) == (12, 6)
    first = (tmp_path / "hades.json").read_bytes()
    found = list(detector(name, path=str(tmp_path)).detect([item for item, _ in spans()]))
    assert [one.label for one in found] == [label for _, label in spans()]
    detector(name).train(spans(), tmp_path, 0)
    assert (tmp_path / "hades.json").read_bytes() == first
    other = "hades_svm" if name == "hades_lr" else "hades_lr"
    with pytest.raises(ConfigError, match=f"holds what {name} has learnt"):
        next(detector(other, path=str(tmp_path)).detect([spans()[0][0]]))


def test_online_mode_ignores_text_after_the_span(tmp_path: Path) -> None:
    detector("hades_lr", task_mode="online").train(spans(), tmp_path, 0)
    item = spans()[1][0]
    more = DetectorItem("x", item.output + " and 1999 Paris", span=item.span)
    one, other = detector("hades_lr", path=str(tmp_path)).detect([item, more])
    assert one == other


def test_settings_fixed_by_training_cannot_change(tmp_path: Path) -> None:
    detector("hades_lr").train(spans(), tmp_path, 0)
    for setting, value in (("task_mode", "online"), ("pipeline", "en_core_web_sm"), ("masked", "bert")):
        built = detector("hades_lr", path=str(tmp_path), **{setting: value})
        with pytest.raises(ConfigError, match=f"detector.{setting}: is {value}, but .* was trained with"):
            next(built.detect([spans()[0][0]]))


def test_explicit_default_setting_is_accepted(tmp_path: Path) -> None:
    detector("hades_lr", task_mode="online").train(spans(), tmp_path, 0)
    with pytest.raises(ConfigError, match=r"detector\.task_mode: is offline, but .* was trained with online"):
        next(detector("hades_lr", path=str(tmp_path), task_mode="offline").detect([spans()[0][0]]))
    assert next(detector("hades_lr", path=str(tmp_path), task_mode="online").detect([spans()[0][0]])).label


@pytest.mark.slow
def test_masked_model_adds_its_features(tmp_path: Path) -> None:
    folder = tiny.save(tmp_path, "bert")
    told = detector("hades_lr", masked=folder).train(spans(), tmp_path / "lr", 0)
    plain = detector("hades_lr").train(spans(), tmp_path / "plain", 0)
    assert told["features"] == plain["features"] + 4
    long = DetectorItem("long", "word " * 300 + "Paris" + " word" * 300, span=(1500, 1505))
    wide = DetectorItem("wide", "word " * 300, span=(0, 1500))
    found, none = detector("hades_lr", path=str(tmp_path / "lr")).detect([long, wide])
    assert found.probability is not None
    assert "more than the model takes" in none.reasons[0]


def test_training_needs_both_labels_and_detection_needs_training(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="none of 2 spans has the label Hallucination"):
        detector("hades_lr").train(spans()[::6], tmp_path, 0)
    with pytest.raises(ConfigError, match="is not trained; train it: step=train detector=hades_lr"):
        next(detector("hades_lr").detect([spans()[0][0]]))
