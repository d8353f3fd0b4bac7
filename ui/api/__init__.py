"""The REST API under `/api/v1`: the same services as the pages, with the same rules of access."""
