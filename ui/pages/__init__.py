"""The five pages: for each what it is made of, what it shows, and what a click on it does."""
