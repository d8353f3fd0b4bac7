"""People: who they are, how they come in, what they may do."""
