"""Plans: drawing one from a track or a free choice, and changing it before the start."""

from interviewer.planning.drawing import draw_plan
from interviewer.planning.editing import add, exchange, move, remove, set_minutes

__all__ = ["add", "draw_plan", "exchange", "move", "remove", "set_minutes"]
