# mope. `make run` does the whole job, `make test` checks it; both create .venv by themselves.
SHELL   := /bin/sh
VENV    := .venv
BIN     := $(VENV)/bin
BUILD   := build
STAMP   := $(VENV)/.installed
# A candidate counts only if it runs: a version manager's shim can exist and still fail.
PYTHONS := python3.13 python3.12 python3.11 python3
PYTEST_ARGS ?=
# Processes that share the tests; more than four gain little, and each needs a gigabyte or two.
WORKERS ?= auto

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help env run test lint proofs book mutants ring clean

help: ## say what each target does
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

env: $(STAMP) ## create or renew .venv (Python >= 3.11; no root)

# Redone when the dependencies change, and only then; the stamp comes last, so an installation cut short is done again.
$(STAMP): pyproject.toml constraints.txt
	@python=; for p in $(PYTHON) $(PYTHONS); do \
	  if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then python=$$p; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "make: no Python >= 3.11 found (tried: $(PYTHON) $(PYTHONS)); install one, or say make PYTHON=/path/to/python" >&2; \
	  exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	  echo "make: $$python cannot create environments; install its venv module (Debian: python3-venv)" >&2; \
	  exit 1; \
	fi; \
	if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	  echo "creating $(VENV) with $$python"; \
	  "$$python" -m venv --clear $(VENV) || exit 1; \
	fi; \
	echo "installing mope and what it needs into $(VENV) (a few minutes the first time)"; \
	$(BIN)/python -m pip install --quiet --quiet --constraint constraints.txt --editable '.[dev,book,train,sweep,triton,hf,bench]' && \
	$(BIN)/python -m pip check --quiet || exit 1
	@touch $@

run: $(STAMP) ## verify the ledger, check the generated kernels, build the book; outputs in build/
	@mkdir -p $(BUILD)
	$(BIN)/mope doctor
	$(BIN)/mope verify --no-cache --json $(BUILD)/ledger.json
	$(BIN)/mope generate --check
	$(BIN)/mope check --strict mope_impl/generated
	$(BIN)/mope book --out $(BUILD)/book
	@echo "ledger: $(BUILD)/ledger.json"
	@echo "book:   $(BUILD)/book/index.html"

test: lint ## lint, then run every test; what a missing tool skips is listed and counted
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --maxprocesses 4 --dist loadfile $(PYTEST_ARGS)

lint: $(STAMP) ## ruff, and mypy (strict on mope_theory)
	$(BIN)/ruff check .
	$(BIN)/mypy

proofs: $(STAMP) ## have Coq check the formal proofs, and coqchk their core again
	$(BIN)/mope proofs --recheck

book: $(STAMP) ## build the book alone
	$(BIN)/mope book --out $(BUILD)/book

mutants: $(STAMP) ## change every inference of every derivation; the record goes to results/
	$(BIN)/python -m tests.mope_theory.mutants

ring: $(STAMP) ## change kernels, certificates and what they assume, and print what kills each
	$(BIN)/python -m tests.mope_impl.certify.ring

clean: ## remove build outputs and caches; .venv stays
	rm -rf $(BUILD) dist book/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov *.egg-info
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +
