"""The figures of the built-in grader as Markdown, and the page they stand on."""

from pathlib import Path
from typing import Any

from evals.grading.metrics import percent
from interviewer.marked import between

DOCS = Path(__file__).resolve().parents[2] / "docs" / "grading.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
_LABELLED_FIGURES = ("r", "mae", "order", "covered_f1", "wrong_found", "wrongly_wrong")


_ANSWER_FIGURES = ("r", "mae", "order", "covered_f1", "wrong_found", "wrongly_wrong_share")


def figures_table(results: dict[str, Any]) -> str:
    """The figures as Markdown, as they stand in docs/grading.md."""
    runs = (("with the encoder", results["encoder"]), ("words only", results["words"]))
    lines = [
        *_answers_table(results["encoder"]["answers"], results["words"]["answers"]),
        "",
        *_who_measured_people(results),
        "| people's grades | answers / questions | | r | r within a question | RMSE of 1 | macro-F1 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in results["encoder"]["human"]:
        for title, run in runs:
            f = run["human"][name]
            size = f"{f['answers']} / {f['questions']}"
            cells = (name, size, title, f["r"], f["r_within"], f["rmse"], f.get("macro_f1", ""))
            lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += [
        "",
        "| labelled by construction | r | MAE of 10 | order right | F1 of covered | contradictions found | falsely |",
        "|---|---|---|---|---|---|---|",
    ]
    for title, run in runs:
        figures = (run["battery"][name] for name in _LABELLED_FIGURES)
        lines.append(f"| {title} | {' | '.join(map(str, figures))} |")
    lines += ["", "| mean score of 10 | right | with the encoder | words only |", "|---|---|---|---|"]
    for name, mean in results["encoder"]["means"].items():
        lines.append(f"| {name} | {mean['right']} | {mean['given']} | {results['words']['means'][name]['given']} |")
    lines += [
        "",
        "| confidence (fifths of all verdicts that can be checked) | mean confidence | right |",
        "|---|---|---|",
    ]
    for number, bin in enumerate(results["encoder"]["reliability"], start=1):
        lines.append(f"| {number} | {bin['confidence']} | {bin['right']} |")
    spent = results["encoder"]
    return "\n".join(
        [
            *lines,
            "",
            f"Time for an answer: median {spent['milliseconds']} ms, 95% under {spent['milliseconds_95']} ms.",
        ]
    )


def _who_measured_people(results: dict[str, Any]) -> list[str]:
    """What `measure --bank-only` leaves as it was is not of this version."""
    version = results["people"]["grader"]
    if version == results["grader"]:
        return []
    return [f"People's grades, the battery and the probes below were measured with version {version}.", ""]


def _answers_table(encoder: dict[str, Any], words: dict[str, Any]) -> list[str]:
    """The labelled answers of the test split."""
    lines = [
        f"Labelled answers of the test split: {encoder['answers']} answers to {encoder['questions']} questions.",
        "",
        "| labelled answers, test split | r | MAE of 10 | order right | F1 of covered | contradictions found"
        " | falsely, of other points |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += _answer_rows(encoder, words)
    lines += ["", "| kind, test split | answers | right | given | given, words only |", "|---|---|---|---|---|"]
    for kind, each in encoder["kinds"].items():
        given = _with_interval(each, "given"), _with_interval(words["kinds"][kind], "given")
        lines.append(f"| {kind} | {each['answers']} | {each['right']} | {given[0]} | {given[1]} |")
    lines += _mistakes_table(encoder, words)
    for name, title in _CANDIDATES.items():
        lines += _candidates_table(title, encoder[name], words[name])
    lines += _outside_table(encoder["outside"], words["outside"])
    lines += _notes_tables(encoder)
    lines += _unaided_table(encoder["unaided"])
    lines += _statements_table(encoder["statements"], words["statements"])
    lines += _talk_table(encoder["talk"])
    names = list(encoder["confusion"])
    lines += [
        "",
        f"| right verdict, test split | {' | '.join(f'called {name}' for name in names)} |",
        "|---|---|---|---|---|",
    ]
    for true, called in encoder["confusion"].items():
        lines.append(f"| {true} | {' | '.join(str(called[name]) for name in names)} |")
    lines += ["", "| verdict given, test split | verdicts | mean confidence | right |", "|---|---|---|---|"]
    for verdict, each in encoder["by_verdict"].items():
        lines.append(f"| {verdict} | {each['verdicts']} | {each['confidence']} | {each['right']} |")
    lines += ["", "| confidence, test split (fifths) | mean confidence | right |", "|---|---|---|"]
    for number, bin in enumerate(encoder["reliability"], start=1):
        lines.append(f"| {number} | {bin['confidence']} | {bin['right']} |")
    alone = encoder["reference_only"]
    return [
        *lines,
        "",
        f"{_called_unsure(encoder)} Median {encoder['milliseconds']} ms an answer on a busy machine, 95% under"
        f" {encoder['milliseconds_95']} ms; with the reference alone, whose points are more and longer,"
        f" {alone['milliseconds']} and {alone['milliseconds_95']} ms.",
    ]


def _called_unsure(figures: dict[str, Any]) -> str:
    unsure = figures["unsure"]
    return (
        f"Called unsure: {unsure['share']:.0%} of the verdicts, of which {unsure['right']:.0%} are right; of the others"
        f" {unsure['others_right']:.0%}."
    )


def _answer_rows(encoder: dict[str, Any], words: dict[str, Any]) -> list[str]:
    """By language where that was measured; with points and without, with the encoder and without."""
    rows = (
        ("points given", encoder),
        *((f"points given, answers in {language}", each) for language, each in encoder.get("languages", {}).items()),
        ("points given, words only", words),
        ("reference alone", encoder["reference_only"]),
        ("reference alone, words only", words["reference_only"]),
    )
    return [
        f"| {title} | {' | '.join(_with_interval(figures, name) for name in _ANSWER_FIGURES)} |"
        for title, figures in rows
    ]


def _mistakes_table(encoder: dict[str, Any], words: dict[str, Any]) -> list[str]:
    """The answers with mistakes in them, and the honest ones, by other writers."""
    lines = [
        "",
        "| other writers, test split | answers | right | given | given, words only | reference alone"
        " | reference alone, words only |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in ("mistakes", "honest"):
        for kind, each in encoder[name]["kinds"].items():
            other = words[name]["kinds"][kind]
            found = (each, other, each["reference_only"], other["reference_only"])
            means = " | ".join(_with_interval(figures, "given") for figures in found)
            lines.append(f"| {kind} | {each['answers']} | {each['right']} | {means} |")
    wrong, honest, by_words = encoder["mistakes"], encoder["honest"], words["mistakes"]["called"]
    return [
        *lines,
        "",
        f"Of the {wrong['contradicted']} points that the mistaken ones contradict {_shares(wrong['called'])} (words"
        f" only: {by_words['contradicted']:.0%} contradicted, {by_words['covered']:.0%} covered); of their other points"
        f" {wrong['falsely']:.1%} were called contradicted. Of the {honest['covered']} points that the honest ones"
        f" cover {_shares(honest['called'])}; {honest['accused']:.1%} of the honest answers had a point called"
        f" contradicted ({honest['accused_reference_only']:.1%} with the reference alone); r of their scores"
        f" {_with_interval(honest, 'r')}, MAE {_with_interval(honest, 'mae')}.",
    ]


def _statements_table(encoder: dict[str, Any], words: dict[str, Any]) -> list[str]:
    """True and false sentences in the same words."""
    lines = [
        "",
        "| one sentence about one claim | sentences | true | half | false | true above false (a guess: .5) |",
        "|---|---|---|---|---|---|",
    ]
    for title, figures in (("", encoder), (", words only", words)):
        for language, each in figures.items():
            means = " | ".join(_with_interval(each, name) for name in ("true", "half", "false", "order"))
            lines.append(f"| in {language}{title} | {each['sentences']} | {means} |")
    called = "; ".join(f"in {language} {_shares(each['called']['false'])}" for language, each in encoder.items())
    return [*lines, "", f"What the false ones were called: {called}."]


_CANDIDATES = {
    "candidates": "candidates' own answers",
    "candidates_second": "own answers of a second group of candidates",
    "candidates_strangers": "own answers of candidates whom nothing was fitted on",
    "candidates_contrast": "answers told by what things are not, or as in a chat",
}


def _candidates_table(title: str, encoder: dict[str, Any], words: dict[str, Any]) -> list[str]:
    """Candidates' own answers, with what two readers say of each other as a measure."""
    lines = [
        "",
        f"| {title}, test split | r | MAE of 10 | order right | F1 of covered | contradictions found"
        " | falsely, of other points |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += _answer_rows(encoder, words)
    readers = encoder["readers"]
    lines.append(_readers_row("one reader against the other", readers))
    means = "; ".join(
        f"{kind} {each['given']} where {each['right']} is right (reference alone {each['reference_only']['given']})"
        for kind, each in encoder["kinds"].items()
    )
    return [
        *lines,
        "",
        f"{encoder['answers']} answers to {encoder['questions']} questions; the two readers agree on"
        f" {percent(readers['agree'])} of the points (kappa {readers['kappa']}). Mean scores: {means}. A point was"
        f" called contradicted in {encoder['accused']:.1%} of the answers. {_called_unsure(encoder)}",
    ]


def _readers_row(title: str, readers: dict[str, Any]) -> str:
    agreed = (readers["r"], readers["mae"], "", readers["covered_f1"], "", "")
    return f"| {title} | {' | '.join(map(str, agreed))} |"


def _outside_table(encoder: dict[str, Any], words: dict[str, Any]) -> list[str]:
    """Answers to questions of no bank, by a writer whom nothing was fitted on."""
    lines = [
        "",
        "| questions outside the bank, test part | r | MAE of 10 | order right | F1 of covered | contradictions found"
        " | falsely, of other points |",
        "|---|---|---|---|---|---|---|",
        *_answer_rows(encoder, words),
        _readers_row("the writer against the reader", encoder["readers"]),
        "",
        "| kind, outside the bank | answers | right | points given | words only | reference alone |",
        "|---|---|---|---|---|---|",
    ]
    for kind, each in encoder["kinds"].items():
        means = _with_interval(each, "given"), words["kinds"][kind]["given"], each["reference_only"]["given"]
        lines.append(f"| {kind} | {each['answers']} | {each['right']} | {' | '.join(map(str, means))} |")
    return [
        *lines,
        "",
        f"{encoder['answers']} answers to {encoder['questions']} questions; writer and reader agree on"
        f" {percent(encoder['readers']['agree'])} of the points (kappa {encoder['readers']['kappa']}). A point was"
        f" called contradicted in {encoder['accused']:.1%} of the answers. {_called_unsure(encoder)}",
    ]


def _notes_tables(encoder: dict[str, Any]) -> list[str]:
    """Everyday answers to notes, slips, answers to other questions, and what is told in pictures."""
    everyday, slips, elsewhere, pictured = (encoder[name] for name in ("everyday", "slips", "elsewhere", "pictured"))
    agreed = "; ".join(
        f"{manner} ones with points given r {each['given']['r']}, MAE {each['given']['mae']}, with the reference alone"
        f" {each['reference_only']['r']} and {each['reference_only']['mae']}"
        for manner, each in everyday["manners"].items()
    )
    return [
        *_means_table("everyday answers to notes, test part", everyday["kinds"]),
        "",
        f"How their scores agree with the labels: {agreed}.",
        *_means_table("right answers to notes, and the same with a slip or two, test part", slips["kinds"]),
        "",
        f"With points given the score falls by {slips['falls']} where it should fall by {slips['should_fall']}; the"
        f" right answer of a pair gets more {slips['order']:.0%} of the time (ties count half). Of the points that are"
        f" made wrong {_shares(slips['called'])}.",
        *_means_table("answers to another question, test split and parts", elsewhere["kinds"]),
        "",
        f"{elsewhere['answers']} answers: {elsewhere['given']['mean']} on average with points given,"
        f" {elsewhere['given']['above']:.1%} of them get more than 1; with the reference alone"
        f" {elsewhere['reference_only']['mean']} and {elsewhere['reference_only']['above']:.1%}.",
        *_means_table("told in pictures, only some of it right, test part", pictured["kinds"]),
        "",
        f"r of their scores {_with_interval(pictured, 'r')}, MAE {_with_interval(pictured, 'mae')}. Of the points they"
        f" make {_of_all(pictured, 'covered')}; of those they leave out {_of_all(pictured, 'missing')}; of those they"
        f" tell the wrong way round {_of_all(pictured, 'contradicted')}.",
    ]


def _of_all(figures: dict[str, Any], true: str) -> str:
    """What points that deserve a verdict were called."""
    called = figures["confusion"][true]
    return _shares({verdict: count / max(1, sum(called.values())) for verdict, count in called.items()})


def _means_table(title: str, kinds: dict[str, Any]) -> list[str]:
    lines = ["", f"| {title} | answers | right | points given | reference alone |", "|---|---|---|---|---|"]
    for kind, each in kinds.items():
        means = _with_interval(each, "given"), _with_interval(each["reference_only"], "given")
        lines.append(f"| {kind} | {each['answers']} | {each['right']} | {' | '.join(means)} |")
    return lines


def _unaided_table(found: dict[str, Any]) -> list[str]:
    """The same answers with and without what the bank knows that people get wrong."""
    lines = [
        "",
        "| answers of candidates and of writers of mistakes, points given, test split | answers | right"
        " | with the question's misconceptions | without | MAE with | without | r with | without |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, each in found.items():
        told, untold = each["told"], each["untold"]
        cells = [_with_interval(figures, of) for of in ("given", "mae", "r") for figures in (told, untold)]
        if name != "all":
            cells[4:] = ["", ""]
        lines.append(f"| {name.rpartition('/')[2]} | {each['answers']} | {told['right']} | {' | '.join(cells)} |")
    return lines


def _shares(called: dict[str, float]) -> str:
    return ", ".join(f"{share:.1%} {name}" for name, share in called.items())


def _talk_table(talk: dict[str, Any]) -> list[str]:
    """What 1,500 characters of talk around an answer do to its score."""
    lines = [
        "",
        "| mean score of 10 with 1,500 characters of talk, test split | right | points given: none | before | behind"
        " | reference alone: none | before | behind |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind, means in talk.items():
        cells = [
            means[name][where] for name in ("given", "reference_only") for where in ("nowhere", "before", "behind")
        ]
        lines.append(f"| {kind} ({means['answers']}) | {means['right']} | {' | '.join(map(str, cells))} |")
    return lines


def _with_interval(figures: dict[str, Any], name: str) -> str:
    if name not in figures:
        return ""
    interval = figures["intervals"].get(name)
    return f"{figures[name]} ({interval[0]} to {interval[1]})" if interval else str(figures[name])


def write_docs(results: dict[str, Any]) -> None:
    """Puts the figures between the markers of docs/grading.md."""
    page = between(DOCS.read_text(encoding="utf-8"), BEGIN, END, f"\n{figures_table(results)}\n")
    DOCS.write_text(page, encoding="utf-8")
