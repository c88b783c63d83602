# make demo: set up, run the main job on the packaged sample, open the window if there is a screen.
# make check: set up, lint, type-check, check the layers, run the fast tests; for use while editing.
# make test: the same with every test.
# make docs: the manual as a static site, in build/site; a broken link fails.
# make translations: collect the texts of the window for Qt Linguist, and compile what is translated.
# make pictures: draw the pictures of the manual and the README again.
.PHONY: demo check test setup lint tests docs pictures translations bench constraints clean

PYTHON ?= python3
BIN := $(if $(filter Windows_NT,$(OS)),.venv/Scripts,.venv/bin)
STAMP := .venv/installed
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
FAST := tests/test_layers.py tests/core/test_*.py tests/storage/test_*.py \
        $(addprefix tests/core/,annotation comparison domain files formatting retrieval stats suggestions text training) \
        $(addprefix tests/storage/,database formats repositories)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start many processes; each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name it with PYTHON=..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[all,test,bench]'
	@touch $(STAMP)

demo: setup
	$(BIN)/pyramidion demo --folder demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

tests: setup
	$(PYTEST)

check: lint
	$(PYTEST) --quiet -m 'not slow' $(FAST)

test: lint tests

pictures: setup
	$(BIN)/python -m tests.pictures

translations: setup
	for code in de en; do \
	  $(BIN)/pyside6-lupdate $$(find gui -name '*.py' | sort) -ts resources/translations/$$code.ts -locations none \
	    -no-obsolete $$(test $$code = en && echo -pluralonly) && \
	  $(BIN)/pyside6-lrelease -silent resources/translations/$$code.ts || exit 1; \
	done

docs: setup
	rm -rf build/manual build/site
	$(BIN)/pyramidion manual -o build/manual
	$(BIN)/sphinx-build --quiet --jobs auto --fail-on-warning --keep-going --nitpicky -c resources/site build/manual build/site

bench: setup
	$(BIN)/python -m tests.benchmarks

constraints: setup
	@{ echo '# What `make` installs, to the version. Made by `make constraints` after a change of pyproject.toml.'; \
	  $(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu//'; } > constraints.new && mv constraints.new constraints.txt

clean:
	rm -rf .venv demo build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
