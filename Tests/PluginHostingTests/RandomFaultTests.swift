// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults of every kind in random order: the host survives them all, and its output is finite.

import AudioUnits
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct RandomFaultTests {
    private static let unitCount = 6
    /// The deaths of one unit; with more within ten seconds it would be given up.
    private static let deathsOfEach = UnitPolicy().restartBudget - 1

    /// The faults committed on a row.
    private struct Tormentor {
        var random: SeededRandom
        var deaths = [Int](repeating: 0, count: RandomFaultTests.unitCount)

        /// Commits one fault on one unit.
        mutating func act(on row: UnitRow) throws {
            let index = Int.random(in: 0..<row.members.count, using: &random)
            let member = row.members[index]
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2: try end(member, index)
            case 3: try member.unit.send(MIDIMessage(0xB0, 5, UInt8.random(in: 1...3, using: &random)))
            case 4: halt(member)
            case 5: member.isBypassed.toggle()
            case 6: try member.unit.reset()
            case 7: try member.unit.set("gain", to: .random(in: -1...1, using: &random))
            case 8:
                // A unit that has just died cannot reply; that is no failure.
                _ = try? member.unit.saveState()
            default: _ = row.waitUntilReady(milliseconds: 2000)
            }
        }

        private mutating func end(_ member: UnitResources, _ index: Int) throws {
            guard deaths[index] < RandomFaultTests.deathsOfEach, member.isPresent else { return }
            deaths[index] += 1
            let way = Int.random(in: 0...3, using: &random)
            if way == 0, let process = member.unit.processIdentifier {
                kill(process, SIGKILL)
            } else {
                try member.unit.send(MIDIMessage(0xB0, UInt8(max(1, way)), 0))
            }
        }

        /// Stops a process for some milliseconds.
        private mutating func halt(_ member: UnitResources) {
            guard let process = member.unit.processIdentifier else { return }
            kill(process, SIGSTOP)
            Futex.pause(microseconds: .random(in: 0...5000, using: &random))
            kill(process, SIGCONT)
        }
    }

    @Test func aChainUnderRandomFaultsGoesOnAndIsWholeInTheEnd() throws {
        let seed = Seed.chosen
        let units = try (0..<Self.unitCount).map { _ in try Build.unit("Misbehaver") }
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 512, isLooping: true)
        var tormentor = Tormentor(random: SeededRandom(seed: seed))
        for _ in 0..<500 {
            if Int.random(in: 0..<3, using: &tormentor.random) == 0 { try tormentor.act(on: bench.row) }
            let frameCount = Int.random(in: 1...512, using: &tormentor.random)
            let isOffline = Bool.random(using: &tormentor.random)
            let output = bench.render(frameCount, isOffline: isOffline)[0]
            let isSound = output.allSatisfy { abs($0) < 2 }
            #expect(isSound, "seed \(seed)")
        }
        #expect(bench.row.waitUntilReady(milliseconds: 5000), "seed \(seed)")
        for unit in units { try unit.set("gain", to: 1) }
        for member in bench.row.members { member.isBypassed = false }
        let isAnswering = waitUntil(milliseconds: 5000) {
            _ = bench.render(512)
            return bench.row.members.allSatisfy { !$0.renderer.pointee.isOutstanding && $0.isPresent }
        }
        #expect(isAnswering, "seed \(seed)")
        _ = bench.render(blocks: [512, 512, 512, 512])
        let start = Int(bench.sampleTime)
        let output = bench.render(512)[0]
        for frame in 0..<512 { #expect(abs(output[frame] - DeathTests.sine[(start + frame) % 48_000]) < 1e-5, "seed \(seed)") }
        #expect(bench.row.members.allSatisfy { !$0.isQuarantined }, "seed \(seed)")
    }
}
