# One word per task; `make help` lists them. Works with GNU make 3.81 and later, on Linux and macOS.
# Set-up is automatic: it runs when .venv is missing or older than pyproject.toml or constraints.txt.

.DEFAULT_GOAL := help
SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# The first Python that is new enough; PYTHON=python3.12 chooses another.
PYTHON := $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; exit; }; done; echo python3)

# Taken as typed: a dollar sign in an address is no variable of ours.
override URL := $(value URL)
export URL

MINUTES ?= 10

.PHONY: help setup browser postgres fortunes hugo crawl run test long lint format quality lab life replay webbox usecase shots bench docs package tree soak clean

help: ## show this list
	@echo "make <task>"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## make .venv ready (every task does this by itself)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "BlogForever needs Python 3.11 or newer, and $(PYTHON) is not: install one, then make PYTHON=python3.12 setup"; exit 1; }
	@echo "setting up (about a minute, once)…"
	@$(PYTHON) -m venv $(VENV) || { echo "Python has no venv module: install it (on Debian and Ubuntu: python3-venv)"; exit 1; }
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --root-user-action ignore --constraint constraints.txt --upgrade pip
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --root-user-action ignore --constraint constraints.txt --editable '.[browser,postgres,s3]' --group dev
	@touch $(READY)

# Pages that scripts draw need Chromium: root gets it from apt, others read how; without it everything else works.
browser: $(READY)
	@$(BIN)/python -c 'import sys; from blogforever.render.chromium import lacking; sys.exit(bool(lacking()))' || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then echo "installing Chromium…"; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium; } >/dev/null; \
	  else false; fi || echo "No browser: pages drawn by scripts are not seen. To have one: sudo apt-get install chromium"; }

# The store is tested on PostgreSQL, too: root gets it from apt, others read how; without it everything else is tested.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then echo "installing PostgreSQL…"; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql; } >/dev/null; \
	  else false; fi || echo "No PostgreSQL: its tests are left out. To have one: sudo apt-get install postgresql"; }

# Blogs of the lab are written out of Debian's fortunes, English and German, and not all of its scripts fetch these
# themselves.
fortunes:
	@[ -f /usr/share/games/fortunes/wisdom ] && [ -f /usr/share/games/fortunes/de/zitate ] || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then echo "installing texts for the lab…"; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends fortunes fortunes-de; } >/dev/null; \
	  else false; fi || { echo "The lab has no texts. To have them: sudo apt-get install fortunes fortunes-de"; exit 1; }; }

# Lives of Hugo's blogs need Hugo itself, which is a large program: it is fetched only for them.
hugo:
	@case "$(ARGS)" in *hugo*) command -v hugo >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then echo "installing Hugo…"; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends hugo; } >/dev/null; \
	  else false; fi || { echo "No Hugo. To have it: sudo apt-get install hugo"; exit 1; }; };; esac

crawl: $(READY) browser ## harvest a blog: make crawl URL=https://… [ARGS="--max-pages 50"]; without URL the sample blog
	@if [ -n "$$URL" ]; then exec $(BIN)/blogforever crawl "$$URL" $(ARGS); else exec $(BIN)/python sample/harvest.py $(ARGS); fi

run: $(READY) browser ## the service with its portal, the sample blog in it; says where to look: make run [ARGS="--port 8160"]
	@exec $(BIN)/python sample/run.py $(ARGS)

# Two more than there are cores: a third of the time tests wait for a browser or for a server that hangs.
# Where Python may not write what it has compiled, as in many containers, each of these processes and each command
# that a test starts compiles everything again: to collect the tests then takes twice the time.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n $$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 2)') --dist worksteal --ignore tests/lab

test: lint browser postgres ## lint, then all tests but the long ones and those of the lab
	@$(PYTEST) -m "not long" $(ARGS)

long: $(READY) browser postgres ## the tests that take long: servers that are killed, several machines, every screen in a browser
	@$(PYTEST) -m long $(ARGS)

lint: $(READY) ## ruff, mypy, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: $(READY) ## let ruff put the code in shape
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

quality: $(READY) ## score the corpus and hold the floors (needs ../shared/corpus)
	@$(BIN)/python tools/quality.py $(ARGS)
	@$(BIN)/python tools/tags.py
	@$(BIN)/python tools/tags.py --without

lab: $(READY) browser fortunes ## crawl blogs that scripts draw, hear of posts by a hub, from real software on loopback; hold their truth (needs ../shared/lab)
	@$(BIN)/python tools/lab.py $(ARGS)
	@$(BIN)/python -m pytest -q -n 0 tests/lab

life: $(READY) fortunes hugo ## drive WordPress, or ARGS="hexo ghost …", on loopback through a blog's life; hold what updates find (needs ../shared/lab)
	@$(BIN)/python tools/lab_update.py $(ARGS)

replay: $(READY) browser fortunes ## crawl WordPress and Hexo on loopback, hold their truth, replay them out of the archive (needs ../shared/lab)
	@$(BIN)/python tools/lab_replay.py $(ARGS)

webbox: $(READY) ## follow a web in a box, play days in minutes, kill processes, hold the truth (needs ../shared/lab)
	@$(BIN)/python tools/webbox.py $(ARGS)

usecase: $(READY) browser ## the use case of 2011 in a browser and by FTP: filters, pings, output, XML, a file fetched, deleted, asked for again (needs ../shared/lab)
	@$(BIN)/python tools/usecase.py $(ARGS)

shots: $(READY) browser ## a picture of every screen of the portal, for docs/howto/portal.md: make shots [ARGS="--all --to FOLDER"]
	@$(BIN)/python tools/shots.py $(ARGS)

bench: $(READY) ## speed: learning, extraction, import, beside the peers; how cost grows with size
	@$(BIN)/python tools/benchfrontier.py
	@$(BIN)/python tools/bench.py $(ARGS)
	@$(BIN)/python tools/bench_growth.py
	@$(BIN)/python tools/bench_warc.py
	@$(BIN)/python tools/bench_crawl.py
	@$(BIN)/python tools/bench_update.py
	@$(BIN)/python tools/bench_service.py
	@$(BIN)/python tools/bench_pings.py
	@$(BIN)/python tools/bench_endpoint.py
	@$(BIN)/python tools/bench_render.py

docs: $(READY) ## write the generated pages, check links and examples, build site/ (MkDocs)
	@$(BIN)/python tools/reference.py
	@$(BIN)/python tools/tree.py --write
	@$(BIN)/python tools/classes.py --write
	@$(BIN)/python -m pytest -q -p no:randomly tests/docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "site/index.html; with its search: python3 -m http.server -d site"

package: $(READY) ## wheel and source archive into dist/, looked at by twine, tried in an empty environment
	@$(BIN)/python tools/package.py

tree: $(READY) ## print the tree of the code, one line each
	@$(BIN)/python tools/tree.py

soak: $(READY) ## fuzzing for MINUTES=10, a replay of 50,000 pages, a hostile server, kill -9, a month of 2,800 hosts, their pings, the 8 million pings of 2011, four machines that are killed one after the other, 20,000 blogs and 300,000 posts asked by ten at once, the API asked at random, 2 million posts and 20 million captures in PostgreSQL, the corpus moved there and back, 5,000 damaged archives and 5,000 absurd command lines, property tests at length, outside CI
	@$(BIN)/python tools/fuzz.py --minutes $(MINUTES) --least 100000
	@$(BIN)/python tools/soak_replay.py
	@$(BIN)/python tools/soak_hostile.py
	@KILLS=50 $(BIN)/python -m pytest -q --timeout=0 tests/integration/test_killed.py tests/integration/test_erasing_killed.py tests/integration/test_outbox_killed.py
	@BLOGFOREVER_SCREEN_BLOGS=200 $(BIN)/python -m pytest -q --timeout=0 tests/acceptance/test_screen.py
	@BLOGFOREVER_OUTBOX_POSTS=5000 $(BIN)/python -m pytest -q --timeout=0 tests/unit/archive/test_outbox.py
	@$(BIN)/python tools/bench_render.py --soak 300
	@$(BIN)/python tools/webbox.py --hosts 2800 --days 30 --speed 600 --kills 20 --workers 2 -- --harvests 60
	@$(BIN)/python tools/webbox_pings.py --hosts 2800 --harvest-delay 0.05 --workers 2 -- --harvests 60
	@$(BIN)/python tools/soak_pings.py
	@$(BIN)/python tools/bench_engine.py
	@$(BIN)/python tools/failover.py --hosts 500 --days 10 --every 30 --outages 5 --cuts 5
	@$(BIN)/python tools/bench_api.py
	@BLOGFOREVER_DAMAGED=5000 BLOGFOREVER_TYPED=5000 BLOGFOREVER_STARTED=200 $(BIN)/python -m pytest -q --timeout=0 -n 2 tests/hostile/test_damage.py tests/hostile/test_arguments.py
	@$(BIN)/python tools/bench_postgres.py --posts 2000000
	@$(BIN)/python tools/move_corpus.py --blogs all
	@BLOGFOREVER_ASKED=300 $(BIN)/python -m pytest -q --timeout=0 tests/acceptance/test_api_described.py
	@$(BIN)/python -m pytest -q --hypothesis-profile=soak --timeout=0 tests/unit tests/hostile $(ARGS)

clean: ## remove what make wrote, except .venv
	@rm -rf out site build dist blogforever-archive .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests tools sample -name __pycache__ -type d -prune -exec rm -rf {} +
