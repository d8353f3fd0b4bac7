"""Which candidates are the questions: the marking scheme that runs most consistently through each region wins."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from knowledge.documents.model import Line, LineKind
from knowledge.extraction.schemes import Candidate, candidates, topic_at
from knowledge.extraction.signals import is_section_title, is_title_like

LOOK_BACK = 60
ACCEPTED = 0.5
"""Evidence that a text's best scheme needs; one beside it needs `BESIDE`."""
BESIDE = 1.2
ASKING_SHARE = 0.3
_STEP_BONUS = 0.8


class Chain(NamedTuple):
    """Candidates of one scheme that follow each other, with the evidence for them taken together."""

    items: tuple[Candidate, ...]
    total: float


def find_questions(lines: Sequence[Line]) -> list[Candidate]:
    """The lines that ask, in order.

    The best scheme of the whole text is chosen first; then the lines before it, after it and between its questions
    are searched for further schemes, which must be strong where they stand inside or behind an answer.
    """
    found = _Search(lines, candidates(lines)).within(0, len(lines), strong=False, banned=frozenset())
    return sorted(found, key=lambda candidate: candidate.at)


class _Search:
    def __init__(self, lines: Sequence[Line], found: list[Candidate]) -> None:
        self._lines = lines
        self._found = found
        self._positions = [candidate.at for candidate in found]
        self._titles = count_titles(lines)

    def within(self, start: int, end: int, *, strong: bool, banned: frozenset[str]) -> list[Candidate]:
        """Questions among the lines `start` to `end`, end exclusive; schemes in `banned` only number lists there."""
        around = self._found[bisect_left(self._positions, start) : bisect_left(self._positions, end)]
        here = [c for c in around if c.marker.scheme not in banned]
        is_whole = start == 0 and end == len(self._lines)
        best = self._best(here, ACCEPTED if is_whole else BESIDE)
        if best is None or (strong and not self._is_strong(best)):
            return []
        items = _continued(_fill_gaps(best.items, here), here, self._lines)
        items = self._with_topics(items, end)
        first, last = items[0].at, items[-1].at
        inner = frozenset(c.marker.scheme for c in here if first < c.at < last)
        listing = banned | inner | {item.marker.scheme for item in items}
        found = list(items) + self.within(start, first, strong=False, banned=banned)
        for item, following in zip(items, [*items[1:], None], strict=True):
            stop = following.at if following else end
            found += self.within(item.at + 1, stop, strong=True, banned=listing)
        return found

    def _with_topics(self, items: list[Candidate], end: int) -> list[Candidate]:
        """Beside headings that ask, those of their level that only name what is asked about: "HashMap 扩容机制".

        One that comes again and again is a part of every answer; where most headings don't ask, they are titles.
        """
        level = self._lines[items[0].at].level
        if len(items) < 2 or any(item.marker.scheme != f"h{level}|bare" for item in items):
            return items
        asking = {item.at for item in items}
        beside = [
            at
            for at in range(items[0].at + 1, end)
            if at not in asking and self._lines[at].kind is LineKind.HEADING and self._lines[at].level == level
        ]
        often = Counter(self._lines[at].text for at in beside)
        topics = [topic_at(self._lines, at) for at in beside if often[self._lines[at].text] == 1]
        found = [topic for topic in topics if topic is not None]
        return sorted([*items, *found], key=lambda item: item.at) if len(found) <= 2 * len(items) else items

    def _best(self, here: list[Candidate], needed: float) -> Chain | None:
        by_scheme: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in here:
            by_scheme[candidate.marker.scheme].append(candidate)
        chains = [best_chain(group, self._titles) for group in by_scheme.values()]
        chains = [chain for chain in chains if chain.total >= needed and _is_plausible(chain)]
        best = max(chains, key=lambda chain: chain.total, default=None)
        return _outermost(best, chains) if best else None

    def _is_strong(self, chain: Chain) -> bool:
        """Evidence enough to end an answer: several questions with answers of their own, or a title above them."""
        items = chain.items
        likeness = sum(c.likeness for c in items) / len(items)
        answered = sum(1 for c in items if c.answered) / len(items)
        if answered == 1 and items[0].style.startswith("asked"):
            return True
        if len(items) < 2 or likeness < 0.6:
            return False
        is_list = "item" in items[0].marker.scheme
        return answered >= 0.5 or (likeness >= 0.8 and not is_list and self._has_title_above(items[0].at))

    def _has_title_above(self, index: int) -> bool:
        above = index - 1
        while above >= 0 and self._lines[above].is_blank:
            above -= 1
        if above < 0:
            return False
        line = self._lines[above]
        is_plain_title = line.kind is LineKind.TEXT and is_title_like(line.text)
        return line.kind is LineKind.HEADING or is_section_title(line.text) or is_plain_title


def _is_plausible(chain: Chain) -> bool:
    """One unnumbered line that ends in a question mark is no scheme; nor are bare plain lines without answers."""
    items = chain.items
    wrapper, style = items[0].marker.scheme.split("|")
    if style.startswith(("asked", "ordinal", "announced")):
        return True
    if sum(1 for c in items if c.likeness >= 0.6 or c.answered) < ASKING_SHARE * len(items):
        return False
    if style == "bare" and wrapper.removeprefix("deep") in ("plain", "item") and not any(c.answered for c in items):
        return len(items) >= 3
    return len(items) >= 2 or items[0].answered or items[0].likeness >= 0.9


def _outermost(best: Chain, chains: list[Chain]) -> Chain:
    """Headings that ask go before whatever asks inside them."""
    if best.items[0].marker.scheme.startswith("h"):
        return best
    first, last = best.items[0].at, best.items[-1].at
    for chain in sorted(chains, key=lambda c: -c.total):
        items = chain.items
        is_heading = items[0].marker.scheme.startswith("h")
        surrounds = items[0].at < first and sum(1 for c in items if c.at < last) > 1
        asks = sum(c.likeness for c in items) / len(items) >= 0.6
        if is_heading and surrounds and asks and chain.total >= 0.3 * best.total:
            return chain
    return best


def count_titles(lines: Sequence[Line]) -> list[int]:
    """For every position the number of headings and section titles before it; one entry more than lines."""
    marks = (line.kind is LineKind.HEADING or (line.is_prose and is_section_title(line.text)) for line in lines)
    return list(accumulate(marks, initial=0))


def best_chain(group: Sequence[Candidate], titles: Sequence[int]) -> Chain:
    """The subsequence of one scheme's candidates with the most evidence: numbers should go up by one.

    Numbers that repeat, jump or begin again cost; beginning again below a title costs nothing. `titles` counts
    titles as `count_titles` does.
    """
    numbered = any(c.number is not None for c in group)
    if not numbered:
        items = tuple(c for c in group if c.value > 0)
        return Chain(items, sum(c.value for c in items))
    totals: list[float] = []
    back: list[int | None] = []
    for i, candidate in enumerate(group):
        options = [(totals[j] + _transition(group[j], candidate, titles), j) for j in range(max(0, i - LOOK_BACK), i)]
        total, j = max(options, default=(0.0, None), key=lambda option: option[0])
        start = 0.0 if candidate.number == 1 else -0.2
        totals.append(candidate.value + max(total, start))
        back.append(j if total > start else None)
    return _traced(group, totals, back)


def _traced(group: Sequence[Candidate], totals: list[float], back: list[int | None]) -> Chain:
    if not totals:
        return Chain((), 0.0)
    best = max(range(len(totals)), key=totals.__getitem__)
    items: list[Candidate] = []
    at: int | None = best
    while at is not None:
        items.append(group[at])
        at = back[at]
    return Chain(tuple(reversed(items)), totals[best])


def _transition(before: Candidate, after: Candidate, titles: Sequence[int]) -> float:
    if before.number is None or after.number is None:
        return 0.0
    step = after.number - before.number
    if step == 1:
        return _STEP_BONUS
    if step == 0:
        return -0.5
    if 1 < step <= 5:
        return -0.3 * (step - 1)
    if step > 5:
        return -1.5
    if after.number != 1:
        return -2.0
    if titles[after.at] > titles[before.at + 1]:
        return 0.0
    return -0.5 if after.likeness >= 0.6 else -1.5


def _fill_gaps(items: Sequence[Candidate], here: list[Candidate]) -> list[Candidate]:
    """A question whose number is missing from the chain may be marked a little differently from its neighbours."""
    filled = [items[0]]
    for candidate in items[1:]:
        before = filled[-1]
        if before.number is not None and candidate.number is not None and candidate.number - before.number > 1:
            filled += _missing(before, candidate, here)
        filled.append(candidate)
    return filled


def _continued(items: list[Candidate], here: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Where most answers have a mark, lines below the last one that count on are questions, whatever they say, if a
    blank line parts them from it.
    """
    if sum(c.answered for c in items) * 2 < len(items) or items[-1].number is None:
        return items
    more = list(items)
    for c in here:
        if c.at > more[-1].at and c.marker.scheme == items[-1].marker.scheme and c.number == (more[-1].number or 0) + 1:
            parted = lines[c.at - 1].is_blank or more[-1].at == c.at - 1
            more += [c] if parted else []
    return more


def _missing(before: Candidate, after: Candidate, here: list[Candidate]) -> list[Candidate]:
    found: list[Candidate] = []
    wanted = (before.number or 0) + 1
    for c in here:
        if before.at < c.at < after.at and c.number == wanted and (c.likeness >= 0.6 or c.answered):
            found.append(c)
            wanted += 1
    return found
