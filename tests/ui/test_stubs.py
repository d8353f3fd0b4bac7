"""Gradio is imported without the stubs it would write."""

import sys

COMPONENT = "import gradio\n\nclass Own(gradio.HTML):\n    EVENTS = []\n"


def test_a_component_gets_no_stub_beside_it(tmp_path, monkeypatch):
    (tmp_path / "own_component.py").write_text(COMPONENT)
    monkeypatch.syspath_prepend(tmp_path)
    import own_component

    assert own_component.Own().get_config()
    assert not list(tmp_path.glob("*.pyi"))
    del sys.modules["own_component"]
