// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An instrument with note expression in forty lines: start here when you write your own. Render thread.

import PluginSDK

/// A sine for each note: the wheel bends it, and pressure makes it louder.
struct WhistleVoice: Voice {
    private let sampleRate: Float
    private(set) var level: Float = 0
    private var (phase, key, target): (Float, Float, Float) = (0, 0, 0)
    init(_ setup: RenderSetup) { sampleRate = Float(setup.sampleRate) }
    @_noLocks mutating func start(_ note: Note, _ volume: Float) {
        (phase, level, key, target) = (0, 0.001, Float(note.key), volume * note.velocity)
    }
    @_noLocks mutating func release() { target = 0 }
    @_noLocks mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ volume: Float) {
        let step = 2 * .pi * Note.frequency(ofKey: key + expression.bend) / sampleRate
        for frame in 0..<output.frameCount where !isSilent {
            level += (target * (1 + expression.pressure) - level) * 0.002
            phase += phase > .pi ? step - 2 * .pi : step
            for channel in 0..<output.channelCount { output[channel][frame] += level * Maths.sin(phase) }
        }
    }
    var isSilent: Bool { @_noLocks get { target == 0 && level < 1e-4 } }
}

/// Sixteen voices.
struct Whistle: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.instrument, "whis", "test"), name: "Whistle", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), flags: .midiInput, inputs: [])
    static let parameters = ParameterTree()
    private var voices: Voices<WhistleVoice>
    init(_ setup: RenderSetup) { voices = Voices(setup, count: 16, patch: 0.2) }
    @_noLocks mutating func apply(_ change: ParameterChange) {}
    @_noLocks mutating func handle(_ message: MIDIMessage) { voices.handle(message) }
    @_noLocks mutating func render(_ block: RenderBlock) {
        block.output.silence()
        voices.render(block.output)
    }
    @_noLocks mutating func reset() { voices.reset() }
    var tailFrameCount: Int { @_noLocks get { .max } }
}
