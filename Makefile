# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
#
# make run      build, and hear an effect die while the music plays on
# make test     build and run every test
# make build    build in release; the command is .build/release/bulkhead
# make bench    measure what running out of process costs on this machine
# make check    format, warnings, arrows between modules
# make install  PREFIX=/usr/local DESTDIR=
# make clean

.DEFAULT_GOAL := build
.PHONY: run build test check bench install clean debug dependencies

PREFIX ?= /usr/local
EFFECTS := $(patsubst Plugins/%/,%,$(wildcard Plugins/*/))
TEST_PLUGINS := $(patsubst Tests/TestPlugins/%,%,$(wildcard Tests/TestPlugins/*))

# Nothing that is installed needs a Swift toolchain: the command and each plug-in hold the runtime they use.
RELEASE := swift build -c release --static-swift-stdlib
DEBUG := swift build --build-tests

run: build
	@.build/release/bulkhead demo demo.wav

dependencies:
	@.ci/install-dependencies

build: dependencies
	$(RELEASE)
	@.ci/bundle .build/release $(EFFECTS)

debug: dependencies
	$(DEBUG)
	@.ci/bundle .build/debug $(EFFECTS)
	@.ci/bundle --folder .build/debug/TestPlugins .build/debug $(TEST_PLUGINS)

test: debug
	@.ci/test

check: dependencies
	@.ci/check

bench: build
	@.ci/bench

install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/bulkhead
	install -m 755 .build/release/bulkhead $(DESTDIR)$(PREFIX)/bin/bulkhead
	install -m 755 .build/release/bulkhead-extension $(DESTDIR)$(PREFIX)/lib/bulkhead/bulkhead-extension
	cp -R $(EFFECTS:%=.build/release/%.bulkhead) $(DESTDIR)$(PREFIX)/lib/bulkhead/

clean:
	rm -rf .build demo.wav demo.json demo.svg
