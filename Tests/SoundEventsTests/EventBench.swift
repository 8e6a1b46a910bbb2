// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An audio graph that is rendered by hand, with sound events and sounds to tell apart.

import AudioGraph
import HostingTestSupport
import Synchronization
import Testing

@testable import SoundEvents

/// An engine for sound events in an offline audio graph of two channels, with sounds whose samples tell their names and places.
final class EventBench {
    let graph: AudioEngine
    private(set) var engine: SoundEngine?
    static let mixer = SoundMixer.channel(ChannelMixer())

    init(_ mode: SoundEngine.UpdateMode = .automatic, seed: UInt64 = 1) throws {
        graph = try AudioEngine.offline()
        let engine = try SoundEngine(in: graph, updateMode: mode, seed: seed)
        // A ramp, a constant, and another constant, of 1000 frames each.
        try engine.assets.registerSound(samples: [(1...1000).map { Float($0) / 1000 }], sampleRate: 48_000, id: "ramp")
        try engine.assets.registerSound(samples: [Array(repeating: 0.5, count: 1000)], sampleRate: 48_000, id: "half")
        try engine.assets.registerSound(samples: [Array(repeating: 0.25, count: 1000)], sampleRate: 48_000, id: "quarter")
        try engine.assets.registerSound(samples: [Array(repeating: 1, count: 100_000)], sampleRate: 48_000, id: "long")
        self.engine = engine
        try graph.start()
    }

    var present: SoundEngine { get throws { try #require(engine) } }

    func forgetEngine() { engine = nil }

    static func sampler(_ asset: String, _ change: (inout Sampler) -> Void = { _ in }) -> SoundNode {
        var sampler = Sampler(asset, mixer: mixer)
        change(&sampler)
        return .sampler(sampler)
    }

    /// Makes an event of a new tree.
    func event(_ root: SoundNode) throws -> SoundEvent {
        try SoundEvent(try present.assets.registerTree(root), in: try present)
    }

    /// The left channel of the next frames.
    func render(_ frameCount: Int, block: Int = 512) throws -> [Float] { try graph.render(frameCount, block: block)[0] }
}

/// The endings that a closure was called with.
final class Endings: Sendable {
    private let list = Mutex<[SoundEvent.Ending]>([])
    var all: [SoundEvent.Ending] { list.withLock { $0 } }
    func add(_ ending: SoundEvent.Ending) { list.withLock { $0.append(ending) } }
}

/// Expects samples as a model has them.
func expect(
    _ sound: [Float], _ model: (Int) -> Double, within tolerance: Double = 1e-6, _ name: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let worst = sound.indices.max { abs(Double(sound[$0]) - model($0)) < abs(Double(sound[$1]) - model($1)) } ?? 0
    let difference = sound.isEmpty ? .infinity : abs(Double(sound[worst]) - model(worst))
    #expect(
        difference <= tolerance, "\(name) frame \(worst): \(sound.isEmpty ? 0 : sound[worst]), and \(model(worst)) in the model",
        sourceLocation: sourceLocation)
}
