"""Detectors of HaDes, which classify one given span as hallucinated, without a reference (Liu et al. 2022, ACL)."""
