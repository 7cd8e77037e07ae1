"""Models of the Hugging Face hub, run in the process with the library transformers."""
