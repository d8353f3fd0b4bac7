"""English phrases by which candidates ask for something."""

from interviewer.interview.phrases import Rule, rule

_WE = r"(?:i|we|you|u|ya)"
_ASK_EN = (
    r"(?:(?:we|i) (?:can|could) "
    r"|(?:can|could|may|might|would|will|shall|should) (?:i|we|you|u)(?: please| pls)? (?:just |maybe "
    r"|possibly )?"
    r"(?:mind |kindly )?|(?:i|we)(?:'d| would| will|'ll)? (?:(?:really )?(?:like|want|need|wanna|prefer"
    r"|rather)(?: to)? )?"
    r"|let's |lets |let us |let me |please |pls |just |how about |what about |may as well |gonna |got to "
    r"|have to )*+"
)
_QUESTION_EN = (
    r"(?: (?:this|that|the|current|last|previous|your|it|one|whole|entire|interview(?:er)?|question|problem"
    r"|topic|part"
    r"|for now|for today|here|now|please|pls|again|today|then|thanks|one more time|once more|to me|completely"
    r"|all)(?![a-z]))*+"
)
_KNOW = (
    r"(?:know|kno|remember|recall|have (?:any |a )?(?:idea|clue|answer|experience|knowledge|memory)"
    r"|got (?:any |an )?(?:idea|clue))"
)
_NEVER = r"(?:heard of|used|learn(?:ed|t)|seen|studied|touched|tried|worked with|come across|read about|done)"
_ABOUT_EN = (
    r"(?: (?:much|anything|a lot|enough|any of|the|this|that|it|answer|one|for sure|exactly|about|of|to|topic"
    r"|here|very|well|too"
    r"|how|details?|with|before|question|concept|term|area|thing|these|those|them|stuff|in detail"
    r"|off the top of my head"
    r"|what (?:that|this|it) (?:is|means)|what to say|how to answer(?: (?:that|this|it))?)(?![a-z]))*+"
)
_TOPIC_EN = (
    r"(?: (?!but|because|though|although|however|maybe|i |it |so |probably|perhaps|since|yet"
    r"|except)[a-z0-9'.+/-]{1,20}){1,7}"
    r"(?=\s*[,.!;]|\s*$)"
)
_THEN_EN = (
    r"(?: (?:of|the|this|question|design|interview|now|then|please|pls|next|already|instead|discussion"
    r"|phase|stage|part|section)(?![a-z]))*+(?![a-z0-9_-])"
)
_PHASE_EN = (
    r"(?: (?:the|our|your|a))?(?: (?:next|following|overall|high-level|high level|key|core|main|detailed|system))*+ "
    r"(?:phase|stage|part|section|step|architecture|design|modules?|components?|details?|deep[ -]dive"
    rf"|optimi[sz]ations?|trade-?offs?|failures?|failure handling|bottlenecks?|scaling){_THEN_EN}"
)
_REST = r"[^?？。!！\n]"

FILLER = (
    r"(?:[\s,，。.!！;；、~～…\-—:：\"'“”()（）]+"
    r"|(?:um+|uh+|uhm+|er+m*|hm+|mm+|ah+|oh|well|so|ok|okay|okey|alright|right|sorry|hey|hi|hello|please|pls|plz"
    r"|thanks|thank you"
    r"|thx|ty|honestly|actually|really|to be honest|tbh|frankly|unfortunately|i'm afraid|im afraid|my bad|yeah"
    r"|and|but|lol|haha+"
    r"|i guess|i think|i suppose|then|now|sir|interviewer|man|dude|hold on|wait|oops|damn|good question"
    r"|great question"
    r"|nice question|interesting question|hard one|tough one|that's a (?:hard|tough|good) (?:one|question)"
    r"|no worries"
    r"|at all|on this(?: one)?|for this(?: one)?|about this(?: one)?|about that|here|either|yet|sadly"
    r"|at the moment|right now"
    r"|my mind (?:is|went) blank|just|anyway|whatever|if possible|if you don't mind"
    r"|excuse me)(?![a-z0-9_]))"
)
"""Words that carry no meaning of their own around a request."""

RULES: tuple[Rule, ...] = (
    rule(
        "english: I don't know",
        "concede",
        rf"(?:{_WE} )?(?:really |honestly |just |still |simply |do )*+(?:don't|dont|don t|do not|didn't|can't"
        r"|cant|cannot|can not"
        rf"|couldn't|dnt|dunt) (?:really |actually |quite |even |honestly |currently )*{_KNOW}"
        rf"{_ABOUT_EN}(?![a-z0-9_'])",
        r"(?:i )?dunno(?: (?:this|that|about this|man))?(?![a-z])",
        r"(?:i )?(?:don't|dont|can't|cant) (?:really )?(?:answer|solve|do|say|tell)(?: (?:this|that|it|one"
        r"|question|for sure)(?![a-z]))*+(?![a-z])",
    ),
    rule(
        "english: I don't know that topic",
        "concede",
        rf"(?:{_WE} )?(?:really |honestly |still )*(?:don't|dont|do not|didn't|can't|cant|cannot"
        rf"|couldn't) (?:really |even )*{_KNOW}{_TOPIC_EN}",
    ),
    rule(
        "english: no idea",
        "concede",
        r"idk(?: (?:this|that|man|bro|sorry|about this|this one)(?![a-z]))*+(?![a-z])",
        r"(?:i(?:'ve| have)? |i got )?(?:honestly |really |truly )?(?:have |got |haven't "
        r"|havent )?(?:absolutely |really |literally )?"
        r"(?:no|not a|not the faintest|the faintest|a|the slightest|not the slightest|zero|no earthly) "
        r"(?:idea|clue|answer|thoughts?)(?: (?:about|on|for|of|what|how|this|that|it|is|one|topic|thing"
        r"|question)(?![a-z]))*+(?![a-z])",
        r"(?:i'm |im |i am )?(?:really |just |honestly )?not (?:so |too |very |really |entirely |at all |quite "
        r"|100% )*+"
        r"(?:sure|certain|familiar)(?: (?:about|with|of|this|that|it|one|topic|at all|here"
        r"|how to answer)(?![a-z]))*+(?![a-z])",
        r"beats me|(?:you )?got me(?: (?:there|on that one))?(?![a-z])|search me|(?:i'm |im "
        r"|i am )?(?:drawing a blank|stumped|lost|clueless"
        r"|blanking)(?: (?:on|here|this|that|one)(?![a-z]))*+(?![a-z])",
        r"(?:i )?(?:forgot|forget|have forgotten|'ve forgotten|can't think of (?:anything|it))(?: (?:it|this"
        r"|that|about|the answer)(?![a-z]))*+(?![a-z])",
        rf"(?:i )?(?:haven't|havent|have not) (?:ever |really |actually )?{_NEVER}(?: (?:it|this|that|of it|yet"
        r"|before|much))*+(?![a-z])",
        r"(?:this (?:one |topic )?is )?(?:nothing comes to mind|(?:i )?couldn't (?:tell you|say))(?![a-z])",
        rf"(?:i(?:'ve| have|ve)? )?never (?:even |really |actually )*{_NEVER}"
        r"(?: (?:it|this|that|of it|of this|of that|one|before|about|topic|these|them|in practice"
        r"|[a-z0-9.+-]{2,20}(?=$|[,.!]))(?![a-z]))*+(?![a-z])",
        r"my knowledge (?:here |of this |on this )?is (?:zero|limited|nil)|(?:i )?(?:have "
        r"|'ve )?no experience(?: (?:with|in|on) [a-z0-9 .+-]{1,30}(?=$|[,.!]))?(?![a-z])",
        r"(?:that's |it's |this (?:one |topic )?is )?(?:beyond me|over my head|out of my (?:depth|league))",
    ),
    rule(
        "english: a hint",
        "hint",
        rf"{_ASK_EN}(?:give |have |get |need |want |use |offer |drop |provide |throw |got |do |show |take "
        r"|spare )?(?:me |us )?"
        r"(?:a |an |any |some |another |one |more |one more |little |small |tiny |bit of |bit of a |couple of "
        r"|quick |the )*+"
        r"(?:hints?|clues?|nudge|tips?|pointers?|guidance)"
        r"(?: (?:please|pls|plz|here|on this|for this|for me|then|maybe|to start|now|about this|with this|one"
        r"|would help|would be nice)(?![a-z]))*+(?![a-z0-9_:])",
        r"(?:i (?:need|want|could use) |a little |some |can you )*+help(?: (?:please|with this one|with this"
        r"|here))*+(?=\s*[,.!?]|\s*$)",
        r"(?:can |could |would )?(?:you |u )?(?:please )?(?:help me(?: out| a bit| a little| here| please"
        r"| with this)*|point me in the right direction"
        r"|give me a (?:hand|lead|direction|starting point)|hint me|nudge me)(?![a-z])",
        r"(?:i'm |im |i am )?(?:a bit |kind of |totally |really |completely )?stuck(?: (?:here|on this"
        r"|on this one|on it|now)(?![a-z]))*+(?![a-z])",
        r"(?:where|how) (?:do|should|could|can) i (?:start|begin)",
    ),
    rule(
        "english: show the answer",
        "reveal",
        rf"{_ASK_EN}(?:give up|see|show|tell|give|reveal|know|have|get|look at|view|read|check|display|hear|post"
        r"|provide|share|explain)(?: me| us)?"
        r"(?: up)?(?: (?:the|a|your|full|correct|right|reference|model|standard|expected|sample|actual|real|what"
        r"|whole|directly|just|is|it)(?![a-z]))*+"
        r" (?:answers?|solutions?|reference)(?: (?:is|please|pls|now|then|to this|for this|instead|directly|one"
        r"|question|right away|already)(?![a-z]))*+(?![a-z0-9_])",
        r"what(?:'s| is| was|s) (?:the|your) (?:correct |right |reference |model |full |real |actual "
        r"|expected )?(?:answer|solution)(?: then| please| to this| here)*+(?=\s*[?？.!]|\s*$)",
        r"(?:the )?answers?(?: please| pls)(?![a-z])|(?:i )?give up(?: (?:on this(?: one)?|on it))?(?![a-z])"
        r"|enlighten me(?![a-z])",
    ),
    rule(
        "english: skip",
        "skip",
        rf"{_ASK_EN}(?:go ahead and )?(?:skip|pass)(?:ing)?(?: (?:on|over|to|ahead|past))*{_QUESTION_EN}"
        r"(?: (?:the )?next(?: (?:one|question))?)?(?![a-z0-9_-])",
        rf"{_ASK_EN}(?:move|moving|go|carry|get) (?:on|forward|ahead)(?: (?:to|with))?(?: (?:the|a|another|next"
        r"|different|new|one|question|thing|please)(?![a-z]))*+(?![a-z0-9_])",
        rf"{_ASK_EN}(?:have |try |ask |do |get |take |give me |ask me |go to |jump to |change (?:to )?"
        r"|switch (?:to )?|see |hear )*+"
        r"(?:the |a |an |something |some )?(?:next(?: one| question| please| pls| up)*|another (?:one|question"
        r"|topic)|different (?:one|question|topic)"
        r"|new (?:one|question)|something else|change (?:the )?question|else)(?: (?:please|pls|instead|then"
        r"|thanks|now)(?![a-z]))*+(?![a-z0-9_-])",
    ),
    rule(
        "english: next phase",
        "phase",
        rf"{_ASK_EN}(?:(?:move|moving|go|going|carry|get|continue|proceed|jump|switch|turn|skip)"
        rf"(?: (?:on|forward|ahead|over|straight))*+ (?:to|with|into)"
        rf"|on to|start(?: with)?|begin(?: with)?){_PHASE_EN}",
        rf"{_ASK_EN}(?:do |take |have )?(?:the )?next (?:phase|stage|part|section|step){_THEN_EN}",
    ),
    rule(
        "english: repeat",
        "repeat",
        rf"{_ASK_EN}(?:repeat(?:ing)?|re-?ask|re-?state|re-?read){_QUESTION_EN}(?![a-z0-9_-])",
        rf"{_ASK_EN}(?:say|read|ask|tell|show|hear|see|state|type|post|send|give)(?: me)?(?: (?:the|that|this|it"
        r"|your|last|question|what you (?:said|asked))(?![a-z]))*+"
        r" (?:again|once more|one more time|a second time)(?: please)?(?![a-z])",
        r"(?:come again|pardon(?: me)?|say what|what was (?:that|the question|it)(?: again)?|what(?:'s"
        r"| is) the question(?: again)?|what did you (?:say|ask)"
        r"|one more time|once more|(?:the )?question again|again|i (?:didn't|did not|couldn't) (?:catch|hear"
        r"|get)(?: (?:that|it|you"
        r"|the question|what you said|the last part)(?![a-z]))*+"
        r"|i missed (?:that|the question|it)|huh|sorry|what|eh|excuse me)(?: please)?(?=\s*[?？!]|\s*$)",
    ),
    rule(
        "english: stop",
        "stop",
        rf"{_ASK_EN}(?:stop(?:ping)?|end|finish|quit|exit|terminate|wrap(?: it| this)? up|call it(?: a day"
        r"| quits)?|abort|leave|be done|conclude|bail)"
        r"(?: (?:here|now|this|that|it|the|interview|session|for now|for today|today|please|pls|everything"
        r"|at this point|there|test|early|right here|practice|mock|up|then|thanks)(?![a-z]))*+(?![a-z0-9_-])",
        r"(?:i'm |im |i am |we're |we are )(?:done|finished|out|through)(?: (?:here|for (?:now|today)"
        r"|with (?:this|the) (?:interview|session)|now)(?![a-z]))*+(?=\s*[,.!，。]|\s*$)",
        r"(?:that's|thats|that is|that'll be|that will be) (?:(?:all|it|everything) (?=for (?:now|today))|enough)"
        r" ?(?:(?:for (?:now|today)|from me|thanks|thank you)(?![a-z]) ?)*+(?=\s*[,.!，。]|\s*$)",
        r"(?:enough|no more questions|good ?bye|bye(?: bye)?|see you|see ya|cya|gotta go|(?:i )?(?:have"
        r"|need|got) to (?:go|leave|run))(?: (?:for (?:now|today)|now|please)(?![a-z]))*+(?![a-z])",
    ),
    # Said to a follow-up, these mean that nothing else comes to mind: to end the interview there are words of its own.
    rule(
        "english: nothing more",
        "concede",
        r"(?:that's|thats|that is|that'll be|that will be) (?:all|it|everything)(?: (?:from me|i (?:have|know"
        r"|can say|can think of)|thanks|thank you)(?![a-z]))*+(?=\s*[,.!，。]|\s*$)",
        r"(?:no more|nothing (?:more|else)|done|finished)(?: (?:from me|to (?:add|say)|comes to mind|thanks"
        r"|thank you)(?![a-z]))*+(?=\s*[,.!，。]|\s*$)",
    ),
    rule(
        "english: pause",
        "pause",
        rf"{_ASK_EN}(?:pause|take (?:a |some )?(?:short |quick |little |5 |five |ten |10 )*+(?:minute "
        r"|min )?(?:break|pause|rest|breather)|have a break|brb|be right back"
        r"|hold (?:the|this) (?:interview|session)|come back later|continue later|finish later)"
        r"(?: (?:here|now|this|it|the|interview|session|for (?:now|a (?:bit|moment|minute|sec|while|second))"
        r"|please|a (?:bit|moment|minute|sec))(?![a-z]))*+(?![a-z0-9_-])",
        r"(?:give me |i need |just )?(?:a |one |5 |five |two |2 )+(?:moment|minutes?|mins?|secs?"
        r"|seconds?)(?: (?:please|break))?(?=\s*[,.!，。]|\s*$)",
    ),
    rule(
        "english: resume",
        "resume",
        rf"{_ASK_EN}(?:resume|unpause|un-pause|pick up where (?:we|i) left off)(?: (?:the|interview|session|now"
        r"|please|this|it)(?![a-z]))*+(?![a-z0-9_-])",
        r"(?:i'm |im |i am )?(?:back|ready)(?: (?:now|again|to (?:continue|go|resume)|let's (?:go"
        r"|continue))(?![a-z]))*+(?=\s*[,.!，。]|\s*$)",
    ),
    rule(
        "english: go on",
        "next",
        r"(?:(?:let's |please )?(?:continue|proceed|go on|keep going|carry on|go ahead)(?: (?:please|now"
        r"|then))*)(?![a-z0-9_-])",
    ),
    rule(
        "english: retry",
        "retry",
        rf"{_ASK_EN}(?:retry|re-?grade|grade (?:it |this |that |me )?again|score (?:it |this )?again"
        r"|try (?:grading )?again)(?: (?:please|it|this|that|now|the answer)(?![a-z]))*+(?![a-z0-9_-])",
    ),
    rule(
        "english: thinking aloud",
        "note",
        r"(?:let me (?:think|see)|thinking|i'm thinking|give me a (?:sec|second|moment|minute) to think"
        r"|hang on)(?: (?:about (?:it|this|that)|for a (?:sec|second|moment|minute|bit)"
        r"|a bit)(?![a-z]))*+(?![a-z])",
    ),
    rule(
        "english: what do you mean",
        "clarify",
        rf"{_ASK_EN}(?:(?:do|did|by [a-z0-9 -]{{1,40}},? do) you (?:mean|want|ask|refer|expect)|are you (?:asking"
        r"|referring|talking|looking|interested)"
        rf"|you (?:mean|are asking|re asking|'re asking)|did you mean){_REST}{{0,160}}",
        r"what (?:do|did|does) (?:you|this|that|it|the|[a-z0-9\"'-]{1,30}) (?:question |term "
        r"|word )?(?:[a-z0-9\"'-]{1,20} )?(?:exactly |actually )?(?:mean|refer to|stand for"
        rf"|want){_REST}{{0,100}}",
        r"what (?:exactly )?(?:is|are|'s) (?:meant|expected|being asked|the (?:context|scope|scale|setting"
        rf"|scenario|goal|definition|constraint|assumption|requirement)s?){_REST}{{0,80}}",
        rf"{_ASK_EN}(?:rephrase|reword|clarify|elaborate on the question|explain the question|be more specific"
        r"|put (?:it|that) (?:another way|differently)|narrow (?:it|that) down"
        rf"|simplify the question|make (?:it|that|the question) (?:clearer|more specific)){_REST}{{0,60}}",
        r"(?:i (?:don't|dont|do not|didn't|can't) (?:really |quite |fully )?(?:understand|get|follow)"
        r"|i'm confused (?:by|about)|not sure i (?:understand|follow)|what's unclear is)(?: (?:the|this|that"
        r"|your|what)(?![a-z]))*+"
        r"(?: (?:question|you mean|you're asking|you are asking|you want|wording|part|is being asked"
        rf"|is asked))(?! mark){_REST}{{0,60}}",
        r"(?:meaning|as in|such as|like what|how so|in what sense|in which sense|in what context"
        r"|in which context|for example|what for|why)(?=\s*[?？])",
    ),
    rule(
        "english: a question about the setting",
        "clarify",
        r"(?:is|are|was|does|do|did) (?:this|that|the question|these|we|you|there|they|the (?:model|data|cluster"
        r"|system|service|setup|user|client|traffic|scenario|context))s? "
        r"(?:about|for|in|on|only|just|asking|refer|referring|include|including|cover|count|talking|assuming"
        rf"|allowed|any|supposed|limited|specific|a requirement|the same|mean|need|have){_REST}{{0,120}}(?=[?？])",
        r"(?:can|could|may|should|shall|do|am) (?:i|we) (?:assume|use|ask|write|give|focus|talk|include|explain"
        r"|answer|limit|consider|also|start|need to|have to|go into|describe|cover|be|just|only|allowed|supposed"
        rf"|expected){_REST}{{0,120}}(?=[?？])",
        r"(?:what|which|who|whose|how (?:many|much|big|large|long|deep|detailed|often)|in (?:what|which)"
        r"|for (?:what|which)|at what|under (?:what|which)|from (?:what|which)|how|why|when|where|whats"
        rf"|what's){_REST}{{0,110}}(?=[?？])",
        r"(?:[a-z0-9+ .'-]{1,40}) or (?:[a-z0-9+ .'-]{1,40})(?=[?？])",
    ),
)

TYPOS = {
    "konw": "know",
    "knwo": "know",
    "knw": "know",
    "kown": "know",
    "dnot": "don't",
    "dotn": "don't",
    "don;t": "don't",
    "don´t": "don't",
    "hnit": "hint",
    "hitn": "hint",
    "hintt": "hint",
    "nxet": "next",
    "nexr": "next",
    "nxt": "next",
    "skpi": "skip",
    "sikp": "skip",
    "skp": "skip",
    "skipp": "skip",
    "repaet": "repeat",
    "repeate": "repeat",
    "repat": "repeat",
    "anwser": "answer",
    "awnser": "answer",
    "asnwer": "answer",
    "anser": "answer",
    "answear": "answer",
    "quesiton": "question",
    "qustion": "question",
    "questoin": "question",
    "plese": "please",
    "plase": "please",
    "pleae": "please",
    "stpo": "stop",
    "ur": "your",
}
