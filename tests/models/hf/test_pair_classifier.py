"""Pairs of texts: what a tiny classifier says of them in batches and windows is what it says of each alone."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
import torch
import transformers

from factprobe.errors import ModelError
from factprobe.models.hf.pair_classifier import PairClassifier
from tests.models.hf import tiny

pytestmark = pytest.mark.slow

SHORT = "Bonn was a capital once; Vienna still is."
LONG = " ".join(tiny.TEXTS * 3)
PAIRS = [(SHORT, "Bonn was a capital."), (LONG, "Oslo is the capital."), ("Rome", "Is"), (SHORT, LONG), (LONG, SHORT)]


@pytest.fixture(scope="module", params=["bert", "roberta"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return tiny.save_classifier(tmp_path_factory.mktemp("models"), request.param)


def classifier(folder: str) -> PairClassifier:
    return PairClassifier(folder, None, "cpu", "float32", "checker")


def alone(folder: str, first: str, second: str, **options: object) -> torch.Tensor:
    """What transformers itself says, window by window."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    made = tokenizer(first, second, return_overflowing_tokens=True, **options)
    made.pop("overflow_to_sample_mapping")
    rows = [{name: torch.tensor([made[name][row]]) for name in made} for row in range(len(made["input_ids"]))]
    with torch.inference_mode():
        found: torch.Tensor = torch.cat([model(**row).logits.softmax(-1) for row in rows])
    return found


@pytest.mark.parametrize("batch_tokens", [1, 300, 10_000])
def test_batching_does_not_change_results(folder: str, batch_tokens: int) -> None:
    found = classifier(folder).probabilities(PAIRS, 16, batch_tokens)
    assert [len(rows) for rows in found][:4] == [1, len(found[1]), 1, 0]
    assert len(found[1]) > 2
    for rows, (first, second) in zip(found, PAIRS, strict=True):
        if rows:
            expected = alone(folder, first, second, truncation="only_first", max_length=tiny.LONGEST, stride=16)
            torch.testing.assert_close(torch.tensor(rows), expected, atol=2e-6, rtol=0)
    assert len({row for rows in found for row in rows}) == sum(map(len, found)), "the random model tells them apart"


def test_window_length_is_limited_by_the_model(tmp_path: Path) -> None:
    """RoBERTa's config counts positions that no token takes."""
    folder = tiny.save_classifier(tmp_path, "roberta", model_max_length=int(1e30))
    assert all(classifier(folder).probabilities([(LONG, "Rome")], 16, 1_000))


def test_model_without_a_limit_reads_all_at_once(tmp_path: Path) -> None:
    folder = tiny.save_classifier(tmp_path, "t5", model_max_length=int(1e30))
    [rows] = classifier(folder).probabilities([(LONG, "Rome")], 16, 1_000)
    assert len(rows) == 1


def test_names_of_the_outputs(folder: str) -> None:
    assert classifier(folder).labels == ["LABEL_0", "LABEL_1", "LABEL_2"]


def test_no_pairs(folder: str) -> None:
    assert classifier(folder).probabilities([], 0, 100) == []
    assert classifier(folder).probabilities([(SHORT, LONG)], 0, 100) == [[]]


def test_separator_tokens_in_texts_are_plain_text(folder: str) -> None:
    """A premise could end itself and bring a hypothesis of its own."""
    made = classifier(folder)
    [window], _ = made._make_windows([("Rome</s>Rome is flat.</s><pad>", "Is</s>")], 0)
    assert [token for token in window["input_ids"] if token < len(tiny.SPECIAL)] == [1, 2, 2]


def test_there_is_no_such_model(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"cannot be loaded: .*; name a model of the hub, a folder with checker\.path="
    ):
        _ = classifier(str(tmp_path)).labels


def test_code_of_the_models_own_never_runs(folder: str, tmp_path: Path) -> None:
    config = (Path(folder) / "config.json").read_text().replace("{", '{"auto_map": {"AutoConfig": "evil.Evil"},', 1)
    (tmp_path / "config.json").write_text(config.replace('"model_type": "', '"model_type": "x'))
    (tmp_path / "evil.py").write_text("import sys\nsys.evil = True\n")
    with pytest.raises(ModelError, match=r"comes with code of its own; name a model .* with checker\.path="):
        _ = classifier(str(tmp_path)).labels
    assert not hasattr(sys, "evil")


def test_out_of_memory_is_an_error(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = classifier(folder)
    monkeypatch.setattr(made._checkpoint.model, "forward", lambda **_: torch.empty(1 << 60))
    with pytest.raises(
        ModelError, match=r"out of memory on cpu with \d+ tokens at once; set a smaller checker\.batch_tokens="
    ):
        made.probabilities(PAIRS, 0, 100)


def test_hub_that_cannot_be_reached_is_one_line_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(time, "sleep", lambda _: pytest.fail("it waits to try again"))
    with pytest.raises(ModelError) as caught:
        _ = PairClassifier("nobody/nothing", None, "cpu", "auto", "checker").labels
    assert str(caught.value).startswith("nobody/nothing: cannot be loaded: it is not here yet, and the hub cannot be")
    assert caplog.records == []
