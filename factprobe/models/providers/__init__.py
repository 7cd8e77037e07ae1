"""Providers of models: endpoints, llama.cpp, Python functions, recorded and scripted replies."""
