"""Language models from the Hugging Face hub or a local folder, run with transformers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Annotated, ClassVar, Generic, Literal, TypeVar

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.errors import CallError, ModelError, require
from factprobe.models.base import (
    Model,
    ModelSettings,
    Reply,
    SameAnswers,
    ScoredToken,
    request_hash,
    statements,
    token_start,
)
from factprobe.models.hf.checkpoints import Checkpoint, explain_out_of_memory, load_checkpoint, resolve_commit
from factprobe.models.hf.generation import allowed_texts, render_chat
from factprobe.models.hf.statement_likelihood import StatementScorer, TokenisedStatement, reduce_logprobs
from factprobe.models.weights import weights_hash
from factprobe.records import Message, Request, Usage, join_messages

T = TypeVar("T")
R = TypeVar("R")
_BLANK_GAP = re.compile("_{2,}")
_MAX_MASKS = 3
"""Maximum number of tokens with which a masked model fills a blank."""
_NO_NUMBERS = "the model gives log-probabilities that are no numbers; try model.dtype=float32"


class TransformersSettings(ModelSettings, frozen=True, kw_only=True):
    """Settings of a model run with the library transformers."""

    model: SameAnswers[Annotated[Filled, Meta(examples=["HuggingFaceTB/SmolLM2-135M-Instruct"])]]
    """A name on the hub, a folder, or a GGUF file."""
    revision: SameAnswers[str | None] = None
    """Branch, tag or commit on the hub; by default its main branch."""
    gguf_file: SameAnswers[str | None] = None
    """GGUF file to load from the model's folder or repository."""
    kind: Literal["auto", "causal", "seq2seq", "masked"] = "auto"
    """Kind of the model; `auto` uses its config."""
    device: SameAnswers[str] = "auto"
    """`cuda`, `cuda:1`, `mps` or `cpu`; `auto` takes the first available."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Precision; `auto` is that of the checkpoint."""
    chat_template: bool = True
    """Use the tokenizer's chat template if it has one; else the messages are joined by blank lines."""
    trust_remote_code: bool = False
    """Allow code that comes with the model to run."""
    reduction: Literal["sum", "mean"] = "sum"
    """Score of a ranked answer: the sum or mean of the log-probabilities of its statement's tokens."""
    batch_size: SameAnswers[Annotated[int, Meta(ge=1)]] = 16
    """Number of questions in a batch. In half precision, some greedy answers depend on the other questions in it; to
    avoid this, set `dtype=float32` or `batch_size=1`."""
    batch_tokens: SameAnswers[Annotated[int, Meta(ge=1)] | None] = None
    """Maximum number of tokens in a forward pass that ranks answers; by default 512 on a CPU, 2048 elsewhere."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 64
    """Number of open questions, from which batches of similar length are formed; should be several `batch_size`."""

    @property
    def model_name(self) -> str:
        """Name in the settings if set; else the name on the hub, or that of the folder or file."""
        path = Path(self.gguf_file or self.model)
        local = path_of(self.model).exists() or self.gguf_file
        return self.name or ((path.stem if path.suffix == ".gguf" else path.absolute().name) if local else self.model)


class RequestBatches(Generic[T, R]):
    """Queue that runs concurrent requests in batches of up to `size`, one batch at a time.

    `run` is called in `thread` and returns the results of a batch in order. Waiting requests are sorted by `length`,
    the longest first, so that a batch has requests of similar length.
    """

    def __init__(
        self, run: Callable[[Sequence[T]], Sequence[R]], size: int, length: Callable[[T], int], thread: Executor
    ) -> None:
        self._run, self._size, self._length, self._thread = run, size, length, thread
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def result(self, request: T) -> R:
        """Return the result of one request after its batch has run; each one of a batch gets an exception of `run`."""
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._run_batches())
        return await future

    async def _run_batches(self) -> None:
        await asyncio.sleep(0)  # lets concurrent requests arrive
        while batch := self._next_batch():
            requests = [request for request, _ in batch]
            try:
                results = await asyncio.get_running_loop().run_in_executor(self._thread, self._run, requests)
            except Exception as error:  # passed on to the caller
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():
                    future.set_result(result)

    def _next_batch(self) -> list[tuple[T, asyncio.Future[R]]]:
        waiting = [(request, future) for request, future in self._waiting if not future.done()]
        waiting.sort(key=lambda request: self._length(request[0]), reverse=True)
        self._waiting = waiting[self._size :]
        return waiting[: self._size]


class Transformers(Model):
    """Local causal, sequence-to-sequence or masked model in the format of the Hugging Face hub.

    Install it with `pip install 'factprobe[hf]'`. Concurrent questions are answered in batches of similar length.
    Decoding is greedy at temperature 0; otherwise, each question has its own random seed. A masked model fills the last
    blank (`____`) of the prompt, or one added to its end, with the likeliest of one, two and three tokens on average.
    """

    settings_type: ClassVar[type[ModelSettings]] = TransformersSettings

    def __init__(self, settings: TransformersSettings) -> None:
        require("torch", "transformers", extra="hf", where="model")
        self._source, self._gguf_file = settings.model, settings.gguf_file
        path = path_of(settings.model)
        if path.is_file() and path.suffix == ".gguf":
            path, self._gguf_file = path.parent, path.name
        self._folder = path if path.is_dir() else None
        if self._folder is not None:
            self._source = str(path)
        self._commit = None if self._folder is not None else resolve_commit(settings.model, settings.revision)
        self._checkpoint: Checkpoint | None = None
        super().__init__(settings)

    def identity(self) -> dict[str, object]:
        """Return the settings; names and paths are replaced by a hash of the weights or the commit on the hub."""
        settings = self.settings
        file = self._folder / self._gguf_file if self._folder is not None and self._gguf_file else self._folder
        return {
            **super().identity(),
            "weights": weights_hash(file) if file is not None and file.exists() else settings.model,
            "revision": self._commit or settings.revision,
            "gguf_file": None if self._folder is not None else self._gguf_file,
        }

    async def start(self) -> None:
        """Load the model."""
        if self._checkpoint is None:
            settings = self.settings
            options = {"revision": self._commit or settings.revision or "main"}
            options |= {"trust_remote_code": settings.trust_remote_code}
            options |= {"gguf_file": self._gguf_file} if self._gguf_file else {}
            self._checkpoint = load_checkpoint(self._source, settings.kind, settings.device, settings.dtype, **options)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="transformers")
        self._scorer = StatementScorer(self._checkpoint, self.settings.batch_tokens)
        size = self.settings.batch_size
        self._reply_batches = RequestBatches(self._generate_replies, size, lambda item: len(item[1][-1]), self._thread)
        # neighbouring requests share prefixes, so that they are not sorted
        self._ranking_batches = RequestBatches(self._score_choices, size, lambda _: 0, self._thread)

    async def aclose(self) -> None:
        """Stop the thread; the model stays loaded."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def reply(self, request: Request) -> Reply:
        """Answer one request."""
        if self._loaded.kind == "masked":
            texts = self._mask_last_blank(request)
            self._check_length(len(texts[-1]))
        else:
            texts = [self._tokenise_prompt(request.prompts)]
            self._check_length(len(texts[0]) + (self.settings.max_tokens if self._loaded.kind == "causal" else 0))
        return await self._reply_batches.result((request, texts))

    async def rank(self, request: Request) -> Reply:
        """Score each choice by the log-likelihood of the statement, without tokens that the tokenizer adds.

        For formulas and sources, see `factprobe.models.hf.statement_likelihood`.
        """
        if self._loaded.kind == "seq2seq":
            what = "a sequence-to-sequence model gives no likelihood of a statement"
            raise ModelError(what, where=f"model {self.name}", hint="rank with a causal or a masked model")
        tokens = self._tokenise_statements(request)
        self._check_length(max(len(statement.ids) for statement in tokens))
        reply = await self._ranking_batches.result((request, tokens))
        if not all(map(isfinite, reply.scores)):
            raise CallError(_NO_NUMBERS)
        return reply

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:
        """Return the log-probabilities of the tokens that end after the character offset `start`.

        Of a text that is longer than the context, only the last tokens are scored.
        """
        tokenizer, where = self._loaded.tokenizer, f"model {self.name}"
        if self._loaded.kind != "causal":
            raise ModelError(f"a {self._loaded.kind} model reads both sides", where=where, hint="name a causal model")
        if not tokenizer.is_fast:
            raise ModelError("its tokenizer is no fast one", where=where, hint="name a model that has one")
        batch = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True)
        max_tokens = self._loaded.context and self._loaded.context - 1  # leaves room for the start token
        ids, spans = (list(batch[name])[-max_tokens if max_tokens else 0 :] for name in ("input_ids", "offset_mapping"))
        statement = TokenisedStatement(tuple(ids), (True,) * len(ids), (None,) * len(ids)).with_start_token(
            self._start_token
        )
        loop = asyncio.get_running_loop()
        with self._explain_errors(1):
            [logprobs] = await loop.run_in_executor(self._thread, self._scorer.logprobs, [statement])
        if not all(map(isfinite, logprobs)):
            raise CallError(_NO_NUMBERS)
        first = len(ids) - len(logprobs)  # without a start token the first token has none
        tokens = zip(spans[first:], logprobs, strict=True)
        return [_scored_token(text, span, value) for span, value in tokens if span[1] > max(start, span[0])]

    @property
    def _start_token(self) -> int | None:
        """Id of the tokenizer's start token, or else of its end token; None without either."""
        tokenizer = self._loaded.tokenizer
        token: int | None = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
        return token

    def _check_length(self, tokens: int) -> None:
        context = self._loaded.context
        if context is not None and tokens > context:
            raise CallError(f"{tokens:,} tokens, the answer's included, are more than the context of {context:,}")

    def _tokenise_prompt(self, messages: Sequence[Message]) -> list[int]:
        tokenizer = self._loaded.tokenizer
        if self.settings.chat_template and tokenizer.chat_template:
            text = render_chat(tokenizer, messages)
            return list(tokenizer(text, add_special_tokens=False)["input_ids"])
        return list(tokenizer(join_messages(messages))["input_ids"])

    def _mask_last_blank(self, request: Request) -> list[list[int]]:
        text = join_messages(request.prompts)
        blanks = list(_BLANK_GAP.finditer(text))
        before, after = (text[: blanks[-1].start()], text[blanks[-1].end() :]) if blanks else (f"{text}\n\n", "")
        tokenizer = self._loaded.tokenizer
        count = min(_MAX_MASKS, self.settings.max_tokens)
        return [list(tokenizer(f"{before}{tokenizer.mask_token * n}{after}")["input_ids"]) for n in range(1, count + 1)]

    def _tokenise_statements(self, request: Request) -> list[TokenisedStatement]:
        """Return a request's statements as tokens; those for a causal model begin with the start token."""
        tokenizer, texts = self._loaded.tokenizer, statements(request)
        encodings = tokenizer(texts, return_special_tokens_mask=True)
        tokens = [
            TokenisedStatement(tuple(ids), tuple(not added for added in mask), tuple(encodings.word_ids(i)))
            for i, (ids, mask) in enumerate(zip(encodings["input_ids"], encodings["special_tokens_mask"], strict=True))
        ]
        if self._loaded.kind == "masked":
            return tokens
        return [statement.with_start_token(self._start_token) for statement in tokens]

    def _generate_replies(self, requests: Sequence[tuple[Request, list[list[int]]]]) -> list[Reply]:
        """Answer requests, given with the token ids of their prompts (for a masked model, one by number of masks)."""
        from factprobe.models.hf.generation import GeneratedText, fill_masks, generate

        settings, (model, tokenizer, kind, _, pad_id, end_ids) = self.settings, self._loaded
        with self._explain_errors(len(requests)):
            outputs: list[GeneratedText]
            if kind == "masked":
                texts = [text for _, of_request in requests for text in of_request]
                options = iter(fill_masks(model, texts, tokenizer.mask_token_id, pad_id, tokenizer.all_special_ids))
                best = [max((next(options) for _ in of_one), key=lambda option: option[1]) for _, of_one in requests]
                outputs = [found for found, _ in best]
            else:
                seeds = [int(request_hash(request)[:12], 16) + settings.repeat for request, _ in requests]
                rows = [texts[0] for _, texts in requests]
                allowed = [self._allowed_replies(request) for request, _ in requests]
                outputs = generate(
                    model, rows, pad_id, end_ids, settings.max_tokens, settings.temperature, seeds, allowed
                )
        replies = []
        for (_, texts), output in zip(requests, outputs, strict=True):
            reply = tokenizer.decode(output.ids, skip_special_tokens=True).strip()
            usage = Usage(len(texts[0]), len(output.ids))
            replies.append(Reply(reply, "stop" if output.is_finished else "length", usage))
        return replies

    def _allowed_replies(self, request: Request) -> list[list[int]]:
        """Return the token ids of the only replies that a request allows; empty if the reply is free."""
        texts = allowed_texts(request.grammar) if self._loaded.kind == "causal" else []
        return [self._loaded.tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]

    def _score_choices(self, requests: Sequence[tuple[Request, list[TokenisedStatement]]]) -> list[Reply]:
        statements = [statement for _, tokens in requests for statement in tokens]
        with self._explain_errors(len(requests)):
            logprobs = iter(self._scorer.logprobs(statements))
        replies = []
        for request, tokens in requests:
            scores = tuple(reduce_logprobs(next(logprobs), self.settings.reduction) for _ in tokens)
            best = max(range(len(scores)), key=scores.__getitem__)
            usage = Usage(sum(len(statement.ids) for statement in tokens), 0)
            replies.append(Reply(request.choices[best], "stop", usage, scores))
        return replies

    @contextmanager
    def _explain_errors(self, size: int) -> Iterator[None]:
        device = f"{self._loaded.model.device} with {size} questions at once"
        hint = "set a smaller model.batch_size=, model.batch_tokens= or model.dtype="
        try:
            with explain_out_of_memory(f"model {self.name}", device, hint):
                yield
        except RuntimeError as error:
            raise CallError(f"transformers: {error}") from error

    @property
    def _loaded(self) -> Checkpoint:
        assert self._checkpoint is not None, "start() loads the model"
        return self._checkpoint


def _scored_token(text: str, span: tuple[int, int], logprob: float) -> ScoredToken:
    start, end = span
    return ScoredToken(start + token_start(text[start:end]), end, logprob)
