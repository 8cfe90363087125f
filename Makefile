# `make plan` and `make test` are all that a fresh machine with Python 3.11+ needs.

PYTHON ?= python3
VENV ?= .venv
SCENARIO ?= rfp-center
FUZZ_S ?= 1000
BIN := $(VENV)/bin
DIST ?= dist

# Loops are compiled once for the tests and the wheel, for every x86 server since 2009.
OBJECTS := $(CURDIR)/build/objects
loops test slow release wheel: export NUMBA_CACHE_DIR = $(OBJECTS)
loops test slow release wheel: export NUMBA_CPU_NAME = $(if $(filter x86_64,$(shell uname -m)),x86-64-v2,generic)
loops test slow release wheel: export NUMBA_CPU_FEATURES =

.PHONY: help plan test lint types loops wheel docs slow release fuzz bench clean

help:
	@echo "make plan    install, plan $(SCENARIO) and say where the report lies (SCENARIO=... for another)"
	@echo "make test    lint, types, tests and doctests"
	@echo "make lint    ruff alone"
	@echo "make docs    the documentation as a site to read and search offline, in build/site"
	@echo "make wheel   a wheel with compiled loops, for this Python and platform, in $(DIST)"
	@echo "make slow    the checks that take minutes: pages, whole logs, other processors, more claims"
	@echo "make release every random test with all its cases, and all stored evidence again: hours"
	@echo "make fuzz    whole commands and claims on random edge inputs, from the last seed on (FUZZ_S=1000 CPU seconds)"
	@echo "make bench   speed, as ratios against named rivals"
	@echo "make clean   remove what was installed and cached here"

$(VENV)/.run: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(VENV)/.run $@

plan: $(VENV)/.run
	$(BIN)/headroom plan $(SCENARIO)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

loops: $(VENV)/.dev
	$(BIN)/python -m tests.compile_loops

wheel: $(VENV)/.dev
	rm -rf $(OBJECTS)
	$(MAKE) --no-print-directory loops
	HEADROOM_OBJECTS=$(OBJECTS) $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -c constraints.txt -w $(DIST) .

# Lint, types and compilation share the cores; then the tests have them all. Each of hundreds of
# child processes would compile every module again where the surroundings forbid to keep bytecode.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev
	$(MAKE) --no-print-directory --jobs 2 types loops lint
	$(BIN)/pytest -n auto --dist loadfile

docs: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,docs]'
	$(BIN)/python -m sphinx -W --keep-going -q -j auto -d build/doctrees docs build/site
	@echo "open build/site/index.html"

slow: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cpsat,dask,dev,fast]'
	$(BIN)/pytest -m slow -n auto --dist loadfile

# Random tests draw all their cases here, and an eighth of them elsewhere.
release: export HEADROOM_TESTS = all
release: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cpsat,dask,dev,fast]'
	$(BIN)/pytest -m "" -n auto --dist loadfile

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.robustness.fuzz --cpu $(FUZZ_S)

bench: $(VENV)/.dev
	for script in benchmarks/bench_*.py; do $(BIN)/python $$script || exit 1; done

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
