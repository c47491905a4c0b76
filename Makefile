# `make` lists the targets. Everything runs in .venv, which the first target sets up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests start onward thousands of times: without its compiled files each start compiles it anew.
export PYTHONDONTWRITEBYTECODE =
CORPUS ?=
E2E ?=
EVALS ?=
MUTANTS ?=
READY := $(VENV)/.ready
TEST_RUN = $(BIN)/python -m pytest -n auto --dist=worksteal -q tests --ignore=tests/e2e $(if $(CORPUS),--corpus=$(abspath $(CORPUS)))
E2E_RUN = ONWARD_REQUIRE=all $(BIN)/python tools/loopback.py $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint e2e mutants corpus evals bench docs format clean

help: ## list the targets
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# uv where it is there, venv and pip where it is not. The stamp makes it run once.
$(READY): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && uv pip install --quiet --python $(BIN)/python -e '.[dev]'; \
	else \
	  $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; \
	fi
	@touch $@

demo: $(READY) ## the main job on a bundled sample: distil, save, change the repository, resume
	@$(BIN)/onward demo

# Slow suites as a fixed sample, laws with a fixed seed: the same tests in every run.
test: $(READY) ## the tests, in minutes: slow ones as a fixed sample (CORPUS=DIR adds real transcripts)
	@$(TEST_RUN)

# With examples that no run had before; one that fails is kept in .hypothesis and tried first.
test-all: $(READY) ## every test but the real clients', whole, laws with fresh seeds (CORPUS=DIR as above)
	@ONWARD_TESTS=all $(TEST_RUN)

lint: $(READY) ## ruff, mypy, import-linter, shellcheck, stale pages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@command -v shellcheck >/dev/null || { echo 'lint: shellcheck is not on PATH: install it (apt-get install shellcheck)'; exit 1; }
	@find src .ci -name '*.sh' -o -path .ci/run | xargs shellcheck
	@$(BIN)/python tools/docs.py --check

# The clients are installed first: inside, nothing but the loopback is up.
e2e: $(READY) ## the real clients in throw-away homes against a scripted model (E2E=WORDS for pytest)
	@$(BIN)/python tools/clients.py
	@$(E2E_RUN) -n 4 -q tests/e2e $(E2E) || { \
	  echo "once more, one at a time: what fails again is red"; \
	  $(E2E_RUN) -q --last-failed --last-failed-no-failures=none tests/e2e $(E2E); }

mutants: $(READY) ## change the core a little, many times, and count what its tests notice (MUTANTS=WORDS)
	@$(BIN)/python tools/mutants.py $(MUTANTS)

corpus: $(READY) ## read every file of a corpus: CORPUS=DIR; counts, problems, MB/s
	@$(BIN)/python tools/corpus.py $(if $(CORPUS),$(CORPUS),$(error say which folder: make corpus CORPUS=DIR))

evals: $(READY) ## what briefings carry on real transcripts: CORPUS=DIR (EVALS=WORDS for `python -m evals`)
	@$(BIN)/python -m evals $(if $(CORPUS),$(CORPUS),$(error say which folder: make evals CORPUS=DIR)) $(EVALS)

bench: $(READY) ## speed and memory as ratios against a reference in the same run
	@$(BIN)/python benchmarks/run.py

docs: $(READY) ## write the generated pages, the README's outputs and its picture
	@$(BIN)/python tools/docs.py

format: $(READY) ## let ruff set the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix --quiet .

clean: ## remove .venv, the clients and caches
	@rm -rf $(VENV) .clients .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
