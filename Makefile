# Two commands set everything up on a machine that has Python 3.11 or newer:
#   make demo   validate all rulesets, watch bots play a game of Hockey, simulate it
#   make test   linters, types, architecture, tests, and a check of all rulesets

VENV := .venv
BIN := $(VENV)/bin
RULEKIT := $(BIN)/rulekit
JOBS ?= 2

# The first of these that is Python 3.11 or newer. `make PYTHON=/path/to/python demo` chooses another.
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)

.PHONY: help demo test lint check docs clean python

help:
	@echo "make demo   validate all rulesets, watch a bot game of Hockey, simulate it"
	@echo "make test   linters, types, architecture, tests, and a check of all rulesets"
	@echo "make docs   run the transcripts in the documentation again"
	@echo "make clean  remove the virtual environment and caches"

python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "rulekit needs Python 3.11 or newer, and none was found on the PATH." >&2; \
		echo "Install one, or name it: make PYTHON=/path/to/python3.11 demo" >&2; \
		exit 1; \
	fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "rulekit needs Python 3.11 or newer; $(PYTHON) is older or cannot be run." >&2; exit 1; }

$(BIN)/python: | python
	@echo "creating $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "installing rulekit into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing rulekit and its tools into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed

demo: $(VENV)/.installed
	@echo; echo '$$ rulekit validate rulesets'
	@$(RULEKIT) validate rulesets
	@echo; echo '$$ rulekit play hockey --watch --bots greedy --seed 33'
	@$(RULEKIT) play hockey --watch --bots greedy --seed 33
	@echo; echo '$$ rulekit simulate hockey -n 300 --seed 1'
	@$(RULEKIT) simulate hockey -n 300 --seed 1
	@echo
	@echo 'Your turn:  $(RULEKIT) play hockey'

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n $(JOBS)
	$(RULEKIT) check rulesets --games 100 --decisions 20000 --workers $(JOBS)

docs: $(VENV)/.installed
	$(BIN)/python tests/transcripts.py docs/command-line.md docs/json.md

check: $(VENV)/.installed
	$(RULEKIT) check rulesets --workers $(JOBS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
