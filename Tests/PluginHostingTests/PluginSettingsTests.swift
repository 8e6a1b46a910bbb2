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
        let code = try distrusted.code()
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono", code) })
        #expect(try !bench.installation.changeSettings { $0.trust("ladspa:amp:mono", code) })
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
        let code = PluginCode(path: "/a/x.lv2", digest: "00ff", stamp: "1234")
        _ = try bench.installation.changeSettings { settings in
            settings.block("b:c") && settings.block("a") && settings.trust("lv2:http://x/y", code)
                && settings.grant("lv2:http://x/y", code, reading: "/srv/samples")
        }
        let text = FileManager.default.contents(atPath: bench.settingsFile).map { String(decoding: $0, as: UTF8.self) }
        let expected = """
            {
              "blocked" : [
                "a",
                "b:c"
              ],
              "rights" : {
                "lv2:http://x/y" : {
                  "code" : {
                    "digest" : "00ff",
                    "path" : "/a/x.lv2",
                    "stamp" : "1234"
                  },
                  "granted" : {
                    "/srv/samples" : "\(PluginRights.today)"
                  },
                  "trusted" : "\(PluginRights.today)"
                }
              },
              "version" : 4
            }

            """
        #expect(text == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path(".config/bulkhead")) == ["plugins.json"])
    }

    @Test(arguments: [
        ("", "it is empty"), ("{", "it is not JSON, or cut short"), ("[]", "it is not an object"), ("null", "it is not an object"),
        ("{\"version\": 4}", "\"blocked\" is missing"),
        ("{\"version\": 4, \"blocked\": [], \"rig", "it is not JSON, or cut short"),
        ("{\"version\": \"4\", \"blocked\": []}", "\"version\" has the wrong type"),
        ("{\"version\": 4, \"blocked\": [1]}", "\"blocked[0]\" has the wrong type"),
        (
            "{\"version\": 4, \"blocked\": [], \"blokced\": [\"a\"]}",
            "it has the key \"blokced\", which there is not; keys are \"blocked\", \"quarantined\", \"rights\", \"version\""
        ),
        (
            rights(code("/amp.so").replacing("\"granted\"", with: "\"grnated\": {}, \"granted\"")),
            "\"rights.a\" has the key \"grnated\""
        ),
        ("{\"version\": 5, \"blocked\": {}}", "it has version 5, and this host reads up to 4"),
        ("{\"version\": 4, \"blocked\": [\"\"]}", "it holds something that is not an ID"),
        ("{\"version\": 4, \"blocked\": [\"\\u001b[2J\"]}", "it holds something that is not an ID"),
        ("{\"version\": 4, \"blocked\": [], \"quarantined\": {\"\": \"hung\"}}", "it holds something that is not an ID"),
        (
            "{\"version\": 4, \"blocked\": [], \"quarantined\": {\"a\": \"\\u001b[2J\"}}",
            "it gives a reason that cannot be shown"
        ),
        (rights("{}"), "\"rights.a.code\" is missing"),
        (rights("{\"granted\": {}, \"code\": \"/amp.so\"}"), "\"rights.a.code\" has the wrong type"),
        (rights(code("amp.so")), "the rights of a name something that is not a path"),
        (rights(code("/amp.so", granted: "{\"b\": \"2026-01-01\"}")), "the rights of a name something that is not a path"),
        (
            rights(code("/amp.so", granted: "{\"/b\": \"\\u001b[2J\"}")),
            "the rights of a begin on something that is not a day"
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

    /// A file with rights of the ID "a", and what it holds of them.
    private static func rights(_ text: String) -> String { "{\"version\": 4, \"blocked\": [], \"rights\": {\"a\": \(text)}}" }
    private static func code(_ path: String, granted: String = "{}") -> String {
        "{\"code\": {\"path\": \"\(path)\", \"digest\": \"0\", \"stamp\": \"0\"}, \"granted\": \(granted)}"
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
        let (first, second) = (bench.path("ladspa/amp.so"), bench.path("ladspa-2/amp.so"))
        let code = try bench.scan().component(named: "amplifier").code()
        try bench.makeFolder("ladspa-2")
        #expect(rename(first, second) == 0)
        try bench.library("amp", "unit mono Amplifier")
        let moved = try PluginCode(at: second)
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono", moved) })
        let impostor = try bench.scan().component(named: "amplifier")
        let change = CodeChange.moved(from: second, to: first)
        let error = #expect(throws: HostingError.notTrusted(unit: "Amplifier", id: "ladspa:amp:mono", change: change)) {
            try HostedUnit(impostor, inProcess: true)
        }
        #expect(error?.description.contains("the one in \"\(second)\", and this is the one in \"\(first)\"") == true)
        #expect(unlink(first) == 0)
        #expect(try HostedUnit(try bench.scan().component(named: "amplifier"), inProcess: true).isolation == .inProcess)
        // Trust moves from one file to the other, and can be taken back.
        #expect(try bench.installation.changeSettings { $0.trust("ladspa:amp:mono", code) })
        #expect(try !bench.scan().component(named: "amplifier").isTrusted)
        #expect(try bench.installation.changeSettings { $0.distrust("ladspa:amp:mono") })
        #expect(try bench.scan().component(named: "amplifier").lapsedRights == nil)
    }

    /// With its old size and time of change, as a program could arrange that wants to be taken for it.
    @Test func rightsEndWhenTheFileChanges() throws {
        let bench = try bench()
        let component = try bench.scan().component(named: "amplifier")
        let (path, samples) = (bench.path("ladspa/amp.so"), bench.path("ladspa"))
        let code = try component.code()
        let isChange = try bench.installation.changeSettings { settings in
            settings.trust(component.id, code) && settings.unconfine(component.id, code)
                && settings.grant(component.id, code, reading: samples)
        }
        #expect(isChange)
        var trusted = try bench.scan().component(named: "amplifier")
        #expect(trusted.isTrusted && trusted.profile == .off && trusted.granted == [samples])
        // Touching the file changes its stamp and not its contents.
        #expect(utimes(path, nil) == 0)
        trusted = try bench.scan().component(named: "amplifier")
        #expect(trusted.isTrusted && trusted.lapsedRights == nil)

        var status = stat()
        #expect(stat(path, &status) == 0)
        let file = open(path, O_WRONLY)
        var byte: UInt8 = 0x55
        #expect(pwrite(file, &byte, 1, status.st_size - 1) == 1)
        var times = [status.st_atim, status.st_mtim]
        #expect(futimens(file, &times) == 0)
        close(file)
        let changed = try bench.scan().component(named: "amplifier")
        #expect(!changed.isTrusted && changed.profile == .standard && changed.granted.isEmpty)
        let lapsed = try #require(changed.lapsedRights)
        #expect(lapsed.change == .altered(path: path))
        #expect(lapsed.allowances == ["be loaded into the host", "run unconfined", "read \"\(samples)\""])
        // A new decision is about the new file, and takes nothing over.
        let other = try changed.code()
        #expect(try bench.installation.changeSettings { $0.grant(component.id, other, reading: "/tmp") })
        let decided = try bench.scan().component(named: "amplifier")
        #expect(!decided.isTrusted && decided.granted == ["/tmp"] && decided.lapsedRights == nil)
    }

    @Test func aFileFromBeforeDecisionsNamedCodeKeepsWhatWasBlockedAlone() throws {
        let bench = try bench()
        let old = "\"trusted\": {\"ladspa:amp:mono\": \"\(bench.path("ladspa/amp.so"))\"}, \"granted\": {\"b\": [\"/tmp\"]}"
        try write("{\"version\": 3, \"blocked\": [\"b\"], \(old)}", bench)
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
