// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A step of the tutorial: a whole program. The main thread.

import AudioGraph
import Foundation

/// A second of a tone, which can be repeated without a step.
func tone(_ frequency: Double) -> AudioPCMBuffer? {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
    guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000) else { return nil }
    buffer.frameLength = 48_000
    for channel in 0..<2 {
        for frame in 0..<48_000 {
            buffer.samples[channel][frame] = Float(0.2 * sin(2 * Double.pi * frequency * Double(frame) / 48_000))
        }
    }
    return buffer
}

let engine = AudioEngine()
_ = engine.mainMixerNode
try engine.start()

let player = AudioPlayerNode()
engine.attach(player)
try engine.connect(player, to: engine.mainMixerNode)
if let buffer = tone(220) { player.scheduleBuffer(buffer, options: .loops) }
player.play()

try await Task.sleep(for: .seconds(2))

let reverb = AudioUnitReverb()
reverb.loadFactoryPreset(.largeHall)
reverb.wetDryMix = 40
try engine.edit {
    engine.attach(reverb)
    try engine.connect(player, to: reverb)
    try engine.connect(reverb, to: engine.mainMixerNode)
}

try await Task.sleep(for: .seconds(2))
engine.stop()
