"""The page of evidence: what the command writes from the stored files, honest about what is not there."""

import json
import re
import xml.etree.ElementTree as ElementTree
from shutil import copytree
from string import Formatter

import pytest

from evals.agreement.measure import versions
from evals.evidence import page as evidence
from evals.evidence.agreement import words_of
from evals.evidence.blocks import Block, markdown, table
from evals.evidence.others import (
    candidates_blocks,
    cell,
    labelled_blocks,
    mistakes_blocks,
    notes_blocks,
    retrieval_blocks,
    simulation_blocks,
    statements_blocks,
)
from evals.evidence.page import (
    DATA,
    PAGE,
    PICTURES,
    SHOWN,
    evidence_blocks,
    evidence_page,
    outdated,
    pictures,
    read_stored,
    shown_in_app,
)
from interviewer.models import LANGUAGES

AGAIN = "run interviewer eval evidence --write"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def stored():
    return read_stored()


class TestWhatIsWritten:
    def test_the_page_is_what_the_command_writes(self, stored):
        assert PAGE.read_text(encoding="utf-8") == evidence_page(stored), AGAIN

    def test_the_pictures_are_what_the_command_draws(self, stored):
        assert {path.stem: path.read_text(encoding="utf-8") for path in PICTURES.glob("*.svg")} == pictures(stored), (
            AGAIN
        )

    def test_the_app_shows_the_same(self, stored):
        assert SHOWN.read_text(encoding="utf-8") == shown_in_app(stored), AGAIN

    def test_every_picture_of_the_page_is_there(self, stored):
        named = re.findall(r"!\[[^\]]*\]\(images/evidence/([^)]+)\.svg\)", evidence_page(stored))
        assert sorted(named) == sorted(pictures(stored))
        assert len(named) >= 3

    def test_it_has_every_figure_of_the_stored_run(self, stored):
        page = evidence_page(stored)
        (run,) = (run for run in stored.runs if run.grader == "builtin")
        for group in run.groups:
            for figure in (group.mae, group.verdicts):
                assert f"{100 * figure.value:.0f}%" in page or f"{figure.value:.2f} ({figure.low:.2f}–" in page
        assert len(run.examples) == 3
        assert all(example.answer.strip() in page for example in run.examples)
        assert all(value in page for value in run.versions.model_dump().values())

    def test_the_built_in_grader_was_steady(self, stored):
        (run,) = (run for run in stored.runs if run.grader == "builtin")
        assert run.chosen == run.available > 500
        assert (run.retest.verdicts.value, run.retest.score.value) == (1, 0)


class TestWhatIsMissing:
    def test_nothing_stored_is_told_and_breaks_nothing(self, tmp_path):
        page = evidence_page(read_stored(tmp_path))
        assert "Not measured yet: agreement with labelled answers, agreement with people's grades, attacks" in page
        assert pictures(read_stored(tmp_path)) == {}

    def test_a_file_that_is_gone_is_named(self, tmp_path):
        folder = tmp_path / "data"
        copytree(DATA, folder)
        (folder / "injection" / "results.json").unlink()
        stored = read_stored(folder)
        assert any("attacks" in b.text for b in evidence_blocks(stored, words_of("en"))[:4])
        assert any("攻击" in b.text for b in evidence_blocks(stored, words_of("zh"))[:4])

    def test_figures_of_other_data_are_told(self, stored):
        now = versions()
        runs = [run.model_copy(update={"versions": now}) for run in stored.runs]
        assert outdated(stored._replace(runs=runs)) == []
        old = [run.model_copy(update={"versions": now.model_copy(update={"answers": "x"})}) for run in runs[:1]]
        (told,) = outdated(stored._replace(runs=old))
        assert "other answers" in told

    def test_the_command_writes_where_it_is_told_and_clears_old_pictures(self, tmp_path, monkeypatch):
        monkeypatch.setattr(evidence, "ROOT", tmp_path)
        for name, path in (("PAGE", "evidence.md"), ("PICTURES", "images"), ("SHOWN", "evidence.json")):
            monkeypatch.setattr(evidence, name, tmp_path / path)
        (tmp_path / "images").mkdir()
        (tmp_path / "images" / "gone.svg").write_text("<svg/>")
        assert evidence.evidence_command(write=True).startswith("evidence.md is written.")
        assert not (tmp_path / "images" / "gone.svg").exists()
        assert (tmp_path / "evidence.md").read_text() == evidence.evidence_command()
        assert json.loads((tmp_path / "evidence.json").read_text())["zh"][0]["text"] == "评分有多准"


class TestOtherRuns:
    def test_the_answers_that_grading_measures_come_with_their_intervals(self):
        figures = {"r": 0.9, "mae": 1.0, "order": 0.95, "covered_f1": 0.9, "wrong_found": 0.4}
        found = {**figures, "intervals": {"r": [0.88, 0.92]}, "reference_only": {"r": 0.8, "intervals": {}}}
        found |= {"languages": {"zh": figures}, "unsure": {"share": 0.1, "right": 0.5, "others_right": 0.9}}
        blocks = list(labelled_blocks({"encoder": {"answers": found}}, words_of("en")))
        rows = next(block for block in blocks if block.kind == "table").rows
        assert rows[0][:2] == ("with the encoder, points given", "0.90 (0.88–0.92)")
        assert [row[0] for row in rows[1:]] == ["with the encoder, Chinese", "with the encoder, reference alone"]
        assert rows[2][1:3] == ("0.80", "–")
        assert "10% of the verdicts are shown as unsure" in blocks[-1].text

    def test_a_file_without_them_gives_nothing(self):
        assert list(labelled_blocks({"encoder": {"human": {}}}, words_of("en"))) == []
        assert list(mistakes_blocks({"encoder": {"human": {}}}, words_of("en"))) == []

    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_true_and_false_in_the_same_words_are_shown(self, language):
        each = {"sentences": 10, "claims": 2, "true": 8.0, "half": 7.5, "false": 7.9, "order": 0.53}
        each["intervals"] = {"order": [0.5, 0.56]}
        found = {"encoder": {"answers": {"statements": {"zh": each, "en": each}}}}
        (block,) = (each for each in statements_blocks(found, words_of(language)) if each.kind == "table")
        assert [row[1:] for row in block.rows] == [("10", "8.00", "7.50", "7.90", "0.53 (0.50–0.56)")] * 2
        assert list(statements_blocks({"encoder": {}}, words_of(language))) == []

    @pytest.mark.parametrize(
        ("language", "told"), [("en", "brief, Chinese, nearly all points"), ("zh", "简短，中文，几乎说全")]
    )
    def test_answers_to_notes_and_to_other_questions_are_shown(self, language, told):
        mean = {"answers": 7, "right": 8.0, "given": 6.5, "reference_only": {"given": 6.0}}
        alike = {"given": {"mean": 0.42, "above": 0.125}, "reference_only": {"mean": 0.61, "above": 0.25}}
        called = {"covered": 0.4, "partial": 0.3, "missing": 0.2, "contradicted": 0.1}
        found = {
            "everyday": {
                "kinds": {"brief, zh, full": mean},
                "manners": {manner: {"reference_only": {"r": 0.71}} for manner in ("brief", "spoken")},
            },
            "slips": {
                "kinds": {"en, with slips": mean},
                "falls": 0.7,
                "should_fall": 2.9,
                "order": 0.6,
                "called": called,
            },
            "elsewhere": {"kinds": {"outside/strong, en": mean}, "answers": 7, **alike},
            "pictured": {"kinds": {"half": mean, "wrong": mean}, "r": 0.33, "mae": 2.59},
        }
        blocks = list(notes_blocks({"encoder": {"answers": found}}, words_of(language)))
        first, *others = (block.rows for block in blocks if block.kind == "table")
        assert first == ((told, "7", "8.0", "6.50", "6.00"),)
        assert [len(rows) for rows in others] == [1, 1, 2]
        said = " ".join(block.text for block in blocks if block.kind == "text")
        assert all(
            figure in said
            for figure in ("0.71", "0.33", "2.59", "0.7", "2.9", "60%", "40%", "10%", "0.4", "12%", "0.6", "25%")
        )
        assert "{" not in said
        assert list(notes_blocks({"encoder": {}}, words_of(language))) == []

    @pytest.mark.parametrize(("language", "called"), [("en", "20% contradicted"), ("zh", "20% 判为说反")])
    def test_mistakes_and_talk_are_shown(self, language, called):
        wrong = {"answers": 98, "right": 0.0, "given": 4.1, "intervals": {"given": [3.5, 4.6]}}
        alone = {"answers": 98, "right": 0.0, "given": 3.2, "intervals": {}}
        shares = {"covered": 0.5, "partial": 0.1, "missing": 0.2, "contradicted": 0.2}
        places = {"nowhere": 9.0, "before": 9.1, "behind": 9.2}
        found = {
            "mistakes": {"kinds": {"wrong": {**wrong, "reference_only": alone}}, "called": shares, "falsely": 0.025},
            "honest": {
                "kinds": {"compared": {**wrong, "right": 8.0, "reference_only": alone}},
                "called": shares,
                "accused": 0.061,
                "accused_reference_only": 0.02,
            },
            "talk": {"strong": {"answers": 98, "right": 9.5, "given": places, "reference_only": places}},
        }
        blocks = list(mistakes_blocks({"encoder": {"answers": found}}, words_of(language)))
        mistakes, talk = (block for block in blocks if block.kind == "table")
        assert mistakes.rows[0][1:] == ("98", "0.0", "4.10 (3.50–4.60)", "3.20")
        assert mistakes.rows[1][2] == "8.0"
        assert any("6.1%" in block.text and "2.0%" in block.text for block in blocks)
        assert talk.rows[0][1:] == ("9.5", "9.0", "9.1", "9.2", "9.0", "9.1", "9.2")
        assert any(called in block.text and "2.5%" in block.text for block in blocks)

    @pytest.mark.parametrize(("language", "called"), [("en", "agree on 95%"), ("zh", "95% 的要点上一致")])
    def test_candidates_answers_are_shown_beside_what_readers_say_of_each_other(self, language, called):
        figures = {"r": 0.7, "mae": 1.9, "order": 0.88, "covered_f1": 0.7, "wrong_found": 0.1}
        readers = {"agree": 0.95, "kappa": 0.92, "covered_f1": 0.97, "r": 0.99, "mae": 0.22}
        found = {
            **figures,
            "intervals": {"r": [0.6, 0.8]},
            "answers": 196,
            "questions": 49,
            "accused": 0.081,
            "reference_only": {"r": 0.8, "intervals": {}},
            "readers": readers,
            "kinds": {"junior": {"answers": 98, "given": 4.1, "right": 5.2, "reference_only": {"given": 3.9}}},
        }
        confused = {"confused": {"answers": 90, "given": 3.3, "right": 0.4, "reference_only": {"given": 3.0}}}
        groups = {"candidates": found, "candidates_second": {**found, "kinds": confused}}
        blocks = list(candidates_blocks({"encoder": {"answers": groups}}, words_of(language)))
        table, means, _, others = (block for block in blocks if block.kind == "table")
        assert means.rows[0][1:] == ("98", "5.2", "4.10", "3.90")
        assert others.rows[0][1:] == ("90", "0.4", "3.30", "3.00")
        assert table.rows[0][1:3] == ("0.70 (0.60–0.80)", "1.90")
        assert table.rows[2][1:] == ("0.99", "0.22", "–", "0.97", "–")
        assert any(called in block.text and "8.1%" in block.text for block in blocks)
        assert list(candidates_blocks({"encoder": {"human": {}}}, words_of(language))) == []

    def test_simulated_interviews_are_shown(self):
        result = {
            "interviews": 10,
            "followups": [
                {"candidate": "weak", "probes": 4, "aimed": 3, "needless": 1, "leaked": 0, "dodged": 0, "questions": 5},
                {
                    "candidate": "nonsense",
                    "probes": 0,
                    "aimed": 0,
                    "needless": 0,
                    "leaked": 0,
                    "dodged": 1,
                    "questions": 5,
                },
            ],
            "tracks": [
                {"track": "t", "interviews": 10, "crashed": 0, "repeated": 0, "reached": 2, "rated": 3, "overran": 1}
            ],
        }
        tables = [b for b in simulation_blocks(result, words_of("en")) if b.kind == "table"]
        assert tables[0].rows == (
            ("weak", "4", "3 (75.0%)", "1 (25.0%)", "0 (0.0%)", "–"),
            ("nonsense", "0", "0", "0", "0", "1 / 5"),
        )
        assert tables[1].rows == (("t", "10", "0", "0", "2 / 3", "1"),)

    @pytest.mark.parametrize("splits", [(None,), ("test", "dev")])
    def test_retrieval_is_shown_split_by_split_test_first(self, splits):
        share = {"mean": 0.5, "low": 0.25, "high": 0.75}
        known = dict.fromkeys(("hit1", "hit3", "mrr"), share)  # figures from before `own1`
        row = {"side": "hybrid", "group": "zh on zh", "queries": 3, **known}
        rows = [row | ({"split": split} if split else {}) for split in reversed(splits)]
        blocks = list(retrieval_blocks({"questions": 7, "model": "", "version": "", "rows": rows}, words_of("en")))
        assert [b.text for b in blocks if b.kind == "heading"] == [
            words_of("en")[f"split_{split}"] for split in splits if split
        ]
        assert blocks[-1].rows[0][3:5] == ("0.50 (0.25–0.75)", "–")

    def test_what_was_not_measured_is_a_dash(self):
        assert (cell(None), cell(0.5, 1), cell({"value": 1, "low": 0, "high": 1})) == ("–", "0.5", "1.00 (0.00–1.00)")


class TestPictures:
    def test_they_are_whole_stand_alone_and_readable_in_light_and_dark(self, stored):
        for name, svg in pictures(stored).items():
            root = ElementTree.fromstring(svg)
            assert root.tag == f"{SVG}svg"
            assert root.find(f"{SVG}title").text
            style = root.find(f"{SVG}style").text
            assert "prefers-color-scheme: dark" in style
            assert root.find(f"{SVG}rect").get("class") == "ground", name
            assert not re.search(r"<(script|image|use|a)\b|url\(|href", svg)

    def test_every_mark_is_inside(self, stored):
        for svg in pictures(stored).values():
            root = ElementTree.fromstring(svg)
            width, height = float(root.get("width")), float(root.get("height"))
            for mark in root.iter():
                xs = [float(mark.get(key)) for key in ("x", "x1", "x2", "cx") if mark.get(key)]
                ys = [float(mark.get(key)) for key in ("y", "y1", "y2", "cy") if mark.get(key)]
                assert all(0 <= x <= width for x in xs), mark.attrib
                assert all(0 <= y <= height for y in ys), mark.attrib

    def test_the_confusion_shows_its_counts(self, stored):
        (run,) = (run for run in stored.runs if run.grader == "builtin")
        texts = [t.text for t in ElementTree.fromstring(pictures(stored)["builtin-confusion"]).iter(f"{SVG}text")]
        assert all(str(count) in texts for row in run.confusion for count in row)


class TestWords:
    def test_both_languages_have_the_same_words_and_placeholders(self):
        zh, en = (words_of(language) for language in LANGUAGES)
        assert zh.keys() == en.keys()

        def places(text):
            return {name for _, name, _, _ in Formatter().parse(text) if name}

        assert {key: places(text) for key, text in zh.items()} == {key: places(text) for key, text in en.items()}

    def test_both_pages_have_the_same_parts(self, stored):
        zh, en = (evidence_blocks(stored, words_of(language)) for language in LANGUAGES)
        assert [b.kind for b in zh] == [b.kind for b in en]
        assert not re.search("[一-鿿]", "".join(b.text for b in en if b.kind in ("heading", "text")))


class TestMarkdown:
    def test_nothing_in_a_cell_or_a_text_of_others_is_markup(self):
        hostile = "a|b <img src=x onerror=alert(1)> [x](javascript:1)\n```\n# no"
        page = markdown([table(["k"], [[hostile]]), Block(kind="said", text=hostile)], {})
        assert "| a\\|b \\<img src=x" in page
        fence = page.split("\n\n")[1].split("text")[0]
        assert fence == "````"
        assert page.rstrip().endswith("````")
