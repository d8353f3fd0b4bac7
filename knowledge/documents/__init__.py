"""Readers: a file of any supported format to lines or records."""
