// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The render thread's record of a node from plan to plan. Render thread; the control thread keeps it alive.

/// The record of one node, which plans hand to each other.
public final class NodeHistory: @unchecked Sendable {
    // SAFETY: after init only the render thread uses the memory.
    let core: UnsafeMutablePointer<Core>

    struct Core {
        /// The nanoseconds that the node usually takes, with the host's nodes right after it.
        ///
        /// They are for the whole node or its completion, for its beginning, and for its waiting.
        var usualNanoseconds: (UInt64, UInt64, UInt64) = (0, 0, 0)
        /// True if the node has been rendered.
        var hasRendered = false
        /// True if the node had been rendered before this cycle.
        var isOld = false
        /// True if the node's outputs were silent in its last cycle; then the same for the cycle before.
        var isSilent = true
        var wasSilent = true

        /// Notes that the node sounds inside another one that stands for it.
        @_noLocks
        mutating func soundInside() { (hasRendered, isOld, isSilent, wasSilent) = (true, true, false, false) }
    }

    /// Makes the history of a node that has not been rendered.
    public init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core())
    }

    deinit { core.deallocate() }

    /// The address of a part's time.
    func usualNanoseconds(_ kind: NodePart.Kind) -> UnsafeMutablePointer<UInt64> {
        let path =
            switch kind {
            case .whole, .completion: \Core.usualNanoseconds.0
            case .beginning: \Core.usualNanoseconds.1
            case .waiting: \Core.usualNanoseconds.2
            }
        // Cannot trap: each path leads to a stored property.
        return UnsafeMutableRawPointer(core).advanced(by: MemoryLayout<Core>.offset(of: path)!).assumingMemoryBound(to: UInt64.self)
    }
}
