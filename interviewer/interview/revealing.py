"""What it costs to see the model answer, for whoever tells the candidate before it is shown."""

from interviewer.interview.state import InterviewState
from interviewer.interview.understanding import understand


def reveal_ends_scoring(state: InterviewState) -> bool:
    """Whether the question under way will have no score if its reference is shown now: nothing of it is graded yet."""
    current = state.current
    if current is None or current.closed is not None:
        return False
    return current.grade is None or current.grade.status != "graded"


def asks_to_end_scoring(state: InterviewState, text: str) -> bool:
    """Whether what the candidate wrote asks for the model answer where that ends scoring."""
    if (state.resumes_to or state.phase) not in ("answering", "grading") or not reveal_ends_scoring(state):
        return False
    return understand(text, asking=True, language=state.language).intent == "reveal"
