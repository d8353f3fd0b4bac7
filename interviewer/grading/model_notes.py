"""What went wrong with a model, as one sentence for the candidate in the language of the interview.

The full story (endpoint, status, what the server said) is in the error itself, for the log and `interviewer doctor`.
"""

from interviewer.errors import ChatModelError
from interviewer.models import Language

_NOTES: dict[str, dict[Language, str]] = {
    "auth": {
        "zh": "模型 {model} 的服务拒绝了密钥，请检查 OPENAI_API_KEY。",
        "en": "The service of the model {model} refused the key; check OPENAI_API_KEY.",
    },
    "not_found": {
        "zh": "服务里没有模型 {model}，请检查模型名和服务地址。",
        "en": "The service has no model {model}; check the model's name and the address.",
    },
    "rate_limit": {
        "zh": "模型 {model} 的服务正在限流或额度已用完，请过一会儿重试。",
        "en": "The service of the model {model} is over its rate limit or quota; try again in a while.",
    },
    "server": {
        "zh": "模型 {model} 的服务出错了，请稍后重试。",
        "en": "The service of the model {model} failed; try again later.",
    },
    "timeout": {
        "zh": "模型 {model} 没有及时回复，请重试；机器较慢时可以调大超时设置。",
        "en": "The model {model} did not reply in time; try again, or raise the timeout for a slow machine.",
    },
    "connection": {
        "zh": "连不上模型 {model} 的服务，或者连接中途断开，请检查它是否在运行。",
        "en": "The service of the model {model} can't be reached, or broke off; check that it is running.",
    },
    "invalid_output": {
        "zh": "模型 {model} 的回复不符合要求的格式，请重试或换一个更大的模型。",
        "en": "The model {model} did not reply in the form asked for; try again, or use a larger model.",
    },
    "refused": {
        "zh": "模型 {model} 拒绝回复，请换个说法，或换一个模型。",
        "en": "The model {model} declined to reply; rephrase the answer, or use another model.",
    },
    "other": {
        "zh": "调用模型 {model} 时出错，请用 interviewer doctor 检查设置。",
        "en": "Calling the model {model} failed; check the settings with interviewer doctor.",
    },
}


def explained(error: ChatModelError, model: str, language: Language) -> str:
    """One sentence: what happened and what to do."""
    return _NOTES.get(error.kind, _NOTES["other"])[language].format(model=model)
