# `make demo` and `make test` are all a newcomer needs; each installs what is missing and then runs.
#
#   make demo     the main job on the files in examples/
#   make test     every test (nextest where it is installed, cargo test elsewhere)
#   make build    the release binary, target/release/plumb
#   make install  the command and all that belongs to it, under PREFIX=/usr/local
#   make dist     packages in target/dist: a tarball that runs where it is unpacked, a Python wheel, a Debian package
#   make dist-check  tries each package where nothing else is
#   make vscode   the extension for VS Code, target/plumbline.vsix (npm installs its tools)
#   make book     the book as pages, target/book/index.html (installs mdbook into .deps)
#   make lint     formatting and clippy, warnings are errors
#   make deny     licences, duplicates and sources of dependencies (installs cargo-deny into .deps)
#   make bench    speed and memory, as ratios in one run; writes bench/runs/<date>-<host>/
#   make csmith   N=200 random programs, the VM against the C compiler (installs Debian's csmith)
#   make fuzz     every reader of files against junk, guided by coverage, SECONDS=600 for each (needs a C++ compiler)
#   make suite-conform   gzip, bzip2 and netpbm from Debian's source packages: verdicts, times, seeded faults
#   make suite-libraries  every function of real C libraries from Debian's source packages: questions, answers, reasons
#   make suite-torture   the execute tests of gcc's torture suite in the VM, from Debian's package of gcc's sources
#   make pairs          pairs of programs, one undefined and one defined, under the VM, sanitizers and memcheck; writes docs/pairs.md
#   make suite-programs  Lua, zlib and others of Debian in the VM: the same output and status as compiled
#   make suite-projects  projects from Debian's source packages, checked up as they are; writes docs/check-up-projects.md
#   make suite-faults  faults put into projects of Debian one at a time, and who finds them; writes docs/seeded-faults.md
#   make suite-repair  repairs the faulty programs of suites/repair and judges the patches on tests they never saw
#   make suite-represent  real readers of TIFF, BMP and WAV files on files that mean the same; writes docs/representation-clients.md
#   make suite-verify  verification tasks that others wrote, beside CBMC (from Debian, unpacked in target/suite-verify); writes docs/verification-tasks.md
#   make prove-growth  how far plumb prove goes as programs grow: code, claims, calls, loops, variables, branches, arrays, rounds to a bug
#   make cluster-check  heavy verbs in parts on a Slurm cluster of two nodes on this machine (installs Debian's slurm)
#   make suite-traces  documented equations of suites/nla and suites/traces from files of 30, 50, 100 and 200 rows
#   make suite-contracts  the clauses of `contract`, of examples and of Debian's packages, against their compiled runs
#   make suite-truth   the relations of functions over numbers, ours and of Debian's packages, against their compiled runs
#   make browser-check  the HTML pages in a real browser (installs Debian's chromium); writes docs/screenshots/
#   make fault-injection  a small run of each verb, with each call that can fail failing once; MOST=N of each kind
#   make lsp-latency  how long an editor waits for hints and diagnostics
#   make soundness N=10000 random programs over all of C against their compiled runs, small ones against all inputs; and all wrong
#                 versions of the suites

N ?= 200
SECONDS ?= 600
MOST ?= 1000000
PREFIX ?= /usr/local
PLUMB := target/release/plumb
CARGO ?= cargo

.PHONY: pairs demo test build book lint deny bench browser-check csmith fuzz fault-injection lsp-latency soundness suite-conform suite-contracts suite-faults suite-libraries suite-repair suite-represent suite-verify prove-growth suite-torture suite-programs install dist dist-check vscode suite-projects suite-traces suite-truth cluster-check deps test-deps clean

deps:
	@tools/fetch-z3

test-deps: deps
	@tools/fetch-clients
	@tools/fetch-sarif-schema

build: deps
	@$(CARGO) build --release --quiet --bin plumb

demo: build
	@$(PLUMB) demo -o target/demo

install: build
	@packaging/stage "$(DESTDIR)$(PREFIX)"

dist: build
	@packaging/dist

vscode:
	@cd editors/vscode && npm install --no-audit --no-fund --silent && npm test --silent && npm run --silent package

dist-check: dist
	@packaging/check target/dist

test: test-deps
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  $(CARGO) nextest run --workspace --no-fail-fast --status-level fail && $(CARGO) test --workspace --doc --quiet; \
	else \
	  $(CARGO) test --workspace --no-fail-fast; \
	fi

lint: deps
	@$(CARGO) fmt --all --check
	@$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

book: .deps/bin/mdbook
	@.deps/bin/mdbook build docs
	@echo "the book is at target/book/index.html"

.deps/bin/mdbook:
	@$(CARGO) install --quiet --locked --root .deps --version 0.5.4 mdbook

deny: .deps/bin/cargo-deny
	@.deps/bin/cargo-deny --all-features check licenses bans sources

.deps/bin/cargo-deny:
	@$(CARGO) install --quiet --locked --root .deps cargo-deny

bench: build
	@python3 bench/run --plumb $(PLUMB)

csmith: build
	@tools/install-csmith
	@python3 tools/csmith-compare --plumb $(PLUMB) --count $(N)

fuzz: deps
	@fuzz/run --seconds $(SECONDS)

fault-injection: build
	@tools/fault-injection --plumb $(PLUMB) --most $(MOST)

lsp-latency: build
	@tools/lsp-latency --plumb $(PLUMB)

suite-conform: build
	@python3 tools/suite-conform --plumb $(PLUMB)

suite-libraries: build
	@python3 tools/suite-libraries --plumb $(PLUMB)

suite-programs: build
	@python3 tools/suite-programs --plumb $(PLUMB)

pairs: build
	@python3 tools/pairs-table --plumb $(PLUMB)

suite-torture: build
	@python3 tools/suite-torture --plumb $(PLUMB)

suite-projects: build
	@python3 tools/suite-projects --plumb $(PLUMB)

suite-faults: build
	@python3 tools/suite-faults --plumb $(PLUMB)

suite-repair: build
	@tools/suite-repair --plumb $(PLUMB)

suite-represent: build
	@python3 tools/suite-represent --plumb $(PLUMB)

suite-verify: build
	@tools/suite-verify --plumb $(PLUMB) --page docs/verification-tasks.md --page docs/verification-tasks.md

prove-growth: build
	@tools/prove-growth --plumb $(PLUMB)

cluster-check: build
	@tools/cluster-check --plumb $(PLUMB)

suite-traces: deps
	@PLUMB_TRACES=1 $(CARGO) test --release -p infer --test few_rows_suite the_table -- --nocapture

suite-contracts: build
	@python3 tools/suite-contracts --plumb $(PLUMB) --libraries "hiredis sds,jsmn in jimtcl,libcsv,libestr,cjson,inih" examples/contract/strbuf.c

suite-truth: build
	@python3 tools/suite-truth --plumb $(PLUMB) --packages

browser-check: build
	@tools/install-browser
	@node tools/browser-check --plumb $(PLUMB)

# N has its own default here: 200 programs show nothing that `make test` does not.
soundness: N = 10000
soundness: build
	@$(CARGO) build --release --quiet -p reach --example verdicts
	@tools/attack/run --count $(N)
	@tools/attack/run --plumb $(PLUMB) --count $$(($(N) / 50 + 40)) --first-seed 1000000
	@tools/install-csmith && tools/attack/csmith --plumb $(PLUMB) --count $$(($(N) / 50 + 40))
	@PLUMB_SOUNDNESS=$(N) PLUMB_ALL_WRONG=1 $(CARGO) test --release -p prove --test soundness --test prove_suites -- --nocapture
	@PLUMB_RUNS=$$(($(N) / 100 + 40)) $(CARGO) test --release -p prove --test system_runs
	@PLUMB_CONFORM_RUNS=$(N) $(CARGO) test --release -p conform --test runs -- --nocapture

clean:
	@$(CARGO) clean
	@rm -rf .deps
