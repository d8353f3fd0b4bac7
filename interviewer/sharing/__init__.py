"""Question sets that people share: who may read and write them, edits, review."""
