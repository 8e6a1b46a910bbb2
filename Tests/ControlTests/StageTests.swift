// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A set on stage: scenes of eight effects take turns while plug-ins are killed and clients turn knobs. Test thread.

import AudioGraph
import Foundation
import HostingTestSupport
import LinuxSystem
import PluginHosting
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(30))) struct StageTests {
    private static let isDeep = ProcessInfo.processInfo.environment["BULKHEAD_DEEP"] != nil
    private static let effects = ["Gain", "Filter", "Delay", "Distortion", "Equalizer", "Reverb", "Gain", "Filter"]

    /// Kills one of the effects that play now, some milliseconds from now: before, in or after the change of scenes.
    private func killing(one units: [(name: String, unit: PluginUnit)], _ random: inout Seed) throws -> LinuxSystem.Thread {
        let process = units.randomElement(using: &random)?.unit.processIdentifier
        let delay = UInt32.random(in: 0...40_000, using: &random)
        return try LinuxSystem.Thread(name: "kill") {
            usleep(delay)
            if let process { kill(process, SIGKILL) }
        }
    }

    // A dozen scenes in the usual run, two hundred by `make deep`.
    @Test func scenesTakeTurnsWhileEffectsAreKilled() throws {
        let bench = try ControlBench(Self.effects.enumerated().map { ("\($1) \($0 + 1)", $1) })
        let client = try bench.client()
        for number in 1...3 {
            _ = try client.call("set", ["path": "Gain 1.gain", "value": .number(-Double(number))])
            _ = try client.call("saveScene", ["name": .text("\(number)")])
        }
        var random = Seed()
        let count = Self.isDeep ? 200 : 12
        var kills = 0
        for number in 0..<count {
            let killing = number % 4 == 1 ? try killing(one: bench.session.graph.units, &random) : nil
            if killing != nil { kills += 1 }
            _ = try client.call("scene", ["name": .text("\(number % 3 + 1)")])
            killing?.join()
            #expect(try client.call("get", ["path": "Gain 1.gain"])["value"] == .number(-Double(number % 3 + 1)))
            for value in 0..<20 { _ = try client.call("set", ["path": "Delay 3.mix", "value": .number(Double(value))]) }
        }
        #expect(kills >= count / 4)
        let cycles = bench.engine.statistics?.cycles ?? 0
        // Everything is back, and the former scenes are gone with their processes.
        let isWhole = Patience.until(every: 20_000) {
            bench.session.tick(peaks: (0, 0))
            return bench.session.graph.units.allSatisfy { $0.unit.resources?.isPresent == true }
                && bench.session.state.withLock { $0.ringing.isEmpty }
        }
        #expect(isWhole)
        #expect(bench.session.graph.units.count == 8)
        #expect(bench.session.graph.units.allSatisfy { $0.unit.resources?.isPresent == true })
        #expect(bench.session.state.withLock { $0.ringing.isEmpty })
        #expect((bench.engine.statistics?.cycles ?? 0) > cycles)
    }

    @Test func anEffectThatIsKilledWhileASceneIsBuiltDoesNotKeepTheSceneAway() throws {
        let bench = try ControlBench([("Gain", "Gain"), ("Reverb", "Reverb")])
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "one"])
        let address = try bench.address
        for round in 0..<5 {
            let processes = bench.session.graph.units.compactMap(\.unit.processIdentifier)
            let killing = try LinuxSystem.Thread(name: "kill") {
                usleep(UInt32(round) * 3000)
                for process in processes { kill(process, SIGKILL) }
            }
            let other = try ControlClient(address)
            _ = try other.call("scene", ["name": "one"])
            killing.join()
            #expect(try client.call("status")["scene"] == "one")
        }
    }
}
