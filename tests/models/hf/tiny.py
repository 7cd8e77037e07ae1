"""Tiny random models of every kind, made on the spot and saved as the hub has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # tests that import these helpers may not need the libraries, which take seconds to load
    from transformers import PreTrainedTokenizerFast

TEXTS = [
    "The capital of France is Paris, the capital of Italy is Rome and the capital of Norway is Oslo.",
    "Kristiansund and Copenhagen are further north than Thessaloniki, Fill the blank: Reykjavik is not.",
    "Bonn was a capital once; Vienna, Ljubljana, Sarajevo, Tallinn and Vilnius still are.",
]
LONGEST = 128
"""Tokens that each model takes."""
SPECIAL = ["<pad>", "<s>", "</s>", "<mask>", "<unk>"]


def tokenizer(kind: str, **settings: Any) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of some hundred tokens that cuts most words into several."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from tokenizers import decoders as decode_as
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decode_as.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(TEXTS, trainer)
    if kind != "causal":
        single = "<s> $A </s>" if kind == "masked" else "$A </s>"
        ids = [("<s>", 1), ("</s>", 2)]
        pair = f"{single} $B:1 </s>:1"
        made.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=ids)
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    if kind == "masked":
        names["mask_token"] = "<mask>"
    return PreTrainedTokenizerFast(tokenizer_object=made, **{"model_max_length": LONGEST, **names, **settings})


_SIZES = {"vocab_size": 320, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
_IDS = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}


def config(architecture: str) -> Any:
    """A tiny config of one of these architectures."""
    import transformers

    positions = {"max_position_embeddings": 128}
    makers: dict[str, tuple[str, dict[str, Any]]] = {
        "llama": ("LlamaConfig", {**_SIZES, **positions, "intermediate_size": 64}),
        "gpt2": ("GPT2Config", {"vocab_size": 320, "n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 128}),
        "gemma2": (
            "Gemma2Config",
            {**_SIZES, **positions, "intermediate_size": 64, "num_key_value_heads": 1, "head_dim": 16},
        ),
        "bloom": ("BloomConfig", {"vocab_size": 320, "hidden_size": 32, "n_layer": 2, "n_head": 2}),
        "mamba": ("MambaConfig", {"vocab_size": 320, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}),
        "t5": ("T5Config", {"vocab_size": 320, "d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 2, "num_heads": 2}),
        "bert": ("BertConfig", {**_SIZES, **positions, "intermediate_size": 64}),
        "roberta": ("RobertaConfig", {**_SIZES, "max_position_embeddings": 129, "intermediate_size": 64}),
        "xlnet": ("XLNetConfig", {"vocab_size": 320, "d_model": 32, "n_layer": 2, "n_head": 2, "d_inner": 64}),
        "distilbert": (
            "DistilBertConfig",
            {"vocab_size": 320, "dim": 32, "hidden_dim": 64, "n_layers": 2, "n_heads": 2, **positions},
        ),
    }
    name, settings = makers[architecture]
    extra = {"decoder_start_token_id": 0} if architecture == "t5" else {}
    return getattr(transformers, name)(**settings, **_IDS, **extra)


KINDS = {"t5": "seq2seq", "bert": "masked", "distilbert": "masked", "roberta": "masked"}
_CLASSES = {"causal": "AutoModelForCausalLM", "seq2seq": "AutoModelForSeq2SeqLM", "masked": "AutoModelForMaskedLM"}


def save(folder: Path, architecture: str, **settings: Any) -> str:
    """Saves a model with random weights, large enough to differ, and its tokenizer; gives the folder."""
    kind = KINDS.get(architecture, "causal")
    return _save(folder / architecture, _CLASSES[kind], config(architecture), tokenizer(kind, **settings))


def save_classifier(folder: Path, architecture: str, names: Sequence[str] = (), **settings: Any) -> str:
    """The same of a classifier of pairs of texts into three.

    Args:
        folder: where its own is made.
        architecture: a masked model's, or `t5`.
        names: of its outputs; by default LABEL_0, LABEL_1, LABEL_2.
        settings: of the tokenizer.
    """
    made = config(architecture)
    made.num_labels = 3
    if names:
        made.num_labels, made.id2label = len(names), dict(enumerate(names))
    made_tokenizer = tokenizer(KINDS[architecture], **settings)
    return _save(folder / architecture, "AutoModelForSequenceClassification", made, made_tokenizer)


def _save(path: Path, cls: str, of: Any, with_tokenizer: PreTrainedTokenizerFast) -> str:
    import torch
    import transformers

    torch.manual_seed(7)
    model = getattr(transformers, cls).from_config(of)
    with torch.no_grad():
        for weights in model.parameters():
            if weights.ndim > 1:
                weights.mul_(4)
    model.save_pretrained(path)
    with_tokenizer.save_pretrained(path)
    return str(path)
