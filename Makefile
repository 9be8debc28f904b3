# Two commands do everything on a fresh machine: `make demo` and `make test`.

.PHONY: demo test check unit search format bench gallery setup clean

BIN := .venv/bin

demo: setup
	$(BIN)/webstencil demo

test: check unit

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: setup
	$(BIN)/pytest

# Tests of properties have the same examples each time; this looks for new ones that fail.
search: setup
	$(BIN)/pytest -m hypothesis --hypothesis-profile=search --timeout=0

bench: setup
	$(BIN)/python -m research.bench.stages

gallery: setup
	$(BIN)/webstencil evaluate gallery --out build/gallery

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

setup: .venv/.ready

# What is in the environment follows from these two files; nothing is done twice.
.venv/.ready: pyproject.toml scripts/setup
	./scripts/setup
	touch $@

clean:
	rm -rf .venv build dist demo
