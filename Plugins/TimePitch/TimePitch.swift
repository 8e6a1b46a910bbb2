// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Time-pitch: plays its input at another speed, another pitch, or both. Render thread.

import DSP
import PluginSDK

/// Takes as many frames as the host provides, and plays them stretched, at a constant delay of its output.
///
/// At rate 1 and without a change of pitch, the output is the delayed input: each grain continues the one before.
struct TimePitch: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.formatConverter, "tmpt", "blkh"), name: "Time Pitch", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Time", "Pitch"], flags: [.consentsToInProcess, .stretchesTime])

    static let parameters = ParameterTree(
        // A host that stretches time sets the rate in step with its frame counts; it does not ramp.
        Parameter("rate", name: "Rate", address: 0, range: 1.0 / 32...32, default: 1, unit: .ratio, flags: .logarithmic),
        // The next grain has the new pitch.
        Parameter("pitch", name: "Pitch", address: 1, range: -2400...2400, default: 0, unit: .cents, flags: []))

    private let past: InputHistory
    private var pace: DelayedPace
    private var grains: Grains
    /// The rate and pitch that the host has requested; during bypass, both are replaced by 1.
    private var askedRate = 1.0
    private var askedPitch = 1.0
    private var isBypassed = false

    init(_ setup: RenderSetup) throws(UnitError) {
        let lag = setup.frameCount(seconds: 0.19)
        pace = DelayedPace(lag: lag)
        past = InputHistory(channelCount: setup.channelCount, frameCount: 34 * lag + 2 * setup.maximumFrameCount)
        grains = Grains(channelCount: setup.channelCount, sampleRate: setup.sampleRate)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        switch change.address {
        case 0: askedRate = change.value
        case 1: askedPitch = Maths.exp2(change.value / 1200)
        default: return
        }
        if !isBypassed { pace.change(rate: askedRate, pitch: askedPitch) }
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        past.append(block.input)
        let first = past.end &- Int64(block.input.frameCount)
        var done = 0
        while done < block.frameCount {
            // At rate 1, the host provides one input frame for each output frame.
            if pace.isSettled { pace.settle(at: first &+ Int64(done)) }
            let count = min(block.frameCount &- done, pace.frameCountToChange)
            grains.render(count, of: past, pace, to: block.output, at: done)
            pace.advance(count)
            done &+= count
        }
    }

    @_noLocks mutating func reset() {
        past.forget()
        pace.reset()
        grains.reset()
    }

    var latencyFrameCount: Int { @_noLocks get { pace.lag } }
    var tailFrameCount: Int { @_noLocks get { pace.lag } }
    /// True: during bypass the host provides one frame for each, so the rate is 1, and the pitch must not change either.
    var hasBypass: Bool { @_noLocks get { true } }
    @_noLocks mutating func setBypassed(_ isBypassed: Bool) {
        guard isBypassed != self.isBypassed else { return }
        self.isBypassed = isBypassed
        pace.change(rate: isBypassed ? 1 : askedRate, pitch: isBypassed ? 1 : askedPitch)
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { TimePitch.exported }
