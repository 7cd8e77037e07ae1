"""Transformer detectors on tiny models: pooling, what is learnt, both modes, and resumed training."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import transformers

from factprobe.detectors.hades import training
from factprobe.detectors.hades.trained import TrainedDetector
from factprobe.detectors.hades.transformer import TransformerDetector, _memory_hint
from factprobe.errors import ConfigError, DataError, ModelError
from factprobe.factories import build_component, named_settings
from factprobe.models.hf.checkpoints import _choose_device, load_checkpoint
from factprobe.models.hf.token_spans import TokenSpan, is_bidirectional, pool_in_batches, pool_spans
from factprobe.records import DetectorItem
from tests.contracts.texts import means
from tests.detectors.hades.test_features import spans
from tests.models.hf import tiny

pytestmark = pytest.mark.slow

FEW = {"epochs": 2, "device": "cpu"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models")
    for architecture in ("bert", "roberta", "gpt2", "xlnet"):
        tiny.save(path, architecture)
    return path


def detector(**settings: Any) -> TransformerDetector:
    built = build_component(
        "detector", {**named_settings("detector", "hades_transformer"), **FEW, **settings}, means("no")
    )
    assert isinstance(built, TransformerDetector)
    return built


def test_pooled_states_do_not_depend_on_the_batch(folder: Path) -> None:
    checkpoint = load_checkpoint(str(folder / "bert"), "encoder", "cpu", "float32")
    rows = [TokenSpan([1, 9, 8, 7, 2], [2, 3]), TokenSpan([1, 5, 2], [1])]
    model = transformers.AutoModel.from_pretrained(folder / "bert").eval()
    with torch.no_grad():
        alone = [model(torch.tensor([row.ids])).last_hidden_state[0, row.places].amax(0) for row in rows]
        torch.testing.assert_close(pool_spans(checkpoint, rows), torch.stack(alone), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(pool_in_batches(checkpoint, rows, 3), torch.stack(alone), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(("name", "both"), [("bert", True), ("roberta", True), ("xlnet", True), ("gpt2", False)])
def test_bidirectional_encoders_are_detected(folder: Path, name: str, both: bool) -> None:
    assert is_bidirectional(load_checkpoint(str(folder / name), "encoder", "cpu", "float32")) is both


def test_unidirectional_encoder_is_online_only(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gpt2 reads from left to right and sees nothing behind a span"):
        detector(encoder=str(folder / "gpt2")).train(spans(), tmp_path, 0)
    detector(encoder=str(folder / "gpt2"), task_mode="online", epochs=1).train(spans(), tmp_path, 0)
    item = spans()[1][0]
    more = DetectorItem("x", f"{item.output} and 1999 Paris", span=item.span)
    one, other = detector(path=str(tmp_path)).detect([item, more])
    assert one.probability == pytest.approx(other.probability, abs=1e-5)


@pytest.mark.parametrize("freeze", [True, False])
def test_trained_detector_is_used(folder: Path, tmp_path: Path, freeze: bool) -> None:
    rate = 1e-2 if freeze else 2e-3
    settings = {"encoder": str(folder / "bert"), "freeze": freeze, "epochs": 12, "learning_rate": rate}
    told = detector(**settings).train(spans(), tmp_path, 0)
    assert told == {"spans": 12, "hallucinated": 6, "epochs": 12}
    found = list(detector(path=str(tmp_path)).detect([item for item, _ in spans()]))
    assert sum(one.label == label for one, (_, label) in zip(found, spans(), strict=True)) >= 11
    assert [*detector(path=str(tmp_path), encoder=settings["encoder"]).detect([spans()[0][0]])] == found[:1]
    with pytest.raises(ConfigError, match=r"detector\.encoder: is bert-base-cased, but .* was trained with /.*bert"):
        next(detector(path=str(tmp_path), encoder="bert-base-cased").detect([spans()[0][0]]))
    assert not list(tmp_path.rglob("*.bin"))
    assert (tmp_path / "encoder").is_dir() is not freeze


@pytest.mark.parametrize("freeze", [True, False])
def test_resumed_training_gives_the_same_weights(
    folder: Path, tmp_path: Path, freeze: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"encoder": str(folder / "bert"), "freeze": freeze, "epochs": 2, "batch_size": 12, "dropout": 0.2}
    detector(**settings).train(spans(), tmp_path / "whole", 5)
    save = training.HeadTrainer._save_tensors

    def broken(self: training.HeadTrainer, epochs: int) -> None:
        save(self, epochs)
        if epochs == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(training.HeadTrainer, "_save_tensors", broken)
    with pytest.raises(KeyboardInterrupt):
        detector(**settings).train(spans(), tmp_path / "broken", 5)
    assert not (tmp_path / "broken/hades.json").exists()
    monkeypatch.setattr(training.HeadTrainer, "_save_tensors", save)
    assert detector(**settings).train(spans(), tmp_path / "broken", 5)["epochs"] == 1
    for name in ("head.safetensors", *([] if freeze else ["encoder/model.safetensors"])):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert detector(**settings).train(spans(), tmp_path / "broken", 6)["epochs"] == 2, "another seed begins anew"


@pytest.mark.parametrize("freeze", [True, False])
def test_detector_that_is_half_written_over_is_not_taken_for_a_trained_one(
    folder: Path, tmp_path: Path, freeze: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = detector(encoder=str(folder / "bert"), epochs=1, freeze=freeze)
    made.train(spans(), tmp_path, 0)

    def broken(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("factprobe.detectors.hades.transformer.whole_file", broken)
    with pytest.raises(KeyboardInterrupt):
        made.train(spans(), tmp_path, 1)
    with pytest.raises(ConfigError, match="holds nothing that was learnt"):
        next(detector(path=str(tmp_path)).detect([spans()[0][0]]))


@pytest.mark.parametrize("freeze", [True, False])
def test_training_is_where_the_encoder_is(
    folder: Path, tmp_path: Path, freeze: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a device that holds no numbers, and refuses to compute with tensors of another."""
    monkeypatch.setattr(training.HeadTrainer, "_save_tensors", lambda self, _: heads.append(self.head))
    monkeypatch.setattr(TransformerDetector, "_store_weights", lambda *_: None)
    monkeypatch.setattr("factprobe.models.hf.token_spans.is_bidirectional", lambda _: True)
    monkeypatch.setattr("factprobe.models.hf.checkpoints._choose_device", lambda: "meta")
    heads: list[torch.nn.Module] = []
    encoder = str(folder / "xlnet")  # others look into their masks
    made = detector(encoder=encoder, freeze=freeze, epochs=2, batch_size=5, dropout=0.2, device="auto")
    assert made.train(spans(), tmp_path, 0)["epochs"] == 2
    assert {parameter.device.type for head in heads for parameter in head.parameters()} == {"meta"}


@pytest.mark.parametrize(("cuda", "mps", "device"), [(1, 1, "cuda"), (0, 1, "mps"), (0, 0, "cpu")])
def test_accelerator_is_taken_where_there_is_one(
    cuda: bool, mps: bool, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: mps)
    assert _choose_device() == device


def test_out_of_memory_is_a_one_line_error(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    made = detector(encoder=str(folder / "bert"), epochs=1)
    with monkeypatch.context() as patch:
        patch.setattr("factprobe.detectors.hades.training.pool_in_batches", full)
        with pytest.raises(ModelError, match=r"out of memory on cpu; set a smaller detector\.batch_tokens=$"):
            made.train(spans(), tmp_path, 0)
    with monkeypatch.context() as patch:
        patch.setattr("factprobe.detectors.hades.training.pool_spans", full)
        with pytest.raises(ModelError, match=r"out of memory on cpu; set a smaller detector\.batch_size=$"):
            detector(encoder=str(folder / "bert"), epochs=1, freeze=False).train(spans(), tmp_path, 0)
    made.train(spans(), tmp_path, 0)
    monkeypatch.setattr("factprobe.models.hf.token_spans.pool_in_batches", full)
    with pytest.raises(ModelError, match=r"out of memory on cpu; set a smaller detector\.batch_tokens=$"):
        next(detector(path=str(tmp_path)).detect([spans()[0][0]]))


@pytest.mark.parametrize(("device", "advice"), [("cpu", ""), ("cuda", ", or detector.device=cpu")])
def test_cpu_is_named_only_elsewhere(device: str, advice: str) -> None:
    checkpoint: Any = SimpleNamespace(model=SimpleNamespace(device=torch.device(device)))
    assert _memory_hint("batch_tokens", checkpoint) == f"set a smaller detector.batch_tokens={advice}"


def test_foreign_or_incomplete_folder_is_an_error(folder: Path, tmp_path: Path) -> None:
    other = build_component("detector", named_settings("detector", "hades_lr"), means("no"))
    assert isinstance(other, TrainedDetector)
    other.train(spans(), tmp_path / "lr", 0)
    with pytest.raises(ConfigError, match="lr: holds what hades_lr has learnt; set detector=hades_lr"):
        next(detector(path=str(tmp_path / "lr")).detect([spans()[0][0]]))
    detector(encoder=str(folder / "bert"), epochs=1).train(spans(), tmp_path / "own", 0)
    with pytest.raises(ConfigError, match="own: holds what hades_transformer has learnt"):
        next(other.at(tmp_path / "own").detect([spans()[0][0]]))
    (tmp_path / "own/hades.json").unlink()  # as training that is broken off leaves it
    with pytest.raises(
        ConfigError, match="own: holds nothing that was learnt; train it, or go on: step=train detector="
    ):
        next(detector(path=str(tmp_path / "own")).detect([spans()[0][0]]))


def test_unusable_weights_are_an_error(folder: Path, tmp_path: Path) -> None:
    encoder = str(folder / "bert")
    with pytest.raises(ConfigError, match="is not trained; train it: step=train detector=hades_transformer"):
        next(detector().detect([spans()[0][0]]))
    wide = DetectorItem("wide", "word " * 300, span=(0, 1500))
    with pytest.raises(ModelError, match="cannot read wide: the span has"):
        detector(encoder=encoder).train([*spans(), (wide, spans()[0][1])], tmp_path, 0)
    detector(encoder=encoder, epochs=1).train(spans(), tmp_path, 0)
    ours, none = detector(path=str(tmp_path)).detect([spans()[0][0], wide])
    assert ours.probability is not None
    assert "more than the model takes" in none.reasons[0]
    (tmp_path / "head.safetensors").write_bytes(b"x")
    with pytest.raises(DataError, match=r"head.safetensors: cannot be used"):
        next(detector(path=str(tmp_path)).detect([spans()[0][0]]))
    (tmp_path / "checkpoint.safetensors").write_bytes(b"x")
    with pytest.raises(DataError, match=r"checkpoint.safetensors: cannot be read"):
        detector(encoder=encoder).train(spans(), tmp_path, 0)
