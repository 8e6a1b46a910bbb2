// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bench for one unit, and what happens to the unit meanwhile. Test thread.

import HostingTestSupport
import PluginHosting

extension ChainPolicy {
    /// Another host mends nothing: two plug-ins of swh run away to 1e28 with their defaults, and are to be compared there.
    static let passingEverything = {
        var policy = ChainPolicy()
        policy.ceiling = nil
        return policy
    }()
}

/// How a unit is rendered that has a chain to itself.
struct UnitBench {
    var sampleRate = 48_000.0
    var blockSize = 256
    /// The unit's second input hears what goes into the chain.
    var hasSideChain = false
    var isOffline = true
    /// Called before each block with its first frame.
    var beforeBlock: (Int, HostedUnit) throws -> Void = { _, _ in }
    /// What the chain does about a plug-in that puts out nonsense.
    var policy = ChainPolicy()
    /// Gets the chain before it is rendered.
    var withChain: (UnitChain) -> Void = { _ in }

    /// As many frames as there is input; throws when the unit dies or misses a block.
    func render(_ unit: HostedUnit, _ input: [[Float]]) throws -> [[Float]] {
        var bench = try Bench(
            [ChainLink(unit, hasSideChain: hasSideChain)], input: input, maximumFrameCount: blockSize, sampleRate: sampleRate,
            policy: policy)
        withChain(bench.chain)
        let output = try bench.renderInput(isOffline: isOffline) { frames in try beforeBlock(frames.lowerBound, unit) }
        try bench.checkWholeness()
        return output
    }
}
