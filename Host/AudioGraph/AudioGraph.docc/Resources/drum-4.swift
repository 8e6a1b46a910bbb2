// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A step of the tutorial: a whole program. The main thread.

import AudioGraph
import Foundation

/// A second with two strokes of a drum: a falling tone, and the noise of the skin.
func drum() -> AudioPCMBuffer? {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 1)
    guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000) else { return nil }
    buffer.frameLength = 48_000
    for frame in 0..<48_000 {
        let time = Double(frame % 24_000) / 48_000
        let skin = sin(2 * Double.pi * (90 * time + 12 * (1 - exp(-time * 30))))
        let noise = Double.random(in: -1...1) * exp(-time * 120)
        buffer.samples[0][frame] = Float(0.5 * skin * exp(-time * 12) + 0.3 * noise)
    }
    return buffer
}

let engine = AudioEngine()
let space = AudioEnvironmentNode()
let player = AudioPlayerNode()
engine.attach(space)
engine.attach(player)
try engine.connect(player, to: space, format: AudioFormat(sampleRate: 48_000, channelCount: 1))
try engine.connect(space, to: engine.mainMixerNode)

// Two metres in front of you: x is to the right, y upwards, and z to the back.
player.position = Audio3DPoint(x: 0, y: 0, z: -2)

// Both filters of a head, if you wear headphones.
player.renderingAlgorithm = .auto
space.outputType = .headphones

/// Once around the drum in twelve seconds: eight places on a circle of two metres.
func aroundTheDrum(rate: Double) -> AudioPath? {
    let places = (0...8).map { index in
        let angle = Double(index) / 8 * 2 * Double.pi
        return AudioPath.Point(
            sampleTime: Int64(Double(index) * 1.5 * rate),
            position: Audio3DPoint(x: Float(2 * sin(angle)), y: 0, z: Float(2 * cos(angle) - 2)))
    }
    return AudioPath(places, shape: .spline)
}

space.listenerPath = aroundTheDrum(rate: 48_000)

/// The head turns to the left as far as the walk has gone around, so that the drum stays in front.
func towardsTheDrum(rate: Double) -> AudioHeadMotion? {
    let poses = (0...8).map { index in
        AudioHeadMotion.Pose(
            sampleTime: Int64(Double(index) * 1.5 * rate),
            orientation: Audio3DAngularOrientation(yaw: Float(-45 * index), pitch: 0, roll: 0))
    }
    return AudioHeadMotion(poses)
}

space.listenerMotion = towardsTheDrum(rate: 48_000)

if let sound = drum() { player.scheduleBuffer(sound, options: .loops) }
try engine.start()
player.play()
try await Task.sleep(for: .seconds(12))
engine.stop()
