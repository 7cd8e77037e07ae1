"""Knowledge graphs: adapters that read the facts of a source, behind the registry `kgs`."""

from factprobe.kgs.base import KnowledgeGraph, kgs

__all__ = ["KnowledgeGraph", "kgs"]
