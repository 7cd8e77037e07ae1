"""Python functions as models."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, get_origin

import msgspec

from factprobe.config import convert
from factprobe.errors import CallError, ConfigError
from factprobe.models.base import Model, ModelSettings, Reply
from factprobe.records import Request, join_messages

ModelFunction = Callable[[Any], str | Awaitable[str]]
"""Function of a prompt, or of chat messages as mappings with `role` and `content`."""

_CHAT_NAMES = ("messages", "chat", "conversation", "history")
_OPEN_CALLS = 8
"""Maximum number of open calls of an asynchronous function."""


class FunctionModel(Model):
    """Model that calls a Python function; a synchronous function runs in a thread, by default one call at a time.

    If the function's first parameter is annotated as a list or called `messages`, it gets chat messages; otherwise, it
    gets the prompt as one text. The model's default name is that of the function.
    """

    cached: ClassVar[bool] = False

    def __init__(self, function: ModelFunction, settings: ModelSettings | None = None) -> None:
        annotated: Any = function
        function_name = getattr(function, "__name__", type(function).__name__).strip("<>")
        is_async = inspect.iscoroutinefunction(annotated) or inspect.iscoroutinefunction(annotated.__call__)
        open_calls = _OPEN_CALLS if is_async else 1
        default_settings = ModelSettings(backend="function", name=function_name, max_concurrency=open_calls)
        super().__init__(settings or default_settings)
        self._function, self._is_async, self._takes_chat = annotated, is_async, _takes_chat(function)

    async def reply(self, request: Request) -> Reply:
        """Call the function (in a thread if it is synchronous), and return its result as the reply."""
        prompt = msgspec.to_builtins(request.prompts) if self._takes_chat else join_messages(request.prompts)
        result: Any = self._function(prompt) if self._is_async else await asyncio.to_thread(self._call_function, prompt)
        result = await result if inspect.isawaitable(result) else result
        if not isinstance(result, str):
            raise CallError(f"returned the type {type(result).__name__}, no text")
        return Reply(result, "stop")

    def _call_function(self, prompt: Any) -> Any:
        try:
            return self._function(prompt)
        except (StopIteration, GeneratorExit) as error:  # which a future cannot pass on
            raise CallError(f"{type(error).__name__}: {error}", charged=True) from error


def as_model(model: Any, settings: Mapping[str, Any] | None = None) -> Model:
    """Return a model unchanged, or a function as a model; `settings` are those of `ModelSettings`, such as `name`."""
    if isinstance(model, Model):
        return model
    if not callable(model):
        hint = "give what load_model returns, or a function that returns the answer to a prompt"
        raise ConfigError(f"{type(model).__name__} is no model", where="model", hint=hint)
    wrapped = FunctionModel(model)
    if not settings:
        return wrapped
    merged = {**msgspec.to_builtins(wrapped.settings), **settings}
    return FunctionModel(model, convert(merged, ModelSettings, "model"))


def _takes_chat(function: ModelFunction) -> bool:
    try:
        parameters = [*inspect.signature(function, eval_str=True).parameters.values()]
    except (NameError, TypeError, ValueError):  # built-in functions may have no signature
        return False
    first = parameters[0] if parameters else None
    if first is None or first.annotation is inspect.Parameter.empty:
        return first is not None and first.name in _CHAT_NAMES
    type_ = get_origin(first.annotation) or first.annotation
    return isinstance(type_, type) and issubclass(type_, Sequence) and not issubclass(type_, str)
