// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Filter: a resonant low-pass that follows its analogue prototype and may be swept at any speed. Render thread.

import DSP
import PluginSDK

/// A second-order low-pass, H(s) = 1 / (1 + s/(ωQ) + s²/ω²).
///
/// Cutoff and resonance glide in straight lines, in octaves and in decibels. Meanwhile the coefficients are recomputed every
/// `controlFrameCount` frames, and interpolated in between.
struct Filter: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "filt", "blkh"), name: "Filter", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Filter", "Equalization"], flags: .consentsToInProcess)

    static let parameters = ParameterTree(
        Parameter(
            "cutoff", name: "Cutoff", address: 0, range: 10...22_000, default: 1000, unit: .hertz,
            flags: [.canRamp, .logarithmic]),
        // The level at the cutoff relative to the level far below it, 20 log Q; −3.01 dB is maximally flat.
        Parameter("resonance", name: "Resonance", address: 1, range: -20...40, default: 0, unit: .decibels))

    static let factoryPresets = [
        FactoryPreset("Gentle Roof", ["cutoff": 9000, "resonance": -3.01]),
        FactoryPreset("Warm", ["cutoff": 2800, "resonance": -6]),
        FactoryPreset("Telephone Next Door", ["cutoff": 700, "resonance": 3]),
        FactoryPreset("Under Water", ["cutoff": 320, "resonance": 9]),
        FactoryPreset("Acid", ["cutoff": 600, "resonance": 24]),
        FactoryPreset("Sub", ["cutoff": 80, "resonance": -3.01]),
    ]

    static var view: (any View.Type)? { FilterView.self }

    private static var controlFrameCount: Int { @_noLocks get { 16 } }

    private let radiansPerHertz: Double
    private let glide: Int
    private let pairCount: Int
    private let states: UnsafeMutablePointer<SectionState>
    private var octave = SmoothedValue(Maths.log2(1000))
    private var resonance = SmoothedValue(0)
    private var section = SmoothedSection()
    private var eventArrived = false
    private var tail = 0

    init(_ setup: RenderSetup) {
        radiansPerHertz = 2 * Double.pi / setup.sampleRate
        glide = setup.frameCount(seconds: 0.02)
        pairCount = ChannelPair.count(ofChannels: setup.channelCount)
        states = .allocate(capacity: pairCount)
        states.initialize(repeating: SectionState(), count: pairCount)
    }

    deinit { states.deallocate() }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        switch change.address {
        case 0: octave.ramp(to: Maths.log2(Float(change.value)), over: frames)
        default: resonance.ramp(to: Float(change.value), over: frames)
        }
        eventArrived = true
        tail = targetPrototype.poles.decayFrameCount
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        var start = 0
        while start < block.frameCount {
            if eventArrived || section.framesRemaining == 0 { beginStep() }
            let rest = block.frameCount - start
            let count = section.framesRemaining > 0 ? min(rest, section.framesRemaining) : rest
            for pair in 0..<pairCount {
                let input = ChannelPair(block.input, pair: pair, from: start)
                let output = ChannelPair(block.output, pair: pair, from: start)
                section.process(input, output, frameCount: count, state: &states[pair])
            }
            section.advance(by: count)
            _ = octave.advance(by: count)
            _ = resonance.advance(by: count)
            start += count
        }
    }

    @_noLocks mutating func reset() {
        octave.jump(to: octave.target)
        resonance.jump(to: resonance.target)
        section.glide(to: targetPrototype.matched, over: 0)
        eventArrived = false
        for pair in 0..<pairCount { states[pair] = SectionState() }
    }

    var tailFrameCount: Int { @_noLocks get { tail } }

    /// Starts the coefficients' next straight line from their present values, if a parameter moves.
    @_noLocks private mutating func beginStep() {
        eventArrived = false
        let frames = min(Self.controlFrameCount, max(octave.framesRemaining, resonance.framesRemaining))
        guard frames > 0 else { return }
        var (octaveAhead, resonanceAhead) = (octave, resonance)
        let there = prototype(
            octave: octaveAhead.advance(by: frames), resonance: resonanceAhead.advance(by: frames))
        section.glide(to: there.matched, over: frames)
    }

    private var targetPrototype: AnalogueSection {
        @_noLocks get { prototype(octave: octave.target, resonance: resonance.target) }
    }

    @_noLocks private func prototype(octave: Float, resonance: Float) -> AnalogueSection {
        let frequency = Maths.exp2(Double(octave)) * radiansPerHertz
        let q = Double(Maths.gain(fromDecibels: resonance))
        return AnalogueSection(poles: AnaloguePair(frequency: frequency, q: q))
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Filter.exported }
