"""The stored figures of all runs as one page, in docs/ and in the app."""
