"""What a document says about how interviews are made up: tables of topics and phases, trees of rounds and levels."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from interviewer.models.blueprint import (
    Blueprint,
    BlueprintChapter,
    BlueprintLevel,
    BlueprintPhase,
    BlueprintRound,
    BlueprintSection,
    BlueprintTopic,
)
from knowledge.documents.model import Line, LineKind
from knowledge.extraction.knowledge_map import areas_of_map
from knowledge.extraction.signals import is_title_like, unmarked

_TOPIC = re.compile(r"考点|知识点|主题|题目|topic|subject|concept|area", re.IGNORECASE)
_FREQUENCY = re.compile(r"频率|频次|考频|热度|frequency|how often|importance|重要", re.IGNORECASE)
_DIFFICULTY = re.compile(r"难度|难易|difficulty", re.IGNORECASE)
_PHASE = re.compile(r"阶段|环节|步骤|phase|stage|step", re.IGNORECASE)
_TIME = re.compile(r"时间|时长|用时|time|duration|minutes", re.IGNORECASE)
_FRAME = "│├└─┌┐┘┤┬┴┼|╭╮╰╯ "
_ROUND = re.compile(r"^(?:第\s*[一二三四五六七八九十\d]+\s*轮|round\s+\w+)\s*[:：\-—]\s*(?P<name>.+)$", re.IGNORECASE)
_LEVEL = re.compile(r"^(?:level|lv\.?|级别|等级)\s*\d+\s*[:：\-—]\s*(?P<name>.+)$", re.IGNORECASE)
_BRANCH = re.compile(r"^[│\s|]*[├└]─*\s*(?P<name>\S.*?)\s*[│|]?$")
_CHAPTER = re.compile(
    r"^\d{1,2}\s*[-_.、]\s*(?P<name>[^\d\s].*)$|^(?:chapter|第)\s*[\d一二三四五六七八九十]+\s*章?\s*[:：]?\s*(?P<named>.+)$",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s*[（(]\s*(?P<label>Q?\d+\s*[-–~至]\s*Q?\d+)\s*[)）]\s*$", re.IGNORECASE)
_DIFFICULTIES = (
    (5, ("极难", "很难", "困难", "expert", "very hard")),
    (4, ("较难", "偏难", "hard", "difficult", "advanced", "高")),
    (3, ("中等", "一般", "适中", "medium", "moderate", "intermediate", "中")),
    (2, ("较易", "简单", "偏易", "easy", "basic", "低")),
    (1, ("入门", "很简单", "trivial", "beginner")),
)


class FoundBlueprint(NamedTuple):
    """A blueprint, and the numbers of the lines that are in it."""

    blueprint: Blueprint
    used: frozenset[int]


def find_blueprint(lines: Sequence[Line], title: str) -> FoundBlueprint | None:
    """The blueprint that `lines` hold: at least a table of topics with frequencies, or two other parts."""
    reader = _Reader(lines)
    reader.read()
    areas = areas_of_map(lines)
    parts = [reader.rounds, reader.phases, reader.levels, areas.areas]
    if not reader.topics and sum(1 for part in parts if part) < 2:
        return None
    chapters = reader.chapters()
    blueprint = Blueprint(
        title=title,
        topics=tuple(reader.topics),
        rounds=tuple(BlueprintRound(name=name, items=tuple(items)) for name, items in reader.rounds),
        phases=tuple(reader.phases),
        levels=tuple(BlueprintLevel(name=name, items=tuple(items)) for name, items in reader.levels),
        chapters=tuple(chapters),
        areas=areas.areas,
    )
    return FoundBlueprint(blueprint, frozenset(reader.used | areas.used))


class _Reader:
    """Reads tables and trees in one pass, chapters in another."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self.topics: list[BlueprintTopic] = []
        self.phases: list[BlueprintPhase] = []
        self.rounds: list[tuple[str, list[str]]] = []
        self.levels: list[tuple[str, list[str]]] = []
        self.used: set[int] = set()

    def read(self) -> None:
        title: Line | None = None
        tree: list[str] | None = None
        for i, line in enumerate(self._lines):
            starts_table = line.kind is LineKind.TABLE and self._lines[i - 1].kind is not LineKind.TABLE
            if starts_table:
                self._table(i, title)
                continue
            tree = self._branch(line, tree)
            if is_title(line):
                title = line

    def _branch(self, line: Line, tree: list[str] | None) -> list[str] | None:
        """Adds a line to the round or level that is open, opens one, or closes it."""
        words = unframed(line)
        if not words:
            return None if line.kind is LineKind.RULE else tree
        for pattern, found in ((_ROUND, self.rounds), (_LEVEL, self.levels)):
            if match := pattern.match(words):
                found.append((match["name"].strip(), []))
                self.used.add(line.number)
                return found[-1][1]
        branch = _BRANCH.match(line.raw.strip()) if line.raw else None
        if tree is not None and (branch or line.kind is LineKind.ITEM):
            tree.append(words)
            self.used.add(line.number)
            return tree
        return None

    def _table(self, start: int, title: Line | None) -> None:
        rows = []
        for line in self._lines[start:]:
            if line.kind is not LineKind.TABLE:
                break
            rows.append((line, cells(line.text)))
        header = rows[0][1]
        topic, frequency = _column(header, _TOPIC), _column(header, _FREQUENCY)
        phase, time = _column(header, _PHASE), _column(header, _TIME)
        body = [(line, row) for line, row in rows[1:] if not re.fullmatch(r"[|:\-\s]+", line.text) and any(row)]
        if topic is not None and frequency is not None:
            self._topics(body, header, title)
        elif phase is not None and time is not None:
            self._phases(body, header)
        else:
            return
        self.used |= {line.number for line, _ in rows}

    def _topics(self, body: list[tuple[Line, list[str]]], header: list[str], title: Line | None) -> None:
        columns = {key: _column(header, p) for key, p in (("t", _TOPIC), ("f", _FREQUENCY), ("d", _DIFFICULTY))}
        if title:
            self.used.add(title.number)
        for _, row in body:
            name, stars, label = (_cell(row, columns[key]) for key in "tfd")
            if name:
                self.topics.append(
                    BlueprintTopic(
                        name=name,
                        group=unmarked(title.text) if title else "",
                        frequency=to_frequency(stars),
                        difficulty=to_difficulty(label),
                        difficulty_label=label,
                    )
                )

    def _phases(self, body: list[tuple[Line, list[str]]], header: list[str]) -> None:
        phase, time = _column(header, _PHASE), _column(header, _TIME)
        focus = next((i for i in range(len(header)) if i not in (phase, time)), None)
        for _, row in body:
            minutes = re.search(r"\d+", _cell(row, time))
            if name := _cell(row, phase):
                focus_text = _cell(row, focus)
                self.phases.append(
                    BlueprintPhase(name=name, focus=focus_text, minutes=int(minutes[0]) if minutes else None)
                )

    def chapters(self) -> list[BlueprintChapter]:
        """Outlines of numbered chapters: titles with the items below them."""
        found: list[tuple[str, list[BlueprintSection]]] = []
        lines = [line for line in self._lines if not line.is_blank]
        is_open = False
        for i, line in enumerate(lines):
            if line.number in self.used or not is_title(line):
                continue
            items = list(_items_below(lines, i))
            match = _CHAPTER.match(unmarked(line.text))
            if match and _has_outline(lines, i):
                found.append(((match["name"] or match["named"]).strip(), []))
                self.used.add(line.number)
            elif is_open and items:
                found[-1][1].append(_section(line.text, items))
                self.used |= {line.number, *(item.number for item in items)}
            is_open = bool(match) or (is_open and bool(items))
        return [BlueprintChapter(title=title, sections=tuple(sections)) for title, sections in found]


def _has_outline(lines: Sequence[Line], at: int) -> bool:
    """Whether a title with items stands within the next few lines."""
    return any(list(_items_below(lines, i)) for i in range(at, min(at + 5, len(lines))))


def _items_below(lines: Sequence[Line], at: int) -> Iterator[Line]:
    for line in lines[at + 1 :]:
        if line.kind is not LineKind.ITEM or not line.text:
            return
        yield line


def _section(text: str, items: list[Line]) -> BlueprintSection:
    label = _RANGE.search(unmarked(text))
    title = _RANGE.sub("", unmarked(text)).strip()
    return BlueprintSection(
        title=title, items=tuple(unmarked(item.text) for item in items), questions=label["label"] if label else ""
    )


def is_title(line: Line) -> bool:
    """A heading, or a short plain line without a frame."""
    if line.kind is LineKind.HEADING:
        return True
    return line.kind is LineKind.TEXT and is_title_like(line.text) and not any(char in line.text for char in "│├└┌")


def unframed(line: Line) -> str:
    """A line's words without the box or tree drawn around them."""
    return unmarked(line.text.strip(_FRAME)) if line.is_prose else ""


def cells(row: str) -> list[str]:
    """A Markdown table row's cells, escaped bars kept."""
    return [unmarked(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def _column(header: list[str], pattern: re.Pattern[str]) -> int | None:
    return next((i for i, cell in enumerate(header) if pattern.search(cell)), None)


def _cell(row: list[str], column: int | None) -> str:
    return row[column].strip() if column is not None and column < len(row) else ""


def to_frequency(text: str) -> int | None:
    """1..5 from stars, a number, or a word; None where there is none."""
    stars = len(re.findall(r"[★⭐🌟]", text))
    if stars:
        return min(5, stars)
    if number := re.search(r"\d+", text):
        return min(5, max(1, int(number[0])))
    words = {"极高": 5, "高": 5, "high": 5, "中": 3, "medium": 3, "低": 1, "low": 1}
    return next((value for word, value in words.items() if word in text.lower()), None)


def to_difficulty(text: str) -> int | None:
    """1..5 from a number, stars or a word; None where there is none."""
    if re.search(r"[★⭐]|^\d", text):
        return to_frequency(text)
    lowered = text.lower()
    matches = [(len(word), value) for value, words in _DIFFICULTIES for word in words if word in lowered]
    return max(matches)[1] if matches else None
