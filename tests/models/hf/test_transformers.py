"""The library transformers in the process: SmolLM2 itself, and tiny random models of every kind."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import gguf
import pytest
import torch
import transformers
from msgspec.structs import replace

from factprobe.api import ask_model
from factprobe.errors import MissingExtraError, ModelError, NoAnswersError
from factprobe.factories import build_model
from factprobe.models import Model
from factprobe.models.providers.llama_cpp import LlamaCppSettings, SmolLM2
from factprobe.records import Message, PlainRequest, Question
from tests.models.hf import tiny
from tests.models.questions import binary, choices, question

pytestmark = pytest.mark.slow

RANKED = replace(choices(), cloze=("The capital of France is ", "."), choices=("Rome", "Paris", "Oslo", "the Bonn"))
AT_THE_START = replace(
    RANKED, question_id="Q1:Q2:P36:multi_choices:multi_choices_obj", cloze=("", " is north of Rome.")
)
LONGER = replace(
    RANKED,
    question_id="Q3:Q4:P36:multi_choices:multi_choices_obj",
    cloze=("fill the blank: Kristiansund and ", " are further north than Thessaloniki."),
    choices=("Copenhagen", "Reykjavik", "Vilnius", "Sarajevo", "Tallinn"),
)


def load(path: str | Path, **settings: Any) -> Model:
    return build_model({"backend": "transformers", "model": str(path), "max_tokens": 6, **settings})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def saved(folder: Path) -> Callable[[str], str]:
    """A tiny model of an architecture, made once."""
    return cache(lambda architecture: tiny.save(folder, architecture))


@pytest.fixture(scope="module")
def llama(saved: Callable[[str], str]) -> str:
    return saved("llama")


def plain_scores(model: Any, tokenizer: Any, asked: Question) -> list[float]:
    """Each sentence alone through the model: the definition, without batches, packing or picked positions."""
    masks = tokenizer.mask_token_id is not None
    assert asked.cloze is not None
    scores = []
    for choice in asked.choices:
        text = asked.cloze[0] + choice + asked.cloze[1]
        text = text[0].upper() + text[1:]
        total = 0.0
        if masks:
            found = tokenizer(text)
            ids, words = found["input_ids"], found.word_ids()
            for i in range(1, len(ids) - 1):  # between the start and the end token
                hidden = [
                    tiny.SPECIAL.index("<mask>") if i <= j and words[j] == words[i] else t for j, t in enumerate(ids)
                ]
                with torch.no_grad():
                    total += model(torch.tensor([hidden])).logits[0, i].double().log_softmax(-1)[ids[i]].item()
        else:
            ids = [tokenizer.bos_token_id, *tokenizer(text)["input_ids"]]
            with torch.no_grad():
                logprobs = model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
            total = sum(logprobs[i, ids[i + 1]].item() for i in range(len(ids) - 1))
        scores.append(total)
    return scores


def test_smollm2_knows_and_ranks_the_capital_of_france(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GGUFReader", "get_tensor_name_map"):  # transformers calls them anew, with 49,000 words or 397 times
        monkeypatch.setattr(gguf, name, cache(getattr(gguf, name)))
    smollm2 = load(SmolLM2.file(LlamaCppSettings(backend="smollm2")), max_tokens=12)
    assert smollm2.name == "SmolLM2-135M-Instruct.Q4_1"
    asked = [question(), question(2, "The capital of Italy is ____."), question(3, "word " * 9000)]
    first, second, long = ask_model(smollm2, asked)
    assert "Paris" in (first.response or "")
    assert "Rome" in (second.response or "")
    assert first.finish_reason == "stop"
    assert first.usage is not None
    assert first.usage.prompt_tokens > 10
    assert "are more than the context of 8,192" in (long.error or "")

    checkpoint = smollm2._checkpoint  # type: ignore[attr-defined]
    in_twos = load(SmolLM2.file(LlamaCppSettings(backend="smollm2")), max_tokens=12, batch_size=2)
    in_twos._checkpoint = checkpoint  # type: ignore[attr-defined]
    lands = ("Peru", "the Central African Republic", "Japan")
    asked = [*asked[:2], *(question(4 + n, f"What is the capital of {land}?") for n, land in enumerate(lands))]
    together = {found.question_id: found.response for found in ask_model(smollm2, asked)}
    assert together == {found.question_id: found.response for found in ask_model(in_twos, asked[::-1])}

    ranked = [RANKED, LONGER, AT_THE_START]
    responses = ask_model(smollm2, ranked)
    assert responses[0].response == "Paris"
    for found, one in zip(responses, ranked, strict=True):
        assert found.scores == pytest.approx(plain_scores(checkpoint.model, checkpoint.tokenizer, one), abs=1e-3)
        assert found.response == one.choices[found.scores.index(max(found.scores))]


@pytest.mark.parametrize(
    "settings", [{}, {"batch_tokens": 25}, {"batch_size": 1}], ids=["", "small passes", "one by one"]
)
@pytest.mark.parametrize("architecture", ["llama", "gpt2", "gemma2", "bloom", "mamba", "bert", "distilbert"])
def test_ranks_are_those_of_single_passes(
    architecture: str, settings: dict[str, int], saved: Callable[[str], str]
) -> None:
    path = saved(architecture)
    kind = tiny.KINDS.get(architecture, "causal")
    loader = transformers.AutoModelForMaskedLM if kind == "masked" else transformers.AutoModelForCausalLM
    own = loader.from_pretrained(path).eval(), transformers.AutoTokenizer.from_pretrained(path)
    asked = [RANKED, LONGER, AT_THE_START]
    for found, one in zip(ask_model(load(path, **settings), asked), asked, strict=True):
        expected = plain_scores(*own, one)
        assert found.scores == pytest.approx(expected, abs=1e-3)
        assert found.response == one.choices[expected.index(max(expected))]
        assert found.usage is not None
        assert found.usage.prompt_tokens > 4 * len(one.choices)


def test_mean_is_the_sum_over_the_tokens(llama: str) -> None:
    [summed], [mean] = (ask_model(load(llama, reduction=name), [RANKED]) for name in ("sum", "mean"))
    tokenizer = transformers.AutoTokenizer.from_pretrained(llama)
    lengths = [len(tokenizer(f"The capital of France is {choice}.")["input_ids"]) for choice in RANKED.choices]
    assert mean.scores == pytest.approx([score / length for score, length in zip(summed.scores, lengths, strict=True)])
    assert load(llama, reduction="sum").settings_hash != load(llama, reduction="mean").settings_hash


def test_scores_that_are_no_numbers_fail(folder: Path, llama: str) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(llama)
    with torch.no_grad():
        model.lm_head.weight.fill_(torch.nan)
    path = folder / "broken"
    model.save_pretrained(path)
    transformers.AutoTokenizer.from_pretrained(llama).save_pretrained(path)
    with pytest.raises(NoAnswersError, match="no numbers"):
        ask_model(load(path), [RANKED])


@pytest.mark.parametrize("architecture", ["llama", "gpt2", "t5"])
def test_answer_in_a_batch_is_the_answer_alone(architecture: str, tmp_path: Path) -> None:
    model = load(tiny.save(tmp_path, architecture))
    asked = [question(i, "Fill the blank: " + "Oslo and " * i) for i in range(6)]
    together = [found.response for found in ask_model(model, asked)]
    alone = [ask_model(model, [one])[0].response for one in asked]
    assert together == alone
    assert len(set(together)) > 1


def test_sampled_answers_depend_only_on_question_and_repeat(llama: str) -> None:
    asked = [question(i, "Fill the blank: " + "Oslo and " * i) for i in range(6)]
    together = [found.response for found in ask_model(load(llama, temperature=1.5), asked)]
    alone = [ask_model(load(llama, temperature=1.5, batch_size=1), [one])[0].response for one in asked]
    assert together == alone
    greedy = [found.response for found in ask_model(load(llama), asked)]
    again = [found.response for found in ask_model(load(llama, temperature=1.5, repeat=1), asked)]
    assert len({tuple(together), tuple(greedy), tuple(again)}) == 3


@pytest.mark.parametrize("temperature", [0, 5])
def test_constrained_reply_is_an_allowed_text(llama: str, temperature: float) -> None:
    prompts = (Message("user", "Say something."),)
    grammar = r'root ::= "Not Oslo" | "Oslo" | "Oslo and \"Rome\""'
    allowed = [PlainRequest(str(number), prompts, sample=number, grammar=grammar) for number in range(12)]
    free = [PlainRequest("free", prompts), PlainRequest("other", prompts, grammar='root ::= [a-z] | "no choice"')]
    model = load(llama, max_tokens=24, temperature=temperature)
    said = ask_model(model, [*allowed, *free])
    texts = {found.response for found in said[: len(allowed)]}
    assert texts <= {"Not Oslo", "Oslo", 'Oslo and "Rome"'}
    assert len(texts) == (3 if temperature else 1)
    assert {found.finish_reason for found in said[: len(allowed)]} == {"stop"}
    assert [found.response for found in said[len(allowed) :]] == [
        ask_model(model, [request])[0].response for request in free
    ], "beside those that are allowed, others are free"
    assert said[-1].response not in texts


def test_sampling_follows_the_probabilities() -> None:
    from factprobe.models.hf.generation import _GumbelSampler

    logits = torch.tensor([[0.0, 1.0, 2.0, -30.0]])
    drawn = [_GumbelSampler(2.0, [seed])(torch.empty(0), logits).argmax().item() for seed in range(4000)]
    shares = [drawn.count(token) / 4000 for token in range(4)]
    assert shares == pytest.approx((logits[0] / 2).softmax(-1).tolist(), abs=0.03)


def test_answer_that_ends_says_stop(folder: Path, llama: str) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(llama)
    tokenizer = transformers.AutoTokenizer.from_pretrained(llama)
    greedy = load(llama, max_tokens=4)
    [cut] = ask_model(greedy, [question()])
    assert (cut.finish_reason, cut.usage and cut.usage.completion_tokens) == ("length", 4)
    prompt = torch.tensor([tokenizer("\n\n".join(m.content for m in question().prompts))["input_ids"]])
    third = int(model.generate(prompt, max_new_tokens=4, do_sample=False)[0, prompt.shape[1] + 2])
    model.generation_config.eos_token_id = [2, third]
    path = folder / "ends"
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    [ended] = ask_model(load(path, max_tokens=4), [question()])
    assert ended.finish_reason == "stop"
    assert ended.usage is not None
    assert ended.usage.completion_tokens <= 2


def test_masked_model_fills_the_blank(tmp_path: Path) -> None:
    path = tiny.save(tmp_path, "bert")
    asked = replace(question(), prompts=(Message("user", "Use ____: The capital of France is ____."),))
    [found] = ask_model(load(path, max_tokens=1), [asked])
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = transformers.AutoModelForMaskedLM.from_pretrained(path).eval()
    ids = tokenizer("Use ____: The capital of France is <mask>.", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        logits = model(ids).logits[0, int((ids[0] == 3).nonzero()[0])]
    logits[: len(tiny.SPECIAL)] = -torch.inf
    assert found.response == tokenizer.decode([int(logits.argmax())]).strip()
    assert found.usage is not None
    assert found.usage.completion_tokens == 1


def test_masked_model_chooses_how_many_tokens_it_writes(tmp_path: Path) -> None:
    path = tiny.save(tmp_path, "bert")
    asked = [
        question(i, f"Fill the blank: {land} ____ Oslo") for i, land in enumerate(["France", "Italy", "Bonn", "a"])
    ]
    written = [found.usage.completion_tokens for found in ask_model(load(path), asked) if found.usage]
    assert len(written) == 4
    assert set(written) <= {1, 2, 3}
    [without_blank] = ask_model(load(path), [binary()])
    assert without_blank.error is None


TEMPLATE = (
    "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}{% if add_generation_prompt %}[me]{% endif %}"
)
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + TEMPLATE


@pytest.mark.parametrize(
    ("settings", "template", "text"),
    [
        ({}, TEMPLATE, "[system]Be brief.[user]Oslo?[me]"),
        ({}, NO_SYSTEM, "[user]Be brief.\n\nOslo?[me]"),
        ({}, None, "Be brief.\n\nOslo?"),
        ({"chat_template": False}, TEMPLATE, "Be brief.\n\nOslo?"),
    ],
)
def test_messages_go_through_the_chat_template(
    settings: dict[str, Any], template: str | None, text: str, tmp_path: Path
) -> None:
    path = tiny.save(tmp_path, "llama", chat_template=template)
    asked = replace(question(), prompts=(Message("system", "Be brief."), Message("user", "Oslo?")))
    [found] = ask_model(load(path, **settings), [asked])
    assert found.usage is not None
    assert found.usage.prompt_tokens == len(tiny.tokenizer("causal")(text)["input_ids"])


def test_what_changes_an_answer_changes_the_hash(llama: str, folder: Path) -> None:
    hashes = [load(llama).settings_hash, load(tiny.save(folder / "other", "gpt2")).settings_hash]
    changes: list[dict[str, Any]] = [{"dtype": "float16"}, {"kind": "causal"}, {"chat_template": False}, {"repeat": 1}]
    hashes += [load(llama, **change).settings_hash for change in changes]
    assert len(set(hashes)) == len(hashes)
    assert load(llama, batch_size=3, device="cpu", name="other").settings_hash == load(llama).settings_hash


def test_half_precision(llama: str) -> None:
    [half], [single] = (ask_model(load(llama, dtype=dtype), [RANKED]) for dtype in ("bfloat16", "float32"))
    assert half.scores == pytest.approx(single.scores, rel=0.05)
    assert half.scores != single.scores


def test_sequence_to_sequence_model_does_not_rank(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"^model t5: .*; rank with a causal or a masked model$"):
        ask_model(load(tiny.save(tmp_path, "t5")), [RANKED])


def test_too_long_a_question_fails_alone(llama: str) -> None:
    long = replace(RANKED, question_id="Q9:Q9:P36:multi_choices:multi_choices_obj", cloze=("Oslo " * 200, "."))
    written, ranked, short, right = ask_model(load(llama), [question(7, "Oslo " * 200), long, question(), RANKED])
    for found in (written, ranked):
        assert "are more than the context of 128" in (found.error or "")
    assert short.error is right.error is None


def fault(error: Exception) -> Any:
    def generate(**_: Any) -> None:
        raise error

    return generate


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA out of memory."), RuntimeError("can't allocate memory")]
)
def test_too_little_memory_is_one_line(llama: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(llama)
    asyncio.run(model.start())
    monkeypatch.setattr(model._checkpoint.model, "generate", fault(error))  # type: ignore[attr-defined]
    with pytest.raises(
        ModelError, match=r"^model llama: out of memory on cpu with \d questions at once; .*batch_size="
    ):
        ask_model(model, [question()])


def test_other_faults_fail_the_batch(llama: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load(llama)
    asyncio.run(model.start())
    monkeypatch.setattr(model._checkpoint.model, "generate", fault(RuntimeError("odd shapes")))  # type: ignore[attr-defined]
    with pytest.raises(NoAnswersError, match=r"most often: transformers: odd shapes;"):
        ask_model(model, [question()])


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No connection to the hub, and an empty cache."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.mark.usefixtures("offline")
def test_no_such_model_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd.gguf").write_bytes(b"GGUF nonsense")
    for name in ("nobody/nothing", str(tmp_path / "empty"), str(tmp_path / "odd.gguf")):
        with pytest.raises(ModelError, match=r"cannot be loaded: .*model\.model=") as caught:
            ask_model(load(name), [question()])
        assert "\n" not in str(caught.value)
    with pytest.raises(ModelError, match=r"/nowhere: cannot be loaded: there is no such folder, and no model"):
        ask_model(load(str(tmp_path / "nowhere")), [question()])


def test_revision_on_the_hub_is_known_by_its_commit(offline: Path) -> None:
    before = load("nobody/tiny").settings_hash
    refs = offline / "models--nobody--tiny" / "refs"
    refs.mkdir(parents=True)
    (refs / "main").write_text("0123abc")
    (refs / "v2").write_text("4567def")
    model = load("nobody/tiny")
    assert (model.name, model.identity()["revision"]) == ("nobody/tiny", "0123abc")
    assert load("nobody/tiny", revision="v2").identity()["revision"] == "4567def"
    assert len({before, model.settings_hash, load("nobody/tiny", revision="v2").settings_hash}) == 3


def test_code_of_the_models_own_does_not_run_unasked(tmp_path: Path) -> None:
    path = tmp_path / "own"
    path.mkdir()
    (path / "config.json").write_text('{"model_type": "own", "auto_map": {"AutoConfig": "code.Own"}}')
    (path / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(ModelError, match=r"comes with code of its own; set model\.trust_remote_code=true"):
        ask_model(load(path), [question()])
    assert not (tmp_path / "ran").exists()


def test_missing_dependency_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    message = r"^model: torch and transformers are not installed; pip install 'factprobe\[hf\]'$"
    with pytest.raises(MissingExtraError, match=message):
        load("any")


def test_loading_is_quiet_and_nothing_is_imported_before(llama: str) -> None:
    code = (
        "import sys; from factprobe.factories import build_model; from factprobe.api import ask_model\n"
        f"model = build_model({{'backend': 'transformers', 'model': {llama!r}}})\n"
        "assert 'torch' not in sys.modules and 'transformers' not in sys.modules\n"
        "from tests.models.questions import question; ask_model(model, [question()])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "cut off by max_tokens" not in line]  # a tiny random model
    assert (done.returncode, said, done.stdout) == (0, [], "")
