// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread knows of a node from plan to plan. Render thread; the control thread keeps it alive.

/// What plans hand on about one node.
public final class NodeHistory: @unchecked Sendable {
    // SAFETY: after init only the render thread uses the memory.
    let core: UnsafeMutablePointer<Core>

    struct Core {
        /// The nanoseconds that the node usually takes, with the host's nodes right after it: as a whole or its completion, its
        /// beginning, its waiting.
        var usualNanoseconds: (UInt64, UInt64, UInt64) = (0, 0, 0)
        /// Whether the node has been rendered.
        var hasRendered = false
        /// Whether the node had been rendered before this cycle.
        var isOld = false
        /// Whether the node's outputs were silent in its last cycle, and in the one before.
        var isSilent = true
        var wasSilent = true

        /// The node sounds inside another one that stands for it.
        @_noLocks
        mutating func soundInside() { (hasRendered, isOld, isSilent, wasSilent) = (true, true, false, false) }
    }

    /// A node that has not been rendered.
    public init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core())
    }

    deinit { core.deallocate() }

    /// Where the time of a part is kept.
    func usualNanoseconds(_ kind: NodePart.Kind) -> UnsafeMutablePointer<UInt64> {
        let path =
            switch kind {
            case .whole, .completion: \Core.usualNanoseconds.0
            case .beginning: \Core.usualNanoseconds.1
            case .waiting: \Core.usualNanoseconds.2
            }
        return UnsafeMutableRawPointer(core).advanced(by: MemoryLayout<Core>.offset(of: path)!).assumingMemoryBound(to: UInt64.self)
    }
}
