"""What a person remembers: what was asked before, and when each point is due again."""

from interviewer.memory.recall import EVENT_TYPES, REMEMBERED_INTERVIEWS, AskedBefore, recall

__all__ = ["EVENT_TYPES", "REMEMBERED_INTERVIEWS", "AskedBefore", "recall"]
