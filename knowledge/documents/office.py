"""Word documents to lines: mammoth makes HTML of them, the HTML reader the rest."""

import io
import zipfile

from interviewer.worded import UnreadableError
from knowledge.documents.html import read_html
from knowledge.documents.model import LineDocument

_STYLES = "\n".join(
    f"p[style-name='List {name} {level}'] => {'ul|ol > li > ' * (level - 1)}{tag} > li:fresh"
    for name, tag in (("Bullet", "ul"), ("Number", "ol"))
    for level in (2, 3)
)
MAX_UNPACKED = 256 * 1024 * 1024
MAX_RATIO = 200


def read_docx(data: bytes, title: str) -> LineDocument:
    """Lines of a `.docx` file.

    Raises:
        DocumentError: if it is no Word document, is encrypted, or unpacks to far more than its size.
    """
    from xml.parsers.expat import ExpatError

    import mammoth

    _check_archive(data)
    try:
        html = mammoth.convert_to_html(io.BytesIO(data), style_map=_STYLES).value
    except (KeyError, ValueError, AttributeError, zipfile.BadZipFile, ExpatError, RecursionError) as error:
        raise UnreadableError("document_word_damaged", error=error) from error
    return read_html(_counted_on(html), title)


def _counted_on(html: str) -> str:
    """Numbered paragraphs with others between them count on, as Word shows them: each came as a list of its own."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(html, "html.parser")
    alone = [each for each in soup.find_all("ol", recursive=False) if len(each.find_all("li", recursive=False)) == 1]
    for number, each in enumerate(alone, start=1):
        each["start"] = str(number)
    return str(soup) if len(alone) > 1 else html


def _check_archive(data: bytes) -> None:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableError("document_word_locked")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = [(entry.file_size, entry.compress_size) for entry in archive.infolist()]
            is_word = any(name.startswith("word/") for name in archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise UnreadableError("document_no_word") from error
    if not is_word:
        raise UnreadableError("document_word_absent")
    unpacked = sum(size for size, _ in sizes)
    bombs = [size for size, packed in sizes if size > 1_000_000 and size > packed * MAX_RATIO]
    if unpacked > MAX_UNPACKED or bombs:
        raise UnreadableError("document_word_swells", size=f"{unpacked:,}")
