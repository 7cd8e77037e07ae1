"""Breakdowns: tables of what pairs or groups of questions together show about a model."""
