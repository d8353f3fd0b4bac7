"""Reads the prompt files: TOML front matter between `+++` lines, then the messages as `string.Template` text.

`python -m interviewer.prompts check` validates the files and the lock, `… lock` rewrites the lock.
"""

import hashlib
import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, NamedTuple

from pydantic import ConfigDict, Field, ValidationError

from interviewer.chat import ChatMessage
from interviewer.errors import InterviewerError
from interviewer.models import Frozen, Language, PromptRef

LOCK = "prompts.lock"
_SPLIT = re.compile(r"\A\+\+\+\n(?P<head>.*?)\n\+\+\+\n(?P<body>.*)\Z", re.DOTALL)
_MESSAGE = re.compile(r"^=== (system|user|assistant) ===\n", re.MULTILINE)


class PromptError(InterviewerError):
    """A prompt file, or the values given to it, break the rules."""


class PromptHead(Frozen):
    """Front matter of a prompt file.

    Attributes:
        version: Raised by hand with every change of the text.
        inputs: Names of the values `render` must be given; exactly the variables of the text.
        output: Name of the schema of the reply; `text` for free text.
        role: Who the model plays.
        fields: What the model is told of each field of the reply's schema, by its path, such as `points.quote`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    version: int = Field(ge=1)
    purpose: str = Field(min_length=1)
    inputs: list[str]
    output: str = Field(min_length=1)
    role: Literal["interviewer", "grader", "candidate", "editor"]
    fields: dict[str, str] = Field(default_factory=dict)


class Part(NamedTuple):
    """One message of a prompt, not rendered yet."""

    role: str
    template: Template


class Prompt(NamedTuple):
    """A prompt as loaded; `key` is its file name without `.md`, such as `grade-answer.zh`."""

    key: str
    head: PromptHead
    parts: tuple[Part, ...]
    sha256: str

    @property
    def ref(self) -> PromptRef:
        """What is stored with every grade made by this prompt; the key as name, so that zh and en differ."""
        return PromptRef(name=self.key, version=self.head.version, sha256=self.sha256)

    def render(self, values: Mapping[str, str]) -> list[ChatMessage]:
        """The messages with `values` filled in.

        Raises:
            PromptError: naming the values that are missing or not declared.
        """
        missing = sorted(set(self.head.inputs) - set(values))
        unknown = sorted(set(values) - set(self.head.inputs))
        if missing or unknown:
            raise PromptError(
                f"The prompt {self.key!r} was rendered without {missing} and with unknown {unknown}.",
                next_step="Give it exactly its declared inputs.",
            )
        return [ChatMessage(part.role, part.template.substitute(values).strip()) for part in self.parts]


def parse_prompt(key: str, source: str) -> Prompt:
    """The prompt in `source`.

    Raises:
        PromptError: for missing front matter, unknown or missing keys, and variables that are not declared inputs.
    """
    match = _SPLIT.match(source)
    if not match:
        raise PromptError(f"The prompt {key!r} has no front matter.", next_step="Begin the file with a +++ block.")
    head = _head(key, match["head"])
    if key.split(".")[0] != head.name:
        raise PromptError(f"The prompt {key!r} calls itself {head.name!r}.", next_step="Name the file after it.")
    parts = _parts(key, match["body"])
    used = {name for part in parts for name in part.template.get_identifiers()}
    if used != set(head.inputs) or not all(part.template.is_valid() for part in parts):
        raise PromptError(
            f"The prompt {key!r} declares the inputs {sorted(head.inputs)} and uses {sorted(used)}.",
            next_step="Make both the same, and write a literal dollar sign as $$.",
        )
    return Prompt(key, head, parts, hashlib.sha256(source.encode()).hexdigest())


@cache
def load_prompts() -> Mapping[str, Prompt]:
    """Every prompt of the package by its key; read once per process.

    Raises:
        PromptError: if a file breaks the rules.
    """
    folder = files("prompts")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".md"))
    sources = {name.removesuffix(".md"): (folder / name).read_text(encoding="utf-8") for name in names}
    return {key: parse_prompt(key, source.replace("\r\n", "\n")) for key, source in sources.items()}


def find_prompt(name: str, language: Language | None = None) -> Prompt:
    """The prompt `name` in `language`, or the one text it has for every language.

    Raises:
        PromptError: if there is none.
    """
    prompts = load_prompts()
    found = prompts.get(f"{name}.{language}") or prompts.get(name)
    if found is None:
        raise PromptError(f"There is no prompt {name!r} for {language!r}.", next_step=f"There are: {sorted(prompts)}.")
    return found


def lock_lines(prompts: Mapping[str, Prompt]) -> str:
    """The lock file's text: key, version and SHA-256 of each prompt, a line each, by key."""
    return "".join(f"{key} {prompts[key].head.version} {prompts[key].sha256}\n" for key in sorted(prompts))


def lock_problems(prompts: Mapping[str, Prompt], lock: str) -> list[str]:
    """What does not fit between the prompts and the lock; empty if all is well."""
    locked = {line.split()[0]: tuple(line.split()[1:]) for line in lock.splitlines() if line.strip()}
    problems = [f"{key} is in the lock and has no file" for key in sorted(set(locked) - set(prompts))]
    for key, prompt in sorted(prompts.items()):
        version, sha256 = locked.get(key, ("0", ""))
        if sha256 == prompt.sha256 and version == str(prompt.head.version):
            continue
        if sha256 and sha256 != prompt.sha256 and int(version) >= prompt.head.version:
            problems.append(f"{key} changed its text; raise its version above {version}")
        else:
            problems.append(f"{key} is not as locked; run `python -m interviewer.prompts lock`")
    return problems


def _head(key: str, text: str) -> PromptHead:
    try:
        return PromptHead.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise PromptError(f"The front matter of {key!r} is not TOML: {error}.", next_step="Correct it.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PromptError(
            f"The front matter of {key!r} has a wrong {where!r}: {first['msg']}.", next_step="Correct it."
        ) from error


def _parts(key: str, body: str) -> tuple[Part, ...]:
    pieces = _MESSAGE.split(body)
    if pieces[0].strip() or len(pieces) < 3:
        raise PromptError(
            f"The prompt {key!r} has text outside a message.", next_step="Begin each message with `=== system ===`."
        )
    return tuple(Part(role, Template(text)) for role, text in zip(pieces[1::2], pieces[2::2], strict=True))


def main(arguments: list[str]) -> int:
    """`lock` rewrites the lock file; `check` prints what does not fit. 0 if all is well."""
    prompts = load_prompts()
    path = files("prompts") / LOCK
    present = path.read_text(encoding="utf-8") if path.is_file() else ""
    problems = lock_problems(prompts, present)
    raising = [problem for problem in problems if "raise its version" in problem]
    if arguments == ["lock"] and not raising:
        Path(str(path)).write_text(lock_lines(prompts), encoding="utf-8")
        return 0
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
