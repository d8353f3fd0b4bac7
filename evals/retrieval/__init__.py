"""How well questions and weak spots that are one are found."""
