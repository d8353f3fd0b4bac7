"""How deep each item of a flattened list stood: the cheapest reading of the marks that the page's conversion left."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from knowledge.extraction.nodes import Node
from knowledge.extraction.signals import ends_sentence

BEAM = 64
_PARA = -10
_CONCLUDES = re.compile(
    r"^\**(?:解决|结论|总结|小结|后果|影响|处理|建议|推荐|效果|例外|终极|最终|结果|注意|备注|现象|原因|原理|conclusion|result|note|summary)"
)


class Placed(NamedTuple):
    """A node and its list level: 0 and up for items; for others that of the item they belong to, -1 for none."""

    node: Node
    level: int


def place(nodes: Sequence[Node]) -> list[Placed]:
    """Levels for all nodes; the ends of lists are used up. Indentation, where there is any, decides alone."""
    if any(node.kind == "item" and node.indent for node in nodes):
        return _by_indentation(nodes)
    bases = _loose_levels(nodes)
    placed: list[Placed] = []
    start = 0
    while start < len(nodes):
        end = start
        while end < len(nodes) and _is_tight(nodes[end]):
            end += 1
        if end > start:
            placed += _tight_run(nodes, start, end, max(0, bases[start]))
        if end < len(nodes) and nodes[end].kind != "close":
            placed.append(_placed(nodes[end], bases[end]))
        start = end + 1
    return _attached(placed)


def _is_tight(node: Node) -> bool:
    if node.kind == "close":
        return node.span >= 0
    return (node.kind == "item" and not node.loose) or node.kind == "code" or node.attached


def _placed(node: Node, base: int) -> Placed:
    """A dash that ended a list and had a paragraph behind it looked like an item; its base tells (`_PARA - level`)."""
    if base <= _PARA:
        return Placed(node._replace(kind="para"), _PARA - base - 1)
    return Placed(node, base)


def _by_indentation(nodes: Sequence[Node]) -> list[Placed]:
    placed: list[Placed] = []
    stack: list[int] = []
    for node in nodes:
        if node.kind == "close":
            continue
        if node.kind == "item":
            while stack and stack[-1] > node.indent:
                stack.pop()
            if not stack or stack[-1] < node.indent:
                stack.append(node.indent)
            placed.append(Placed(node, len(stack) - 1))
            continue
        while stack and node.kind == "para" and node.indent <= stack[-1] and node.indent <= stack[0]:
            stack.pop()
        placed.append(Placed(node, len(stack) - 1))
    return placed


def _attached(placed: list[Placed]) -> list[Placed]:
    """Code belongs to the item right before it."""
    out: list[Placed] = []
    for entry in placed:
        if entry.node.kind == "code" and out:
            entry = entry._replace(level=out[-1].level)
        out.append(entry)
    return out


def _tight_run(nodes: Sequence[Node], start: int, end: int, base: int) -> list[Placed]:
    """Levels within a run of items whose dashes stood on their lines.

    A list whose first item was repeated ends at the repetition. An item that ends in a colon owns what follows, up to
    the next one that does or that concludes; so does one to which the next was glued without a space.
    """
    levels: dict[int, int] = {}
    owner: int | None = None
    parents = _parents_by_repetition(nodes, start, end)
    previous: int | None = None
    for i in range(start, end):
        node = nodes[i]
        if node.kind != "item":
            owner = None if node.kind == "close" else owner
            continue
        levels[i] = _level(nodes, i, previous, owner, levels, parents, base)
        if node.glue == "tight" and previous is not None and not nodes[previous].code_led:
            owner = previous
        elif owner is not None and levels[i] <= levels[owner]:
            owner = None
        if node.opens:
            owner = i
        previous = i
    return _levelled(nodes, start, end, levels, base)


def _levelled(nodes: Sequence[Node], start: int, end: int, levels: dict[int, int], base: int) -> list[Placed]:
    placed, level = [], base
    for i in range(start, end):
        level = levels.get(i, level)
        if nodes[i].kind != "close":
            placed.append(Placed(nodes[i], level))
    return placed


def _parents_by_repetition(nodes: Sequence[Node], start: int, end: int) -> dict[int, int]:
    """Position of an item -> that of the item before the list it stands in, for lists with a known end."""
    parents: dict[int, int] = {}
    for i in range(start, end):
        if nodes[i].kind == "close" and nodes[i].span > start:
            parent = next((j for j in range(nodes[i].span - 1, start - 1, -1) if nodes[j].kind == "item"), None)
            for j in range(nodes[i].span, i):
                if parent is not None and nodes[j].kind == "item":
                    parents[j] = max(parent, parents.get(j, parent))
    return parents


def _level(
    nodes: Sequence[Node],
    i: int,
    previous: int | None,
    owner: int | None,
    levels: dict[int, int],
    parents: dict[int, int],
    base: int,
) -> int:
    node = nodes[i]
    if previous is None:
        return base
    if i in parents:
        return levels[parents[i]] + 1
    if node.glue == "space" or (node.glue == "tight" and nodes[previous].code_led):
        return levels[previous]
    if node.glue == "tight":
        return levels[previous] + 1
    if owner is None:
        return min(levels[j] for j in levels if j not in parents) if levels else base
    if node.opens and not node.code_led and owner != previous:
        return levels[owner]
    base_level = levels[owner]
    is_mixed = any(levels[j] == base_level and not nodes[j].opens and j < owner for j in levels)
    concludes = is_mixed and bool(_CONCLUDES.match(node.text)) and owner != previous
    return levels[owner] if concludes else levels[owner] + 1


class _Open(NamedTuple):
    """The last item of an open loose list: how its words end, whether it has children, whether labels stand in it."""

    ending: str
    has_child: bool = False
    labelled: bool = False


class _State(NamedTuple):
    """A reading so far: its cost, the open loose lists from the outermost in, and the level of every node."""

    cost: float
    stack: tuple[_Open, ...]
    bases: tuple[int, ...]


def _loose_levels(nodes: Sequence[Node]) -> list[int]:
    """For every node the level it has by the lone dashes: of a loose item its own, of others that of their place."""
    states = [_State(0.0, (), ())]
    for i, node in enumerate(nodes):
        options: list[_State] = []
        for state in states:
            options += _readings(state, node, nodes[i - 1] if i else None)
        options.sort(key=lambda state: state.cost)
        states = options[:BEAM]
    best = min(states, key=lambda state: state.cost + 2.0 * max(0, len(state.stack) - 1))
    return list(best.bases)


def _readings(state: _State, node: Node, previous: Node | None) -> list[_State]:
    if node.kind == "item" and node.loose:
        return _loose_readings(state, node)
    if node.kind == "close" and node.span < 0:
        return [_closed(state)]
    if node.kind == "para":
        return _para_readings(state, node, previous)
    depth = len(state.stack)
    level = depth - 1 if node.kind in ("code", "table", "raw") else depth
    return [_State(state.cost, _with_child(state.stack), (*state.bases, level))]


def _loose_readings(state: _State, node: Node) -> list[_State]:
    """A lone dash with text: an item of the same list, the first of a nested one, or a list's end and a paragraph."""
    depth = len(state.stack)
    top = _Open(_ending(node))
    if not depth:
        return [_State(state.cost + (0.5 if state.bases else 0.0), (top,), (*state.bases, 0))]
    last = state.stack[-1]
    sibling = 0.0 if last.has_child else {"colon": 1.5, "title": 1.5, "sentence": 0.0}[last.ending]
    nested = 2.0 if last.has_child else {"colon": 0.0, "title": 0.3, "sentence": 2.5}[last.ending]
    popped = state.stack[:-1]
    readings = [
        _State(state.cost + sibling, (*popped, top), (*state.bases, depth - 1)),
        _State(state.cost + nested, (*_with_child(state.stack), top), (*state.bases, depth)),
    ]
    if depth > 1:
        readings.append(_State(state.cost + 1.3, _with_child(popped), (*state.bases, _PARA - (depth - 1))))
        readings.append(_State(state.cost + 1.0 + 0.2 * (depth - 2), (), (*state.bases, _PARA)))
    return readings


def _closed(state: _State) -> _State:
    cost = 0.0 if len(state.stack) > 1 else 2.0
    return _State(state.cost + cost, _with_child(state.stack[:-1]), (*state.bases, len(state.stack) - 2))


def _para_readings(state: _State, node: Node, previous: Node | None) -> list[_State]:
    """A paragraph stays in the last item, or ends some lists; a label goes where labels stood before."""
    depth = len(state.stack)
    follows_item = previous is not None and previous.kind == "item" and previous.loose
    after_block = previous is not None and previous.kind in ("code", "para")
    readings = []
    for kept in range(depth + 1):
        cost = _para_cost(state.stack, kept, node.opens, follows_item or after_block)
        stack = _after_para(state.stack[:kept], node)
        readings.append(_State(state.cost + cost, stack, (*state.bases, kept - 1)))
    return readings


def _para_cost(stack: tuple[_Open, ...], kept: int, is_label: bool, follows: bool) -> float:
    depth = len(stack)
    if kept == depth:
        expected = follows or not depth or (is_label and stack[-1].labelled)
        return 0.0 if expected else 0.6 if is_label else 1.0
    leaving = 1.0 if follows else 0.0
    if is_label:
        return leaving + (0.1 if kept and stack[kept - 1].labelled else 0.5) * (depth - kept)
    return leaving + (0.2 if kept == 0 else 0.9)


def _with_child(stack: tuple[_Open, ...]) -> tuple[_Open, ...]:
    return (*stack[:-1], stack[-1]._replace(has_child=True)) if stack else stack


def _after_para(stack: tuple[_Open, ...], node: Node) -> tuple[_Open, ...]:
    """A label among an item's paragraphs announces a list of its own."""
    return (*stack[:-1], _Open("colon", labelled=True)) if stack and node.opens else _with_child(stack)


def _ending(node: Node) -> str:
    if node.opens:
        return "colon"
    is_complete = ends_sentence(node.text) or len(node.text) > 40 or re.search(r"[:：]\s*\S", node.text)
    return "sentence" if is_complete else "title"
