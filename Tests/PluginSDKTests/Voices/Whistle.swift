// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shortest instrument: start here when you write your own. Render thread.

import PluginSDK

/// A sine for each note, which the pitch wheel bends.
struct WhistleVoice: Voice {
    private let sampleRate: Float
    private var (phase, key, target): (Float, Float, Float) = (0, 0, 0)
    private(set) var level: Float = 0

    init(_ setup: RenderSetup) { sampleRate = Float(setup.sampleRate) }

    @_noLocks mutating func start(_ note: Note, _ patch: SmoothedValue) {
        (phase, key, level, target) = (0, Float(note.key), 0.001, 0.2 * note.velocity)
    }

    @_noLocks mutating func release() { target = 0 }

    @_noLocks mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ gain: SmoothedValue) {
        var gain = gain
        let step = 2 * .pi * Note.frequency(ofKey: key + expression.bend) / sampleRate
        for frame in 0..<output.frameCount where !isSilent {
            level += (target - level) * 0.002
            phase += step
            let sample = level * gain.next() * Maths.sin(phase)
            for channel in 0..<output.channelCount { output[channel][frame] += sample }
        }
    }

    var isSilent: Bool { @_noLocks get { target == 0 && level < 1e-4 } }
}

struct Whistle: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.instrument, "whis", "test"), name: "Whistle", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), flags: .midiInput, inputs: [])
    static let parameters = ParameterTree(
        Parameter("gain", name: "Gain", address: 0, range: -60...12, default: 0, unit: .decibels))

    private var voices: Voices<WhistleVoice>

    init(_ setup: RenderSetup) { voices = Voices(setup, count: 16, patch: SmoothedValue(1)) }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        voices.patch.ramp(to: Maths.gain(fromDecibels: Float(change.value)), over: max(960, Int(change.rampFrameCount)))
    }
    @_noLocks mutating func handle(_ message: MIDIMessage) { voices.handle(message) }
    @_noLocks mutating func render(_ block: RenderBlock) {
        block.output.silence()
        voices.render(block.output)
        _ = voices.patch.advance(by: block.frameCount)
    }
    @_noLocks mutating func reset() {
        voices.reset()
        voices.patch.jump(to: voices.patch.target)
    }
    var tailFrameCount: Int { @_noLocks get { .max } }
}
