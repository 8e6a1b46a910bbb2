# SPDX-FileCopyrightText: 2026 The Bulkhead authors
# SPDX-License-Identifier: MIT
#
# make run      build, and hear an effect die while the music plays on
# make test     build and run every test; FILTER='^WireTests\.' for those whose names fit
# make steady   the tests three times, with two busy processes beside them, and what failed in any run
# make quick    build and run the tests that share the machine, side by side: for every few minutes
# make check    format, warnings, arrows between modules
# make debug    build for the tests; the command is .build/debug/bulkhead
# make build    build in release; the command is .build/release/bulkhead
# make spatial  how exact sound in space is, and what a source costs, beside OpenAL Soft; Host/Spatial/MEASUREMENTS.md
# make bench    what isolation costs here, and PipeWire's own filters beside it; Host/BENCHMARKS.md. FLAGS="--patience 60 --only peer"
# make compatibility  validate every plug-in of eight Debian packages; Plugins/Bridges/COMPATIBILITY.md
# make windows  turn knobs in the windows of plug-ins of five Debian packages, and measure what is heard. ONLY=zam: whose IDs have that
# make install  PREFIX=/usr/local DESTDIR=
# make clean
#
# .ci/run does what check, test and realtime do, with one build. `make deep` takes hours, and does the whole of these too:
# make fuzz     TIME=60 TARGET=name: damaged bytes for each parser, for so many seconds; all of them or one
# make model    every order of steps in the model of the protocol; Protocol/Model/README.md. QUICK=yes leaves the large models out
# make realtime the effects under RealtimeSanitizer
# make sanitize SANITIZER=thread|address: the tests again, or those that FILTER names, with the host watched. ONLY="Wire Rendering"
#               builds and runs the tests of these modules alone
# make new-package  a package as `bulkhead new` writes it, built, tested, validated and played in a temporary folder
# make docs     the documentation of the engine: articles, a tutorial, and every public symbol
# make elsewhere  DISTRO=trixie: make run and make test in a bare Debian of another release, as root and as an ordinary user
# make storm    faults of every kind for ten minutes; SECONDS=60 or FLAGS="--pipewire --faults 10000" for other storms

.DEFAULT_GOAL := build
.PHONY: run build test quick steady deep storm check fuzz model realtime sanitize bench spatial new-package compatibility windows install \
	clean debug dependencies docs elsewhere

# The package's manifest then has products for the test plug-ins' libraries, which other packages never see.
export BULKHEAD_TEST_PLUGINS := 1
PREFIX ?= /usr/local
EFFECTS := $(patsubst Plugins/%/,%,$(filter-out Plugins/Launcher/ Plugins/Bridges/ Plugins/Template/,$(wildcard Plugins/*/)))
BRIDGES := $(patsubst Plugins/Bridges/%/,%,$(filter-out %/BridgeSupport/,$(wildcard Plugins/Bridges/*/)))
TEST_PLUGINS := $(filter-out C%,$(patsubst Tests/TestPlugins/%/,%,$(wildcard Tests/TestPlugins/*/)))


# The launcher is plain C, linked without Swift: the process that it becomes holds one Swift runtime, the plug-in's own.
CLANG := $(dir $(realpath $(shell command -v swift)))clang
# A plug-in needs libm, and would look for it beside itself first, in nine folders that are not there: it finds it loaded.
LAUNCHER := Plugins/Launcher/main.c
WIRE_HEADERS := $(wildcard Protocol/CWireLayout/include/*.h)
.build/%/bulkhead-extension: $(LAUNCHER) $(WIRE_HEADERS)
	@mkdir -p $(@D)
	$(CLANG) -O2 -Wall -Wextra -Werror -I Protocol/CWireLayout/include -o $@ $(LAUNCHER) -Wl,--no-as-needed -lm

# The C++ library that a Swift runtime needs, where the linker finds nothing but its static form.
STATIC := .build/static/libstdc++.a
$(STATIC):
	@mkdir -p $(@D)
	@library=$$($(CLANG) -print-file-name=libstdc++.a); test -f "$$library" && ln -sf "$$library" $@ || \
		{ echo "The C++ library is not there in its static form: install libstdc++-14-dev or libstdc++-12-dev, that of your compiler."; exit 1; }

# The first process of an extension's PID namespace: no C library, no start-up.
KEEPER := Host/Keeper/main.c
.build/%/bulkhead-keeper: $(KEEPER)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -O2 -Wall -Wextra -Werror -static -nostdlib -ffreestanding -fno-stack-protector -o $@ $(KEEPER)

# Shows a plug-in's own window. Plain C, like the toolkits that the window's library brings. These call its
# functions `socket` and `connect` in place of those of the C library.
WINDOW := $(wildcard Host/Window/*.c Host/Window/*.h)
.build/%/bulkhead-window: $(WINDOW)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -O2 -Wall -Wextra -Werror $$(pkg-config --cflags lilv-0 x11) -Wl,--export-dynamic-symbol=socket,--export-dynamic-symbol=connect -o $@ $(filter %.c,$(WINDOW)) \
		$$(pkg-config --libs lilv-0 x11) -lm -ldl -lpthread

# Reads a head from a SOFA file. Plain C, like the library that parses the file.
HEAD_READER := $(wildcard Host/HeadReader/*.c Host/HeadReader/*.h)
.build/%/bulkhead-head-reader: $(HEAD_READER)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -O2 -Wall -Wextra -Werror -o $@ $(filter %.c,$(HEAD_READER)) $$(pkg-config --libs libmysofa)

# What watches an extension's render thread for `bulkhead validate`: loaded before the extension's own libraries.
RENDER_WATCH := $(wildcard Host/Validation/RenderWatch/*.c Host/Validation/RenderWatch/*.h)
.build/%/libbulkhead-renderwatch.so: $(RENDER_WATCH)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -O2 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -o $@ $(filter %.c,$(RENDER_WATCH)) -ldl

# Extensions in plain C, for the tests: the example of the library in C, and variants of it that break a rule each.
C_EXTENSION := $(wildcard Protocol/CExtension/*.c Protocol/CExtension/*/*.[ch] Tests/CExtension/*.[ch])
C_VARIANTS := Tremolo TremoloWithoutLifeline TremoloOfAnySize TremoloOfAnotherStatus TremoloAFrameEarly Everything \
	TremoloIgnoringBypass TremoloIgnoringEventCount TremoloIgnoringRamps TremoloDroppingLaterEvents \
	TremoloNotSorting TremoloOfAnyValue TremoloOfAnyLocator TremoloRingingOnlyTheHost TremoloStayingAfterHangUp \
	TremoloDrawingNoView TremoloAnsweringNoLook TremoloDrawingOneSize TremoloStayingInView TremoloKeepingViewMemory \
	TremoloSayingTooMuch TremoloNotAllocating TremoloNotDeallocating TremoloSettingAnyValue \
	TremoloSayingItOnce TremoloFlooding
C_BUNDLES := $(patsubst %,.build/debug/TestPlugins/%.bulkhead/manifest.json,$(C_VARIANTS) Saboteur)
COMPILE_C_EXTENSION = $(CLANG) -std=c17 -O2 -ffp-contract=off -Wall -Wextra -Werror -I Protocol/CWireLayout/include \
	-I Protocol/CExtension/include
VARIANT = -DVARIANT_NAME='"$(1)"' -DVARIANT_COMPONENT='"aufx:$(2):test"' $(3) -I Protocol/CExtension \
	-I Protocol/CExtension/Example -I Tests/CExtension Tests/CExtension/Variant.c
.build/debug/CExtension/Tremolo: SOURCES = Protocol/CExtension/CExtension.c Protocol/CExtension/Example/Tremolo.c
# What the example does not use.
.build/debug/CExtension/Everything: SOURCES = Protocol/CExtension/CExtension.c Tests/CExtension/Everything.c
# This one has stayed at version 1 of the protocol, too.
.build/debug/CExtension/TremoloWithoutLifeline: SOURCES = \
	$(call VARIANT,Tremolo without lifeline,trmu,-DVARIANT_WITHOUT_LIFELINE -DVARIANT_OF_VERSION_1)
.build/debug/CExtension/TremoloOfAnySize: SOURCES = $(call VARIANT,Tremolo of any size,trms,-DVARIANT_OF_ANY_SIZE)
.build/debug/CExtension/TremoloOfAnotherStatus: SOURCES = \
	$(call VARIANT,Tremolo of another status,trmo,-DVARIANT_OF_ANOTHER_STATUS)
.build/debug/CExtension/TremoloAFrameEarly: SOURCES = $(call VARIANT,Tremolo a frame early,trme,-DVARIANT_A_FRAME_EARLY)
# What `validate --protocol` finds, one each.
.build/debug/CExtension/TremoloIgnoringBypass: SOURCES = \
	$(call VARIANT,Tremolo ignoring bypass,trmb,-DVARIANT_IGNORING_BYPASS)
.build/debug/CExtension/TremoloIgnoringEventCount: SOURCES = \
	$(call VARIANT,Tremolo ignoring event counts,trmc,-DVARIANT_IGNORING_EVENT_COUNT)
.build/debug/CExtension/TremoloIgnoringRamps: SOURCES = \
	$(call VARIANT,Tremolo ignoring ramps,trmr,-DVARIANT_IGNORING_RAMPS)
.build/debug/CExtension/TremoloDroppingLaterEvents: SOURCES = \
	$(call VARIANT,Tremolo dropping later events,trmd,-DVARIANT_DROPPING_LATER_EVENTS)
.build/debug/CExtension/TremoloNotSorting: SOURCES = \
	$(call VARIANT,Tremolo not sorting,trmn,-DVARIANT_NOT_SORTING)
.build/debug/CExtension/TremoloOfAnyValue: SOURCES = \
	$(call VARIANT,Tremolo of any value,trmv,-DVARIANT_OF_ANY_VALUE)
.build/debug/CExtension/TremoloOfAnyLocator: SOURCES = \
	$(call VARIANT,Tremolo of any locator,trma,-DVARIANT_OF_ANY_LOCATOR)
# What an edit does not wait for.
.build/debug/CExtension/TremoloNotAllocating: SOURCES = $(call VARIANT,Tremolo not allocating,trmq,-DVARIANT_NOT_ALLOCATING)
.build/debug/CExtension/TremoloNotDeallocating: SOURCES = \
	$(call VARIANT,Tremolo not deallocating,trmi,-DVARIANT_NOT_DEALLOCATING)
.build/debug/CExtension/TremoloRingingOnlyTheHost: SOURCES = \
	$(call VARIANT,Tremolo ringing only the host,trmh,-DVARIANT_RINGING_ONLY_THE_HOST)
.build/debug/CExtension/TremoloStayingAfterHangUp: SOURCES = \
	$(call VARIANT,Tremolo staying after the hang-up,trmx,-DVARIANT_STAYING_AFTER_HANG_UP)
.build/debug/CExtension/TremoloDrawingNoView: SOURCES = \
	$(call VARIANT,Tremolo drawing no view,trmp,-DVARIANT_DRAWING_NO_VIEW)
.build/debug/CExtension/TremoloAnsweringNoLook: SOURCES = \
	$(call VARIANT,Tremolo answering no look,trmk,-DVARIANT_ANSWERING_NO_LOOK)
.build/debug/CExtension/TremoloDrawingOneSize: SOURCES = \
	$(call VARIANT,Tremolo drawing one size,trmz,-DVARIANT_DRAWING_ONE_SIZE)
.build/debug/CExtension/TremoloStayingInView: SOURCES = \
	$(call VARIANT,Tremolo staying in its view,trmf,-DVARIANT_STAYING_IN_VIEW)
.build/debug/CExtension/TremoloKeepingViewMemory: SOURCES = \
	$(call VARIANT,Tremolo keeping view memory,trmm,-DVARIANT_KEEPING_VIEW_MEMORY)
.build/debug/CExtension/TremoloSettingAnyValue: SOURCES = \
	$(call VARIANT,Tremolo setting any value,trmg,-DVARIANT_SETTING_ANY_VALUE)
.build/debug/CExtension/TremoloSayingItOnce: SOURCES = \
	$(call VARIANT,Tremolo saying it once,trmj,-DVARIANT_SAYING_IT_ONCE)
.build/debug/CExtension/TremoloFlooding: SOURCES = $(call VARIANT,Tremolo flooding,trmw,-DVARIANT_FLOODING)
# What a host passes over.
.build/debug/CExtension/TremoloSayingTooMuch: SOURCES = $(call VARIANT,Tremolo saying too much,trmt,-DVARIANT_SAYING_TOO_MUCH)
$(C_VARIANTS:%=.build/debug/CExtension/%): $(C_EXTENSION) $(WIRE_HEADERS) Makefile
	@mkdir -p $(@D)
	$(COMPILE_C_EXTENSION) -o $@ $(SOURCES) -lpthread
# The same, and it breaks each rule of the protocol on command.
SABOTEUR := $(wildcard Tests/TestPlugins/CSaboteur/*)
.PRECIOUS: .build/%/CExtension/Saboteur
.build/%/CExtension/Saboteur: $(C_EXTENSION) $(SABOTEUR) $(WIRE_HEADERS)
	@mkdir -p $(@D)
	$(COMPILE_C_EXTENSION) -I Protocol/CExtension -I Protocol/CExtension/Example -I Tests/CExtension -o $@ \
		Tests/TestPlugins/CSaboteur/Saboteur.c -lpthread
.build/%/CExtension/libFromTheFuture.so: Tests/CExtension/FromTheFuture/Interface.c $(WIRE_HEADERS)
	@mkdir -p $(@D)
	$(COMPILE_C_EXTENSION) -shared -fPIC -o $@ $<
.build/debug/TestPlugins/%.bulkhead/manifest.json: .build/debug/CExtension/%
	@mkdir -p .build/debug/TestPlugins
	@.build/debug/bulkhead bundle $< --folder .build/debug/TestPlugins >/dev/null
.build/release/TestPlugins/%.bulkhead/manifest.json: .build/release/CExtension/%
	@mkdir -p .build/release/TestPlugins
	@.build/release/bulkhead bundle $< --folder .build/release/TestPlugins >/dev/null

# A process that tries to break out, for the tests of confinement; in C, so that nothing but what it says is tried.
BREAK_OUT := $(wildcard Tests/BreakOut/*.c Tests/BreakOut/*.h)
.build/%/BreakOut: $(BREAK_OUT)
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -O1 -Wall -Wextra -Werror -o $@ $(filter %.c,$(BREAK_OUT)) -lpthread

# A disk that is slow, for the tests of players: it takes the place of the C library's read.
.build/%/SlowDisk.so: Tests/CSlowDisk/SlowDisk.c
	@mkdir -p $(@D)
	$(CLANG) -std=gnu17 -O2 -Wall -Wextra -Werror -shared -fPIC -o $@ $< -ldl

# Plug-ins of the classic formats, for the tests of the bridges.
BROKEN_LADSPA := WITHOUT_ENTRY CRASHES HANGS GARBAGE TEN_THOUSAND NO_PORTS_DESCRIBED COUNTLESS_PORTS NO_RUN NO_INSTANCE NONE
CLASSIC_LADSPA := .build/debug/TestPlugins/LADSPA
COMPILE_LADSPA = $(CLANG) -std=c17 -O2 -Wall -Wextra -Werror -shared -fPIC
$(CLASSIC_LADSPA)/honest.so: Tests/TestPlugins/ClassicLADSPA/Honest.c
	@mkdir -p $(@D)
	$(COMPILE_LADSPA) -o $@ $< -lm
$(CLASSIC_LADSPA)/talkative/talkative.so: Tests/TestPlugins/ClassicLADSPA/Honest.c
	@mkdir -p $(@D)
	$(COMPILE_LADSPA) -DTALKATIVE -o $@ $< -lm
$(CLASSIC_LADSPA)/broken/%.so: Tests/TestPlugins/ClassicLADSPA/Broken.c
	@mkdir -p $(@D)
	$(COMPILE_LADSPA) -D$* -o $@ $<

HONEST_LV2 := Honest.c Echo.c Keeper.c Restorer.c Tardy.c Filed.c Drawer.c Honest.h
CLASSIC_LV2 := .build/debug/TestPlugins/LV2
LV2_SOURCES := Tests/TestPlugins/ClassicLV2
$(CLASSIC_LV2)/honest.lv2/honest.so: $(HONEST_LV2:%=$(LV2_SOURCES)/%) $(shell find Tests/TestPlugins/ClassicLV2 -name '*.ttl')
	@mkdir -p $(CLASSIC_LV2)
	cp -R $(wildcard $(LV2_SOURCES)/*.lv2) $(LV2_SOURCES)/broken $(CLASSIC_LV2)/
	$(COMPILE_LADSPA) -o $@ $(filter %.c,$^)
# It stays in memory after it is closed, so that tests can see who has loaded it.
$(CLASSIC_LV2)/dynamic.lv2/dynamic.so: $(LV2_SOURCES)/Dynamic.c $(LV2_SOURCES)/Honest.h $(CLASSIC_LV2)/honest.lv2/honest.so
	$(COMPILE_LADSPA) -Wl,-z,nodelete -o $@ $<
# Plug-ins with windows; the windows have a library of their own, as most have.
WINDOWED := $(CLASSIC_LV2)/windowed.lv2/windowed.so $(CLASSIC_LV2)/windowed.lv2/windowed_ui.so
$(CLASSIC_LV2)/windowed.lv2/windowed.so: $(LV2_SOURCES)/Windowed.c $(LV2_SOURCES)/Honest.h $(CLASSIC_LV2)/honest.lv2/honest.so
	$(COMPILE_LADSPA) -o $@ $<
$(CLASSIC_LV2)/windowed.lv2/windowed_ui.so: $(LV2_SOURCES)/WindowedUI.c $(LV2_SOURCES)/Honest.h $(CLASSIC_LV2)/honest.lv2/honest.so
	$(COMPILE_LADSPA) -o $@ $< -lX11 -ldl

# Each function in a section of its own, so that Plugins/render.order can put those of the render path side by side.
FUNCTION_SECTIONS := -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
# Builds these targets and what they need, and nothing else. Lines in backtraces are enough: variables for a debugger take time.
BUILD_RELEASE = BULKHEAD_TARGETS='$(1)' swift build -c release $(FUNCTION_SECTIONS) -Xswiftc -gline-tables-only
PROGRAMS := bulkhead-extension bulkhead-keeper bulkhead-window bulkhead-head-reader libbulkhead-renderwatch.so

# The command and the three effects of its demonstration; `make build` builds the rest.
DEMONSTRATED := Filter Delay Reverb
run: dependencies
	@$(MAKE) --no-print-directory $(STATIC)
	$(call BUILD_RELEASE,bulkhead $(DEMONSTRATED))
	@$(MAKE) --no-print-directory $(PROGRAMS:%=.build/release/%)
	@.ci/bundle .build/release $(DEMONSTRATED)
	@.build/release/bulkhead demo demo.wav

dependencies:
	@.ci/install-dependencies

build: dependencies
	@$(MAKE) --no-print-directory $(STATIC)
	$(call BUILD_RELEASE,bulkhead $(EFFECTS) $(BRIDGES))
	@$(MAKE) --no-print-directory $(PROGRAMS:%=.build/release/%)
	@.ci/bundle .build/release $(EFFECTS) $(BRIDGES)

# Lines in backtraces are enough for tests. `make debug DEBUG_FLAGS=` is for a debugger that shows variables.
DEBUG_FLAGS ?= -Xswiftc -gline-tables-only
debug:
	@.ci/install-dependencies test
	@$(MAKE) --no-print-directory $(STATIC)
	swift build --build-tests $(DEBUG_FLAGS) $(DRIVER_FLAGS)
	@$(MAKE) --no-print-directory $(PROGRAMS:%=.build/debug/%)
	@.ci/bundle .build/debug $(EFFECTS) $(BRIDGES)
	@.ci/bundle --folder .build/debug/TestPlugins .build/debug $(TEST_PLUGINS)
	@$(MAKE) --no-print-directory -j $(shell nproc) $(C_BUNDLES) .build/debug/BreakOut .build/debug/SlowDisk.so .build/debug/CExtension/libFromTheFuture.so \
		$(CLASSIC_LADSPA)/honest.so $(CLASSIC_LADSPA)/talkative/talkative.so $(BROKEN_LADSPA:%=$(CLASSIC_LADSPA)/broken/%.so) $(CLASSIC_LV2)/honest.lv2/honest.so \
		$(CLASSIC_LV2)/dynamic.lv2/dynamic.so $(WINDOWED)

test: debug
	@.ci/test $(if $(FILTER),'$(FILTER)')

quick: debug
	@.ci/test --quick

steady: debug
	@.ci/steady $(if $(FILTER),'$(FILTER)')

deep:
	@.ci/deep

storm: build
	@.ci/install-dependencies test
	$(call BUILD_RELEASE,Storm Misbehaver)
	@.ci/bundle --folder .build/release/TestPlugins .build/release Misbehaver
	@$(MAKE) --no-print-directory .build/release/TestPlugins/Saboteur.bulkhead/manifest.json
	@.ci/storm $(if $(SECONDS),--seconds $(SECONDS)) $(FLAGS)

elsewhere:
	@.ci/elsewhere $(DISTRO)

check:
	@.ci/check

docs:
	@.ci/docs

TIME ?= 60
fuzz:
	@.ci/install-dependencies test
	@.ci/fuzz --seconds $(TIME) $(TARGET)

model:
	@.ci/install-dependencies test
	@.ci/model $(if $(QUICK),--quick)

realtime: debug
	@.ci/realtime-sanitizer

SANITIZER ?= thread
sanitize: debug
	@BULKHEAD_ONLY='$(ONLY)' .ci/sanitizers $(SANITIZER) $(if $(FILTER),'$(FILTER)')

bench: build
	$(call BUILD_RELEASE,Benchmarks PipeWireChain)
	@.ci/bench $(FLAGS)

spatial: debug build
	@.ci/spatial

# A package as `bulkhead new` writes it: built, tested, validated and played, outside of this folder.
new-package: debug
	@BULKHEAD_NEW_PACKAGE=yes .ci/test '^NewPackageTests\.'

compatibility: build
	@.ci/install-dependencies compatibility
	@.ci/compatibility

# A plug-in takes from a quarter of a minute to five minutes; the table stays in .build/debug/windows.txt.
windows: debug
	@.ci/install-dependencies compatibility
	@status=0; BULKHEAD_WINDOWS='$(or $(ONLY),lv2:)' .ci/test '^EndToEndTests\.RealWindowTests' || status=$$?; \
		cat .build/debug/windows.txt; exit $$status

# The sources that packages of other people's plug-ins depend on; `bulkhead new` finds its template there.
SDK = $(DESTDIR)$(PREFIX)/lib/bulkhead/sdk
install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/bulkhead
	install -m 755 .build/release/bulkhead $(DESTDIR)$(PREFIX)/bin/bulkhead
	install -m 755 .build/release/bulkhead-extension $(DESTDIR)$(PREFIX)/lib/bulkhead/bulkhead-extension
	install -m 755 .build/release/bulkhead-keeper $(DESTDIR)$(PREFIX)/lib/bulkhead/bulkhead-keeper
	install -m 755 .build/release/bulkhead-window $(DESTDIR)$(PREFIX)/lib/bulkhead/bulkhead-window
	install -m 755 .build/release/bulkhead-head-reader $(DESTDIR)$(PREFIX)/lib/bulkhead/bulkhead-head-reader
	install -m 644 .build/release/libbulkhead-renderwatch.so $(DESTDIR)$(PREFIX)/lib/bulkhead/libbulkhead-renderwatch.so
	cp -R --remove-destination $(patsubst %,.build/release/%.bulkhead,$(EFFECTS) $(BRIDGES)) $(DESTDIR)$(PREFIX)/lib/bulkhead/
	.build/release/bulkhead manual --folder $(DESTDIR)$(PREFIX)/share $(if $(wildcard Host/Manual/topics/*.md),--topics Host/Manual/topics)
	rm -rf $(SDK)
	install -d $(SDK)/.build
	cp -R Package.swift LICENSE Protocol Sources Host Plugins $(SDK)/
	rm -rf $(SDK)/Plugins/Template/.build
	cp -RP .build/static $(SDK)/.build/

clean:
	rm -rf .build demo.wav demo.json demo.svg
