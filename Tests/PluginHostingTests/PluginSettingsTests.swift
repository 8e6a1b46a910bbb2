// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocking and trusting plug-ins, and the file in which that is remembered.

import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite struct PluginSettingsTests {
    private func bench() throws -> ScanBench {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono Amplifier")
        return bench
    }

    private func write(_ text: String, _ bench: ScanBench) throws {
        try bench.makeFolder(".config/bulkhead")
        try bench.write(Array(text.utf8), to: ".config/bulkhead/plugins.json")
    }

    @Test func aBlockedPlugInIsListedAndNotInstantiated() throws {
        let bench = try bench()
        #expect(try bench.installation.changeSettings { $0.block("ladspa:amp:mono") })
        #expect(try !bench.installation.changeSettings { $0.block("ladspa:amp:mono") })
        let component = try bench.scan().component(named: "amplifier")
        #expect(component.isBlocked)
        let error = #expect(throws: HostingError.blocked(unit: "Amplifier", id: "ladspa:amp:mono")) { try HostedUnit(component) }
        #expect(error?.description.hasSuffix("bulkhead unblock ladspa:amp:mono") == true)
        #expect(try bench.installation.changeSettings { $0.block("ladspa:amp:mono", false) })
        _ = try HostedUnit(try bench.scan().component(named: "amplifier"))
    }

    @Test func aNativePlugInCanBeBlockedWhereNothingIsScanned() throws {
        let bench = try bench()
        _ = try bench.folder.bundle("bundles/Fake")
        #expect(try bench.installation.changeSettings { $0.block("aufx:fake:test") })
        #expect(try bench.installation.registry(wanting: ["aufx:fake:test"]).component(named: "aufx:fake:test").isBlocked)
    }

    @Test func aClassicPlugInIsLoadedIntoTheHostOnceItIsTrusted() throws {
        let bench = try bench()
        let distrusted = try bench.scan().component(named: "amplifier")
        let error = #expect(throws: HostingError.notTrusted(unit: "Amplifier", id: "ladspa:amp:mono")) {
            try HostedUnit(distrusted, inProcess: true)
        }
        #expect(error?.description.hasSuffix("bulkhead trust ladspa:amp:mono") == true)
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono") })
        let unit = try HostedUnit(try bench.scan().component(named: "amplifier"), inProcess: true)
        #expect(unit.isolation == .inProcess && unit.name == "Amplifier")
    }

    @Test func theFileIsShortAndReadable() throws {
        let bench = try bench()
        _ = try bench.installation.changeSettings { $0.block("b:c") && $0.block("a") && $0.trust("lv2:http://x/y") }
        let text = FileManager.default.contents(atPath: bench.settingsFile).map { String(decoding: $0, as: UTF8.self) }
        let expected = """
            {
              "blocked" : [
                "a",
                "b:c"
              ],
              "trusted" : [
                "lv2:http://x/y"
              ],
              "version" : 1
            }

            """
        #expect(text == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path(".config/bulkhead")) == ["plugins.json"])
    }

    @Test(arguments: [
        ("", "it is empty"), ("{", "it is not JSON, or cut short"), ("[]", "it is not an object"), ("null", "it is not an object"),
        ("{\"version\": 1}", "\"blocked\" is missing"),
        ("{\"version\": 1, \"blocked\": [], \"trus", "it is not JSON, or cut short"),
        ("{\"version\": \"1\", \"blocked\": [], \"trusted\": []}", "\"version\" has the wrong type"),
        ("{\"version\": 1, \"blocked\": [1], \"trusted\": []}", "\"blocked.Index 0\" has the wrong type"),
        ("{\"version\": 2, \"blocked\": [], \"trusted\": []}", "it has version 2, and this host reads 1"),
        ("{\"version\": 1, \"blocked\": [\"\\u001b[2J\"], \"trusted\": []}", "it holds something that is not an ID"),
        ("{\"version\": 1, \"blocked\": [\"\"], \"trusted\": []}", "it holds something that is not an ID"),
        (String(repeating: "[", count: 100_000), "it is not"),
        (String(repeating: " ", count: 1 << 21), "it has more than 1048576 bytes"),
    ])
    func aFileThatCannotBeUnderstoodIsNamedAndLeftAlone(_ text: String, _ reason: String) throws {
        let bench = try bench()
        try write(text, bench)
        for attempt in [{ _ = try bench.scan() }, { _ = try bench.installation.changeSettings { $0.block("a") } }] {
            let error = #expect(throws: HostingError.self, performing: attempt)
            #expect(error?.description.contains("\"\(bench.settingsFile)\": \(reason)") == true, "\(error?.description ?? "")")
        }
        #expect(FileManager.default.contents(atPath: bench.settingsFile) == Data(text.utf8))
    }

    @Test func decisionsThatAreMadeAtOnceAreAllKept() async throws {
        let bench = try bench()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<16 { group.addTask { _ = try bench.installation.changeSettings { $0.block("id\(index)") } } }
            try await group.waitForAll()
        }
        #expect(try bench.installation.settings().blocked.count == 16)
    }

    @Test(arguments: [
        ("ladspa:amp:mono", "ladspa:amp:mono"), ("lv2:http://x#y", "'lv2:http://x#y'"), ("a b", "'a b'"), ("it's", "'it'\\''s'"),
        ("", "''"), ("$(rm)", "'$(rm)'"),
    ])
    func anIDIsQuotedForTheShell(_ id: String, _ word: String) { #expect(ShellWord.quoted(id) == word) }
}
