"""The web app: texts checked step by step, and a model probed with questions about a graph."""
