"""Colours, type and spacing of gradio's own components; `static/style.css` does the rest. No fonts are fetched."""

from functools import cache
from importlib.resources import files
from typing import Any

from gradio.themes import Base
from gradio.themes.utils import colors, sizes

_FONTS = (
    "system-ui", "-apple-system", "Segoe UI", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei",
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "sans-serif",
)  # fmt: skip
_MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Noto Sans Mono CJK SC", "monospace")
_INDIGO = colors.Color(
    "#eef2ff", "#e0e7ff", "#c7d2fe", "#a5b4fc", "#8b9cf9", "#4f5fd9", "#3f4cc0", "#343f9e", "#2c357f", "#272f66",
    "#171c40",
)  # fmt: skip
_INK = colors.Color(
    "#f7f8fa", "#eff1f5", "#e1e5ec", "#c9d0db", "#8d97a8", "#626d80", "#4a5466", "#323b4b", "#1d2430", "#141a23",
    "#0d1218",
)  # fmt: skip


def theme() -> Base:
    """The theme, light and dark."""
    base = Base(
        primary_hue=_INDIGO,
        secondary_hue=_INDIGO,
        neutral_hue=_INK,
        text_size=sizes.text_md,
        radius_size=sizes.radius_lg,
        spacing_size=sizes.spacing_md,
        font=_FONTS,
        font_mono=_MONO,
    )
    return base.set(**_VALUES)


@cache
def stylesheet() -> str:
    return _static("style.css", "plan.css", "dispute.css")


@cache
def script() -> str:
    return _static("person.js", "page.js", "clock.js", "dispute.js", "keep.js")


@cache
def site_stylesheet() -> str:
    """Of the plain pages."""
    return _static("style.css", "site.css")


@cache
def site_script() -> str:
    """Of the plain pages."""
    return _static("person.js", "site.js")


def _static(*names: str) -> str:
    return "\n".join(files("ui").joinpath("static", name).read_text("utf-8") for name in names)


_VALUES: dict[str, Any] = {
    "body_background_fill": "*neutral_50",
    "body_background_fill_dark": "*neutral_950",
    "body_text_color": "*neutral_800",
    "body_text_color_dark": "*neutral_100",
    "body_text_color_subdued": "*neutral_500",
    "body_text_color_subdued_dark": "*neutral_400",
    "background_fill_primary": "white",
    "background_fill_primary_dark": "*neutral_900",
    "background_fill_secondary": "*neutral_50",
    "background_fill_secondary_dark": "*neutral_950",
    "border_color_primary": "*neutral_200",
    "border_color_primary_dark": "*neutral_700",
    "block_background_fill": "transparent",
    "block_background_fill_dark": "transparent",
    "block_border_width": "0px",
    "block_padding": "0px",
    "block_shadow": "none",
    "block_shadow_dark": "none",
    "block_label_text_color": "*neutral_600",
    "block_label_text_color_dark": "*neutral_300",
    "block_title_text_color": "*neutral_800",
    "block_title_text_color_dark": "*neutral_100",
    "block_title_text_weight": "600",
    "block_info_text_color": "*neutral_500",
    "block_info_text_color_dark": "*neutral_400",
    "input_background_fill": "white",
    "input_background_fill_dark": "*neutral_950",
    "input_border_color": "*neutral_300",
    "input_border_color_dark": "*neutral_600",
    "input_border_color_focus": "*primary_500",
    "input_border_color_focus_dark": "*primary_400",
    "input_border_width": "1px",
    "input_placeholder_color": "*neutral_500",
    "input_placeholder_color_dark": "*neutral_400",
    "button_primary_background_fill": "*primary_500",
    "button_primary_background_fill_hover": "*primary_600",
    "button_primary_background_fill_dark": "*primary_300",
    "button_primary_background_fill_hover_dark": "*primary_200",
    "button_primary_text_color": "white",
    "button_primary_text_color_dark": "*primary_950",
    "button_secondary_background_fill": "white",
    "button_secondary_background_fill_hover": "*neutral_100",
    "button_secondary_background_fill_dark": "*neutral_800",
    "button_secondary_background_fill_hover_dark": "*neutral_700",
    "button_secondary_border_color": "*neutral_300",
    "button_secondary_border_color_dark": "*neutral_600",
    "button_secondary_text_color": "*neutral_800",
    "button_secondary_text_color_dark": "*neutral_100",
    "button_cancel_background_fill": "#b3261e",
    "button_cancel_background_fill_hover": "#8f1e18",
    "button_cancel_background_fill_dark": "#f2b8b5",
    "button_cancel_background_fill_hover_dark": "#f9dedc",
    "button_cancel_text_color": "white",
    "button_cancel_text_color_dark": "#601410",
    "button_border_width": "1px",
    "button_large_text_weight": "600",
    "button_medium_text_weight": "600",
    "button_small_text_weight": "500",
    "button_transform_hover": "none",
    "checkbox_background_color_selected": "*primary_500",
    "checkbox_background_color_selected_dark": "*primary_400",
    "checkbox_label_background_fill": "white",
    "checkbox_label_background_fill_dark": "*neutral_900",
    "checkbox_label_background_fill_hover": "*neutral_100",
    "checkbox_label_background_fill_hover_dark": "*neutral_800",
    "checkbox_label_background_fill_selected": "*primary_50",
    "checkbox_label_background_fill_selected_dark": "*primary_900",
    "checkbox_label_border_color": "*neutral_300",
    "checkbox_label_border_color_dark": "*neutral_600",
    "checkbox_label_border_color_selected": "*primary_500",
    "checkbox_label_border_color_selected_dark": "*primary_400",
    "checkbox_label_border_width": "1px",
    "checkbox_label_text_color_selected": "*primary_700",
    "checkbox_label_text_color_selected_dark": "*primary_100",
    "slider_color": "*primary_500",
    "slider_color_dark": "*primary_400",
    "link_text_color": "*primary_600",
    "link_text_color_dark": "*primary_300",
}
