// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain that is played outlives the host: what is resumed is what was played.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct ResumeTests {
        private static let session = ".local/state/bulkhead/play.json"
        private static let playing = ["--driver", "null", "--loop"]

        @Test func aChainIsBackAfterItsHostWasKilled() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let effects = ["-e", "Gain", "--set", "gain=-6.1", "-e", "Reverb", "--preset", "Large Hall", "--fallback", "silence"]
            let playing = try bench.start(["play", "in.wav"] + Self.playing + effects)
            #expect(eventually(within: 10) { bench.exists(Self.session) })
            playing.send(SIGKILL)
            let outcome = playing.wait(seconds: 5)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty)
            let kept = bench.bytes(Self.session)
            let arguments = ["play", "in.wav", "--resume", "--duration", "3", "--report", "report.json"] + Self.playing
            try bench.run(arguments).expectSuccess()
            #expect(try bench.report().units.map(\.id) == ["aufx:gain:blkh", "aufx:rvrb:blkh"])
            // What is playing is kept in its turn, and is the same.
            #expect(bench.bytes(Self.session) == kept)
            try bench.run(
                "chain", "save", "arguments.json", "-e", "Gain", "--set", "gain=-6.1", "-e", "Reverb", "--preset",
                "Large Hall", "--fallback", "silence"
            ).expectSuccess()
            #expect(try Self.units(bench, "arguments.json") == Self.units(bench, Self.session))
        }

        /// A file in the place of the folder, as a full disk would do.
        @Test func aSessionIsKeptAgainAfterAWriteThatFailed() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let playing = try bench.start(["play", "in.wav"] + Self.playing + ["-e", "Gain"])
            defer { playing.send(SIGINT) }
            try #require(eventually(within: 20) { bench.exists(Self.session) })
            let (folder, files) = (bench.path(".local/state/bulkhead"), FileManager.default)
            try files.moveItem(atPath: folder, toPath: bench.path("aside"))
            try bench.write(".local/state/bulkhead", [])
            #expect(try bench.run("ctl", "set", "Gain.gain=-7.5").status == 0)
            usleep(2_500_000)
            try files.removeItem(atPath: folder)
            try files.moveItem(atPath: bench.path("aside"), toPath: folder)
            #expect(eventually(within: 15) { String(decoding: bench.bytes(Self.session), as: UTF8.self).contains("-7.5") })
            playing.send(SIGINT)
            let errors = playing.wait(seconds: 10).errors
            // One sentence about the folder, perhaps one about the seal that the same folder holds, and one when it is over.
            let lines = errors.split(separator: "\n")
            #expect((2...3).contains(lines.count) && lines.last?.contains("is kept for --resume again") == true, "\(errors)")
        }

        /// The units of a chain or of a session, as JSON.
        private static func units(_ bench: Workbench, _ name: String) throws -> [NSDictionary] {
            let document = try #require(try JSONSerialization.jsonObject(with: bench.bytes(name)) as? [String: Any])
            if let units = document["units"] as? [NSDictionary] { return units }
            let graph = try #require(document["graph"] as? [String: Any])
            return try #require(graph["nodes"] as? [[String: Any]]).compactMap { $0["unit"] as? NSDictionary }
        }

        @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here")) func whatWasBypassedInTheEndIsBypassedAgain()
            throws
        {
            let bench = try Workbench()
            try bench.writeTone()
            let arguments = ["play", "in.wav"] + Self.playing + ["--duration", "5", "-e", "Gain", "--bypass", "-e", "Filter"]
            // A terminal, on which somebody presses 1, which is bypassed, and 2, which is not. Real keys at a real pace: seven seconds.
            let shell = "(sleep 2; printf 1; sleep 1; printf 29; sleep 4) | script -qefc \"$* --plain\" typescript"
            try bench.run(arguments, seconds: 20, shell: shell).expectSuccess()
            let kept = bench.bytes(Self.session)
            try bench.run(
                ["play", "in.wav", "--resume", "--duration", "2", "--report", "report.json"] + Self.playing
            ).expectSuccess()
            #expect(try bench.report().units.map(\.isBypassed) == [false, true])
            #expect(bench.bytes(Self.session) == kept)
            try bench.run("chain", "save", "arguments.json", "-e", "Gain", "-e", "Filter", "--bypass").expectSuccess()
            #expect(try Self.units(bench, "arguments.json") == Self.units(bench, Self.session))
            #expect(try bench.run("chain", "show", "arguments.json").output.contains("   bypassed\n"))
        }

        // Three times two seconds are played.
        @Test func whatIsInQuarantineKeepsItsPlaceAndItsState() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let effects = ["-e", "Filter", "-e", "Gain", "--set", "gain=-6.1", "-e", "Reverb"]
            try bench.run(["play", "in.wav", "--duration", "2"] + Self.playing + effects).expectSuccess()
            let kept = bench.bytes(Self.session)
            let settings = try #require(bench.environment["XDG_CONFIG_HOME"]) + "/bulkhead"
            try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
            let decisions = #"{"version": 3, "blocked": [], "trusted": {}, "quarantined": {"aufx:gain:blkh": "died"}}"#
            try Data(decisions.utf8).write(to: URL(fileURLWithPath: "\(settings)/plugins.json"))
            let resuming = ["play", "in.wav", "--resume", "--duration", "2", "--report", "report.json"] + Self.playing
            try bench.run(resuming).expectSuccess()
            #expect(try bench.report().units.map(\.id) == ["aufx:filt:blkh", "aufx:rvrb:blkh"])
            try bench.run("unblock", "aufx:gain:blkh").expectSuccess()
            try bench.run(resuming).expectSuccess()
            #expect(try bench.report().units.map(\.id) == ["aufx:filt:blkh", "aufx:gain:blkh", "aufx:rvrb:blkh"])
            #expect(!kept.isEmpty && bench.bytes(Self.session) == kept)
        }

        private static func isSealed(_ bench: Workbench) throws -> Bool {
            let document = try #require(try JSONSerialization.jsonObject(with: bench.bytes(session)) as? [String: Any])
            return document["seal"] != nil
        }

        /// A file was given to the plug-in as it was.
        @Test func aPlugInThatHasBecomeAnotherGetsNoFileUnlessTheUserAllowsIt() throws {
            let bench = try Workbench.withScriptedBridges()
            try bench.writeTone()
            try bench.writeTone("hall.wav")
            try bench.library("amp", "unit mono Mono Amplifier")
            let effect = ["-e", "mono", "--set", "file=hall.wav"]
            try bench.run(["play", "in.wav", "--duration", "2"] + Self.playing + effect).expectSuccess()
            let resuming = ["play", "in.wav", "--resume", "--duration", "2"] + Self.playing
            try bench.run(resuming).expectSuccess()
            #expect(try Self.isSealed(bench))
            try bench.library("amp", "unit mono Mono Amplifier\n\n")
            let outcome = try bench.run(resuming)
            outcome.expectComplaint(status: 1, "\"Mono Amplifier\" wants to read \"", "hall.wav\"", "--allow")
            try bench.run(resuming + ["--allow", bench.path("hall.wav")]).expectSuccess()
        }

        /// The preset has another text beside the file, and so the unit has other texts than the ones that it was started with.
        @Test func aPresetThatIsSelectedTakesTheSealFromNothing() throws {
            let bench = try Workbench.withScriptedBridges()
            try bench.writeTone()
            try bench.writeTone("hall.wav")
            try bench.library("amp", "unit mono Mono Amplifier")
            try bench.run("preset", "save", "mono", "Plate", "--set", "file=hall.wav", "--set", "label=plate").expectOK()
            let host = try bench.start(["play", "in.wav", "-e", "mono", "--set", "file=hall.wav"] + Self.playing)
            try #require(
                eventually(within: 20) { (try? bench.run("ctl", "preset", "Mono Amplifier", "Plate"))?.status == 0 })
            host.send(SIGINT)
            host.wait(seconds: 10).expectSuccess()
            #expect(String(decoding: bench.bytes(Self.session), as: UTF8.self).contains("\"plate\""))
            #expect(try Self.isSealed(bench))
            try bench.run(["play", "in.wav", "--resume", "--duration", "2"] + Self.playing).expectSuccess()
        }

        @Test func nothingToResumeIsSaid() throws {
            let bench = try Workbench()
            try bench.writeTone()
            try bench.run(["play", "in.wav", "--resume"] + Self.playing)
                .expectComplaint(status: 1, "There is nothing to resume", "has not played a chain yet")
            try bench.run("live", "--chain", "x", "--resume").expectComplaint(status: 2, "leave --chain out")
        }
    }
}
