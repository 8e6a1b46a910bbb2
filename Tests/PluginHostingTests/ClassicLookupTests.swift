// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finding classic plug-ins by ID, URI, label and name, beside native ones of the same names.

import Testing

@testable import PluginHosting

@Suite struct ClassicLookupTests {
    private func bench() throws -> ScanBench {
        let bench = try ScanBench()
        _ = try bench.folder.bundle("bundles/Native", fields: ["name": "\"Delay\""])
        try bench.library("one", "unit delay_5s Delay\nunit amp Simple Amplifier\nunit twin Twin")
        try bench.library("two", "unit twin Twin\n\((0..<7).map { "unit voice\($0) Chorus \($0)" }.joined(separator: "\n"))")
        try bench.library("broken", "crash")
        try bench.bundle("verb", "unit hall Great Hall")
        return bench
    }

    @Test(arguments: [
        ("ladspa:one:amp", "ladspa:one:amp"), ("amp", "ladspa:one:amp"), ("simple amplifier", "ladspa:one:amp"),
        ("Simple", "ladspa:one:amp"), ("http://example.org/verb#hall", "lv2:http://example.org/verb#hall"),
        ("lv2:http://example.org/verb#hall", "lv2:http://example.org/verb#hall"), ("great", "lv2:http://example.org/verb#hall"),
        ("delay", "aufx:fake:test"), ("del", "aufx:fake:test"), ("delay_5s", "ladspa:one:delay_5s"), ("*:fake:*", "aufx:fake:test"),
        ("ladspa:two:voice3", "ladspa:two:voice3"), ("lv2:http://example.org/v", "lv2:http://example.org/verb#hall"),
    ])
    func oneIsMeant(_ text: String, _ id: String) throws {
        #expect(try bench().scan().component(named: text).id == id)
    }

    @Test func anAmbiguousNameNamesTheFirstFew() throws {
        let registry = try bench().scan()
        #expect(throws: HostingError.ambiguousComponent("twin", matches: ["ladspa:one:twin", "ladspa:two:twin"])) {
            try registry.component(named: "twin")
        }
        let error = #expect(throws: HostingError.self) { try registry.component(named: "chorus") }
        #expect(error?.description.contains("ladspa:two:voice0") == true)
        #expect(error?.description.contains("ladspa:two:voice4 and 2 more. Say which by its ID.") == true)
    }

    @Test(arguments: ["broken", "ladspa:broken:anything"])
    func aPlugInWhoseLibraryCannotBeUsedIsExplained(_ text: String) throws {
        let bench = try bench()
        let registry = try bench.scan()
        let reason = "the process that loads it was ended by SIGSEGV"
        #expect(throws: HostingError.unusableLocation(path: bench.path("ladspa/broken.so"), reason: reason)) {
            try registry.component(named: text)
        }
    }

    @Test func aPlugInThatItsBridgeComplainsOfIsExplained() throws {
        let bench = try bench()
        try bench.library("half", "unit good\ndefect \"idle\" has no ports.")
        try bench.bundle("quarter", "defect urn:x: its library cannot be loaded.")
        let registry = try bench.scan()
        #expect(throws: HostingError.unusableLocation(path: bench.path("ladspa/half.so"), reason: "\"idle\" has no ports")) {
            try registry.component(named: "ladspa:half:idle")
        }
        let reason = "urn:x: its library cannot be loaded"
        #expect(throws: HostingError.unusableLocation(path: bench.path("lv2/quarter.lv2"), reason: reason)) {
            try registry.component(named: "lv2:urn:x")
        }
    }

    @Test(arguments: ["", "ladspa:", ":", "ladspa:one:", "one:amp:x", "http://"])
    func aTextThatMeansNothingIsUnknownOrAmbiguous(_ text: String) throws {
        #expect(throws: HostingError.self) { try bench().scan().component(named: text) }
    }

    @Test func nativePlugInsComeFirst() throws {
        #expect(try bench().scan().components.first?.id == "aufx:fake:test")
    }
}
