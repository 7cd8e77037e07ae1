"""UMLS Metathesaurus in its Rich Release Format."""
