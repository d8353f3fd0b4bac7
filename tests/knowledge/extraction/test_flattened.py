"""Answers that a web page's conversion flattened: rejoined, nested again, nothing lost, nothing twice."""

from collections.abc import Callable

import pytest

Repair = Callable[[str], str]


def test_inline_code_on_a_line_of_its_own_is_rejoined(answer: Repair) -> None:
    assert (
        answer("- 限制: 必须在\nconf.json里写明上限,否则\nworker会占满。")
        == "- 限制: 必须在 conf.json里写明上限,否则 worker会占满。"
    )


def test_an_open_bracket_takes_the_next_line(answer: Repair) -> None:
    assert answer("- 移植: 基本能跑(\nhipify转换一次即可)。") == "- 移植: 基本能跑(hipify转换一次即可)。"


def test_items_glued_to_a_line_are_split_and_a_repeated_fragment_ends_their_list(answer: Repair) -> None:
    text = "- 做法:\n- 先把\nblock_table记下来。 - 再释放: 只减计数。\n- 先把\n- 结果: 省了一半。"
    assert answer(text) == "- 做法:\n  - 先把 block_table记下来。\n  - 再释放: 只减计数。\n- 结果: 省了一半。"


def test_an_item_glued_without_a_space_is_nested(answer: Repair) -> None:
    text = "- 检查输入: 是否含有\nNaN或空值?(例如除零)。- 检测:\ncheck(x)。\n- 检测:\n- 学习率: 调低。"
    assert answer(text) == "- 检查输入: 是否含有 NaN或空值?(例如除零)。\n  - 检测: check(x)。\n- 学习率: 调低。"


def test_items_led_by_code_get_their_dashes_back(answer: Repair) -> None:
    text = "定位工具:\niotop -oP:看谁在写盘。pidstat -d 1:看速率。lsof -p 7:看打开的文件。\n结论:\n- 慢: 磁盘满了。"
    assert answer(text) == (
        "定位工具:\n\n- iotop -oP:看谁在写盘。\n- pidstat -d 1:看速率。\n- lsof -p 7:看打开的文件。\n\n结论:\n\n- 慢: 磁盘满了。"
    )


def test_an_item_that_ends_in_a_colon_owns_what_follows(answer: Repair) -> None:
    text = "- 现象: 变慢。\n- 分析:\n- 单机: 正常。\n- 集群: 拥塞。\n- 结论: 换交换机。"
    assert answer(text) == "- 现象: 变慢。\n- 分析:\n  - 单机: 正常。\n  - 集群: 拥塞。\n- 结论: 换交换机。"


def test_lone_dashes_are_loose_items_and_close_their_lists(answer: Repair) -> None:
    text = "-\n数据并行:\n-\n思想:复制模型。\n-\n做法:\n- 每卡一份;\n- 求和梯度。\n-\n-\n流水并行:\n-\n思想:按层切。\n-\n二者常常一起使用。"
    assert answer(text) == (
        "- 数据并行:\n  - 思想:复制模型。\n  - 做法:\n    - 每卡一份;\n    - 求和梯度。\n- 流水并行:\n  - 思想:按层切。\n\n二者常常一起使用。"
    )


def test_labels_within_a_loose_item_keep_their_lists(answer: Repair) -> None:
    text = "-\n爆炸:\n现象:\n- 变成 NaN。\n原因:\n- 学习率大。\n-\n消失:\n现象:\n- 不再更新。"
    assert answer(text) == (
        "- 爆炸:\n\n  现象:\n  - 变成 NaN。\n\n  原因:\n  - 学习率大。\n- 消失:\n\n  现象:\n  - 不再更新。"
    )


def test_formulas_stand_in_dollars_on_their_lines(answer: Repair) -> None:
    text = "-\n更新规则:\n(v_{t+1} = \\mu v_t + g)\n(w_{t+1} = w_t - v_{t+1}) -\n优点:收敛快。"
    repaired = answer(text)
    assert "$v_{t+1} = \\mu v_t + g$" in repaired
    assert "$w_{t+1} = w_t - v_{t+1}$" in repaired
    assert repaired.endswith("- 优点:收敛快。")


def test_flattened_code_in_an_item_becomes_a_fence_there(answer: Repair) -> None:
    text = "-\n打印梯度:\nfor n, p in net.items(): if p.grad is None: print(n) -\n再看范数。"
    assert answer(text) == (
        "- 打印梯度:\n  ```python\n  for n, p in net.items():\n      if p.grad is None:\n          print(n)\n  ```\n- 再看范数。"
    )


def test_numbered_headings_and_paragraphs_stay_apart(answer: Repair) -> None:
    text = "1.先看哪里\nCPU 占用:看内核态。\n\\2. 再看哪里\n溢出检查**:**看计数。\n扩展:\n- 磁盘\n- 网络"
    assert (
        answer(text)
        == "1.先看哪里\n\nCPU 占用:看内核态。\n\n2. 再看哪里\n\n溢出检查:看计数。\n\n扩展:\n\n- 磁盘\n- 网络"
    )


def test_indentation_decides_alone_where_there_is_any(answer: Repair) -> None:
    text = "- 甲:\n  - 乙\n    - 丙\n- 丁:\n- 戊"
    assert answer(text) == text


def test_a_dash_within_a_sentence_is_no_item(answer: Repair) -> None:
    text = "- 水位: 大概在 70% - 85% 之间。\n- 范围 (GDB - 高风险): 慎用\nattach命令。"
    assert answer(text) == "- 水位: 大概在 70% - 85% 之间。\n- 范围 (GDB - 高风险): 慎用 attach命令。"


@pytest.mark.parametrize(
    "text", ["一句话。", "- 一\n- 二", "段落一。\n段落二。", "| a | b |\n| --- | --- |\n| 1 | 2 |", "```py\nx = 1\n```"]
)
def test_what_is_whole_already_keeps_its_words(answer: Repair, text: str) -> None:
    assert "".join(answer(text).split()) == "".join(text.split())
