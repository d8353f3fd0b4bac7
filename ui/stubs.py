"""Importing gradio in half the time: without the stubs that it writes for type checkers beside every component."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

WRITES_STUBS = "gradio.component_meta"


class _WithoutStubs(SourceFileLoader):
    """Loads the module that makes the components' classes, and takes the writing of stubs out of it."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module)["create_or_modify_pyi"] = lambda *_: None


class _Finder:
    """Finds that module and no other."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _: ModuleType | None = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name == WRITES_STUBS else None
        if spec and spec.origin and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _WithoutStubs(name, spec.origin)
        return spec


def write_no_stubs() -> None:
    """From now on gradio reads and writes no stubs: it parses its sources anew at every import to compare them."""
    sys.meta_path.insert(0, _Finder)
