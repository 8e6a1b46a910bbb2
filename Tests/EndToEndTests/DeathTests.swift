// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What happens to the music when an effect is killed from outside, and when the user has had enough.

import Foundation
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite struct DeathTests {
        private func playThroughADeath(
            _ bench: Workbench, _ arguments: [String], signal: Int32 = SIGKILL, shell: String? = nil
        ) throws {
            try bench.writeTone()
            let all = ["play", "in.wav", "--loop", "--duration", "4", "--report", "report.json"] + arguments
            let playing = try bench.start(all, shell: shell)
            #expect(eventually(within: 5) { playing.output.contains("Playing") })
            usleep(500_000)
            kill(try playing.process(ofEffect: "Filter"), signal)
            let outcome = playing.wait()
            outcome.expectSuccess()
            #expect(outcome.output.contains("Filter was ended by \(signal == SIGKILL ? "SIGKILL" : "SIGSEGV") in cycle "))
            #expect(outcome.output.contains("Filter is back after "))
            try expectOneDeath(try bench.report())
        }

        private func expectOneDeath(_ report: RunReport) throws {
            #expect(report.ownMisses == 0)
            #expect(report.units.map(\.restarts) == [0, 1, 0])
            let fault = try #require(report.units[1].faults.first { $0.kind == "signalled" })
            #expect(fault.cycle > 0)
            #expect(try #require(fault.recoveredAfterCycles) < 30)
        }

        @Test func aKilledEffectComesBackWhileTheNullDriverPlaysOn() throws {
            try playThroughADeath(
                try Workbench(), ["--driver", "null", "--quantum", "1024", "-e", "Gain", "-e", "Filter", "-e", "Equalizer"])
        }

        /// A process that ignores the ends of its children passes that on to what it starts.
        @Test func itIsSaidHowAnEffectEndedThoughWhoeverStartedTheCommandIgnoresSuchEnds() throws {
            try playThroughADeath(
                try Workbench(), ["--driver", "null", "--quantum", "1024", "-e", "Gain", "-e", "Filter", "-e", "Equalizer"],
                signal: SIGSEGV, shell: "exec env --ignore-signal=CHLD \"$@\"")
        }

        @Test func aKilledEffectComesBackWhilePipeWirePlaysOn() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            try playThroughADeath(try Workbench(session), ["-e", "Gain", "-e", "Filter", "-e", "Equalizer"])
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func aSignalEndsPlayingInOrder(signal: Int32) throws {
            let bench = try Workbench()
            try bench.writeTone()
            let playing = try bench.start(
                "play", "in.wav", "--loop", "--driver", "null", "-e", "Gain", "--report", "report.json")
            #expect(eventually(within: 5) { playing.output.contains("Playing") })
            usleep(300_000)
            playing.send(signal)
            playing.wait(seconds: 5).expectSuccess()
            #expect(try bench.report().cycles > 5)
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func anInterruptedRenderingLeavesNothingAndTheOldFileAlone(signal: Int32) throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 2_000_000)
            try bench.write("out.wav", Array("old".utf8))
            let rendering = try bench.start(
                "render", "in.wav", "out.wav", "--block-size", "512", "-e", "Distortion", "-e", "Reverb")
            _ = try rendering.process(ofEffect: "Reverb")
            usleep(200_000)
            rendering.send(signal)
            rendering.wait(seconds: 5).expectComplaint(status: 128 + signal, "Stopped; \"out.wav\" was not written.")
            #expect(bench.names() == ["in.wav", "out.wav"] && bench.bytes("out.wav") == Data("old".utf8))
        }

        @Test func aDeathDuringARenderingIsSaid() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 2_000_000)
            let rendering = try bench.start(
                "render", "in.wav", "out.wav", "--block-size", "512", "-e", "Distortion", "-e", "Reverb", "--report", "report.json")
            let victim = try rendering.process(ofEffect: "Reverb")
            usleep(300_000)
            kill(victim, SIGKILL)
            rendering.wait(seconds: 60).expectComplaint(status: 0, "\"Reverb\" was ended by SIGKILL in cycle ", "\"out.wav\"")
            #expect(try bench.report().units[1].restarts == 1)
            #expect(try bench.load("out.wav").frameCount >= 2_000_000)
        }

        @Test func aKilledRenderingLeavesNothing() throws {
            let bench = try Workbench()
            try bench.writeTone(frames: 2_000_000)
            let rendering = try bench.start(
                "render", "in.wav", "out.wav", "--block-size", "512", "-e", "Distortion", "-e", "Reverb")
            _ = try rendering.process(ofEffect: "Reverb")
            usleep(200_000)
            rendering.send(SIGKILL)
            let outcome = rendering.wait(seconds: 5)
            #expect(outcome.status == nil && outcome.leftovers.isEmpty && bench.names() == ["in.wav"])
        }
    }
}
