// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocking and trusting plug-ins, and the file that stores it.

import FoundationEssentials
import Glibc
import LinuxSystem
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
        #expect(error?.description.hasSuffix("you have blocked it.") == true)
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
        #expect(error?.description.hasSuffix("you have not trusted it.") == true)
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono", at: bench.path("ladspa/amp.so")) })
        let unit = try HostedUnit(try bench.scan().component(named: "amplifier"), inProcess: true)
        #expect(unit.isolation == .inProcess && unit.name == "Amplifier")
    }

    @Test func quarantineIsRememberedWithItsReasonUntilItEnds() throws {
        let bench = try bench()
        #expect(try bench.installation.changeSettings { $0.quarantine("a", because: "was\u{1B}[2J ended") })
        #expect(try !bench.installation.changeSettings { $0.quarantine("a", because: "hung") })
        let reason = try #require(try bench.installation.settings().quarantined["a"])
        #expect(reason.hasPrefix("was") && !reason.contains("\u{1B}"))
        #expect(try bench.installation.changeSettings { $0.block("b") })
        #expect(try bench.installation.settings().quarantined.count == 1)
        #expect(try bench.installation.changeSettings { $0.release("a") })
        #expect(try !bench.installation.changeSettings { $0.release("a") })
        #expect(try bench.installation.settings().quarantined.isEmpty)
    }

    @Test func theFileIsShortAndReadable() throws {
        let bench = try bench()
        _ = try bench.installation.changeSettings { $0.block("b:c") && $0.block("a") && $0.trust("lv2:http://x/y", at: "/a/x.lv2") }
        let text = FileManager.default.contents(atPath: bench.settingsFile).map { String(decoding: $0, as: UTF8.self) }
        let expected = """
            {
              "blocked" : [
                "a",
                "b:c"
              ],
              "trusted" : {
                "lv2:http://x/y" : "/a/x.lv2"
              },
              "version" : 3
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
        ("{\"version\": 4, \"blocked\": {}}", "it has version 4, and this host reads up to 3"),
        ("{\"version\": 2, \"blocked\": [], \"trusted\": []}", "\"trusted\" has the wrong type"),
        ("{\"version\": 2, \"blocked\": [], \"trusted\": {\"a\": 1}}", "\"trusted.a\" has the wrong type"),
        ("{\"version\": 2, \"blocked\": [], \"trusted\": {\"a\": \"amp.so\"}}", "it trusts something that is not a path"),
        ("{\"version\": 2, \"blocked\": [], \"trusted\": {\"\": \"/amp.so\"}}", "it holds something that is not an ID"),
        ("{\"version\": 1, \"blocked\": [\"\\u001b[2J\"], \"trusted\": []}", "it holds something that is not an ID"),
        (
            "{\"version\": 2, \"blocked\": [], \"trusted\": {}, \"quarantined\": {\"\": \"hung\"}}",
            "it holds something that is not an ID"
        ),
        (
            "{\"version\": 2, \"blocked\": [], \"trusted\": {}, \"quarantined\": {\"a\": \"\\u001b[2J\"}}",
            "it gives a reason that cannot be shown"
        ),
        ("{\"version\": 1, \"blocked\": [\"\"], \"trusted\": []}", "it holds something that is not an ID"),
        (
            "{\"version\": 3, \"blocked\": [], \"trusted\": {}, \"granted\": {\"a\": [\"b\"]}}",
            "it grants something that is not a path"
        ),
        (
            "{\"version\": 3, \"blocked\": [], \"trusted\": {}, \"unconfined\": {\"\": \"/b\"}}",
            "it holds something that is not an ID"
        ),
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

    @Test func aTrustedIDThatIsFoundElsewhereIsNotTrusted() throws {
        let bench = try bench()
        try bench.makeFolder("ladspa-2")
        try bench.library("amp", "unit mono Amplifier", in: "ladspa-2")
        let (first, second) = (bench.path("ladspa/amp.so"), bench.path("ladspa-2/amp.so"))
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono", at: second) })
        let impostor = try bench.scan().component(named: "amplifier")
        let locations = TrustedElsewhere(trusted: second, found: first)
        let error = #expect(throws: HostingError.notTrusted(unit: "Amplifier", id: "ladspa:amp:mono", elsewhere: locations)) {
            try HostedUnit(impostor, inProcess: true)
        }
        #expect(error?.description.contains("the one in \"\(second)\", and this is the one in \"\(first)\"") == true)
        #expect(unlink(first) == 0)
        #expect(try HostedUnit(try bench.scan().component(named: "amplifier"), inProcess: true).isolation == .inProcess)
        // Trust moves from one file to the other, and can be taken back.
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono", at: first) })
        #expect(try !bench.scan().component(named: "amplifier").consentsToInProcess)
        #expect(try bench.installation.changeSettings { $0.distrust("ladspa:amp:mono") })
        #expect(try bench.scan().component(named: "amplifier").trustedElsewhere == nil)
    }

    @Test func anIDThatWasTrustedWithoutAPlaceIsNotTrustedAndWhatWasBlockedIs() throws {
        let bench = try bench()
        try write("{\"version\": 1, \"blocked\": [\"b\"], \"trusted\": [\"ladspa:amp:mono\"]}", bench)
        let component = try bench.scan().component(named: "amplifier")
        #expect(throws: HostingError.notTrusted(unit: "Amplifier", id: "ladspa:amp:mono")) {
            try HostedUnit(component, inProcess: true)
        }
        #expect(try bench.installation.settings() == PluginSettings(blocked: ["b"]))
    }

    @Test func aFileBehindALinkIsChangedAndTheLinkStays() throws {
        let bench = try bench()
        try bench.makeFolder("elsewhere")
        try bench.makeFolder(".config/bulkhead")
        try bench.write(Array("{\"version\": 1, \"blocked\": [\"b\"], \"trusted\": []}".utf8), to: "elsewhere/mine.json")
        #expect(symlink("../../elsewhere/mine.json", bench.settingsFile) == 0)
        #expect(try bench.installation.changeSettings { $0.block("a") })
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bench.settingsFile) == "../../elsewhere/mine.json")
        #expect(try PluginSettings.read(bench.path("elsewhere/mine.json")).blocked == ["a", "b"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path("elsewhere")) == ["mine.json"])
    }

    @Test func aLinkToNowhereIsNoWordThatNothingIsDecided() throws {
        let bench = try bench()
        try bench.makeFolder(".config/bulkhead")
        #expect(symlink("nowhere.json", bench.settingsFile) == 0)
        for attempt in [{ _ = try bench.scan() }, { _ = try bench.installation.changeSettings { $0.block("a") } }] {
            let error = #expect(throws: HostingError.self, performing: attempt)
            #expect(error?.description.contains("it is a link to a file that is not there") == true)
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bench.settingsFile) == "nowhere.json")
    }

    @Test func aHomeThatIsNoFolderIsOneWithoutDecisions() throws {
        let bench = try bench()
        var installation = bench.installation
        let homeless = Installation(environment: ["HOME": "/dev/null"])
        (installation.settingsPath, installation.cachePath) = (homeless.settingsPath, homeless.cachePath)
        installation.classicFolders[.lv2] = homeless.classicFolders[.lv2]?.filter { $0.hasPrefix("/dev/null") }
        let registry = try installation.registry()
        #expect(registry.components.map(\.id) == ["ladspa:amp:mono"])
        #expect(registry.report.failures.isEmpty, "\(registry.report.failures)")
        #expect(registry.report.warnings.count == 1 && registry.report.warnings[0].contains("not a directory"))
        let error = #expect(throws: HostingError.self) { try installation.changeSettings { $0.block("a") } }
        #expect(error?.description.hasSuffix("not a directory.") == true)
    }

    @Test func whoIsStoppedWhileAnotherChangesTheFileChangesNothing() throws {
        let bench = try bench()
        _ = try bench.installation.changeSettings { $0.block("before") }
        let other = Descriptor(owning: open(bench.path(".config/bulkhead"), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        #expect(flock(other.number, LOCK_EX) == 0)
        var patience = 3
        func isStopped() -> Bool {
            patience -= 1
            return patience == 0
        }
        let error = #expect(throws: HostingError.self) {
            try bench.installation.changeSettings(isStopped: isStopped) { $0.block("a") }
        }
        #expect(error?.description.hasPrefix("Stopped while another command changes") == true)
        #expect(patience == 0)
        #expect(try bench.installation.settings().blocked == ["before"])
        #expect(flock(other.number, LOCK_UN) == 0)
        #expect(try bench.installation.changeSettings { $0.block("a") })
    }

    @Test(arguments: [
        ("ladspa:amp:mono", "ladspa:amp:mono"), ("lv2:http://x#y", "'lv2:http://x#y'"), ("a b", "'a b'"), ("it's", "'it'\\''s'"),
        ("", "''"), ("$(rm)", "'$(rm)'"),
    ])
    func anIDIsQuotedForTheShell(_ id: String, _ word: String) { #expect(ShellWord.quoted(id) == word) }
}
