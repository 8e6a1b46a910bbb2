// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults of every kind in random order, in a row where some units share a process and others do not.

import AudioUnits
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(3))) struct SharedRandomFaultTests {
    private static let policies: [IsolationPolicy] = [
        .together, .byPlugin, .together, .individually, .byPlugin, .together, .individually,
    ]

    private struct Tormentor {
        var random: SeededRandom

        mutating func act(on row: UnitRow) throws {
            let member = row.members[Int.random(in: 0..<row.members.count, using: &random)]
            switch Int.random(in: 0..<11, using: &random) {
            case 0, 1, 2:
                // Exit, crash and SIGKILL, within the next block.
                try member.unit.send(MIDIMessage(0xB0, UInt8.random(in: 1...3, using: &random), 0))
            case 3: if let process = member.unit.processIdentifier, member.isPresent { kill(process, SIGKILL) }
            case 4: try member.unit.send(MIDIMessage(0xB0, 5, UInt8.random(in: 1...3, using: &random)))
            // A loop that ends, and one that does not.
            case 5: try member.unit.send(MIDIMessage(0xB0, 4, 5))
            case 6: if Int.random(in: 0..<4, using: &random) == 0 { try member.unit.send(MIDIMessage(0xB0, 4, 127)) }
            case 7: try member.unit.send(MIDIMessage(0xB0, 6, 0))
            case 8: _ = try? member.unit.saveState()
            case 9: member.readmit()
            default: _ = row.waitUntilReady(milliseconds: 2000)
            }
        }
    }

    @Test(arguments: [(0, RenderOrder.serial), (3, .serial), (0, .pipelined), (0, .ahead), (3, .ahead)])
    func aChainOfSharedProcessesOutlivesThemAll(offlineAttempts: Int, order: RenderOrder) throws {
        let seed = Seed.chosen
        let units = try Build.units(Self.policies.map { ("Misbehaver", $0) })
        for (index, unit) in units.enumerated() { try unit.set("gain", to: index % 2 == 0 ? -1 : 1) }
        var policy = UnitPolicy()
        (policy.restartBudget, policy.firstPauseMilliseconds) = (100_000, 0)
        (policy.hangMilliseconds, policy.offlineMilliseconds, policy.offlineAttempts) = (150, 100, offlineAttempts)
        var bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 256, isLooping: true,
            policy: order.policy(policy, frameCount: 256))
        var tormentor = Tormentor(random: SeededRandom(seed: seed))
        for _ in 0..<300 {
            if Int.random(in: 0..<3, using: &tormentor.random) == 0 { try tormentor.act(on: bench.row) }
            let frameCount = Int.random(in: 1...256, using: &tormentor.random)
            let isOffline = Int.random(in: 0..<3, using: &tormentor.random) > 0
            // Each unit's transition may add what its absence changes, which is at most twice the input here.
            let isSound = bench.render(frameCount, isOffline: isOffline)[0].allSatisfy { abs($0) < Float(units.count + 1) }
            #expect(isSound, "seed \(seed)")
        }
        // The last orders are not rendered yet and may still kill, even a unit that has just returned.
        var calmBlocks = 0
        let isWell = waitUntil(milliseconds: 10_000) {
            _ = bench.render(256)
            let isCalm = bench.row.members.allSatisfy { !$0.renderer.pointee.isOutstanding && $0.isPresent }
            calmBlocks = isCalm ? calmBlocks + 1 : 0
            return calmBlocks == 5 + order.latency(unitCount: units.count)
        }
        #expect(isWell && bench.row.waitUntilReady(milliseconds: 5000), "seed \(seed)")
        let start = Int(bench.sampleTime) - bench.row.pipelineLatencyFrameCount
        let output = bench.render(256)[0]
        // Four of seven units invert the signal.
        for frame in 0..<256 { #expect(abs(output[frame] - DeathTests.sine[(start + frame) % 48_000]) < 1e-5, "seed \(seed)") }
        let processes = units.map(\.processIdentifier)
        #expect(Set(processes).count == 4 && processes[0] == processes[2] && processes[2] == processes[5], "seed \(seed)")
        #expect(processes[1] == processes[4], "seed \(seed)")
        // They died together and returned together.
        for (first, others) in [(0, [2, 5]), (1, [4])] {
            for other in others {
                #expect(bench.row.members[other].faults.restarts == bench.row.members[first].faults.restarts, "seed \(seed)")
            }
        }
    }
}
