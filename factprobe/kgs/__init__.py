"""Knowledge graphs: adapters that read the facts of a source, in the registry `kgs`."""

from factprobe.kgs.base import Graph, kgs
from factprobe.kgs.relation_files import KnowledgeGraph

__all__ = ["Graph", "KnowledgeGraph", "kgs"]
