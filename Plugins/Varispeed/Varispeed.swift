// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Varispeed: plays its input faster or slower, with its pitch, as a tape does. Render thread.

import DSP
import PluginSDK

/// Reads its input at the rate, at a constant delay; see `SpeedReader`.
struct Varispeed: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.formatConverter, "vari", "blkh"), name: "Varispeed", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Time"], flags: [.consentsToInProcess, .stretchesTime])

    static let parameters = ParameterTree(
        // A host that stretches time sets the rate in step with its frame counts; it does not ramp.
        Parameter("rate", name: "Rate", address: 0, range: 0.25...4, default: 1, unit: .ratio, flags: .logarithmic))

    private static var lag: Int { @_noLocks get { SpeedReader.lag(lowestRate: 0.25) } }

    private var reader: SpeedReader

    init(_ setup: RenderSetup) throws(UnitError) {
        reader = SpeedReader(channelCount: setup.channelCount, maximumFrameCount: setup.maximumFrameCount, rates: 0.25...4)
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        if change.address == 0 { reader.change(rate: change.value) }
    }

    @_noLocks mutating func render(_ block: RenderBlock) { reader.render(block.input, to: block.output) }

    @_noLocks mutating func reset() { reader.reset() }

    var latencyFrameCount: Int { @_noLocks get { Self.lag } }
    var tailFrameCount: Int { @_noLocks get { Self.lag } }
    /// True: during bypass the host provides one frame for each, so the rate is 1.
    var hasBypass: Bool { @_noLocks get { true } }
    @_noLocks mutating func setBypassed(_ isBypassed: Bool) {}
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Varispeed.exported }
