"""The table of commands."""

import typer

from interviewer.cli import bank, chat, doctor, evaluate, grade, importing, mydata, people, search, serve

app = typer.Typer(
    help="Practise interviews, graded point by point, in Chinese and English.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("serve")(serve.serve_command)
app.command("chat")(chat.chat_command)
app.command("import")(importing.import_command)
app.command("export")(mydata.export_command)
app.command("import-mine")(mydata.import_mine_command)
app.command("index")(search.index_command)
app.command("search")(search.search_command)
app.command("grade")(grade.grade_command)
app.command("doctor")(doctor.doctor_command)
app.add_typer(bank.app, name="bank")
app.add_typer(people.app, name="people")
app.add_typer(evaluate.app, name="eval")
