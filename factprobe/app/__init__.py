"""The web app, with a page that checks texts step by step and one that asks a model questions about a graph."""
