// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A scene with a source and a listener that is rendered by hand, and a small head. Test thread.

import AudioGraph
import HostingTestSupport
import Spatial
import Testing

@testable import SoundEvents

/// An engine with noise, a constant and a ramp, a source and a listener at the origin.
final class SpaceBench {
    let graph: AudioEngine
    let engine: SoundEngine
    let source: SceneSource
    let listener: SceneListener
    static let noise = SeededNoise(seed: 5).samples(24_000)

    init(
        _ mode: SoundEngine.UpdateMode = .automatic, channelCount: Int = 2, _ spatialization: OutputSpatialization = .loudspeakers,
        medium: SoundMedium = .none
    ) throws {
        graph = try AudioEngine.offline(channelCount: channelCount)
        engine = try SoundEngine(in: graph, updateMode: mode)
        try engine.setHead(Self.head.get())
        try engine.setOutputSpatialization(spatialization)
        try engine.setMedium(medium)
        (source, listener) = (SceneSource(in: engine.scene), SceneListener(in: engine.scene))
        try engine.scene.root.add(source)
        try engine.scene.root.add(listener)
        try engine.assets.registerSound(samples: [Self.noise], sampleRate: 48_000, id: "noise")
        try engine.assets.registerSound(samples: [Array(repeating: 0.5, count: 96_000)], sampleRate: 48_000, id: "half")
        try engine.assets.registerSound(samples: [(0..<96_000).map { Float($0) / 96_000 }], sampleRate: 48_000, id: "ramp")
        try graph.start()
    }

    /// Makes an event of one sound at the source.
    func event(
        _ asset: String = "half", _ sampler: (inout Sampler) -> Void = { _ in }, _ change: (inout SpatialMixer) -> Void = { _ in }
    ) throws -> SoundEvent {
        var mixer = SpatialMixer()
        change(&mixer)
        var node = Sampler(asset, mixer: .spatial(mixer), playback: .looping)
        sampler(&node)
        return try SoundEvent(try engine.assets.registerTree(.sampler(node)), in: engine, mixers: parameters)
    }

    var parameters: MixerParameters {
        var parameters = MixerParameters()
        parameters.add(source, heardBy: listener, mixer: "spatial")
        parameters.add(listener, mixer: "ambience")
        return parameters
    }

    func move(_ x: Double, _ y: Double = 0, _ z: Double = 0) throws {
        try source.move(to: SceneTransform(position: SIMD3(x, y, z)))
    }

    /// The gains of the channels, for a constant of 0.5, once all glides have ended.
    func gains() throws -> [Double] { try graph.render(9600).map { 2 * Double($0.last ?? 0) } }

    /// A head of 26 directions: each ear hears its own side at once, and the other one 30 frames later at a quarter.
    static let head = Result {
        var places: [SpacePoint] = []
        for index in 0..<27 where index != 13 {
            let corner = SpacePoint(Double(index % 3 - 1), Double(index / 3 % 3 - 1), Double(index / 9 - 1))
            places.append(corner / (corner * corner).sum().squareRoot())
        }
        var responses: [Float] = []
        for place in places {
            for side in [-place.x, place.x] {
                let (arrival, gain) = (10 + Int(15 - 15 * side), Float(0.625 + 0.375 * side))
                responses += (0..<64).map { $0 == arrival ? gain : 0 }
            }
        }
        return HeadSet(
            try HeadMeasurements(
                name: "two ears", sampleRate: 48_000, positions: places, tapCount: 64, responses: responses, delays: [0, 0]),
            level: .measured)
    }
}

/// The largest difference of two sounds beside the largest sample, in decibels.
func difference(_ left: [[Float]], _ right: [[Float]]) -> Double {
    let most = left.joined().map { abs($0) }.max() ?? 0
    let worst = zip(left.joined(), right.joined()).map { abs($0.0 - $0.1) }.max() ?? .infinity
    guard left.map(\.count) == right.map(\.count) else { return .infinity }
    return worst == 0 ? -.infinity : 20 * Double(Maths.log10(worst / max(most, 1e-30)))
}
