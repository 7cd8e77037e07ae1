"""Language models that answer requests (registry `models`)."""

from factprobe.errors import CallError
from factprobe.models.base import EndpointSettings, Model, ModelSettings, Reply, SameAnswers, models

__all__ = ["CallError", "EndpointSettings", "Model", "ModelSettings", "Reply", "SameAnswers", "models"]
