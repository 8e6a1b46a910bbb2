// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Distortion: echo, alias-free curves with drive, ring modulator, crusher and band limits. Render thread.

import DSP
import PluginSDK

struct Distortion: Kernel, ~Copyable {
    /// The parameters' addresses on the wire.
    enum Address: UInt64 {
        case drive, curve, bias
        case inputLowCut, inputHighCut
        case ringFrequency, ringMix
        case crushBits, crushRate, crushMix
        case toneLowCut, toneHighCut
        case mix, output
        case preGain
        case echoTime, echoFeedback, echoMix
    }

    /// The frames between two updates of slow values such as filter frequencies; counted across blocks.
    private static var period: Int { @_noLocks get { PolyphaseBuffer.frameCapacity } }

    private let channels: UnsafeMutablePointer<DistortionChannel>
    private let channelCount: Int
    /// One for each pair of channels.
    private let limits: UnsafeMutablePointer<BandLimits>
    private let pairCount: Int
    private var shaper: Shaper
    private var controls: DistortionControls
    private let glide: Int
    private let sampleRate: Double
    /// The frames until the end of the period.
    private var framesLeft = 0

    init(_ setup: RenderSetup) {
        sampleRate = setup.sampleRate
        channelCount = setup.channelCount
        glide = setup.frameCount(seconds: 0.02)
        shaper = Shaper(fadeFrameCount: glide)
        controls = DistortionControls(sampleRate: setup.sampleRate, fadeFrameCount: glide)
        pairCount = ChannelPair.count(ofChannels: channelCount)
        limits = .allocate(capacity: max(1, pairCount))
        limits.initialize(repeating: BandLimits(), count: pairCount)
        channels = .allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: DistortionChannel(sampleRate: setup.sampleRate))
        }
    }

    deinit {
        channels.deinitialize(count: channelCount).deallocate()
        limits.deallocate()
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        guard let address = Address(rawValue: change.address) else { return }
        if case .curve = address { return shaper.select(Int(change.value)) }
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        controls.set(address, to: Float(change.value), over: frames)
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        var start = 0
        while start < block.frameCount {
            if framesLeft == 0 { beginPeriod() }
            let frameCount = min(framesLeft, block.frameCount - start)
            controls.fill(shaper.controls, frameCount: frameCount)
            shaper.prepare(frameCount: frameCount)
            let count = min(channelCount, block.output.channelCount)
            for first in stride(from: 0, to: count, by: 2) {
                render(block, from: start, first: first, last: min(first + 1, count - 1), frameCount)
            }
            start += frameCount
            framesLeft -= frameCount
        }
    }

    /// Renders a pair of channels; if their number is odd, the last one forms a pair with itself.
    @_noLocks private func render(_ block: RenderBlock, from start: Int, first: Int, last: Int, _ frameCount: Int) {
        for channel in first...last {
            channels[channel].take(block.input[channel] + start, shaper.controls, frameCount)
        }
        let before = ChannelPair(channels[first].oversampler.input, channels[last].oversampler.input)
        limits[first / 2].limitInput(before, frameCount: frameCount)
        for channel in first...last { channels[channel].distort(shaper, frameCount) }
        let after = ChannelPair(channels[first].oversampler.output, channels[last].oversampler.output)
        limits[first / 2].limitTone(after, frameCount: frameCount)
        for channel in first...last {
            channels[channel].give(block.output[channel] + start, shaper.controls, frameCount)
        }
    }

    @_noLocks private mutating func beginPeriod() {
        framesLeft = Self.period
        let areMoving = controls.areCutsMoving
        if areMoving { controls.advanceCuts(by: Self.period) }
        for pair in 0..<pairCount {
            if areMoving { limits[pair].tune(controls.cutOctaves, sampleRate: Float(sampleRate)) }
            limits[pair].tidy()
        }
    }

    @_noLocks mutating func reset() {
        controls.reset()
        shaper.reset()
        framesLeft = 0
        for channel in 0..<channelCount { channels[channel].reset() }
        for pair in 0..<pairCount {
            limits[pair].reset()
            limits[pair].tune(controls.cutOctaves, sampleRate: Float(sampleRate))
        }
    }

    /// The delay of the oversampling filters; the dry signal has the same delay.
    var latencyFrameCount: Int {
        @_noLocks get { channelCount > 0 ? channels[0].oversampler.latencyFrameCount : 0 }
    }

    /// The ringing of the oversampling filters and the low cuts, and the echoes, in frames.
    ///
    /// Low cuts and echoes count until they are 60 dB down after the drive. 10 dB more allow for two successive cuts.
    var tailFrameCount: Int {
        @_noLocks get {
            let decay = (70 + controls.targetDrive) * 0.115_13 / (2 * Float.pi * 0.7071 * controls.targetLowCut)
            let echoes = controls.echoTail(decibels: 70 + controls.targetDrive)
            return 2 * latencyFrameCount + Int(Double(decay) * sampleRate) + Int(echoes)
        }
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Distortion.exported }
