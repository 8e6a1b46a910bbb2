// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One band of the equalizer: its smoothed parameters, its filter, and the fade between shapes. Render thread.

import DSP
import PluginSDK

/// One second-order filter in the chain.
///
/// Frequency glides in octaves, bandwidth and gain in straight lines. During a glide the coefficients are recomputed every
/// `controlFrameCount` frames. A change of shape fades the new filter in, while the old filter keeps its coefficients.
struct Band {
    private static var controlFrameCount: Int { @_noLocks get { 16 } }
    private static var bypassed: Int { @_noLocks get { -1 } }

    private let radiansPerHertz: Double
    private let fadeFrameCount: Int
    private let pairCount: Int
    /// One state for each pair of channels; the outgoing filter's states follow.
    private let states: UnsafeMutablePointer<SectionState>
    private var octave = SmoothedValue(10)
    private var bandwidth = SmoothedValue(1)
    private var gain = SmoothedValue(0)
    /// The requested shape, and the filter's shape; they differ while a fade waits for its turn.
    private var type = 0
    private var shape = Band.bypassed
    private var isBypassed = false
    private var section = SmoothedSection()
    private var outgoing = SmoothedSection()
    private var fadeFramesRemaining = 0
    private var eventArrived = false
    private var isSilent = true
    /// True if the band passes its input on until a parameter changes or `reset` is called.
    private(set) var isAtRest = false
    private(set) var tailFrameCount = 0

    /// `[control]` Makes a band; `unsafeStates` has room for two states a pair of channels.
    init(
        sampleRate: Double, fadeFrameCount: Int, pairCount: Int, unsafeStates: UnsafeMutablePointer<SectionState>
    ) {
        radiansPerHertz = 2 * Double.pi / sampleRate
        self.fadeFrameCount = max(1, fadeFrameCount)
        self.pairCount = pairCount
        states = unsafeStates
    }

    /// Takes a value for the parameter at an address within the band.
    @_noLocks mutating func apply(_ address: UInt64, _ value: Double, over frameCount: Int) {
        switch address {
        case 0: type = Int(value)
        case 1: octave.ramp(to: Maths.log2(Float(value)), over: frameCount)
        case 2: bandwidth.ramp(to: Float(value), over: frameCount)
        case 3: gain.ramp(to: Float(value), over: frameCount)
        default: isBypassed = value > 0.5
        }
        isAtRest = false
        eventArrived = true
        let poles = prototype(type, octave.target, bandwidth.target, gain.target).poles
        let isFlat = gain.target == 0 && BandShape(number: type).hasGain
        tailFrameCount = isBypassed || isFlat ? 0 : poles.decayFrameCount
    }

    @_noLocks mutating func reset() {
        isSilent = false
        rest()
        isAtRest = false
        shape = wantedShape
        section.glide(to: coefficients(octave.target, bandwidth.target, gain.target), over: 0)
        fadeFramesRemaining = 0
        eventArrived = false
    }

    /// Filters a block in place; `scratch` has room for two channels of it.
    @_noLocks mutating func process(_ block: AudioBlock, scratch: ChannelPair) {
        var start = 0
        while start < block.frameCount {
            beginFade()
            if isIdle { return rest() }
            if eventArrived || section.framesRemaining == 0 { beginStep() }
            let count = stretch(upTo: block.frameCount - start)
            isSilent = false
            for pair in 0..<pairCount {
                filter(ChannelPair(block, pair: pair, from: start), pair, count, scratch)
            }
            advance(by: count)
            start += count
        }
    }
}

extension Band {
    private var wantedShape: Int { @_noLocks get { isBypassed ? Self.bypassed : type } }

    private var isMoving: Bool { @_noLocks get { octave.isMoving || bandwidth.isMoving || gain.isMoving } }

    /// True if the output equals the input, until a parameter changes.
    private var isIdle: Bool {
        @_noLocks get {
            guard fadeFramesRemaining == 0, section.framesRemaining == 0 else { return false }
            if shape == Self.bypassed { return true }
            return gain.current == 0 && !gain.isMoving && BandShape(number: shape).hasGain
        }
    }

    /// Jumps every parameter to its target, because the band is inaudible now.
    @_noLocks private mutating func rest() {
        octave.jump(to: octave.target)
        bandwidth.jump(to: bandwidth.target)
        gain.jump(to: gain.target)
        silence()
        isAtRest = true
    }

    @_noLocks private mutating func silence() {
        if isSilent { return }
        for index in 0..<2 * pairCount { states[index] = SectionState() }
        isSilent = true
    }

    /// Starts a fade if another shape is requested and no fade runs.
    ///
    /// The old filter keeps its coefficients while it fades out.
    @_noLocks private mutating func beginFade() {
        guard fadeFramesRemaining == 0, shape != wantedShape else { return }
        section.stop()
        outgoing = section
        for pair in 0..<pairCount { states[pairCount + pair] = states[pair] }
        shape = wantedShape
        section.glide(to: coefficients(octave.current, bandwidth.current, gain.current), over: 0)
        fadeFramesRemaining = fadeFrameCount
    }

    /// Starts the coefficients' next straight line from their present values, if a parameter moves.
    @_noLocks private mutating func beginStep() {
        eventArrived = false
        guard isMoving else { return }
        let longest = max(octave.framesRemaining, max(bandwidth.framesRemaining, gain.framesRemaining))
        let frames = min(Self.controlFrameCount, longest)
        var (octaveAhead, bandwidthAhead, gainAhead) = (octave, bandwidth, gain)
        let there = coefficients(
            octaveAhead.advance(by: frames), bandwidthAhead.advance(by: frames), gainAhead.advance(by: frames))
        section.glide(to: there, over: frames)
    }

    /// The frames that the filter can run before its coefficients or its fade change.
    @_noLocks private func stretch(upTo frameCount: Int) -> Int {
        var count = frameCount
        if section.framesRemaining > 0 { count = min(count, section.framesRemaining) }
        if fadeFramesRemaining > 0 { count = min(count, fadeFramesRemaining) }
        return count
    }

    @_noLocks private func filter(_ samples: ChannelPair, _ pair: Int, _ frameCount: Int, _ scratch: ChannelPair) {
        guard fadeFramesRemaining > 0 else {
            return section.process(samples, samples, frameCount: frameCount, state: &states[pair])
        }
        outgoing.process(samples, scratch, frameCount: frameCount, state: &states[pairCount + pair])
        section.process(samples, samples, frameCount: frameCount, state: &states[pair])
        fade(scratch.first, samples.first, frameCount)
        if samples.second != samples.first { fade(scratch.second, samples.second, frameCount) }
    }

    @_noLocks private func fade(
        _ old: UnsafeMutablePointer<Float>, _ new: UnsafeMutablePointer<Float>, _ frameCount: Int
    ) {
        let slope = 1 / Float(fadeFrameCount)
        for frame in 0..<frameCount {
            let line = Float(fadeFramesRemaining - frame - 1) * slope
            let share = line * line * (3 - 2 * line)
            new[frame] += (old[frame] - new[frame]) * share
        }
    }

    @_noLocks private mutating func advance(by frameCount: Int) {
        section.advance(by: frameCount)
        _ = octave.advance(by: frameCount)
        _ = bandwidth.advance(by: frameCount)
        _ = gain.advance(by: frameCount)
        fadeFramesRemaining = max(0, fadeFramesRemaining - frameCount)
    }

    @_noLocks private func coefficients(_ octave: Float, _ bandwidth: Float, _ gain: Float) -> SectionCoefficients {
        shape == Self.bypassed ? SectionCoefficients() : prototype(shape, octave, bandwidth, gain).matched
    }

    @_noLocks private func prototype(
        _ shape: Int, _ octave: Float, _ bandwidth: Float, _ gain: Float
    ) -> AnalogueSection {
        BandShape(number: shape).prototype(
            frequency: Maths.exp2(Double(octave)) * radiansPerHertz, bandwidth: Double(bandwidth), gain: Double(gain))
    }
}
