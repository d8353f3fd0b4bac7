"""Sentences changed by rule so that they still say the same, for the cross-encoder.

Beside `evals.grading.turned`, whose sentences differ from a point by about one word and deny it: those who know a
reference nearly by heart differ by as little and make the point. Some of the changes put a denial for a word that means
the same, so that it's not the denial that tells the label.
"""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

from evals.grading.data import Graded, labelled_answers
from evals.grading.opposed import OPPOSED, SAID, Opposed, Told, put_together
from evals.grading.outside import outside_answers
from evals.grading.told_apart import load_claims, question_of
from evals.grading.turned import turn
from interviewer.models import LANGUAGES, Language, Point, Question
from interviewer.segmenting import cut_words

_MOST = 3
"""Changes of one sentence, at most."""
_SAME: dict[Language, str] = {
    "zh": """使用|用|采用 因此|所以|于是 一半|50%|百分之五十 由于|因为 但|但是|不过|可是 如果|要是|若|假如 并且|而且
    例如|比如|譬如 即|也就是 避免|防止 减少|降低|减小 增加|提高|提升 需要|需|要 必须|一定要|必定要 导致|造成|引起
    每个|每一个|各个 全部|所有|一切 很多|许多|大量 通常|一般|往往|多半 仍然|仍|还是|依然|依旧 只|仅|只是|仅仅
    已|已经 快速|迅速 以及|和|与|及 或|或者|或是 从而|进而 可|可以|能|能够 非常|很|十分|特别 占用|占|占掉
    存储|保存|存放|存 计算|算 获取|得到|拿到|取得 选择|选|挑选|挑 检查|核对|查 判断|判定 删除|删掉|去掉|移除
    添加|加上|加入|增添 相同|一样|同样 较|比较 更|更加 该|这个|此 之间|间 把|将 容易|易|爱 难|难以|很难
    解决|处理 影响|干扰 保证|确保|保障 依赖|取决于|要看 适合|适用于|宜于 决定|定下 出现|发生 变化|改变 快|迅速
    慢|迟缓 少量|一点|不多的 立即|立刻|马上 首先|先 接着|然后|再 最后|最终 主要|大多 几乎|差不多 近似|约等于
    大约|约|大概 整个|整 单个|一个 多个|好几个|若干个 逐个|一个个|挨个 直接|就 才能|就能|才可以
    而|而且 里|中|当中 称为|叫|叫做 属于|算是 构成|组成 允许|准许 分配|分给 返回|给出
    无法|不能|没法 不会|不|并不 不需要|不必|不用|无需|用不着 没有|没|无 不同|不一样|有差别 避免|不用|不必|免去
    防止|不让|不致 缺少|没有|缺 不变|没有变化|没变 很少|不多|不常 忽略|不看|不考虑 未必|不一定|不见得
    一致|没有差别|一样 失败|不成功|没成 相等|一样大|没有大小之分 停止|不再 独立|互不相干""",
    "en": """uses|employs use|employ because|since half|50% so|therefore|hence|thus but|yet|though
    reduces|cuts|lowers|decreases reduce|cut|lower|decrease increases|raises increase|raise big|large small|little
    quickly|fast|rapidly prevents|stops|avoids prevent|stop|avoid gives|yields|provides|returns keeps|retains
    keep|retain whole|entire each|every all|all_of only|just|merely many|lots_of|a_lot_of often|frequently
    usually|typically|normally|generally
    rather_than|instead_of while|whereas such_as|like requires|needs|takes require|need|take about|roughly|around
    nearly|almost identical|the_same begins|starts ends|finishes via|through within|inside
    must|has_to|needs_to have_to|need_to|must shows|reveals picks|chooses|selects
    pick|choose|select gets|receives|obtains holds|contains hold|contain makes|produces computes|calculates|works_out
    compute|calculate drops|removes|discards drop|remove|discard saves|stores save|store checks|verifies check|verify
    builds|constructs splits|divides split|divide joins|combines|merges hard|difficult easy|simple costs|takes
    also|too|as_well happens|occurs happen|occur fits|suits depends_on|hinges_on grows|rises per|for_each
    otherwise|or_else then|after_that when|whenever if|in_case before|ahead_of enough|sufficient several|a_few
    cannot|can't|is_not_able_to does_not|doesn't do_not|don't is_not|isn't are_not|aren't will_not|won't
    without|with_no lacks|has_no lack|have_no avoids|does_not_need|needs_no avoid|not_need fails_to|does_not
    ignores|does_not_look_at|pays_no_attention_to ignore|not_look_at unchanged|not_changed|as_it_was
    rarely|not_often|seldom unable_to|not_able_to impossible|not_possible unlike|not_like different|not_the_same
    differs|is_not_the_same independent_of|not_dependent_on equal|no_different stays|remains unknown|not_known
    unnecessary|not_needed never|not_ever nothing|not_anything none|not_one""",
}
"""Words that may stand for each other; words joined by _ are written apart."""
_SMALL: dict[Language, str] = {
    "zh": "会 可以 能 才 就 都 也 还 了 的 再 往往 通常 一般 其 地 要 则 便 是 进行 所 着 很",
    "en": "can may also still usually often just then very already the a that will both would simply thus which_is",
}
"""What may be left out; whoever adds it is the same the other way round."""
_DENYING = ("不", "没", "只", "未", "别", "无", "非")
_PAUSES: dict[Language, tuple[str, ...]] = {
    "zh": ("其实", "基本上", "一般来说", "实际上", "嗯", "简单说", "我记得", "那么", "相当于"),
    "en": ("basically", "in practice", "as I remember", "really", "in general", "well", "in other words", "I think"),
}
_MARKS: dict[Language, tuple[tuple[str, str], ...]] = {
    "zh": (("，", "。"), ("；", "，"), ("；", "。"), ("：", "，"), ("，", "，而且"), ("、", "和"), ("和", "、")),
    "en": ((", ", " and "), ("; ", ". "), ("; ", ", "), (" and ", " as well as "), (", ", ", and "), (": ", ", ")),
}
_CLAUSES: dict[Language, str] = {"zh": "[，；。]", "en": r"[,;.] "}
_LEADING = re.compile(
    r"^(?:因|所以|于是|但|不过|而|否则|再|然后|接着|从而|就|才|也|都|并|则|这|它|其|最后|"
    r"(?:so|but|and|then|otherwise|which|because|since|it|its|they|their|this|these|that|those|or|hence|thus)\b)",
    re.IGNORECASE,
)
"""How a clause begins that leans on the one before it."""
_TURNED = 0.7
"""How often a sentence is turned as well."""


def restate(text: str, language: Language, choose: random.Random, most: int = _MOST) -> str:
    """The sentence with up to `most` changes, at least one, that leave what it says."""
    ways = [_exchange, _exchange, _exchange, _leave_out, _leave_out, _pause, _mark, _reorder]
    restated = text
    for _ in range(choose.randint(1, most)):
        choose.shuffle(ways)
        restated = next((new for way in ways if (new := way(restated, language, choose))), restated)
    return restated if restated != text else _pause(text, language, choose)


def _exchange(text: str, language: Language, choose: random.Random) -> str | None:
    known = _others(language)
    if language == "zh":
        words = list(cut_words(text))
        places = [at for at, word in enumerate(words) if word in known and not _is_denied(words, at)]
        if not places:
            return None
        at = choose.choice(places)
        words[at] = choose.choice(known[words[at]])
        return "".join(words)
    found = list(_known_words().finditer(text))
    if not found:
        return None
    match = choose.choice(found)
    return text[: match.start()] + choose.choice(known[match[0]]) + text[match.end() :]


@cache
def _others(language: Language) -> dict[str, list[str]]:
    """For each word those that may stand for it."""
    found: dict[str, list[str]] = {}
    for group in _SAME[language].split():
        words = group.replace("_", " ").split("|")
        for word in words:
            found.setdefault(word, []).extend(other for other in words if other != word)
    return found


@cache
def _known_words() -> re.Pattern[str]:
    """English words that another may stand for, the longest first."""
    words = sorted(_others("en"), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-]|'t)")


def _is_denied(words: Sequence[str], at: int) -> bool:
    return bool(at) and words[at - 1].endswith(_DENYING)


def _leave_out(text: str, language: Language, choose: random.Random) -> str | None:
    small = {word.replace("_", " ") for word in _SMALL[language].split()}
    if language == "zh":
        words = list(cut_words(text))
        found = [at for at, word in enumerate(words) if word in small and not _is_denied(words, at)]
        if not found:
            return None
        del words[choose.choice(found)]
        return "".join(words)
    matches = [
        match
        for word in small
        for match in re.finditer(rf"(?<![\w-]){word} (?!not\b|only\b|n't)", text)
        if not text[: match.start()].endswith(("not ", "no ", "only "))
    ]
    if not matches:
        return None
    match = choose.choice(matches)
    return text[: match.start()] + text[match.end() :]


def _pause(text: str, language: Language, choose: random.Random) -> str:
    said = choose.choice(_PAUSES[language])
    places = [0, *(match.end() for match in re.finditer(_CLAUSES[language], text) if match.end() < len(text))]
    at = choose.choice(places)
    return text[:at] + (f"{said}{choose.choice(('，', ''))}" if language == "zh" else f"{said}, ") + text[at:]


def _mark(text: str, language: Language, choose: random.Random) -> str | None:
    found = [
        (match, new)
        for old, new in _MARKS[language]
        for match in re.finditer(re.escape(old), text)
        if match.start() > 0 and match.end() < len(text)
    ]
    if not found:
        return None
    match, new = choose.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def _reorder(text: str, language: Language, choose: random.Random) -> str | None:
    """Two sentences or clauses that stand beside each other the other way round, where neither leans on the other."""
    del choose
    mark = "；" if language == "zh" else "; "
    clauses = text.rstrip("。.").split(mark)
    if len(clauses) != 2 or any(_LEADING.match(clause) for clause in clauses):
        return None
    return mark.join(reversed(clauses))


def restated_rows(choose: random.Random) -> Iterator[Graded]:
    """Points of training questions and claims of no question, each restated, alone and in answers put together; many of
    them turned as well, so that being near the wording tells nothing.
    """
    for group, question, language in _asked():
        told = []
        for point in question.points:
            said = restate(point.in_language(language), language, choose)
            told.append(Told(said, turn(said, language, choose) or ""))
            yield from _beside(group, question, point, language, choose)
        if all(pair.astray for pair in told):
            each = Opposed(group, question, language, tuple(told))
            yield put_together(each, "restated/company", choose)
    for number, claim in enumerate(load_claims()):
        question = question_of(number, [claim])
        yield from _beside(f"apart/{number}", question, question.points[0], claim.language, choose)


def _asked() -> Iterator[tuple[str, Question, Language]]:
    """Training questions of the bank in each of their languages, and those outside it in theirs."""
    for question in {row.question.id: row.question for row in labelled_answers("train")}.values():
        yield from ((f"bank/{question.id}", question, language) for language in LANGUAGES)
    for row in {row.group: row for row in outside_answers("train")}.values():
        yield row.group, row.question, row.language


def _beside(
    group: str, question: Question, point: Point, language: Language, choose: random.Random
) -> Iterator[Graded]:
    """The point and a restatement of it, either of them as what is said; and the same with what is said turned."""
    pair = [point.in_language(language), restate(point.in_language(language), language, choose)]
    choose.shuffle(pair)
    asked, said = pair
    alone = question.model_copy(update={"points": (point.model_copy(update={"text": {language: asked}}),)})
    yield Graded(group, "restated/said", alone, language, said, None, (SAID,), "c")
    if choose.random() < _TURNED and (turned := turn(said, language, choose)):
        yield Graded(group, "restated/turned", alone, language, turned, None, (OPPOSED,), "x")
