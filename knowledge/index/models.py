"""Which embedding model a setting means, and where it is. Nothing here loads a model or reaches the network."""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from interviewer.errors import EmbeddingError
from knowledge.encoder import BUILTIN_NAME, weights_path

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_MARKERS = ("modules.json", "config.json")
_HASHED_WHOLE = 1 << 20  # bytes; of a larger file, its size and its ends are hashed


class ModelPlace(NamedTuple):
    """A model that can be loaded.

    Attributes:
        name: As the index records it: the setting, or the built-in encoder's name.
        source: What sentence-transformers is given: a folder, or a name on the model hub.
        version: Names these weights; empty where the model is still to be downloaded.
        here: Whether it is on this machine.
        hub: Whether it comes from the model hub.
    """

    name: str
    source: str
    version: str
    here: bool
    hub: bool = False


def locate_model(setting: str) -> ModelPlace | None:
    """The model a setting means; None where the setting is empty and no encoder is built in.

    Args:
        setting: A folder, a name on the model hub, the built-in encoder's name, or empty for the default.

    Raises:
        EmbeddingError: if there is no such folder, or it can be neither a folder nor a name.
    """
    setting = setting.strip()
    builtin = _locate_builtin()
    if not setting or (builtin and setting == builtin.name):
        return builtin
    folder = Path(setting).expanduser()
    if folder.is_dir():
        return _locate_folder(setting, folder)
    if not _HUB_NAME.fullmatch(setting):
        raise EmbeddingError(
            f"There is no embedding model in {setting!r}: the folder does not exist.",
            next_step="Correct INTERVIEWER_EMBEDDING_MODEL, or leave it empty for the built-in model.",
        )
    return _locate_cached(setting)


def _locate_builtin() -> ModelPlace | None:
    folder = weights_path()
    if not (folder / "modules.json").is_file():
        return None
    return ModelPlace(BUILTIN_NAME, str(folder), fingerprint(folder), here=True)


def _locate_folder(setting: str, folder: Path) -> ModelPlace:
    if not any((folder / marker).is_file() for marker in _MARKERS):
        raise EmbeddingError(
            f"The folder {setting!r} holds no model: it has neither modules.json nor config.json.",
            next_step="Point INTERVIEWER_EMBEDDING_MODEL at the folder that has one of these files.",
        )
    return ModelPlace(setting, str(folder.resolve()), fingerprint(folder), here=True)


def _locate_cached(name: str) -> ModelPlace:
    from huggingface_hub import try_to_load_from_cache

    for repository in (name, f"sentence-transformers/{name}") if "/" not in name else (name,):
        for marker in _MARKERS:
            found = try_to_load_from_cache(repository, marker)
            if isinstance(found, str):
                return ModelPlace(name, name, _snapshot(Path(found)), here=True, hub=True)
    return ModelPlace(name, name, "", here=False, hub=True)


def _snapshot(file: Path) -> str:
    """The commit a cached file belongs to, which the hub's cache keeps as a folder's name."""
    return file.parent.name


def fingerprint(folder: Path) -> str:
    """16 hexadecimal digits that name the content of a model's folder, quickly even for large weights."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if _counts(path.relative_to(folder)) and path.is_file()):
        size = file.stat().st_size
        digest.update(f"{file.relative_to(folder).as_posix()}\0{size}\0".encode())
        with file.open("rb") as stream:
            digest.update(stream.read(_HASHED_WHOLE))
            if size > _HASHED_WHOLE:
                stream.seek(max(_HASHED_WHOLE, size - _HASHED_WHOLE))
                digest.update(stream.read(_HASHED_WHOLE))
    return digest.hexdigest()[:16]


def _counts(path: Path) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    return not hidden and path.suffix.lower() not in {".md", ".py", ".pyc"}
