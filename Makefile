# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test lint format setup setup-dev browser lock clean

run: setup
	$(BIN)/interviewer serve

test: setup-dev browser
	@# The tests start many processes: each would compile the package anew.
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist worksteal

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

setup: .venv/installed
setup-dev: .venv/installed-dev

.venv/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

.venv/installed: .venv/pip requirements.lock pyproject.toml
	$(BIN)/python -m pip install --progress-bar on -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps -e .
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.lock
	$(BIN)/python -m pip install --progress-bar on -r requirements-dev.lock
	@touch $@

# Chromium for the browser tests and a font with Chinese for their screenshots, where they may be installed.
browser:
	@if command -v chromium >/dev/null || command -v google-chrome >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-noto-cjk; \
	else \
	  echo "Chromium is missing and can't be installed from here: the browser tests will be skipped."; \
	  echo "Install it (Debian: sudo apt install chromium fonts-noto-cjk) to run them."; \
	fi

# Pins everything anew from pyproject.toml; torch is held to a plain version, since its CPU builds carry a suffix.
lock:
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet --upgrade pip
	.venv-lock/bin/python -m pip install --quiet torch==2.13.0 -c requirements-dev.lock .
	.venv-lock/bin/python -m pip freeze --exclude interviewer | sed 's/^\(torch==[0-9.]*\)+cpu$$/\1/' > requirements.lock
	.venv-lock/bin/python -m pip install --quiet torch==2.13.0 -c requirements-dev.lock ".[dev]"
	.venv-lock/bin/python -m pip freeze --exclude interviewer | sed 's/^\(torch==[0-9.]*\)+cpu$$/\1/' > requirements-dev.lock
	rm -rf .venv-lock

clean:
	rm -rf .venv .venv-lock build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
