"""Loading of model checkpoints from the Hugging Face hub or a folder in its layout."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr
from pathlib import Path
from typing import Any, Literal, NamedTuple

from factprobe.config import path_of
from factprobe.errors import ModelError

ModelKind = Literal["causal", "seq2seq", "masked", "classifier", "encoder"]
"""Kind of a model by its output: the next token, a text, masked tokens, a class, or hidden states."""

_CLASSES: dict[ModelKind, str] = {
    "causal": "AutoModelForCausalLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "masked": "AutoModelForMaskedLM",
    "classifier": "AutoModelForSequenceClassification",
    "encoder": "AutoModel",
}
_NON_GENERATIVE = ("masked", "classifier", "encoder")
_UNLIMITED = 10**20
"""Tokenizers without a length limit report a limit of at least this number."""


class Checkpoint(NamedTuple):
    """Loaded model with its tokenizer and properties."""

    model: Any
    tokenizer: Any
    kind: ModelKind
    context: int | None
    """Maximum number of tokens, or None if there is no limit."""
    pad_id: int
    """Id of the padding token."""
    end_ids: tuple[int, ...]
    """Ids of the tokens that end a text."""


def resolve_source(name: str) -> str:
    """Return the expanded path if `name` is a folder, else `name` unchanged (a name on the hub)."""
    path = path_of(name)
    return str(path) if path.is_dir() else name


def load_checkpoint(
    source: str,
    kind: ModelKind | Literal["auto"],
    device: str,
    dtype: str,
    setting: str = "model.model",
    **options: Any,
) -> Checkpoint:
    """Load a model and its tokenizer from a folder or the hub.

    Kind and device may be `auto`; `dtype=auto` is the precision of the checkpoint. `setting` is the full name of the
    setting that names the model, such as `perturb.masked`; a `ModelError` shows it. `options` are passed to
    `from_pretrained` of model, tokenizer and config.
    """
    try:
        actual, model, tokenizer = _load_checkpoint(source, kind, dtype, options)
        model = model.to(_choose_device() if device == "auto" else device).eval()
    except ModelError:
        raise
    except Exception as error:  # any error of the hub, a file format or the model's own code
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        other = "" if kind in ("classifier", "encoder") else " or a GGUF file"
        hint = f"name a model of the hub, a folder{other} with {setting}="
        if "trust_remote_code" in str(error):
            reason = "comes with code of its own"
            if "trust_remote_code" in options:
                hint = "set model.trust_remote_code=true if you trust it"
        raise ModelError(f"cannot be loaded: {reason}", where=source, hint=hint) from error
    eos_ids = None if actual in _NON_GENERATIVE else model.generation_config.eos_token_id
    end_ids = {tokenizer.eos_token_id, *(eos_ids if isinstance(eos_ids, list) else [eos_ids])} - {None}
    pad_id = next(token for token in (tokenizer.pad_token_id, tokenizer.eos_token_id, 0) if token is not None)
    context = _context_length(model, tokenizer, actual)
    return Checkpoint(model, tokenizer, actual, context, pad_id, tuple(sorted(end_ids)))


def _load_checkpoint(
    source: str, kind: ModelKind | Literal["auto"], dtype: str, options: dict[str, Any]
) -> tuple[ModelKind, Any, Any]:
    """Load a model with transformers; return its kind, the model and the tokenizer."""
    import transformers

    _check_reachable(source, options.get("revision"))
    with silence_transformers():
        config = transformers.AutoConfig.from_pretrained(source, **options)
        model_kind: ModelKind = _model_kind(config) if kind == "auto" else kind
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **options)
        cls = getattr(transformers, _CLASSES[model_kind])
        return model_kind, cls.from_pretrained(source, config=config, dtype=dtype, **options), tokenizer


def resolve_commit(name: str, revision: str | None) -> str | None:
    """Return the current commit of a revision on the hub, or, offline, the one downloaded last; None if unknown."""
    import huggingface_hub
    from huggingface_hub.constants import HF_HUB_CACHE

    try:
        return str(huggingface_hub.HfApi().model_info(name, revision=revision, timeout=10).sha)
    except Exception:  # offline, or no such model, which loading reports
        folder = f"models--{name.replace('/', '--')}"
        cached = Path(HF_HUB_CACHE) / folder / "refs" / (revision or "main")
        return cached.read_text().strip() if cached.is_file() else None


def _check_reachable(source: str, revision: str | None) -> None:
    """Raise an error if a model is not cached and the hub cannot be reached, which the library retries for long."""
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        is_here = Path(source).is_dir() or huggingface_hub.try_to_load_from_cache(
            source, "config.json", revision=revision, cache_dir=huggingface_hub.constants.HF_HUB_CACHE
        )
        if not is_here:
            huggingface_hub.HfApi().model_info(source, revision=revision, timeout=10)
    except HFValidationError as error:
        raise FileNotFoundError("there is no such folder, and no model on the hub can be called so") from error
    except HfHubHTTPError:  # the hub answers; loading reports the error
        return
    except Exception as error:
        raise ConnectionError(f"it is not here yet, and the hub cannot be reached ({error})") from error


def _model_kind(config: Any) -> ModelKind:
    from transformers.models.auto import modeling_auto

    if getattr(config, "is_encoder_decoder", False):
        return "seq2seq"
    architectures = " ".join(config.architectures or ())
    if "ForCausalLM" in architectures or "LMHeadModel" in architectures:
        return "causal"
    if config.model_type in modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES:
        return "masked"
    if config.model_type in modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return "causal"
    what = f"a {config.model_type} model is no language model that transformers knows as one"
    raise ModelError(what, where="model", hint="set model.kind= to causal, seq2seq or masked")


def _choose_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _context_length(model: Any, tokenizer: Any, kind: ModelKind) -> int | None:
    """Return the maximum number of tokens (RoBERTa reserves some of its positions); None if there is no limit."""
    positions: int | None = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if positions is not None and positions < 0:  # as in XLNet
        positions = None
    if kind not in _NON_GENERATIVE:
        return positions
    embeddings = (module for name, module in model.named_modules() if name.endswith("position_embeddings"))
    padding = getattr(next(embeddings, None), "padding_idx", None)
    limit = int(tokenizer.model_max_length)
    limit = min(positions - (0 if padding is None else padding + 1), limit) if positions else limit
    return limit if limit < _UNLIMITED else None


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that the memory of the machine or its accelerator is exhausted."""
    import torch

    is_memory_error = isinstance(error, torch.OutOfMemoryError | MemoryError)
    return is_memory_error or "allocate memory" in str(error) or "out of memory" in str(error)


@contextmanager
def explain_out_of_memory(where: str, device: object, hint: str) -> Iterator[None]:
    """Replace an out-of-memory error within the block by a `ModelError` of one line."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise ModelError(f"out of memory on {device}", where=where, hint=hint) from error


@contextmanager
def silence_transformers() -> Iterator[None]:
    """Silence the messages of transformers, and its progress bars unless stderr is a terminal."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        with nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(verbosity)
