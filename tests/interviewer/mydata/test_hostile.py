"""Files that anybody may have made: refused with a sentence in both languages, and nothing of them is kept."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interviewer.accounts.person import LOCAL
from interviewer.mydata import layout
from interviewer.mydata.errors import BadDataFileError, BusyError
from tests.interviewer.conftest import Clock
from tests.interviewer.mydata.conftest import Home

Members = dict[str, bytes]


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> Members:
    """The parts of a real export."""
    home = Home(tmp_path_factory.mktemp("honest"), Clock())
    home.fill()
    with zipfile.ZipFile(home.export()) as file:
        members = {name: file.read(name) for name in file.namelist()}
    home.database.close()
    return members


def packed(path: Path, members: Members, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def interview(members: Members) -> str:
    return min(name for name in members if layout.INTERVIEW.fullmatch(name))


def changed(members: Members, name: str, change: Callable[[Any], Any]) -> Members:
    found = json.loads(members[name])
    return members | {name: json.dumps(change(found) or found).encode()}


def event(change: Callable[[list[dict[str, Any]]], Any]) -> Callable[[Members], Members]:
    """Changes the events of an interview."""

    def apply(members: Members) -> Members:
        return changed(
            members, interview(members), lambda entry: {**entry, "events": change(entry["events"]) or entry["events"]}
        )

    return apply


def manifest(**fields: Any) -> Callable[[Members], Members]:
    return lambda members: changed(members, layout.MANIFEST, lambda found: found | fields)


def line(**fields: Any) -> Callable[[Members], Members]:
    """Changes the first question of the set."""

    def apply(members: Members) -> Members:
        first, *rest = members[layout.questions_file(1)].splitlines()
        return members | {
            layout.questions_file(1): b"\n".join([json.dumps(json.loads(first) | fields).encode(), *rest])
        }

    return apply


def set_called(name: str) -> Callable[[Members], Members]:
    return lambda members: changed(members, layout.set_file(1), lambda found: found | {"name": name})


def without(name: str) -> Callable[[Members], Members]:
    return lambda members: {key: data for key, data in members.items() if key != name}


def twice(members: Members) -> Members:
    return members | {"interviews/again.json": members[interview(members)]}


def decided_by(who: str) -> Callable[[Members], Members]:
    return event(lambda events: [e | {"by": who} if e["type"] == "decided" else e for e in events])


HOSTILE: dict[str, tuple[Callable[[Members], Members], str]] = {
    "a path that climbs": (lambda m: m | {"../../etc/passwd": b"x"}, "mydata_unsafe_name"),
    "a path from the root": (lambda m: m | {"/etc/passwd": b"x"}, "mydata_unsafe_name"),
    "a drive": (lambda m: m | {"C:/x": b"x"}, "mydata_unsafe_name"),
    "a name with a line break": (lambda m: m | {"a\nb": b"x"}, "mydata_unsafe_name"),
    "no manifest": (without(layout.MANIFEST), "mydata_missing"),
    "another product's file": (manifest(format="something"), "mydata_other_file"),
    "a manifest that is a list": (lambda m: m | {layout.MANIFEST: b"[]"}, "mydata_other_file"),
    "another version": (manifest(version=2), "mydata_other_version"),
    "a version that is text": (manifest(version="1" * 500), "mydata_other_version"),
    "a field too many": (manifest(extra=1), "mydata_wrong_part"),
    "no kept answers": (without(layout.KEPT), "mydata_missing"),
    "kept answers that are no list": (lambda m: m | {layout.KEPT: b"{}"}, "mydata_wrong_part"),
    "an interview less": (lambda m: without(interview(m))(m), "mydata_incomplete"),
    "an interview twice": (twice, "mydata_wrong_part"),
    "no questions": (without(layout.questions_file(1)), "mydata_missing"),
    "not JSON": (lambda m: m | {interview(m): b"{"}, "mydata_no_json"),
    "not UTF-8": (lambda m: m | {interview(m): b'{"id": "\xff\xfe"}'}, "mydata_no_json"),
    "nested too deeply": (lambda m: m | {interview(m): b"[" * 200_000}, "mydata_no_json"),
    "NaN": (lambda m: m | {interview(m): b'{"id": NaN}'}, "mydata_no_json"),
    "a number of a million digits": (lambda m: m | {interview(m): b"9" * 1_000_000}, "mydata_no_json"),
    "half a character": (lambda m: m | {interview(m): b'{"id": "\\ud800"}'}, "mydata_no_json"),
    "NUL": (lambda m: m | {interview(m): b'{"id": "\\u0000"}'}, "mydata_no_json"),
    "an interview's id with a path": (lambda m: changed(m, interview(m), lambda e: e | {"id": "../x"}), "mydata_wrong_part"),
    "no events": (lambda m: changed(m, interview(m), lambda e: e | {"events": []}), "mydata_wrong_part"),
    "too many events": (event(lambda e: e[:1] + e[1:2] * layout.MOST_EVENTS), "mydata_wrong_part"),
    "an event of another kind": (event(lambda e: [*e, {"type": "hacked", "at": e[0]["at"]}]), "mydata_wrong_part"),
    "an event with a field too many": (event(lambda e: [*e[:-1], e[-1] | {"user_id": "bob"}]), "mydata_wrong_part"),
    "an event without a zone": (event(lambda e: [e[0] | {"at": "2026-01-01T00:00:00"}, *e[1:]]), "mydata_wrong_part"),
    "an event before time": (event(lambda e: [e[0] | {"at": "0001-01-01T00:00:00+14:00"}, *e[1:]]), "mydata_wrong_part"),
    "an event after time": (event(lambda e: [e[0] | {"at": "9999-12-31T23:59:59-14:00"}, *e[1:]]), "mydata_wrong_part"),
    "no beginning": (event(lambda e: e[1:]), "mydata_broken_interview"),
    "two beginnings": (event(lambda e: [*e, e[0]]), "mydata_broken_interview"),
    "an answer before any question": (event(lambda e: [e[0], *[x for x in e if x["type"] == "answered"]]), "mydata_broken_interview"),
    "a grade of no question": (event(lambda e: [x | {"index": 99} if x["type"] == "graded" else x for x in e]), "mydata_broken_interview"),
    "another person's id": (decided_by("bob"), "mydata_foreign_id"),
    "the id of the person at home": (decided_by("local"), "mydata_foreign_id"),
    "the bank as one's own set": (set_called("bank"), "mydata_wrong_part"),
    "a set without a name": (set_called(" "), "mydata_wrong_part"),
    "questions of another set": (set_called("theirs"), "mydata_wrong_part"),
    "a question out of its mind": (line(position="inf"), "mydata_wrong_part"),
    "a version too large": (line(version=2**40), "mydata_wrong_part"),
}  # fmt: skip


@pytest.fixture(scope="module")
def untouched(tmp_path_factory) -> Iterator[Home]:
    """One home for all that is refused."""
    home = Home(tmp_path_factory.mktemp("untouched"), Clock())
    yield home
    home.database.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_and_nothing_of_it_is_kept(untouched, honest, name):
    home = untouched
    attack, key = HOSTILE[name]
    before = home.count_rows()
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, packed(home.folder / "bad.zip", attack(dict(honest))))
    assert refused.value.key == key
    assert home.count_rows() == before
    assert refused.value.next_step
    message, next_step = refused.value.said("zh")
    assert message
    assert next_step
    assert len(refused.value.message) < 400


def test_the_honest_file_these_are_made_of_is_taken(home, honest):
    brought = home.data.bring_in(LOCAL, packed(home.folder / "good.zip", honest))
    assert brought.interviews.added == 2


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"not a zip at all, but long enough to look",
        b"PK\x05\x06" + b"\0" * 30,
        b"PK\x05\x06" + b"\xff" * 18,
    ],
    ids=["empty", "too short", "text", "an end with a comment", "an end that lies"],
)
def test_what_is_no_zip_is_refused(untouched, data):
    home = untouched
    path = home.folder / "bad.zip"
    path.write_bytes(data)
    with pytest.raises(BadDataFileError):
        home.data.bring_in(LOCAL, path)


def test_a_cut_off_and_a_damaged_file_are_refused(untouched, honest):
    home = untouched
    path = packed(home.folder / "bad.zip", honest)
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as file:
        inside = file.getinfo(interview(honest)).header_offset + 300
    for broken in (whole[:-1], whole[: len(whole) // 2], whole[:inside] + bytes(50) + whole[inside + 50 :]):
        path.write_bytes(broken)
        with pytest.raises(BadDataFileError):
            home.data.bring_in(LOCAL, path)


def test_other_compressions_are_refused_before_anything_is_unpacked(untouched, honest):
    home = untouched
    path = packed(home.folder / "bad.zip", honest, zipfile.ZIP_LZMA)
    with pytest.raises(BadDataFileError, match="ZIP"):
        home.data.bring_in(LOCAL, path)


def test_a_bomb_is_not_unpacked_further_than_it_may_be(untouched, honest, monkeypatch):
    home = untouched
    monkeypatch.setattr(layout, "LARGEST_MEMBER", 100_000)
    bomb = packed(home.folder / "bad.zip", honest | {interview(honest): b" " * 50_000_000})
    assert bomb.stat().st_size < 200_000
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, bomb)
    assert refused.value.key == "mydata_unpacks_too_large"
    lines = packed(home.folder / "bad.zip", honest | {layout.questions_file(1): b" " * 50_000_000})
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, lines)
    assert refused.value.key == "mydata_unpacks_too_large"


def test_many_small_parts_add_up(untouched, honest, monkeypatch):
    home = untouched
    monkeypatch.setattr(layout, "LARGEST_TOTAL", 10_000)
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, packed(home.folder / "bad.zip", honest))
    assert refused.value.key == "mydata_unpacks_too_large"


def test_too_many_members_are_counted_before_they_are_listed(untouched, honest, monkeypatch):
    home = untouched
    monkeypatch.setattr(layout, "MOST_MEMBERS", 5)
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, packed(home.folder / "bad.zip", honest))
    assert refused.value.key == "mydata_too_many"


def test_a_file_too_large_is_not_opened(home, monkeypatch):
    monkeypatch.setattr(layout, "LARGEST_FILE", 10)
    path = home.folder / "bad.zip"
    path.write_bytes(b"x" * 11)
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, path)
    assert refused.value.key == "mydata_too_large"


def test_a_member_twice_is_refused(untouched, honest):
    home = untouched
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name, data in honest.items():
            file.writestr(name, data)
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr(layout.MANIFEST, honest[layout.MANIFEST])
    path = home.folder / "bad.zip"
    path.write_bytes(target.getvalue())
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(LOCAL, path)
    assert refused.value.key == "mydata_unsafe_name"


def test_one_file_at_a_time(home, honest, monkeypatch):
    path = packed(home.folder / "good.zip", honest)
    refused = []

    real = home.database.write

    def write():
        monkeypatch.setattr(home.database, "write", real)
        with pytest.raises(BusyError) as error:
            home.data.bring_in(LOCAL, path)
        refused.append(error.value)
        return real()

    monkeypatch.setattr(home.database, "write", write)
    assert home.data.bring_in(LOCAL, path).interviews.added == 2
    assert len(refused) == 1


def test_an_account_that_is_gone_gets_nothing(home, honest):
    bob = home.join("owner") and home.join("bob")
    home.accounts.people.delete(bob, bob.id)
    before = home.count_rows()
    with pytest.raises(BadDataFileError) as refused:
        home.data.bring_in(bob, packed(home.folder / "good.zip", honest))
    assert refused.value.key == "mydata_nobody"
    assert home.count_rows() == before
