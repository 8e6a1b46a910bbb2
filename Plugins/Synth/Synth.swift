// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Synth: two oscillators, a filter and two envelopes for each of 32 voices. Render thread.

import DSP
import PluginSDK

/// The addresses of the parameters.
enum Address: UInt64 {
    case wave, width, wave2, pitch2, detune, mix, sub, noise, spread
    case filterType = 16
    case cutoff, resonance, amount, keyTracking, filterVelocity
    case filterAttack = 32
    case filterDecay, filterSustain, filterRelease
    case attack = 48
    case decay, sustain, release, velocity
    case modulationWave = 64
    case rate, vibrato, wheel, modulatedFilter, modulatedWidth, pressure
    case volume = 80
    case mode, glide
}

// Declared here, where the compiler can check the generic code that calls it.
extension SynthVoice: Voice {}

/// A subtractive synthesizer.
struct Synth: Kernel, ~Copyable {
    private var voices: Voices<SynthVoice>
    private var volume = SmoothedValue(1)
    private let glide: Int

    private static var voiceCount: Int { 32 }

    init(_ setup: RenderSetup) {
        voices = Voices(setup, count: Self.voiceCount, patch: SynthPatch(sampleRate: setup.sampleRate))
        glide = setup.frameCount(seconds: 0.02)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        guard let address = Address(rawValue: change.address) else { return }
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        switch address {
        case .volume: volume.ramp(to: Maths.gain(fromDecibels: Float(change.value)), over: frames)
        case .mode: voices.setMono(change.value > 0.5)
        default: voices.patch.set(address, to: Float(change.value), over: frames)
        }
    }

    @_noLocks mutating func handle(_ message: MIDIMessage) { voices.handle(message) }

    @_noLocks mutating func render(_ block: RenderBlock) {
        let output = block.output
        output.silence()
        guard output.channelCount > 0 else { return }
        voices.render(output)
        voices.patch.advance(by: output.frameCount)
        guard volume.isMoving || volume.current != 1 else { return }
        for frame in 0..<output.frameCount {
            let factor = volume.next()
            for channel in 0..<output.channelCount { output[channel][frame] *= factor }
        }
    }

    @_noLocks mutating func reset() {
        voices.reset()
        voices.patch.reset()
        volume.jump(to: volume.target)
    }

    /// For ever: a note sounds until its key is released.
    var tailFrameCount: Int { @_noLocks get { .max } }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Synth.exported }
