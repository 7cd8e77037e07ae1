"""Generators: from triplets to questions, behind the registry `generators`."""

from factprobe.generators.base import Generated, Generator, GeneratorSettings, Survey, generators

__all__ = ["Generated", "Generator", "GeneratorSettings", "Survey", "generators"]
