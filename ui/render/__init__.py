"""HTML for the parts of a page: pure functions from values to escaped markup."""
