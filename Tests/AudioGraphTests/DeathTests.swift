// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A graph of 40 nodes in real time, of which one unit after the other is killed. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.timed("kills units that render in real time"), .timeLimit(.minutes(2))) struct DeathTests {
    /// A player, three units in a row, and a node that records what comes out of them.
    private struct Branch {
        let player = AudioPlayerNode()
        let units: [AudioUnitEffect]
        let tap = SampleTap(channelCount: 1, frameCapacity: 40 * 48_000)
        /// The frames during which a unit of the branch may have been away.
        var absences: [Range<Int>] = []

        init(_ engine: AudioEngine, _ sound: AudioPCMBuffer) throws {
            units = try (0..<3).map { _ in AudioUnitEffect(PluginUnit(try Build.unit("Gain"))) }
            let ear = AudioRenderNode(tap, name: "Ear")
            var last: AudioNode = player
            engine.attach(player)
            for node in units as [AudioNode] + [ear] {
                engine.attach(node)
                try engine.connect(last, to: node, format: Sounds.format(1))
                last = node
            }
            try engine.connect(last, to: engine.mainMixerNode)
            player.scheduleBuffer(sound, options: .loops)
            player.play()
        }

        var isWhole: Bool { units.allSatisfy { $0.unit.resources?.handsOver == true } }

        /// The frames that do not hold what the player played, and the largest difference.
        func differences(from sound: [Float]) -> (frames: [Int], largest: Float) {
            let heard = tap.recorded
            let frames = (0..<heard.frameCount).filter { heard[0][$0] != sound[$0 % sound.count] }
            return (frames, frames.map { abs(heard[0][$0] - sound[$0 % sound.count]) }.max() ?? 0)
        }
    }

    @Test(.enabled(if: Self.hasRealtimeRanks, "this user may not have real-time ranks"))
    func aKilledUnitCostsNoOtherABit() throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 512, sampleRate: Sounds.rate))
        let ramp = try Sounds.ramp(1111, channelCount: 1)
        let sound = Array(UnsafeBufferPointer(start: ramp.samples[0], count: 1111))
        var branches = try (0..<8).map { _ in try Branch(engine, ramp) }
        try engine.start()
        #expect(waitUntil(milliseconds: 20_000) { branches.allSatisfy(\.isWhole) })
        let processor = engine.state.withLock { $0.placement.processor }
        let stalls = try StallWatch(processor: processor)
        defer { stalls.stop() }
        var account = DeadlineAccount(of: try #require(engine.player), watches: [stalls])
        for unit in 0..<3 {
            for index in branches.indices {
                let victim = branches[index].units[unit].unit
                let start = branches[index].tap.recorded.frameCount
                kill(try #require(victim.processIdentifier), SIGKILL)
                #expect(waitUntil(milliseconds: 5000) { victim.restartCount == 1 })
                let branch = branches[index]
                #expect(waitUntil(milliseconds: 5000) { branch.isWhole })
                pause(milliseconds: 50)
                branches[index].absences.append(start..<branches[index].tap.recorded.frameCount)
                account.settle()
            }
        }
        engine.stop()
        account.settle()
        #expect(account.ownCount == 0)
        for branch in branches {
            let faults = branch.units.flatMap(\.unit.faults).map(\.fault.kind)
            #expect(faults.filter { $0 != "late" } == ["signalled", "signalled", "signalled"], "\(faults)")
            let (frames, largest) = branch.differences(from: sound)
            // Its dry signal is heard instead of a unit that does not change it; only the fades round.
            #expect(largest < 1e-6)
            // A machine that is busy with something else may make a unit late.
            guard !faults.contains("late") else { continue }
            #expect(frames.allSatisfy { frame in branch.absences.contains { $0.contains(frame) } })
        }
    }

    private static var hasRealtimeRanks: Bool {
        defer { try? Scheduling.set(.ordinary, ofThread: 0) }
        return (try? Scheduling.set(SchedulingClass(realtimePriority: 1), ofThread: 0)) != nil
    }

    private func pause(milliseconds: Int) { Futex.pause(microseconds: UInt32(milliseconds * 1000)) }
}
