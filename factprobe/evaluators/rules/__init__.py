"""Rules: what decides on a reply, one module for each evaluator and one for those that all share."""
