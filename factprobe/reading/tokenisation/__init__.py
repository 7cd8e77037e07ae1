"""Words, tokens and sentences of a text."""
