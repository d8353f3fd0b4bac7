"""Addresses, and what browsers send back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.session import PAGES, Session, read_session

IDS = st.text(min_size=1, max_size=60).filter(lambda text: text.strip("/#") == text and text.strip() == text)


@given(st.sampled_from(PAGES), IDS)
def test_an_address_leads_back_to_where_it_came_from(page, item):
    place = Session().at(page, "" if page in ("setup", "history", "plan") else item)
    assert Session().follow("#" + place.route).route == place.route


@given(st.text(max_size=400))
def test_any_address_leads_to_a_page(route):
    session = Session(interview="i").follow(route)
    assert session.page in PAGES


@pytest.mark.parametrize("stored", [None, "x", 3, [], {"page": "nowhere"}, {"page": "setup", "extra": 1}, {"item": {}}])
def test_what_is_not_a_session_counts_as_a_new_browser(stored):
    assert read_session(stored) == Session()


def test_a_session_survives_the_browser():
    session = Session().at("interview", "abc")
    assert read_session(session.model_dump()) == session


def test_leaving_an_interview_remembers_it():
    session = Session().at("interview", "abc").at("history")
    assert (session.interview, session.item) == ("abc", "")


@pytest.mark.parametrize(("step", "stored"), [(3, 3), (None, 0), ("3", 0), ([], 0)])
def test_only_a_number_counts_as_a_step(step, stored):
    assert Session().stepped(step).step == stored
