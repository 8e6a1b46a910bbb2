// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bench for one unit, with hooks for what happens to it meanwhile. Test thread.

import HostingTestSupport
import PluginHosting

extension UnitPolicy {
    /// Another host repairs nothing: two plug-ins of swh run away to 1e28 with their defaults, and must be compared there.
    static let passingEverything = {
        var policy = UnitPolicy()
        policy.ceiling = nil
        return policy
    }()
}

/// The conditions under which a unit is rendered in a row of its own.
struct UnitBench {
    var sampleRate = 48_000.0
    var blockSize = 256
    /// The channels of the unit's second input, which hears the same input; 0 for none.
    var sideChannelCount = 0
    var isOffline = true
    /// The speakers of the input's channels; nil where they are not known.
    var layout: ChannelLayout?
    /// Called before each block with its first frame.
    var beforeBlock: (Int, HostedUnit) throws -> Void = { _, _ in }
    /// The row's policy for a plug-in that puts out NaN or absurd levels.
    var policy = UnitPolicy()
    /// Gets the row before it is rendered.
    var withRow: (UnitRow) -> Void = { _ in }

    /// Renders as many frames as the input has; throws when the unit dies or misses a block.
    func render(_ unit: HostedUnit, _ input: [[Float]]) throws -> [[Float]] {
        var bench = try Bench(
            [BenchUnit(unit, sideInputs: sideChannelCount > 0 ? [sideChannelCount] : [])], input: input,
            maximumFrameCount: blockSize, sampleRate: sampleRate, policy: policy, layout: layout)
        withRow(bench.row)
        let output = try bench.renderInput(isOffline: isOffline, slowdown: isOffline ? 1 : 1000) { frames in
            try beforeBlock(frames.lowerBound, unit)
        }
        try bench.checkWholeness()
        return output
    }
}
