// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA and LV2 plug-ins from the command line: scanned, listed, played, blocked, trusted.

import Foundation
import Testing

extension Commands {
    @Suite struct ClassicPlugInTests {
        private func bench() throws -> Workbench {
            let bench = try Workbench.withScriptedBridges()
            try bench.library("amp", "unit mono Mono Amplifier\nunit wide Wide Amplifier")
            try bench.bundle("verb", "unit hall Great Hall")
            try bench.writeTone(frames: 4800)
            return bench
        }

        @Test func aScanSaysWhatItFoundAndWhatItCouldNotUse() throws {
            let bench = try bench()
            try bench.library("bad", "crash")
            try bench.library("odd", "unit fine\ndefect \"other\" has no ports.")
            let scan = try bench.run("scan")
            scan.expectSuccess()
            for part in [
                "LADSPA  3", "LV2     1", "Scanned 4 of 4 libraries and folders",
                "ladspa/bad.so: the process that loads it was ended by SIGSEGV", "odd.so: \"other\" has no ports.",
            ] { #expect(scan.output.contains(part), "\(scan.output)") }
            let again = try bench.run("scan")
            #expect(again.output.contains("Scanned 1 of 4") && again.output.contains("SIGSEGV"))
            #expect(try bench.run("scan", "--rescan").output.contains("Scanned 4 of 4"))
        }

        @Test func aScanAsJSONIsReadByScripts() throws {
            struct Scan: Decodable {
                struct Count: Decodable { let format: String, plugins, blocked: Int }
                struct Failure: Decodable { let format, path, reason: String }
                let counts: [Count], locations, scanned: Int, failures: [Failure]
            }
            let bench = try bench()
            try bench.library("bad", "exit 9")
            let outcome = try bench.run("scan", "--json")
            outcome.expectSuccess()
            let scan = try JSONDecoder().decode(Scan.self, from: Data(outcome.output.utf8))
            #expect(scan.counts.map(\.format) == ["native", "ladspa", "lv2"] && scan.counts[1].plugins == 2)
            #expect(scan.locations == 3 && scan.scanned == 3)
            #expect(scan.failures.map(\.reason) == ["the process that loads it ended by itself with status 9"])
        }

        @Test func theListHasAllFormatsAndIsNarrowedByFormat() throws {
            let bench = try bench()
            let all = try bench.run("list")
            all.expectSuccess()
            for part in ["Gain ", " native ", "ladspa:amp:mono", "lv2:http://example.org/verb#hall", " LV2 "] {
                #expect(all.output.contains(part), "\(part)")
            }
            let classic = try bench.run("list", "--format", "LV2")
            #expect(classic.output.split(separator: "\n").count == 2 && classic.output.contains("Great Hall"))
            #expect(try !bench.run("list", "--format", "native").output.contains("LADSPA"))
            try bench.run("list", "--format", "vst").expectComplaint(status: 2, "native, ladspa or lv2", "\"vst\"")
        }

        @Test func whatCannotBeUsedIsToldOnceByWhicheverCommandFindsIt() throws {
            let bench = try bench()
            try bench.library("bad", "crash")
            try bench.run("list").expectComplaint(status: 0, "1 library or folder of plug-ins cannot be used", "bulkhead scan")
            try bench.run("list").expectSuccess()
            try bench.run("info", "bad").expectComplaint(
                status: 1, "ladspa/bad.so", "was ended by SIGSEGV", "bulkhead scan")
        }

        @Test func whereThereIsNoHomeNothingIsSavedAndTheRestWorks() throws {
            let bench = try bench()
            let homeless = "unset HOME XDG_CACHE_HOME XDG_CONFIG_HOME; exec \"$@\""
            let save = try bench.run(["chain", "save", "Voice", "-e", "Gain"], shell: homeless)
            save.expectComplaint(status: 1, "neither XDG_DATA_HOME nor HOME says where")
            try bench.run(["list"], shell: homeless).expectSuccess()
            let elsewhere = "export HOME=/dev/null; unset XDG_CACHE_HOME XDG_CONFIG_HOME; exec \"$@\""
            try bench.run(["list"], shell: elsewhere).expectComplaint(
                status: 0, "Couldn't make the folder \"/dev/null\"", "will scan again")
            try bench.run(["info", "Gain"], shell: elsewhere).expectSuccess()
        }

        @Test func infoShowsAClassicPlugIn() throws {
            let info = try bench().run("info", "Great Hall")
            info.expectSuccess()
            for part in [
                "Great Hall 1.0.0, effect by Nobody", "lv2:http://example.org/verb#hall", "Format    LV2, in /", "gain ",
                "Text ", "file   File   path of a file", "bulkhead trust 'lv2:http://example.org/verb#hall'",
            ] { #expect(info.output.contains(part), "\(info.output)") }
        }

        @Test func aClassicPlugInRendersWithParametersTextsAndPresets() throws {
            let bench = try bench()
            try bench.run(
                "render", "in.wav", "out.wav", "-e", "mono", "--set", "gain=0.5", "--set", "file=in.wav", "--set", "label=a=b"
            )
            .expectSuccess()
            #expect(try abs(bench.load("out.wav").peak(ofChannel: 0) / bench.load("in.wav").peak(ofChannel: 0) - 0.5) < 0.001)
            try bench.run("render", "in.wav", "x.wav", "-e", "mono", "--set", "file=none.wav")
                .expectComplaint(status: 1, "Couldn't set file of \"Mono Amplifier\"", "\(bench.folder)/none.wav")
            let saved = try bench.run("preset", "save", "Great Hall", "Half", "--set", "gain=0.5")
            saved.expectSuccess()
            #expect(saved.output.hasSuffix("/lv2:http:%2F%2Fexample.org%2Fverb#hall/Half.preset\n"))
            try bench.run("render", "in.wav", "preset.wav", "-e", "hall", "--preset", "Half").expectComplaint(status: 1, "\"hall\"")
            try bench.run("render", "in.wav", "preset.wav", "-e", "Great Hall", "--preset", "Half").expectSuccess()
            #expect(bench.bytes("preset.wav") == bench.bytes("out.wav"))
        }

        @Test func aBlockedPlugInIsRefusedUntilItIsUnblocked() throws {
            let bench = try bench()
            let arguments = ["render", "in.wav", "out.wav", "-e", "wide", "--set", "gain=0.5"]
            #expect(try bench.run("block", "Wide Amplifier").output.contains("bulkhead unblock ladspa:amp:wide"))
            try bench.run(arguments).expectComplaint(
                status: 1, "\"Wide Amplifier\": you have blocked it", "bulkhead unblock ladspa:amp:wide")
            try bench.run("play", "in.wav", "--driver", "null", "-e", "wide").expectComplaint(status: 1, "you have blocked it")
            let blocked = try bench.run("list", "--blocked")
            blocked.expectSuccess()
            #expect(blocked.output.split(separator: "\n").count == 2 && blocked.output.contains(" blocked, Scripted "))
            #expect(try bench.run("scan").output.contains("LADSPA  2         1 blocked"))
            try bench.run("unblock", "ladspa:amp:wide").expectSuccess()
            try bench.run(arguments).expectSuccess()
            #expect(try bench.run("unblock", "wide").output.contains("was not blocked"))
        }

        @Test func aTrustedPlugInIsLoadedIntoTheHostAndNoOther() throws {
            let bench = try bench()
            let arguments = [
                "render", "in.wav", "out.wav", "-e", "mono", "--set", "gain=0.5", "--in-process", "--report", "report.json",
            ]
            try bench.run(arguments).expectComplaint(status: 1, "you have not trusted it", "bulkhead trust ladspa:amp:mono")
            let trust = try bench.run("trust", "mono")
            trust.expectSuccess()
            #expect(
                trust.output.contains("Its crash then ends the host") && trust.output.contains("bulkhead untrust ladspa:amp:mono"))
            try bench.run(arguments).expectSuccess()
            #expect(try bench.report().units[0].isolation == "in-process")
            try bench.run("untrust", "mono").expectSuccess()
            try bench.run(arguments).expectComplaint(status: 1, "you have not trusted it")
            let native = ["render", "in.wav", "out.wav", "-e", "Gain", "--set", "gain=-3", "--in-process"]
            try bench.run(native).expectComplaint(status: 1, "you have not trusted it", "bulkhead trust aufx:gain:blkh")
            try bench.trust("Gain")
            try bench.run(native).expectSuccess()
        }

        @Test func aSettingsFileThatIsDamagedIsNamedByEveryCommand() throws {
            let bench = try bench()
            try bench.run("block", "mono").expectSuccess()
            let file = "\(bench.folder)-config/bulkhead/plugins.json"
            try Data("{\"version\": 1, \"blo".utf8).write(to: URL(fileURLWithPath: file))
            for arguments in [
                ["list"], ["info", "Gain"], ["render", "in.wav", "out.wav", "-e", "Gain"], ["block", "Gain"], ["scan"],
            ] {
                try bench.run(arguments).expectComplaint(
                    status: 1, "\"\(file)\": it is not JSON", "Correct the file, or remove it.")
            }
        }

        @Test func aTornCacheIsMadeAnewAndThatIsSaidOnce() throws {
            let bench = try bench()
            try bench.run("list").expectSuccess()
            let file = "\(bench.folder)-cache/bulkhead/scan.cache"
            let whole = try #require(FileManager.default.contents(atPath: file))
            try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: file))
            let torn = try bench.run("list")
            torn.expectComplaint(status: 0, "\"\(file)\" is written anew: it is not whole.")
            #expect(torn.output.contains("Great Hall"))
            try bench.run("list").expectSuccess()
            #expect(FileManager.default.contents(atPath: file) == whole)
        }

        @Test func commandsThatScanAtOnceAllFindEverything() throws {
            let bench = try bench()
            for index in 0..<20 { try bench.library("more\(index)", "unit x") }
            let running = try (0..<4).map { _ in try bench.start("list", "--format", "ladspa") }
            for outcome in running.map({ $0.wait() }) {
                outcome.expectSuccess()
                #expect(outcome.output.split(separator: "\n").count == 23)
            }
            #expect(try bench.run("scan").output.contains("Scanned 0 of 22"))
        }

        // The command that lists waits for the library that hangs, too: ten seconds.
        @Test func aScanThatHangsIsEndedByCtrlC() throws {
            let bench = try bench()
            try bench.library("stuck", "hang")
            let command = try bench.start("scan")
            _ = try command.process(ofEffect: "ScriptedBridge", in: "LADSPA")
            command.send(SIGINT)
            command.wait(seconds: 5).expectComplaint(status: 130, "Stopped; the scan so far is kept.")
            #expect(try bench.run("list", "--format", "lv2", seconds: 20).output.contains("Great Hall"))
        }

        @Test func aDecisionThatWaitsForAnotherIsEndedByCtrlC() throws {
            let bench = try bench()
            try bench.run("block", "Gain").expectSuccess()
            let folder = open("\(bench.folder)-config/bulkhead", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(folder) }
            #expect(flock(folder, LOCK_EX) == 0)
            let command = try bench.start("unblock", "aufx:gain:blkh")
            #expect(eventually(within: 5) { command.heedsInterruption })
            command.send(SIGINT)
            command.wait(seconds: 5).expectComplaint(status: 130, "Stopped while another command changes", "plugins.json")
        }

        @Test(arguments: ["block", "unblock", "trust", "untrust"])
        func aDecisionAboutNothingIsAMistake(command: String) throws {
            let bench = try bench()
            try bench.run(command).expectComplaint(status: 2, "Say which plug-in")
            try bench.run(command, "a", "b").expectComplaint(status: 2, "one argument too many")
            try bench.run(command, "--now").expectComplaint(status: 2, "no option --now")
            try bench.run(command, "Nope").expectComplaint(status: 1, "There is no plug-in \"Nope\"")
        }
    }
}
