"""Pages of which a command writes a part: what stands between two marks."""

from interviewer.errors import InterviewerError


def between(page: str, begin: str, end: str, text: str) -> str:
    """`page` with `text` in place of what stands between its two marks; the marks stay.

    Raises:
        InterviewerError: if the page lacks one of them.
    """
    head, found_begin, rest = page.partition(begin)
    _, found_end, tail = rest.partition(end)
    if not (found_begin and found_end):
        raise InterviewerError("The page lacks the marks of its figures.", next_step=f"Put {begin} and {end} back.")
    return f"{head}{begin}{text}{end}{tail}"
