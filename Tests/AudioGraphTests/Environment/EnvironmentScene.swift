// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An environment with a source that plays a constant, for the tests of sound in space. Test thread.

import AudioGraph
import HostingTestSupport
import Testing

/// A source in an environment, rendered offline.
struct EnvironmentScene {
    let engine: AudioEngine
    let environment = AudioEnvironmentNode()
    let player = AudioPlayerNode()

    /// Plays 0.5 on the first channel, and so much on each further one.
    init(channelCount: Int = 1, outputChannelCount: Int = 2, others: Float = 0.25) throws {
        engine = try AudioEngine.offline(channelCount: outputChannelCount)
        engine.attach(environment)
        engine.attach(player)
        try engine.connect(player, to: environment, format: Sounds.format(channelCount))
        try engine.connect(environment, to: engine.mainMixerNode, format: Sounds.format(outputChannelCount))
        player.scheduleBuffer(
            try Sounds.buffer(4800, channelCount: channelCount) { channel, _ in channel == 0 ? 0.5 : others }, options: .loops)
        try engine.start()
        player.play()
    }

    /// The gains of each side, after what has changed has settled.
    func gains() throws -> [Float] { try engine.render(2400).map { 2 * ($0.last ?? 0) } }

    /// The gains with the source at a place.
    func gains(x: Float, y: Float = 0, z: Float = 0) throws -> [Float] {
        player.position = Audio3DPoint(x: x, y: y, z: z)
        return try gains()
    }
}

/// Whether numbers are the same but for rounding.
func areClose(_ left: [Float], _ right: [Float], within tolerance: Float = 1e-5) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= tolerance }
}
