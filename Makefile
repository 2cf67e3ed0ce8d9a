# `make run` builds and serves; `make test` runs every test.
# RUSTFLAGS in the environment would replace the flags of .cargo/config.toml and make a dynamic binary.
unexport RUSTFLAGS

HOST := $(shell rustc -vV 2>/dev/null | sed -n 's/^host: //p')
PROGRAM := target/$(HOST)/release/shelfwise

.PHONY: run demo dev test rust-test ui-test e2e types settings bench crowd torture dist deb release measured

run: ## Build and serve at http://127.0.0.1:8080, data in ./data
	cargo run --release --locked -- serve

demo: ## Serve a demo library that disappears when the server stops
	cargo run --release --locked -- serve --demo

dev: ui/node_modules/.bin/vitest ## The interface with hot reload at http://127.0.0.1:5173, the API behind it
	@cargo build --locked && trap 'kill 0' EXIT INT TERM; cargo run --locked -- serve & npm --prefix ui run dev

test: rust-test ui-test e2e ## Every test and lint, including browser tests against the release binary

# The interface's tools include Stripe's client for Node.js, which the tests compare with their Stripe emulator.
rust-test: ui/node_modules/.bin/vitest
	@scripts/smtp-server || echo "The mail server for the tests can't be installed: the tests that send mail are skipped." >&2
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo test --locked

ui-test: ui/node_modules/.bin/vitest
	npm --prefix ui run lint
	npm --prefix ui run typecheck
	npm --prefix ui test
	npm --prefix ui run weight
	npm --prefix ui/api-types run --silent validate

release:
	cargo build --release --locked

e2e: release ui/node_modules/.bin/vitest
	CHROMIUM="$$(scripts/chromium)" BINARY="$(CURDIR)/$(PROGRAM)" npm --prefix ui run e2e

types: ui/node_modules/.bin/vitest ## Generate the API description from the code, and the interface's types from that
	scripts/api-types

settings: ## Generate config.example.toml and the table of settings in docs/operating.md from the code
	WRITE_SETTINGS=1 cargo test --quiet --locked --lib the_example_and_the_table_are_what_the_code_says

# A copy of the release build, because cargo bench builds the program again with the tests' features.
measured: release
	cp $(PROGRAM) target/measured

bench: measured ui/node_modules/.bin/vitest ## The table of speeds (docs/benchmarks.md)
	CHROMIUM="$$(scripts/chromium)" BINARY="$${BINARY:-$(CURDIR)/target/measured}" cargo bench --locked --bench table

crowd: measured ## Row 16 with a hundred thousand readers: some 15 minutes, and 10 GB of the disk
	READERS=$${READERS:-100000} ROWS=16 BINARY="$${BINARY:-$(CURDIR)/target/measured}" cargo bench --locked --bench table

torture: release ui/node_modules/.bin/vitest ## The tables of faults and attacks (docs/torture.md): kills, damage, full and failing disks, guesses, forgeries
	scripts/torture; faults=$$?; scripts/attacks && exit $$faults

dist: ## dist/shelfwise, static, and its checksum; PROCESSORS="amd64 arm64" makes binaries for both
	scripts/dist $(PROCESSORS)

deb: ## A Debian package of the binary in dist/; PROCESSORS=arm64 packs that one
	scripts/deb $(PROCESSORS)

# Installs all tools, even when a build has installed only the interface's own dependencies.
ui/node_modules/.bin/vitest: ui/package-lock.json
	npm --prefix ui ci --ignore-scripts --no-audit --no-fund
	@touch $@
