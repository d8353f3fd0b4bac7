"""Documents to questions to index to search: the home of chromadb and sentence-transformers."""
