// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Distortion: drive into a choice of curves without aliases, ring modulator, crusher and band limits. Render thread.

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
    }

    /// Frames between two updates of slow values such as filter frequencies; counted across blocks.
    private static var period: Int { @_noLocks get { PolyphaseBuffer.frameCapacity } }

    private let channels: UnsafeMutablePointer<DistortionChannel>
    private let channelCount: Int
    private var shaper: Shaper
    private var controls: DistortionControls
    private let glide: Int
    private let sampleRate: Double
    /// Frames until the end of the period.
    private var framesLeft = 0

    init(_ setup: RenderSetup) {
        sampleRate = setup.sampleRate
        channelCount = setup.channelCount
        glide = setup.frameCount(seconds: 0.02)
        shaper = Shaper(fadeFrameCount: glide)
        controls = DistortionControls(sampleRate: setup.sampleRate)
        channels = .allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: DistortionChannel(sampleRate: setup.sampleRate))
        }
    }

    deinit { channels.deinitialize(count: channelCount).deallocate() }

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
            for channel in 0..<min(channelCount, block.output.channelCount) {
                let output = block.output[channel] + start
                channels[channel].render(block.input[channel] + start, to: output, shaper, frameCount)
            }
            start += frameCount
            framesLeft -= frameCount
        }
    }

    @_noLocks private mutating func beginPeriod() {
        framesLeft = Self.period
        let areMoving = controls.areCutsMoving
        if areMoving { controls.advanceCuts(by: Self.period) }
        for channel in 0..<channelCount {
            if areMoving { controls.tune(&channels[channel]) }
            channels[channel].tidy()
        }
    }

    @_noLocks mutating func reset() {
        controls.reset()
        shaper.reset()
        framesLeft = 0
        for channel in 0..<channelCount {
            channels[channel].reset()
            controls.tune(&channels[channel])
        }
    }

    /// The delay of the oversampling filters; the dry signal is delayed by the same.
    var latencyFrameCount: Int {
        @_noLocks get { channelCount > 0 ? channels[0].oversampler.latencyFrameCount : 0 }
    }

    /// The ringing of the oversampling filters and the low cuts, in frames.
    ///
    /// The low cuts count until they are 60 dB down after the drive; 10 dB more allow for two in a row.
    var tailFrameCount: Int {
        @_noLocks get {
            let decay = (70 + controls.targetDrive) * 0.115_13 / (2 * Float.pi * 0.7071 * controls.targetLowCut)
            return 2 * latencyFrameCount + Int(Double(decay) * sampleRate)
        }
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Distortion.exported }
