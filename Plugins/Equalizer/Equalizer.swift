// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Equalizer: sixteen bands, each of any shape, that follow their analogue prototypes. Render thread.

import DSP
import PluginSDK

/// A chain of sixteen second-order filters and a level.
///
/// A band that changes nothing is not called until one of its parameters changes.
struct Equalizer: Kernel, ~Copyable {
    static var view: (any View.Type)? { EqualizerView.self }

    private let glide: Int
    private let bands: UnsafeMutablePointer<Band>
    private let states: UnsafeMutablePointer<SectionState>
    private let scratch: UnsafeMutablePointer<Float>
    private let scratchPair: ChannelPair
    /// A bit for each band that may change the sound.
    private var awake: UInt32 = 0
    private var gain = SmoothedValue(1)
    private var tail = 0

    init(_ setup: RenderSetup) {
        glide = setup.frameCount(seconds: 0.02)
        let pairCount = ChannelPair.count(ofChannels: setup.channelCount)
        let stateCount = 2 * pairCount
        states = .allocate(capacity: Self.bandCount * stateCount)
        states.initialize(repeating: SectionState(), count: Self.bandCount * stateCount)
        scratch = .allocate(capacity: 2 * setup.maximumFrameCount)
        scratch.initialize(repeating: 0, count: 2 * setup.maximumFrameCount)
        scratchPair = ChannelPair(scratch, scratch + setup.maximumFrameCount)
        bands = .allocate(capacity: Self.bandCount)
        for index in 0..<Self.bandCount {
            let band = Band(
                sampleRate: setup.sampleRate, fadeFrameCount: glide, pairCount: pairCount,
                unsafeStates: states + index * stateCount)
            (bands + index).initialize(to: band)
        }
    }

    deinit {
        bands.deallocate()
        scratch.deallocate()
        states.deallocate()
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        if change.address == Self.gainAddress {
            gain.ramp(to: Maths.gain(fromDecibels: Float(change.value)), over: frames)
            return
        }
        let index = Self.band(ofAddress: change.address)
        guard index < Self.bandCount else { return }
        bands[index].apply(change.address % Self.addressStride, change.value, over: frames)
        awake |= 1 &<< UInt32(index)
        tail = 0
        for index in 0..<Self.bandCount { tail += bands[index].tailFrameCount }
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        let output = block.output
        output.copy(from: block.input)
        var waiting = awake
        while waiting != 0 {
            let index = waiting.trailingZeroBitCount
            waiting &= waiting - 1
            bands[index].process(output, scratch: scratchPair)
            if bands[index].isAtRest { awake &= ~(1 &<< UInt32(index)) }
        }
        guard gain.isMoving || gain.current != 1 else { return }
        for frame in 0..<output.frameCount {
            let factor = gain.next()
            for channel in 0..<output.channelCount { output[channel][frame] *= factor }
        }
    }

    @_noLocks mutating func reset() {
        for index in 0..<Self.bandCount { bands[index].reset() }
        awake = (1 &<< UInt32(Self.bandCount)) - 1
        gain.jump(to: gain.target)
    }

    var tailFrameCount: Int { @_noLocks get { tail } }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Equalizer.exported }
