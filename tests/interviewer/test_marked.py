"""Parts of pages that commands write."""

import pytest

from interviewer.errors import InterviewerError
from interviewer.marked import between


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    assert between("a<1>old<2>b", "<1>", "<2>", "new") == "a<1>new<2>b"


@pytest.mark.parametrize("page", ["", "a", "a<1>b", "a<2>b", "<2>a<1>"])
def test_a_page_without_its_marks_is_an_error_and_nothing_is_added_to_it(page: str) -> None:
    with pytest.raises(InterviewerError, match="lacks the marks"):
        between(page, "<1>", "<2>", "new")
