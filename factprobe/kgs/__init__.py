"""Knowledge graphs: adapters that read the facts of a source; `kgs` is their registry."""

from factprobe.kgs.base import Graph, KnowledgeGraph, kgs

__all__ = ["Graph", "KnowledgeGraph", "kgs"]
