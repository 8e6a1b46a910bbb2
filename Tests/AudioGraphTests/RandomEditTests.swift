// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random edits while it plays, units included: nothing clicks, nothing is lost, and what is not touched keeps its bits. Rendered
// offline. Test thread.

import AudioGraph
import Glibc
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct RandomEditTests {
    /// A hundred thousand edits in the deep tests, some of them for a change.
    private static var editCount: Int { Sample.isWhole ? 100_000 : 800 }

    @Test(arguments: [1, 2] as [UInt64]) func anyEditIsLegalAtAnyTime(seed: UInt64) async throws {
        let scene = try EditScene(seed: seed)
        for _ in 0..<Self.editCount {
            try await scene.edit()
            try scene.renderAndCheck()
        }
        #expect(scene.editCounts.allSatisfy { $0.value > 0 }, "\(scene.editCounts)")
        scene.tidyUp()
        #expect(scene.engine.attachedNodes.count == 3)
    }
}

/// A graph that is edited at random.
private final class EditScene {
    enum Edit: CaseIterable {
        case addPlayer, addMixer, addUnit, move, disconnect, detach, bypass, level, several, kill
    }

    let engine: AudioEngine
    private(set) var editCounts: [Edit: Int] = Dictionary(uniqueKeysWithValues: Edit.allCases.map { ($0, 0) })
    private var random: SeededRandom
    private var players: [AudioPlayerNode] = []
    private var mixers: [AudioMixerNode] = []
    private var units: [AudioUnitEffect] = []
    /// Plays in channels 2 and 3 alone, and is never touched.
    private let reference = AudioPlayerNode()
    private let referenceBuffer: AudioPCMBuffer
    private let sine: AudioPCMBuffer
    private var frame = 0
    private var recent = ""
    private var last: [Float] = [0, 0]
    private let output: AudioPCMBuffer

    private static let mostOfAKind = 12
    private static let period = 960
    private static let amplitude: Float = 0.02

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        engine = try AudioEngine.offline(channelCount: 4, maximumFrameCount: 512)
        referenceBuffer = try Sounds.buffer(777, channelCount: 4) { channel, frame in
            channel < 2 ? 0 : Float(frame) / 1024 - Float(channel)
        }
        sine = try Sounds.buffer(Self.period) { _, frame in
            Self.amplitude * Maths.sin(2 * .pi * Float(frame) / Float(Self.period))
        }
        output = try #require(AudioPCMBuffer(pcmFormat: Sounds.format(4), frameCapacity: 512))
        engine.attach(reference)
        try engine.connect(reference, to: engine.mainMixerNode, format: Sounds.format(4))
        reference.scheduleBuffer(referenceBuffer, options: .loops)
        reference.play()
        mixers = [engine.mainMixerNode]
        try engine.start()
    }

    private func any<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    func edit() async throws {
        let edit = Edit.allCases.randomElement(using: &random)!
        recent = "\(edit)"
        guard try await perform(edit) else { return }
        editCounts[edit, default: 0] += 1
    }

    /// Makes an edit; false if there is nothing to make it with.
    private func perform(_ edit: Edit) async throws -> Bool {
        switch edit {
        case .addPlayer: return try addPlayer()
        case .addMixer: return try addMixer()
        case .addUnit: return try await addUnit()
        case .move: return try move()
        case .disconnect:
            guard let node = any(movable) else { return false }
            recent += " \(node.name) to \(engine.outputConnectionPoints(for: node, outputBus: 0).map(\.node.name))"
            _ = try engine.disconnectNodeOutput(node).get()
            return true
        case .detach: return try detach()
        case .bypass:
            guard let unit = any(units) else { return false }
            unit.bypass.toggle()
            return true
        case .level:
            guard let player = any(players) else { return false }
            player.volume = Float.random(in: 0...1, using: &random)
            player.pan = Float.random(in: -1...1, using: &random)
            return true
        case .several:
            try engine.edit { for _ in 0..<3 { _ = try move() } }
            return true
        case .kill:
            // A few are enough: each costs a start, and five a minute a unit's quarantine.
            guard Int.random(in: 0..<20, using: &random) == 0, let process = any(units)?.unit.processIdentifier else {
                return false
            }
            Glibc.kill(process, SIGKILL)
            return true
        }
    }

    /// What may be connected another way.
    private var movable: [AudioNode] { (players as [AudioNode]) + Array(mixers.dropFirst()) + units }

    private func addPlayer() throws -> Bool {
        guard players.count < Self.mostOfAKind, let mixer = any(mixers) else { return false }
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: mixer)
        player.scheduleBuffer(sine, options: .loops)
        player.play()
        players.append(player)
        return true
    }

    private func addMixer() throws -> Bool {
        guard mixers.count < Self.mostOfAKind, let mixer = any(mixers) else { return false }
        let new = AudioMixerNode()
        engine.attach(new)
        try engine.connect(new, to: mixer, format: Sounds.format())
        mixers.append(new)
        return true
    }

    private func addUnit() async throws -> Bool {
        guard units.count < 4, Int.random(in: 0..<5, using: &random) == 0, let mixer = any(mixers), let player = any(players) else {
            return false
        }
        let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Gain")))
        try engine.edit {
            engine.attach(unit)
            try engine.connect(player, to: unit)
            try engine.connect(unit, to: mixer)
        }
        units.append(unit)
        return true
    }

    private func move() throws -> Bool {
        guard let node = any(movable) else { return false }
        let targets: [AudioNode] = node is AudioPlayerNode ? mixers + units : mixers
        guard let target = any(targets) else { return false }
        do throws(AudioEngineError) {
            try engine.connect(node, to: target)
        } catch .cycle {
            return true
        }
        return true
    }

    private func detach() throws -> Bool {
        guard let node = any(movable) else { return false }
        _ = try engine.detach(node).get()
        players.removeAll { $0 === node }
        mixers.removeAll { $0 === node }
        units.removeAll { $0 === node }
        return true
    }

    func renderAndCheck() throws {
        let count = [64, 128, 200, 256, 512].randomElement(using: &random)!
        #expect(try engine.renderOffline(count, to: output) == .success)
        defer { frame += count }
        let block = output.samples
        let wanted = referenceBuffer.samples
        for channel in 2..<4 {
            for index in 0..<count where block[channel][index] != wanted[channel][(frame + index) % 777] {
                return #expect(
                    Bool(false),
                    "channel \(channel) has changed at frame \(frame + index), \(recent): \(block[channel][index]) for \(wanted[channel][(frame + index) % 777])"
                )
            }
        }
        // Each player may be heard on two ways at once while it is moved, and each fade adds a little.
        let voices = Float(2 * players.count + 4)
        let bound = voices * (Self.amplitude * 2 * .pi / Float(Self.period)) + 0.001
        for channel in 0..<2 {
            for index in 0..<count {
                let step = abs(block[channel][index] - last[channel])
                last[channel] = block[channel][index]
                guard step <= bound else {
                    return #expect(
                        Bool(false), "a step of \(step) at frame \(frame + index) after \(index), beyond \(bound); \(recent)")
                }
            }
        }
    }

    func tidyUp() {
        for node in movable { engine.detach(node) }
        for _ in 0..<20 { _ = try? engine.renderOffline(512, to: output) }
        (players, mixers, units) = ([], [], [])
    }
}
