# Two commands matter: `make run` and `make test`. The others are for people who change the code.
PORT ?= 8000
ARGS ?=
BIN := .venv/bin
LOCK := $(BIN)/uv pip compile pyproject.toml --group build --universal --python-version 3.11 \
	--generate-hashes --no-header --no-emit-index-url --quiet

.PHONY: setup run test check bench i18n lock

setup: .venv/.ready

run: .venv/.ready
	$(BIN)/linewise serve --host 127.0.0.1 --port $(PORT)

test: .venv/.ready-test
	$(BIN)/python -m pytest $(ARGS)

check: .venv/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/arch

bench: .venv/.ready-test
	$(BIN)/python -m tests.bench $(ARGS)

i18n: .venv/.ready-test
	$(BIN)/python -m app.presentation.catalogues

# Takes newer versions with ARGS=--upgrade; see app/decisions/0003-one-lock-without-hosts.md.
lock: .venv/.ready-test
	$(LOCK) $(ARGS) --output-file requirements.txt
	$(LOCK) $(ARGS) --output-file requirements-dev.txt --group dev --extra postgres --constraint requirements.txt

# Stamps: setup runs again only after a lock, the project file or the script itself has changed.
.venv/.ready: requirements.txt pyproject.toml .ci/setup
	bash .ci/setup
	touch $@

.venv/.ready-test: requirements-dev.txt requirements.txt pyproject.toml .ci/setup
	bash .ci/setup test
	touch .venv/.ready $@
