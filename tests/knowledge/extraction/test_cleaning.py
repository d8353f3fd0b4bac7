"""Every rule that leaves lines out, by its own text; what only looks alike stays."""

import pytest

from knowledge.documents.plain import read_plain
from knowledge.extraction import cleaning
from knowledge.extraction.cleaning import RULES, clean_lines
from knowledge.extraction.meanings import MEANINGS


def left_out(text: str) -> list[tuple[str, str]]:
    return [(p.rule, p.text) for p in clean_lines(read_plain(text, "t").lines).left_out]


def rules_for(text: str) -> list[str]:
    return [rule for rule, _ in left_out(text)]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_named_explained_and_documented(rule: cleaning.Rule) -> None:
    assert rule.__name__ in MEANINGS
    assert rule.__doc__


@pytest.mark.parametrize(
    "line",
    [
        "更多推荐",
        "所有评论(12)",
        "点赞 30",
        "返回顶部",
        "阅读 1.2w",
        "Read more",
        "Back to top",
        "**[⬆ Back to Top](#toc)**",
        "© 2023 Someone. All rights reserved.",
        "Last updated: 3 March 2024",
        "Share this article",
        "复制代码",
    ],
)
def test_page_controls(line: str) -> None:
    assert rules_for(line) == ["page_controls"]


@pytest.mark.parametrize(
    "line",
    [
        "如何实现点赞功能?",
        "关注点分离是什么意思",
        "How do you share state?",
        "评论系统如何设计?",
        "The page is read more often than written.",
    ],
)
def test_page_controls_spare_sentences(line: str) -> None:
    assert rules_for(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "想要全套笔记的同学可以扫描下方二维码,免费领取!",
        "关注公众号,回复“笔记”领取资料",
        "Subscribe to our newsletter and download the free PDF today!",
        "限时优惠,点击报名训练营咨询!!!",
    ],
)
def test_advertisement(line: str) -> None:
    assert rules_for(line) == ["advertisement"]


@pytest.mark.parametrize(
    "line",
    [
        "如何设计一个扫码登录系统?",
        "二维码的纠错原理是什么?",
        "公众号后台如何做消息推送?",
        "Users subscribe to the topic they need.",
        "内存用完后要免费释放吗",
    ],
)
def test_advertisement_spares_questions_about_such_things(line: str) -> None:
    assert rules_for(line) == []


@pytest.mark.parametrize("line", ["![](a.png)", "![图1](https://x/y.jpg)", "在这里插入图片描述", "[图片]", "Figure 3"])
def test_image_placeholder(line: str) -> None:
    assert rules_for(line) == ["image_placeholder"]


def test_titled_contents() -> None:
    text = "目录\n- [一](#a)\n  - [二](#b)\n3. [三](#c)\n正文从这里开始。"
    assert rules_for(text) == ["titled_contents"]
    assert "正文" not in left_out(text)[0][1]


def test_contents_list_with_its_title() -> None:
    text = "某某题库汇总(1-4部分)\n- 第01部分:甲\n- 第02部分:乙\n- 第03部分:丙\n正文。"
    assert left_out(text) == [("contents_list", "某某题库汇总(1-4部分)\n- 第01部分:甲\n- 第02部分:乙\n- 第03部分:丙")]


def test_two_parts_are_no_contents_list() -> None:
    assert rules_for("- 第一章:很短\n- 第二章:也短") == []


def test_debris_goes_and_a_lone_dash_stays() -> None:
    lines = clean_lines(read_plain("·\n-\n文字", "t").lines)
    assert [p.rule for p in lines.left_out] == ["debris"]
    assert [line.raw for line in lines.lines] == ["-", "文字"]
