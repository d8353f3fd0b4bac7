"""The interview as a state machine over stored events."""
