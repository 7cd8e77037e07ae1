"""Models: what answers the questions, behind the registry `models`."""

from factprobe.models.base import CallError, EndpointSettings, Model, ModelSettings, Reply, models
from factprobe.models.runner import ask

__all__ = ["CallError", "EndpointSettings", "Model", "ModelSettings", "Reply", "ask", "models"]
