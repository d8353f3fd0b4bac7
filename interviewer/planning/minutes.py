"""How long a question takes, follow-ups included, and how many fit."""

from interviewer.interview.ports import Outline

DESIGN_MINUTES = 40.0
"""A design interview in its phases: requirements 5, architecture 10, modules 15, optimisation and failures 10."""

SHORT_DESIGN_MINUTES = 15.0
"""One that is answered in one go."""

_BASE = {"concept": 3.0, "troubleshooting": 5.0, "experience": 6.0}


def question_minutes(question: Outline) -> float:
    """4 to 8 minutes for a concept, up to 11 for troubleshooting and experience, 15 or 40 for a design question."""
    if question.kind == "design":
        return DESIGN_MINUTES if question.phases else SHORT_DESIGN_MINUTES
    return _BASE.get(question.kind, _BASE["concept"]) + question.difficulty
