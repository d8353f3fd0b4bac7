"""Rules that leave lines out before questions are looked for: page furniture, advertisements, contents, pictures."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from knowledge.documents.model import Line, LineKind, Passage
from knowledge.extraction.signals import ends_sentence, unmarked

_CONTROLS = re.compile(
    r"^\W*(?:更多推荐|相关推荐|猜你喜欢|所有评论\s*[(（]\d*[)）]|全部评论.{0,8}|(?:发表|写|查看|暂无)评论"
    r"|展开(?:全文|阅读全文)|阅读全文|点击阅读更多|查看更多"
    r"|点赞\s*\d*|收藏\s*\d*|评论\s*\d*|分享\s*\d*|转发\s*\d*|打赏|举报|关注|登录后.{0,20}|上一篇.{0,60}"
    r"|下一篇.{0,60}|阅读(?:量"
    r"|数)?\s*[:：]?\s*[\d.]+\s*[kw万]?"
    r"|复制(?:代码|链接)?|回到顶部|返回(?:顶部|目录)|编辑于.{0,40}|发布于.{0,40}|最后更新.{0,40}"
    r"|本文已参与.{0,40}|版权声明.{0,200}|版权归.{0,60}|转载请.{0,60}"
    r"|(?:last )?(?:updated|published|modified)(?: on)?\s*[:：]? .{0,30}\d{2,4}.{0,12}"
    r"|(?:read|load|show|see) more(?: posts| articles)?|share(?: this)?(?: article| post| on \w+)?|(?:log"
    r"|sign) ?in(?: to \w+)?|sign up|subscribe|follow us(?: on \w+)?"
    r"|\d+ (?:comments?|likes?|shares?|claps?|views?)|leave a (?:comment|reply)|(?:all )?comments\s*\(\d+\)"
    r"|(?:⬆\s*)?back to (?:the )?(?:top|toc|contents|index)"
    r"|(?:next|previous) (?:article|post|page).{0,60}|advertisement|sponsored|cookie (?:policy|settings)"
    r"|privacy policy|terms of (?:use|service)"
    r"|(?:copyright\s*)?(?:©|\(c\)|版权所有).{0,100}|all rights reserved.{0,40}|copy(?: code)?)\W*$",
    re.IGNORECASE,
)
_BEGGING = re.compile(
    r"扫(?:描|码|一扫).{0,12}(?:下方|上方|二维码|领取|添加|关注|获取)|(?:下方|上方|底部|文末).{0,6}(?:二维码"
    r"|公众号|名片|卡片)|免费(?:领取|获取|分享给|送)"
    r"|(?:关注|搜索).{0,12}公众号|公众号.{0,12}(?:回复|后台|领取)|(?:加|添加).{0,6}(?:微信|VX|vx|V信|企鹅群"
    r"|QQ群)|点击.{0,10}(?:领取|获取资料|链接加入)"
    r"|(?:资料|礼包|大礼包|电子书|课程).{0,8}(?:免费)?领取"
    r"|篇幅(?:有限|原因|限制)|展示.{0,12}部分内容|点击此处(?:即可|领取|获取)|限时(?:优惠|免费|特价)|报名.{0,8}(?:咨询|链接|课程)|知识星球|训练营.{0,10}(?:报名"
    r"|开班|优惠)|一键三连|求.{0,4}(?:点赞|关注)"
    r"|subscribe (?:to|for) (?:our|my|the) |sign up (?:for|to) (?:our|a|my) |join (?:our|my) (?:newsletter|discord"
    r"|telegram|course|community)"
    r"|(?:use|with) (?:the )?(?:promo|coupon|discount) code|\d+% off\b|download (?:the|our|my) (?:free )?(?:pdf"
    r"|e-?book|guide)|limited[- ]time offer"
    r"|enrol?l (?:now|today)|buy me a coffee|check out (?:my|our) (?:course|book|channel)",
    re.IGNORECASE,
)
_CALLS = re.compile(
    r"领取|👇|👉|⬇|❤|🔥|!!!|！！！|需要.{0,16}的(?:朋友|同学|小伙伴)|(?:朋友|同学|小伙伴|读者)们?(?:可以|请|都)|免费"
    r"|二维码|私信|点赞|click here|free|now!|today!",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"^(?:!\[(?P<alt>[^\]]*)\]\([^)]*\)(?:\{[^}]*\})?\s*)+$")
_IMAGE_WORDS = re.compile(
    r"^\W*(?:在这里插入图片描述|图片|插图|图像|image|img|在此插入图片|图\s*\d{0,3}|请添加图片描述|figure \d{1,3})\W*$",
    re.IGNORECASE,
)
_CONTENTS_TITLE = re.compile(
    r"^\W*(?:目录|文章目录|内容目录|目录导航|本文目录|题目目录|大纲|(?:table of )?contents|toc"
    r"|index of questions|list of questions"
    r"|on this page|quick links)\W*$",
    re.IGNORECASE,
)
_PART_ENTRY = re.compile(
    r"^\[?\s*(?:第\s*[0-9一二三四五六七八九十百]{1,5}\s*(?:部分|章|节|篇|讲|期)|part\s+\d+"
    r"|chapter\s+\d+)\s*[:：.\-—\s]",
    re.IGNORECASE,
)
_ANCHOR_ENTRY = re.compile(
    r"^(?:\d{1,4}[.、)]\s*|[-*+]\s+|\|\s*\d*\s*\|?\s*)?\**\[[^\]]+\]\((?:#|\.?/?[\w./-]*#)[^)]*\)\**\W*$"
)
_DEBRIS = re.compile(r"^[·•|\\/_~`]{1,3}$")


class Cleaned(NamedTuple):
    """Lines that stay, and passages left out with the rule's name."""

    lines: list[Line]
    left_out: list[Passage]


Rule = Callable[[Sequence[Line]], list[tuple[int, int]]]
"""A rule names spans of line positions, end exclusive, that are no part of any question or answer."""


def page_controls(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """A line that is only a button, a counter or a copyright note of the page it was copied from."""
    return _alone(lines, lambda line: bool(_CONTROLS.match(unmarked(line.text))))


def advertisement(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """A line that begs for a scan, a follow or a purchase: two such signs, or one with a call to act."""
    spans = []
    for i, line in enumerate(lines):
        if not line.is_prose:
            continue
        begs = len(_BEGGING.findall(line.text))
        if begs >= 2 or (begs and _CALLS.search(line.text)):
            spans.append((i, i + 1))
    return spans


def image_placeholder(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """A picture, or the words that stand where one was, on a line of its own."""
    pictures = [(i, i + 1) for i, line in enumerate(lines) if line.is_prose and _IMAGE.match(line.text)]
    words = _alone(lines, lambda line: bool(line.text and _IMAGE_WORDS.match(line.text)))
    return sorted({*pictures, *words})


def _alone(lines: Sequence[Line], matches: Callable[[Line], bool]) -> list[tuple[int, int]]:
    """Every line of prose that matches, but items of a list only where all of it do: "点赞" may be a user's signal and
    "Image" an object of Docker.
    """
    found: list[int] = []
    items: list[int] = []
    whole = True
    for i, line in enumerate(lines):
        matching = line.is_prose and matches(line)
        if line.kind is LineKind.ITEM:
            whole = whole and matching
            items.append(i)
        elif not line.is_blank:
            found += [*(items if whole else ()), *([i] if matching else ())]
            items, whole = [], True
    return [(i, i + 1) for i in (*found, *(items if whole else ()))]


def titled_contents(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """A title such as "Contents" with the short entries below it, up to the first line that is none."""
    spans = []
    for i, line in enumerate(lines):
        if not (line.is_prose and _CONTENTS_TITLE.match(unmarked(line.text))):
            continue
        end = i + 1
        while end < len(lines) and (lines[end].is_blank or _is_entry(lines[end])):
            end += 1
        if any(not entry.is_blank for entry in lines[i + 1 : end]):
            spans.append((i, end))
    return spans


def _is_entry(line: Line) -> bool:
    if line.kind is LineKind.TABLE:
        return "](#" in line.text or bool(re.fullmatch(r"[|\s:\-]+|\|[^|\[\]]{1,30}\|[^|\[\]]{1,30}\|", line.text))
    if line.kind is LineKind.HEADING or not line.is_prose:
        return False
    if _ANCHOR_ENTRY.match(line.text) or _ANCHOR_ENTRY.match(line.raw.strip()):
        return True
    return (line.kind is LineKind.ITEM and "](#" in line.text) or bool(
        re.search(r"(?:\.{4,}|…{2,}|·{4,})\s*\d+$", line.text)
    )


def contents_list(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Three or more entries in a row that only name parts, chapters or anchors, with the title right above them."""
    spans = []
    start = 0
    while start < len(lines):
        end = _run_of_entries(lines, start)
        entries = sum(1 for line in lines[start:end] if not line.is_blank)
        if entries >= 3:
            spans.append((_with_title(lines, start), end))
        start = max(end, start + 1)
    return spans


def _run_of_entries(lines: Sequence[Line], start: int) -> int:
    end = start
    while end < len(lines) and (_names_a_part(lines[end]) or (lines[end].is_blank and end > start)):
        end += 1
    while end > start and lines[end - 1].is_blank:
        end -= 1
    return end


def _names_a_part(line: Line) -> bool:
    if line.kind is LineKind.TABLE:
        return "](#" in line.text
    if line.kind is LineKind.ITEM and _PART_ENTRY.match(line.text):
        return len(line.text) < 120
    return line.kind in (LineKind.ITEM, LineKind.TEXT) and bool(_ANCHOR_ENTRY.match(line.text))


def _with_title(lines: Sequence[Line], start: int) -> int:
    """Where the list begins with its title line, or the table's head, if it has one."""
    above = start - 1
    while above >= 0 and lines[above].is_blank:
        above -= 1
    while above > 0 and lines[above].kind is LineKind.TABLE and lines[start].kind is LineKind.TABLE:
        start, above = above, above - 1
    if above < 0 or lines[above].kind not in (LineKind.TEXT, LineKind.HEADING):
        return start
    title = unmarked(lines[above].text)
    names_a_collection = re.search(
        r"汇总|合集|系列|目录|大全|索引|导航|contents|series|index|questions", title, re.IGNORECASE
    )
    return above if names_a_collection and len(title) < 80 and not ends_sentence(title) else start


def debris(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """A line of one or two marks that some layout left behind; a lone dash may be a list item and stays."""
    return [
        (i, i + 1)
        for i, line in enumerate(lines)
        if line.is_prose
        and (_DEBRIS.match(line.raw.strip()) or (not line.text and line.raw.strip() not in ("-", "*", "+")))
    ]


RULES: tuple[Rule, ...] = (
    page_controls,
    advertisement,
    image_placeholder,
    titled_contents,
    contents_list,
    debris,
)


def clean_lines(lines: Sequence[Line]) -> Cleaned:
    """Runs every rule in turn over what the ones before it left."""
    kept, left_out = list(lines), []
    for rule in RULES:
        dropped = set()
        for start, end in rule(kept):
            dropped |= set(range(start, end))
            left_out.append(passage(rule.__name__, kept[start:end]))
        kept = [line for i, line in enumerate(kept) if i not in dropped]
    return Cleaned(kept, [p for p in left_out if p.text])


def passage(rule: str, lines: Sequence[Line]) -> Passage:
    """What `rule` leaves out, as one passage."""
    text = "\n".join(line.raw.strip() or line.text for line in lines).strip()
    return Passage(rule, lines[0].number if lines else 0, text)
