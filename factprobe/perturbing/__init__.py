"""Perturbation of texts with a masked model, as for HaDes, and their annotation."""
