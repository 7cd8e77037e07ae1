"""Knowledge graphs: adapters that give the facts of a source, behind the registry `kgs`."""

from factprobe.kgs.base import Graph, kgs
from factprobe.kgs.files import KnowledgeGraph

__all__ = ["Graph", "KnowledgeGraph", "kgs"]
