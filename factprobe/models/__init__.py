"""Models: what answers the questions, behind the registry `models`."""

from factprobe.models.base import CallError, Model, ModelSettings, Reply, models
from factprobe.models.runner import ask

__all__ = ["CallError", "Model", "ModelSettings", "Reply", "ask", "models"]
