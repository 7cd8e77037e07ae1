"""Models behind endpoints, models in llama.cpp, and recorded and scripted replies."""
