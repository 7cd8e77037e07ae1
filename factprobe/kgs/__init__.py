"""Knowledge graphs: adapters that read the facts of a source, in the registry `kgs`."""

from factprobe.kgs.base import Graph, KnowledgeGraph, kgs

__all__ = ["Graph", "KnowledgeGraph", "kgs"]
