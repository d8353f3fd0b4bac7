"""Which column or key holds the question, which the answer, by the names people give them in Chinese and English."""

import re

from interviewer.language import fold

_NAMES = {
    "question": (
        "question questions q prompt front 问题 题目 题干 面试题 面试问题 试题 考题 问 提问 题 question_text "
        "questiontext input instruction query user 正面 问句 标题 title name ask problem term concept 术语 名词 概念"
    ),
    "answer": (
        "answer answers a response reference back 答案 参考答案 回答 解答 答 output reply 背面 标准答案 model_answer "
        "modelanswer answer_text reference_answer expected assistant 解析 详解 答复 solution completion content 内容 "
        "sample_answer suggested_answer ideal_answer key_points 参考回答 示例回答 答案要点 回答要点 参考要点 核心要点 "
        "要点 "
        "explanation definition notes meaning 解释 定义 说明 释义 笔记"
    ),
    "topic": (
        "topic category tag tags section subject chapter 分类 主题 类别 章节 标签 知识点 类型 方向 模块 group deck area"
    ),
    "difficulty": "difficulty 难度 难易 难度等级",
    "frequency": "frequency 频率 出现频率 考频 频次 热度 stars",
    "number": "number no num # 编号 序号 题号 id idx index nr uid",
    "language": "language lang 语言",
    "source": "source url link 来源 链接",
}
FIELDS = {alias: field for field, names in _NAMES.items() for alias in names.split()}
_RANK = {alias: rank for names in _NAMES.values() for rank, alias in enumerate(names.split())}


def field_of(name: str) -> str | None:
    """The importer's name for a column or key, or None."""
    key = re.sub(r"[\s_\-*]+", "_", fold(name)).strip("_ :：")
    return FIELDS.get(key) or FIELDS.get(key.replace("_", ""))


def mapping_of(names: list[str]) -> dict[str, str]:
    """The importer's field -> the given name that fits it best; each field and each name at most once."""
    best: dict[str, str] = {}
    for name in names:
        field = field_of(name)
        if field and (field not in best or _rank(name) < _rank(best[field])):
            best[field] = name
    return best


def _rank(name: str) -> int:
    key = re.sub(r"[\s_\-*]+", "_", fold(name)).strip("_ :：")
    return _RANK.get(key, _RANK.get(key.replace("_", ""), 99))
