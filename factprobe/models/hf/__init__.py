"""Models of the Hugging Face hub, by the library transformers."""
