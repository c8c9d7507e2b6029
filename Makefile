# SPDX-License-Identifier: Apache-2.0
# make demo: the main job on a fresh machine. make test: every test. CONTRIBUTING.md tells of the others.

SHELL := /bin/bash
PREFIX ?= /usr/local
SECONDS ?= 60
BUILD := build
VENV := $(BUILD)/venv
# The version of SwiftPM's products that demo, bench and install use.
RELEASE := .build/release

.PHONY: help setup setup-build setup-test toolchain libvakacrash crashers release demo test soak check check-format api-check \
	format docs bench fuzz install clean examples example-tool example-gtk-host tsan

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## setup      install the Debian packages of packages.txt that are missing
setup: toolchain
	@scripts/setup.sh build test bench examples

setup-build: toolchain
	@scripts/setup.sh build

setup-test: toolchain
	@scripts/setup.sh build test

toolchain:
	@command -v swift >/dev/null || { echo "Swift 6.3 is needed on PATH: https://www.swift.org/install/linux/" >&2; exit 1; }

libvakacrash:
	@$(MAKE) -s -C CSupport/CVakaCrash OUT=$(CURDIR)/$(BUILD)/lib

crashers: libvakacrash
	@$(MAKE) -s -C crashers -j2 OUT=$(CURDIR)/$(BUILD)/crashers

release:
	swift build -c release --product vaka
	swift build -c release --product vaka-server

## demo       two real crashes: sent, symbolicated and shown (KEEP=1 leaves the server up)
demo: setup-build release libvakacrash
	@KEEP=$(KEEP) scripts/demo.sh

## examples   the programs of Examples/, each a package of its own
examples: setup-build libvakacrash example-tool example-gtk-host
	swift build --package-path Examples/server --scratch-path $(BUILD)/examples-server
	swift build --package-path Examples/log-handler --scratch-path $(BUILD)/examples-log-handler
	$(MAKE) -s -C Examples/c-program OUT=$(CURDIR)/$(BUILD)/examples-c-program \
		VAKA_FLAGS="-I$(CURDIR)/CSupport/CVakaCrash/include $(CURDIR)/$(BUILD)/lib/libvakacrash.a"

example-tool:
	swift build --package-path Examples/command-line-tool --scratch-path $(BUILD)/examples

example-gtk-host:
	@scripts/setup.sh build examples
	swift build --package-path Examples/gtk-host --scratch-path $(BUILD)/examples-gtk-host

## tsan       the SDK's tests under the thread sanitizer
tsan: setup-test $(VENV)/ready
	VAKA_TSAN=1 swift build --build-tests --sanitize=thread --scratch-path .build/thread
	VAKA_TSAN=1 TSAN_OPTIONS="exitcode=66 handle_segv=0 handle_sigbus=0 handle_sigill=0 handle_sigfpe=0 handle_abort=0" \
		swift test --skip-build --disable-xctest --sanitize=thread --scratch-path .build/thread --filter 'VakaTests|VakaNetworkTests'

## test       every test
test: setup-test $(VENV)/ready libvakacrash crashers examples
	swift build --build-tests
	swift test --skip-build --disable-xctest

## soak       the long loops in full, and an hour of each fuzz target (some five hours)
soak: setup-test $(VENV)/ready libvakacrash crashers
	swift build --build-tests
	VAKA_SOAK=1 swift test --skip-build --disable-xctest --no-parallel
	scripts/fuzz.sh 3600

## check      format, lint, module direction, signal safety, documentation
check: setup-test $(VENV)/ready
	git ls-files -z '*.swift' | xargs -0 swift format lint --strict --parallel
	git ls-files -z '*.[ch]' | xargs -0 $(VENV)/bin/clang-format --dry-run -Werror
	scripts/check-sources.py
	scripts/check-modules.py
	scripts/check-docs.py
	scripts/check-api-docs.py
	CSupport/CVakaCrash/check-signal-safety.sh

## api-check  hold a real server to its /openapi.json
api-check: setup-test $(VENV)/ready
	swift build --product vaka-server
	@scripts/api-check.sh

## format     rewrite the sources in the project's format
format: $(VENV)/ready
	git ls-files -z '*.swift' | xargs -0 swift format --in-place --parallel
	git ls-files -z '*.[ch]' | xargs -0 $(VENV)/bin/clang-format -i

## docs       write the generated pages of docs/ anew
docs:
	swift build --product vaka
	scripts/command-page.sh .build/debug/vaka > docs/command.md.new && mv docs/command.md.new docs/command.md
	$(MAKE) -s -C crashers table

## bench      every benchmark, a line "name value unit" each
bench: libvakacrash
	@scripts/setup.sh build bench
	@scripts/bench.sh

## fuzz       every fuzz target, or those of TARGETS, for SECONDS=60
fuzz:
	@scripts/fuzz.sh $(SECONDS) $(TARGETS)

## install    programs, library, header and manual under PREFIX=/usr/local
install: setup-build libvakacrash
	swift build -c release --static-swift-stdlib --scratch-path .build/static --product vaka
	swift build -c release --static-swift-stdlib --scratch-path .build/static --product vaka-server
	@scripts/install.sh .build/static/release $(BUILD)/lib $(DESTDIR)$(PREFIX) $(PREFIX)

## clean      forget what was built
clean:
	rm -rf .build $(BUILD)

$(VENV)/ready: scripts/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r scripts/requirements.txt
	touch $@
