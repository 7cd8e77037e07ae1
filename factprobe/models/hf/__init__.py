"""Models of the Hugging Face hub, run with the library transformers."""
