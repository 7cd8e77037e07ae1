"""Checkpoints in the layout of the Hugging Face hub: their kinds, and loading."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr
from pathlib import Path
from typing import Any, Literal, NamedTuple

from factprobe.config import path_of
from factprobe.errors import ModelError

Kind = Literal["causal", "seq2seq", "masked", "classifier", "encoder"]
"""Output of a model: the next token, a text, a masked token, a class, or hidden states only."""

_CLASSES: dict[Kind, str] = {
    "causal": "AutoModelForCausalLM",
    "seq2seq": "AutoModelForSeq2SeqLM",
    "masked": "AutoModelForMaskedLM",
    "classifier": "AutoModelForSequenceClassification",
    "encoder": "AutoModel",
}
_NO_WRITERS = ("masked", "classifier", "encoder")
_UNLIMITED = 10**20
"""Lower bound of the length limit that tokenizers have if they are unlimited."""


class Checkpoint(NamedTuple):
    """Loaded model with its properties."""

    model: Any
    tokenizer: Any
    kind: Kind
    context: int | None
    """Maximum number of tokens, or None if there is no limit."""
    pad: int
    """Id of the padding token."""
    ends: tuple[int, ...]
    """Ids of the tokens that end a text."""


def resolve_source(name: str) -> str:
    """Return the path of a folder as a string, and any other name, such as one on the hub, unchanged."""
    path = path_of(name)
    return str(path) if path.is_dir() else name


def load(
    source: str, kind: Kind | Literal["auto"], device: str, dtype: str, setting: str = "model.model", **options: Any
) -> Checkpoint:
    """Load a model and its tokenizer from a folder or the hub.

    Kind and device may be `auto`; the precision `auto` is that of the checkpoint. `setting` is the setting with the
    name, for errors. `options` are passed to `from_pretrained` of model, tokenizer and config.

    Raises:
        ModelError: There is no such model, or it cannot be loaded.
    """
    try:
        found, model, tokenizer = _load_checkpoint(source, kind, dtype, options)
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
    own = None if found in _NO_WRITERS else model.generation_config.eos_token_id
    ends = {tokenizer.eos_token_id, *(own if isinstance(own, list) else [own])} - {None}
    pad = next(token for token in (tokenizer.pad_token_id, tokenizer.eos_token_id, 0) if token is not None)
    return Checkpoint(model, tokenizer, found, _context_length(model, tokenizer, found), pad, tuple(sorted(ends)))


def _load_checkpoint(
    source: str, kind: Kind | Literal["auto"], dtype: str, options: dict[str, Any]
) -> tuple[Kind, Any, Any]:
    """Return a model's kind, the model and its tokenizer, as the library loads them."""
    import transformers

    _check_reachable(source, options.get("revision"))
    with quiet():
        config = transformers.AutoConfig.from_pretrained(source, **options)
        found: Kind = _model_kind(config) if kind == "auto" else kind
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **options)
        cls = getattr(transformers, _CLASSES[found])
        return found, cls.from_pretrained(source, config=config, dtype=dtype, **options), tokenizer


def resolve_commit(name: str, revision: str | None) -> str | None:
    """Return the commit of a revision on the hub: the present one or, offline, that of the last download."""
    import huggingface_hub
    from huggingface_hub.constants import HF_HUB_CACHE

    try:
        return str(huggingface_hub.HfApi().model_info(name, revision=revision, timeout=10).sha)
    except Exception:  # offline, or no such model, which loading reports
        folder = f"models--{name.replace('/', '--')}"
        cached = Path(HF_HUB_CACHE) / folder / "refs" / (revision or "main")
        return cached.read_text().strip() if cached.is_file() else None


def _check_reachable(source: str, revision: str | None) -> None:
    """Raise an error if a model is not cached and the hub cannot be reached; the library would retry for half a minute.

    Raises:
        ConnectionError: The hub cannot be reached.
        FileNotFoundError: The name is neither that of a folder nor valid on the hub.
    """
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


def _model_kind(config: Any) -> Kind:
    from transformers.models.auto import modeling_auto

    if getattr(config, "is_encoder_decoder", False):
        return "seq2seq"
    named = " ".join(config.architectures or ())
    if "ForCausalLM" in named or "LMHeadModel" in named:
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


def _context_length(model: Any, tokenizer: Any, kind: Kind) -> int | None:
    """Return the number of positions for tokens, without those that RoBERTa reserves; None if it is unlimited."""
    positions: int | None = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if positions is not None and positions < 0:  # as in XLNet
        positions = None
    if kind not in _NO_WRITERS:
        return positions
    embeddings = (module for name, module in model.named_modules() if name.endswith("position_embeddings"))
    padding = getattr(next(embeddings, None), "padding_idx", None)
    most = int(tokenizer.model_max_length)
    most = min(positions - (0 if padding is None else padding + 1), most) if positions else most
    return most if most < _UNLIMITED else None


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error means that the memory of the machine or its accelerator is exhausted."""
    import torch

    known = isinstance(error, torch.OutOfMemoryError | MemoryError)
    return known or "allocate memory" in str(error) or "out of memory" in str(error)


@contextmanager
def explain_out_of_memory(where: str, device: object, hint: str) -> Iterator[None]:
    """Raise a one-line error if the memory is exhausted within the block.

    Raises:
        ModelError: The memory is exhausted.
    """
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise ModelError(f"out of memory on {device}", where=where, hint=hint) from error


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the library's messages, and its progress bars outside a terminal."""
    from transformers.utils import logging

    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        with nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(verbosity)
