"""Models behind endpoints, in llama.cpp, recorded and scripted."""
