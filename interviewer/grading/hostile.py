"""Sentences of an answer that talk to the grader instead of about the subject."""

import re

from interviewer.fencing import neutral
from interviewer.language import fold, sentences

_DIRECTIVES = (
    r"\b(?:give|award|grant|assign|deserves?|get)\b.{0,40}\b(?:full|maximum|max|top|perfect|highest|all)\b.{0,20}"
    r"\b(?:marks?|scores?|points?|credits?|grades?)\b",
    r"\b(?:full|maximum|perfect|top) (?:marks?|scores?|credit|grade)\b",
    r"\b(?:mark|grade|rate|score|judge|count|treat|label|set)\b.{0,60}\b(?:as|to|with|at)\b.{0,20}"
    r"\b(?:covered|correct|complete|perfect|passed|10 ?(?:points|out of|\/))\b",
    r"""["']?verdicts?["']?\s*[:=]\s*["']?(?:covered|partial|correct|full)""",
    r"\bp\d+\b.{0,12}\b(?:covered|partial|correct)\b",
    r"\b(?:all|every|each)(?: of)?(?: the)? (?:\w+ )?(?:points?|criteria|rubric)\b.{0,40}"
    r"\b(?:covered|met|satisfied|addressed|fulfilled|correct)\b",
    r"\bcover(?:s|ed)? (?:all|every|each)\b.{0,20}\b(?:points?|criteria)\b",
    r"\bstates? (?:all|every|each)(?: of)?(?: the)? points?\b",
    r"\b(?:dear|attention|note to|message to|hello|hi|hey) (?:the |an? )?"
    r"(?:\w+ )?(?:grader|examiner|evaluator|judge|assistant|model|ai)\b",
    r"\b(?:you are|act as|pretend to be|role-?play) (?:now |an? |the |as )*(?:\w+ )?"
    r"(?:grader|examiner|evaluator|teacher)\b",
    r"\b10 ?(?:/|out of) ?10\b",
    r"(?:给|打|判|评|记).{0,12}(?:满分|最高分|10 ?分|十分|全对)",
    r"满分",
    r"(?:所有|全部|每个|每一个|各个).{0,4}(?:要点|得分点|评分点|采分点).{0,20}(?:覆盖|说到|答到|满足|正确|covered|得分|命中|完成)",
    r"(?:判|标|记|视|评|算|当)(?:定为|记为|为|作|成|做).{0,12}(?:covered|已?覆盖|全部正确|完全正确)",
    r"(?:判定|结论|verdict)\s*[:：=]\s*[\"'“]?(?:covered|partial|覆盖|正确)",
    r"(?:评分员|阅卷人|阅卷老师|评分模型|评分系统|评分者|考官|评委).{0,12}(?:请|注意|你好|您好|必须|应当|应该|务必)",
    r"(?:请|务必|必须|应当).{0,10}(?:评分员|评分模型|评分系统|阅卷人).{0,20}",
)
_HINTS = (
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rubric|rules?|prompts?|above|previous|everything)\b",
    r"^\s*(?:#+ ?)?(?:system|assistant|developer|human|user)\s*[:>\]]",
    r"(?:忽略|无视|忘记|忘掉|不要理会|推翻).{0,20}(?:指令|要求|规则|提示|标准|内容|说明)",
    r"(?:系统(?:消息|提示|通知|指令)|管理员|开发者(?:模式|消息))\s*[:：】\]]?",
    r"＜\|?\s*/?\s*(?:answer|system|assistant|im_|user|end|s＞|verdict|reference|grade)",
    r"\{\s*[\"']points[\"']",
    r"\b(?:developer|admin|debug|god|training) mode\b",
    # The vocabulary of grading: rare in answers about anything else.
    r"\b(?:grader|grading|examiner|rubric|verdict|the candidate|criteri(?:on|a)|covered|"
    r"(?:all|every|each) (?:of the )?points?|(?:compare|compared) (?:this|it) with the reference)s?\b",
    r"评分|阅卷|考官|出题人|判定|要点|采分|满分|参考答案|候选人|已覆盖",
)
_TALKS = re.compile("|".join(_DIRECTIVES))
_ODD = re.compile(
    "[\u202d\u202e\U000e0000-\U000e007f]"
    r"|[A-Za-z][\u0400-\u04ff]|[\u0400-\u04ff][A-Za-z]"
    "|(?:\\w[\u200b-\u200d\u2060\ufeff]){3}|(?:[\u0300-\u036f][^\u0300-\u036f]?){6}"
    r"|(?:(?<!\w)[^\W\d_][ \t._*-]+){8}"
)
_SUSPECT = re.compile("|".join((*_DIRECTIVES, *_HINTS)), re.MULTILINE)


def suspicious(answer: str) -> bool:
    """Whether an answer holds anything like an instruction to its grader, or letters meant to be misread.

    Honest answers about such topics may too; it is a reason to look twice, never to take points.
    """
    return bool(_ODD.search(answer)) or any(_SUSPECT.search(fold(s)) for s in sentences(neutral(answer)))


def talks_to_grader(answer: str, quote: str) -> bool:
    """Whether the words quoted, or the sentence they stand in, are about verdicts and marks instead of the subject."""
    if _TALKS.search(fold(neutral(quote))):
        return True
    plain = fold(quote)
    around = [s for s in sentences(answer) if plain and plain in fold(s)]
    return bool(around) and all(_TALKS.search(fold(neutral(s))) for s in around)
