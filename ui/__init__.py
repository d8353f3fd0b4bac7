"""The Gradio pages."""

from ui.stubs import write_no_stubs

write_no_stubs()
