"""Prompt files, data only; `interviewer.prompts` reads them."""
