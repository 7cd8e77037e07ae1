"""Claims checked by a model of natural-language inference: a tiny one, whose outputs a test sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
import transformers

from factprobe.checkers import checkers
from factprobe.checkers.nli import NliChecker
from factprobe.config import convert
from factprobe.errors import ConfigError, MissingExtraError, ModelError
from factprobe.records import CLAIM_LABELS, Claim, ClaimedText, ClaimVerdict, Item
from tests.models.hf import tiny
from tests.tables import for_each_row

pytestmark = pytest.mark.slow

NAMES = ("entailment", "neutral", "contradiction")
CAPITAL, CLAIM = Claim(("Paris", "is the capital of", "France")), Claim(("Bonn is a capital.",))
LONG = " ".join(tiny.TEXTS * 3)


def text(*references: str, claims: Sequence[Claim] = (CAPITAL, CLAIM)) -> ClaimedText:
    return ClaimedText(Item("1", "…", "", references), tuple(claims))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.save_classifier(tmp_path_factory.mktemp("models"), "roberta", NAMES)


def made(tmp_path: Path, *names: str) -> str:
    return tiny.save_classifier(tmp_path, "bert", names)


def checker(path: str, **settings: object) -> NliChecker:
    cls = checkers.get("nli")
    chosen = {"name": "nli", "path": path, "device": "cpu", "dtype": "float32", "overlap": 8, **settings}
    found = cls(convert(chosen, cls.settings_type, "checker"))
    assert isinstance(found, NliChecker)
    return found


def always(path: str, *logits: float) -> str:
    """Has a model say the same of everything."""
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path)
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor(logits))
    model.save_pretrained(path)
    return path


def says(path: str, premise: str, hypothesis: str) -> tuple[float, ...]:
    """What transformers itself says of a pair."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(path).eval()
    with torch.inference_mode():
        return tuple(model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits.softmax(-1)[0].tolist())


def test_each_claim_against_each_passage(folder: str) -> None:
    texts = [text(tiny.TEXTS[0]), text(tiny.TEXTS[1], claims=[CLAIM]), text(tiny.TEXTS[2], claims=[])]
    found = list(checker(folder).check(texts))
    assert [len(verdicts) for verdicts in found] == [2, 1, 0]
    for verdicts, checked in zip(found, texts, strict=True):
        for verdict, claim in zip(verdicts, checked.claims, strict=True):
            expected = says(folder, checked.item.references[0], claim.text)
            assert verdict.probabilities is not None
            assert list(verdict.probabilities) == list(CLAIM_LABELS)
            assert list(verdict.probabilities.values()) == pytest.approx(expected, abs=2e-6)
            assert verdict.label == max(verdict.probabilities, key=verdict.probabilities.__getitem__)
    assert CAPITAL.text == "Paris is the capital of France"


@for_each_row(
    ("names", "labels"),
    [
        (("contradiction", "entailment", "neutral"), ("Contradiction", "Entailment", "Neutral")),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), ("Entailment", "Neutral", "Contradiction")),
        (("entailed", "Neutral", "contradicts"), ("Entailment", "Neutral", "Contradiction")),
    ],
)
def test_labels_are_read_from_the_config(tmp_path: Path, names: tuple[str, ...], labels: tuple[str, ...]) -> None:
    for number, label in enumerate(labels):
        path = always(made(tmp_path, *names), *(5.0 if i == number else 0.0 for i in range(3)))
        [(verdict,)] = checker(path).check([text("Rome.", claims=[CLAIM])])
        assert verdict.label == label


@for_each_row(
    "names",
    [(), ("entailment", "not_entailment"), ("entailment", "neutral", "entailment"), ("a", "b", "c", "entailment")],
)
def test_labels_that_nobody_knows_are_an_error(tmp_path: Path, names: tuple[str, ...]) -> None:
    named = ", ".join(names or ("LABEL_0", "LABEL_1", "LABEL_2"))
    what = f"the model's . outputs are {named}, not entailment.*checker.labels="
    with pytest.raises(ConfigError, match=what):
        list(checker(made(tmp_path, *names)).check([text("Rome.")]))


def test_labels_by_a_setting(tmp_path: Path) -> None:
    path = always(made(tmp_path), 0, 9, 0)
    [(verdict,)] = checker(path, labels=["Neutral", "Contradiction", "Entailment"]).check(
        [text("Rome.", claims=[CLAIM])]
    )
    assert verdict.label == "Contradiction"
    assert verdict.passage == 0
    with pytest.raises(ConfigError, match=r"checker\.labels: are not the three labels; list Entailment, Neutral"):
        checker(path, labels=["Neutral", "Contradiction"])


def test_a_setting_of_labels_for_a_model_with_other_outputs(tmp_path: Path) -> None:
    path = made(tmp_path, "entailment", "not_entailment")
    with pytest.raises(ConfigError, match="2 outputs"):
        list(checker(path, labels=["Neutral", "Contradiction", "Entailment"]).check([text("Rome.")]))


def test_the_surest_window_of_a_long_passage_decides(folder: str) -> None:
    made = checker(folder)
    [rows] = made._model.probabilities([(LONG, CLAIM.text)], 8, 1_000)
    assert len(rows) > 2
    [(verdict,)] = made.check([text(" ", LONG, claims=[CLAIM])])
    assert verdict.probabilities is not None
    values = tuple(verdict.probabilities.values())
    assert values in rows
    if verdict.label == "Neutral":
        assert all(row.index(max(row)) == 1 and row[1] >= values[1] for row in rows)
    else:
        place = CLAIM_LABELS.index(verdict.label or "Neutral")
        assert values[place] == max(row[place] for row in rows if row.index(max(row)) == place)
        assert verdict.passage == 1


def test_a_claim_without_a_reference_or_without_room_has_no_verdict(folder: str) -> None:
    [(none,)] = checker(folder).check([text(" ", claims=[CLAIM])])
    assert none == ClaimVerdict(None, "there is no reference to check it against")
    [(long, short)] = checker(folder).check([text("Rome.", claims=[Claim((LONG,)), CLAIM])])
    assert long == ClaimVerdict(None, "the claim is too long for the model")
    assert short.label is not None


def test_a_model_that_gives_no_numbers(folder: str, tmp_path: Path) -> None:
    path = always(made(tmp_path, *NAMES), float("nan"), 0, 0)
    [(verdict,)] = checker(path).check([text("Rome.", claims=[CLAIM])])
    assert verdict == ClaimVerdict(None, "the model gives no numbers")


def test_more_texts_than_go_at_once(folder: str) -> None:
    texts = [text(f"Rome has {number} hills.", claims=[CLAIM]) for number in range(70)]
    found = list(checker(folder).check(texts))
    assert len(found) == 70
    assert found[66:] == list(checker(folder).check(texts[66:]))


def test_nothing_is_loaded_before_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = checker(str(tmp_path / "none"))
    assert list(made.check([text("Rome.", claims=[])])) == [()]
    with pytest.raises(ModelError, match="cannot be loaded"):
        list(made.check([text("Rome.")]))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"checker=nli: .* pip install 'factprobe\[hf\]'"):
        checker("x")
