"""Generators of questions from triplets, in the registry `generators`."""

from factprobe.generators.base import GenerationReport, Generator, GeneratorSettings, Survey, generators

__all__ = ["GenerationReport", "Generator", "GeneratorSettings", "Survey", "generators"]
