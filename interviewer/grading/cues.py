"""Small words that give a wrong statement away: absolutes, dismissals, easy promises; and those that tell of what
others believe, or weigh one thing against another. In both languages."""

import re
from functools import lru_cache

from interviewer.grading.opposites import PAIRS, negations
from interviewer.language import fold

_CUES = {
    "absolute": r"\b(?:always|never|any|all|every|each|entirely|completely|fully|exactly|identical\w*|whatever"
    r"|certain\w*|definitely|invariably|ever|impossible|cannot|perfect\w*|forever|everything|nothing|no\s+matter|regardless"
    r"|proves?|guarantees?|guaranteed|must|by definition)\b|必然|总是|永远|一定(?!程度|的)|必须|完全|任何|任意|所有"
    r"|全部|一律|从不|绝对|肯定|百分之百|毫无|无论|不管|不可能|从来|一直|始终|彻底|天然|天生|都(?!会|能|有|在)|保证|就能保证",
    "dismiss": r"\bno\s+(?:need|effect|influence|role|cost|loss|difference|longer|extra|further|separate|risk|matter"
    r"|problem|communication|reason|point|harm)\b|\b(?:need\s*n['o]t|needs?\s+no|unnecessary|irrelevant|pointless|superfluous"
    r"|harmless|useless|optional|negligible|ignor\w+|independent(?:ly)?|unaffected|unchanged|unlimited|free|skip\w*"
    r"|nothing\s+to\s+do\s+with|costs?\s+nothing|without\s+(?:any|problem\w*|recompil\w+)|does\s*n['o]t\s+matter"
    r"|not\s+(?:matter|needed|necessary|required|depend)|at\s+all|removes?\s+the\s+need|makes?\s+no)\b"
    r"|不需要|无需|不用|不必|没必要|无关|没有?关系|没有?影响|不影响|不会影响|可有可无|省去|可以省|忽略|不用管|没有?区别"
    r"|没有?任何|不会有|没有?问题|无所谓|随便|不占|零成本|没有?成本|没有?代价|毫无|互不|不管|不受",
    "easy": r"\b(?:simply|simplest|just|directly|automatic\w*|by\s+itself|by\s+themselves|on\s+its\s+own|enough"
    r"|suffices?|sufficient|safe(?:ly|st)?|obvious\w*|ideal\w*|best|fine|easy|easil\w+|easiest|immediately|at\s+once|straight"
    r"|of\s+course|naturally|fairest|standard|trust\w*|reliable|whole|solves?|eliminates?|cures?)\b"
    r"|直接|自动|自然|天然|就行|就够|够了|即可|就可以|就能|只要|最简单|最省事|最可靠|最好|最稳|放心|简单|显然|很容易|轻松|解决"
    r"|消除|根治|不会再|足够",
    "only": r"\b(?:only|merely|solely|single|alone|purely|nothing\s+but|exclusively|mere|just)\b"
    r"|只(?:有|是|要|看|能|需|会|在|用|和|取|跟)|仅|唯一|单靠|光靠|无非|不过是|单纯",
    "equate": r"\b(?:same|equals?|equally|equivalent|identical\w*|just\s+like|no\s+different|interchangeable|synonym\w*"
    r"|means?\s+that|means|merely\s+a|is\s+a)\b|一样|相同|等同|就是|等于|没区别|同样|说明|意味着|等价|也就是",
    "cause": r"\b(?:because|since|hence|so|therefore|thus|which\s+is\s+why|as\s+a\s+result|due\s+to)\b"
    r"|因为|所以|因此|既然|由于|从而|于是|是为了|靠的是",
    "more": r"\b(?:more|higher|larger|bigger|greater|faster|better|stronger|longer|increas\w+|rais\w+|grow\w*|improv\w+"
    r"|maxim\w+|doubl\w+)\b|越大|越多|越高|越快|越长|更大|更多|更高|更快|更强|更准|更好|提高|提升|增加|增大|变大|上升|翻倍|加速|放大|最大",
    "less": r"\b(?:less|fewer|lower|smaller|slower|worse|weaker|shorter|decreas\w+|reduc\w+|shrink\w*|drop\w*|halv\w+"
    r"|minim\w+)\b|越小|越少|越低|越慢|越短|更小|更少|更低|更慢|更差|更弱|降低|减少|减小|变小|下降|减半|缩小|最小",
    "hedge": r"\b(?:maybe|perhaps|probably|i\s+think|i\s+guess|i\s+believe|sort\s+of|somehow|if\s+i\s+recall"
    r"|not\s+sure)\b|好像|应该是|可能|大概|吧|嘛|我觉得|我记得|似乎",
    "reported": r"\b(?:(?:people|some|many|most|others?|folks?|beginners?|everyone)\s+(?:often\s+|may\s+|might\s+"
    r"|usually\s+|will\s+|tend\s+to\s+|like\s+to\s+)?(?:say|think|believe|assume|expect|suppose|claim|suspect|hear)"
    r"|(?:often|commonly|sometimes|widely)\s+(?:said|thought|believed|assumed|heard)|(?:it\s+is|it's)\s+(?:tempting|said)"
    r"|myths?|misconceptions?|do\s*n['o]t\s+(?:assume|think|believe|expect)|sounds?\s+like|contrary\s+to"
    r"|mistak(?:e|en)\s+(?:is|belief)|looks?\s+as\s+if)\b|\?$"
    r"|(?:有人|很多人|不少人|大家|新人|别人|人们|常有人|总有人|有的人|有同学|一般人|人)(?:会|都|总|常|老|容易|经常|往往)*"
    r"(?:说|以为|认为|觉得|想|误以为|当成|担心|传)|误以为|误解|误区|常见的错|别以为|不要以为|听起来|看着像|说是|所谓|错觉|？$",
    "contrast": r"\b(?:while|whereas|but|instead|rather|unlike|although|though|however|versus|vs|than|on\s+the\s+other"
    r"\s+hand|in\s+contrast|only\s+when|only\s+if|unless|if|when|depends?|otherwise|except)\b"
    r"|而是|而不是|不是|但是|但|却|反而|反过来|相比|比起|其实|不过|除非|如果|的话|才|否则|看情况|取决于|要是|一旦",
}
CUES = tuple(_CUES)
_PATTERNS = {name: re.compile(pattern) for name, pattern in _CUES.items()}


@lru_cache(maxsize=8192)
def count_cues(text: str) -> tuple[int, ...]:
    """How often each of `CUES` stands in a text."""
    folded = fold(text)
    return tuple(len(_PATTERNS[name].findall(folded)) for name in CUES)


def reports(text: str) -> bool:
    """Whether a sentence tells what others believe, or asks, rather than claims."""
    return count_cues(text)[CUES.index("reported")] > 0


@lru_cache(maxsize=8192)
def count_negations(text: str) -> int:
    return len(negations(fold(text)))


@lru_cache(maxsize=8192)
def _sides(text: str) -> frozenset[int]:
    folded = fold(text)
    return frozenset(at for at, pair in enumerate(PAIRS) if pair.one.search(folded))


def count_turned(ours: str, theirs: str) -> int:
    """How many pairs of opposites stand with one side in the one text only, and with the other in the other only."""
    mine, other = _sides(ours), _sides(theirs)
    return sum(at ^ 1 in other and at not in other and at ^ 1 not in mine for at in mine)
