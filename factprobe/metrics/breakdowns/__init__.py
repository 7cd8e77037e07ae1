"""Breakdowns: tables of grades by pairs or groups of questions."""
