"""Knowledge graphs: adapters that read the facts of a source, registered in `kgs`."""

from factprobe.kgs.base import Graph, KnowledgeGraph, kgs

__all__ = ["Graph", "KnowledgeGraph", "kgs"]
