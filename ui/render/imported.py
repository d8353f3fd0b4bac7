"""An import's report for people."""

from typing import TYPE_CHECKING

from ui.texts import Texts

if TYPE_CHECKING:
    from knowledge.importing import ImportReport


def imported_html(report: "ImportReport", t: Texts) -> str:
    return str(report)
