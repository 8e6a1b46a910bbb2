// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One voice of the synthesizer: two oscillators, a sub, noise, a filter and an amplifier. Render thread.

import DSP
import PluginSDK

/// A note from its start to its end.
///
/// Every 16 frames, counted from its first one, the voice reads its controls; their effects glide until the next time.
struct SynthVoice: ~Copyable {
    private var first = BandLimitedOscillator()
    private var second = BandLimitedOscillator()
    private var filter = VoiceFilter()
    private var (filterEnvelope, envelope) = (Envelope(), Envelope())
    private var note = Note(key: 60, velocity: 0)
    private var pitch = GlidingPitch()
    private var mix = VoiceMix()
    private var noise: UInt32 = 1
    private var subPhase: Float = 0
    private var subIncrement: Float = 0
    /// The controllers' values, smoothed, because their steps are coarse.
    private var expression = NoteExpression()
    /// The part of the way to a controller's value that is covered in a period; the time constant is 5 ms.
    private let nearness: Float
    private var framesLeft = 0
    private var isFresh = true

    init(_ setup: RenderSetup) {
        nearness = 1 - Maths.exp(-Float(SynthPatch.period) / Float(0.005 * setup.sampleRate))
    }

    @_noLocks mutating func start(_ note: Note, _ patch: SynthPatch) {
        self.note = note
        pitch.start(note, patch)
        envelope.start()
        filterEnvelope.start()
        // The golden ratio spreads phases evenly, for any number of notes; the offsets are odd numbers.
        noise = 0x9E37_79B9 &* (2 &* UInt32(truncatingIfNeeded: note.number) &+ 1)
        (subPhase, framesLeft, isFresh) = (0, 0, true)
    }

    /// Tied notes do not restart the envelopes.
    @_noLocks mutating func glide(to note: Note, _ patch: SynthPatch) {
        self.note.key = note.key
        pitch.glide(to: note, patch)
    }

    @_noLocks mutating func release() {
        envelope.release()
        filterEnvelope.release()
    }

    var isSilent: Bool { @_noLocks get { envelope.isEnded } }
    var level: Float { @_noLocks get { envelope.level * note.velocity } }

    @_noLocks mutating func render(_ output: AudioBlock, _ expression: NoteExpression, _ patch: SynthPatch) {
        var frame = 0
        while frame < output.frameCount, !envelope.isEnded {
            if framesLeft == 0 { look(expression, patch, frame) }
            let count = min(framesLeft, output.frameCount - frame)
            add(count, to: output, at: frame, patch.shape)
            framesLeft -= count
            frame += count
        }
    }

    /// Aims at the values of the controls, `frame` frames into the block.
    @_noLocks private mutating func look(_ target: NoteExpression, _ patch: SynthPatch, _ frame: Int) {
        framesLeft = SynthPatch.period
        follow(target)
        let wave = patch.lfo.value(after: frame)
        let vibrato = patch.vibrato.value(after: frame) + patch.wheel.value(after: frame) * expression.modulation
        let key = pitch.next() + expression.bend + vibrato * wave
        tune(key, patch, frame, width: patch.width.value(after: frame) + wave * patch.modulatedWidth.value(after: frame))
        aimFilter(key, wave, patch, frame)
        mix.aim(note.velocity, expression.gain, patch, frame, jumps: isFresh)
        isFresh = false
    }

    /// Moves a part of the way to the controllers' values; a note starts at them.
    @_noLocks private mutating func follow(_ target: NoteExpression) {
        guard !isFresh else {
            expression = target
            return
        }
        expression.bend += (target.bend - expression.bend) * nearness
        expression.pressure += (target.pressure - expression.pressure) * nearness
        expression.timbre += (target.timbre - expression.timbre) * nearness
        expression.modulation += (target.modulation - expression.modulation) * nearness
        expression.gain += (target.gain - expression.gain) * nearness
    }

    @_noLocks private mutating func tune(_ key: Float, _ patch: SynthPatch, _ frame: Int, width: Float) {
        let half = patch.detune.value(after: frame) / 200
        let pitch2 = patch.pitch2.value(after: frame)
        let increment = Note.frequency(ofKey: key - half) / patch.sampleRate
        let increment2 = Note.frequency(ofKey: key + half + pitch2) / patch.sampleRate
        let width = max(0.05, min(width, 0.95))
        subIncrement = min(0.25, Note.frequency(ofKey: key - 12) / patch.sampleRate)
        guard isFresh else {
            first.glide(to: Double(increment), width: width, over: SynthPatch.period)
            second.glide(to: Double(increment2), width: width, over: SynthPatch.period)
            return
        }
        let phase = Double(noise) * 0x1p-32
        first.start(patch.wave, phase: phase, increment: Double(increment), width: width)
        second.start(patch.wave2, phase: 2.618 * phase + 0.37, increment: Double(increment2), width: width)
    }

    @_noLocks private mutating func aimFilter(_ key: Float, _ wave: Float, _ patch: SynthPatch, _ frame: Int) {
        let softness = patch.filterVelocity.value(after: frame) * (1 - note.velocity)
        var octaves = patch.cutoff.value(after: frame) + patch.keyTracking.value(after: frame) * (key - 60) / 12
        octaves += patch.amount.value(after: frame) * filterEnvelope.next(patch.filterShape) * (1 - softness)
        octaves += wave * patch.modulatedFilter.value(after: frame)
        octaves += expression.pressure * patch.pressure.value(after: frame) + (expression.timbre - 0.5) * 4
        // Q from a flat response to 18.
        let q = 0.707 * Maths.exp2(4.65 * patch.resonance.value(after: frame))
        let frequency = Maths.exp2(min(octaves, 15)) / patch.sampleRate
        if isFresh {
            filter.start(patch.filterType, frequency: frequency, q: q)
        } else {
            filter.glide(to: frequency, q: q, over: SynthPatch.period)
        }
    }

    @_noLocks private mutating func add(_ count: Int, to output: AudioBlock, at start: Int, _ shape: EnvelopeShape) {
        let (one, two) = (first.render(count), second.render(count))
        let (left, right) = (output[0] + start, output[output.channelCount - 1] + start)
        let isMono = output.channelCount == 1
        for frame in 0..<count {
            mix.advance()
            let middle = mix.sub * Turn.sine(subPhase) + mix.noise * nextNoise()
            subPhase += subIncrement
            if subPhase >= 1 { subPhase -= 1 }
            let sum = mix.first * one[frame] + mix.second * two[frame] + SIMD2(repeating: middle)
            let sound = filter.process(sum) * (envelope.next(shape) * mix.gain)
            if isMono {
                left[frame] += 0.5 * (sound.x + sound.y)
            } else {
                left[frame] += sound.x
                right[frame] += sound.y
            }
        }
    }

    /// White noise between −1 and 1.
    ///
    /// Source: G. Marsaglia, "Xorshift RNGs", 2003.
    @inline(__always) @_noLocks private mutating func nextNoise() -> Float {
        noise ^= noise << 13
        noise ^= noise >> 17
        noise ^= noise << 5
        return Float(Int32(bitPattern: noise)) * 0x1p-31
    }
}
