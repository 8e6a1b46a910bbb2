// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units that follow each other: they hand over without the host, and sound the same through every edit. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct RowTests {
    /// A player, units one after another, and the main mixer.
    private final class Scene {
        let engine: AudioEngine
        let player = AudioPlayerNode()
        var units: [AudioUnitEffect] = []

        init(_ names: [String], isOffline: Bool = true) async throws {
            engine = try AudioEngine.offline()
            engine.attach(player)
            for name in names { try await add(name) }
            player.scheduleBuffer(try Sounds.ramp(1111), options: .loops)
            player.play()
        }

        @discardableResult
        func add(_ name: String) async throws -> AudioUnitEffect {
            let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component(name)))
            if name == "Delay" { try unit.unit.setValue(0.01, of: "time") }
            units.append(unit)
            engine.attach(unit)
            return unit
        }

        /// Connects the units in their order; with `mixers` a mixer lies between any two, so that there is no row.
        func connect(mixers: Bool = false) throws {
            try engine.edit {
                var last: AudioNode = player
                for unit in units {
                    if mixers, last !== player {
                        let mixer = AudioMixerNode()
                        engine.attach(mixer)
                        try engine.connect(last, to: mixer)
                        last = mixer
                    }
                    try engine.connect(last, to: unit)
                    last = unit
                }
                try engine.connect(last, to: engine.mainMixerNode)
            }
        }

        var rows: [GraphRow] { engine.state.withLock { $0.playing?.rows ?? [] } }

        /// Renders until the units of one row hand over to each other, and returns what was heard.
        func renderUntilWired(_ count: Int) throws -> [Float] {
            var heard: [Float] = []
            var isWired: Bool {
                rows.count == 1 && rows[0].units.count == count && rows[0].rendered.members.allSatisfy(\.handsOver)
            }
            let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
            repeat { heard += try engine.render(256, block: 64)[1] } while !isWired && MonotonicClock.now() < deadline
            #expect(isWired, "\(rows.map { $0.rendered.members.map(\.handsOver) })")
            return heard
        }
    }

    private static let names = ["Delay", "Gain", "Delay", "Distortion"]

    @Test func unitsInARowHandOverToEachOtherAndSoundAsThoughTheHostWereInBetween() async throws {
        let (row, apart) = (try await Scene(Self.names), try await Scene(Self.names))
        for scene in [row, apart] { try scene.connect(mixers: scene === apart) }
        try row.engine.start()
        try apart.engine.start()
        var heard = try row.renderUntilWired(4)
        heard += try row.engine.render(4096, block: 100)[1]
        let wanted = try apart.engine.render(heard.count)[1]
        #expect(apart.rows.isEmpty)
        #expect(heard == wanted && heard.contains { abs($0) > 0.01 })
        #expect((row.units + apart.units).allSatisfy { $0.unit.faults.isEmpty })
    }

    @Test func aRowIsTakenApartAndMadeAnewWhileItPlays() async throws {
        let scene = try await Scene(["Gain", "Delay", "Gain"])
        try scene.connect()
        try scene.engine.start()
        var heard = try scene.renderUntilWired(3)
        let processes = scene.units.map(\.unit.processIdentifier)
        for round in 0..<6 {
            // A unit comes into the middle, a connection around the middle one, and all as before.
            switch round % 3 {
            case 0:
                let new = try await scene.add("Gain")
                scene.units = [scene.units[0], new] + scene.units[1..<(scene.units.count - 1)]
                try scene.connect()
                heard += try scene.renderUntilWired(4)
            case 1:
                let gone = scene.units.remove(at: 1)
                scene.engine.detach(gone)
                try scene.connect()
                heard += try scene.renderUntilWired(3)
            default:
                scene.units.swapAt(0, 2)
                try scene.connect()
                heard += try scene.renderUntilWired(3)
            }
        }
        // The player's own jump at the end of its loop is the largest step.
        let steps = zip(heard, heard.dropFirst()).map { abs($0.1 - $0.0) }
        #expect(steps.allSatisfy { $0 < 0.04 }, "\(steps.max() ?? 0)")
        #expect(scene.units.allSatisfy { $0.unit.faults.isEmpty })
        #expect(Set(scene.units.map(\.unit.processIdentifier)) == Set(processes))
    }

    @Test(arguments: 0..<3) func aDeathInARowIsOneUnitsDeathAndTheRowIsMadeAnew(index: Int) async throws {
        let scene = try await Scene(["Gain", "Gain", "Gain"])
        try scene.connect()
        try scene.engine.start()
        _ = try scene.renderUntilWired(3)
        let victim = try #require(scene.units[index].unit.processIdentifier)
        kill(victim, SIGKILL)
        // Offline the new process renders the same block.
        var heard = try scene.engine.render(4096, block: 64)[1]
        #expect(scene.units[index].unit.processIdentifier != victim)
        heard += try scene.renderUntilWired(3)
        let ramp = try Sounds.ramp(1111)
        let start = try #require((0..<1111).first { ramp.samples[1][$0] == heard[0] })
        #expect(heard.indices.allSatisfy { heard[$0] == ramp.samples[1][(start + $0) % 1111] })
        for (place, unit) in scene.units.enumerated() { #expect(unit.unit.faults.count == (place == index ? 1 : 0)) }
    }

    @Test func aUnitWithASideChainBeginsARow() async throws {
        let scene = try await Scene(["Gain", "Probe", "Gain"])
        let side = AudioPlayerNode()
        scene.engine.attach(side)
        side.scheduleBuffer(try Sounds.buffer(100) { _, _ in 0.25 }, options: .loops)
        side.play()
        try scene.connect()
        try scene.engine.connect(side, to: scene.units[1], fromBus: 0, toBus: 1)
        try scene.engine.start()
        let heard = try scene.renderUntilWired(2)
        #expect(scene.rows[0].units.map(\.name) == ["Probe", "Gain"])
        let ramp = try Sounds.ramp(1111)
        #expect(heard.indices.allSatisfy { heard[$0] == ramp.samples[1][$0 % 1111] + 0.25 })
    }

    /// The side chain is as late as the signal through the units, so the two cancel.
    @Test func aSideChainIsInStepWithAPipeline() async throws {
        let scene = try await Scene(["Misbehaver", "Gain", "Gain", "Probe"])
        scene.engine.setPolicy(UnitPolicy(), isPipelined: true)
        try scene.units[0].unit.setValue(-1, of: "gain")
        try scene.connect()
        try scene.engine.connect(
            scene.player,
            to: [AudioConnectionPoint(node: scene.units[0], bus: 0), AudioConnectionPoint(node: scene.units[3], bus: 1)], fromBus: 0
        )
        try scene.engine.start()
        #expect(scene.engine.latencyFrameCount == 2 * 4096)
        #expect(try scene.engine.render(8 * 4096, block: 4096).allSatisfy { $0.allSatisfy { abs($0) < 1e-6 } })
        try scene.units[0].unit.setValue(1, of: "gain")
        #expect(try scene.engine.render(4 * 4096, block: 4096)[0].contains { abs($0) > 0.01 })
    }

    /// It sleeps at a doorbell of the row before, and the predecessor of the new row cannot have written there.
    @Test func aUnitThatHangsWhileItsRowIsMadeAnewIsItselfToBlame() async throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 256, sampleRate: Sounds.rate))
        let player = AudioPlayerNode()
        engine.attach(player)
        player.scheduleBuffer(try Sounds.ramp(1111), options: .loops)
        player.play()
        var units: [AudioUnitEffect] = []
        for _ in 0..<3 { units.append(AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Gain")))) }
        var last: AudioNode = player
        for unit in units {
            engine.attach(unit)
            try engine.connect(last, to: unit)
            last = unit
        }
        try engine.connect(last, to: engine.mainMixerNode)
        try engine.start()
        func members() -> [UnitResources] { units.compactMap(\.unit.resources) }
        #expect(try await happens { members().allSatisfy(\.handsOver) })
        let victim = try #require(units[1].unit.processIdentifier)
        kill(victim, SIGSTOP)
        // The third one goes, and the first two are a row by themselves.
        units[2].bypass = true
        try engine.edit {
            engine.detach(units[2])
            try engine.connect(units[1], to: engine.mainMixerNode)
        }
        #expect(try await happens { units[1].unit.restartCount == 1 })
        #expect(units[1].unit.faults.contains { $0.fault.kind == "hung" })
        // A machine that is busy with something else may make it late.
        let faults = units[0].unit.faults
        #expect(faults.allSatisfy { $0.fault.kind == "late" } && units[0].unit.restartCount == 0, "\(faults)")
        #expect(try await happens { members().prefix(2).allSatisfy(\.handsOver) })
        engine.stop()
    }

    private func happens(_ condition: () -> Bool) async throws -> Bool {
        let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
        while !condition() {
            guard MonotonicClock.now() < deadline else { return false }
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        return true
    }
}
