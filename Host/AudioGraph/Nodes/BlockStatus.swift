// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The error that a program's block has returned while it rendered, told by a thread that may. Render thread and the engine's thread.

import Synchronization

/// Keeps the first error of a block until it is told, once.
package final class BlockStatus: Sendable {
    private let code = Atomic<Int32>(0)
    private let isTold = Atomic<Bool>(false)
    private let report: @Sendable (_ node: String, _ code: Int32) -> Void

    /// Calls `report` with the node's name and the first error, beside the render thread.
    package init(_ report: @escaping @Sendable (_ node: String, _ code: Int32) -> Void) { self.report = report }

    /// `[render]` Takes what the block has returned; 0 is no error.
    @_noLocks
    package func take(_ status: Int32) {
        if status != 0, code.load(ordering: .relaxed) == 0 { code.store(status, ordering: .relaxed) }
    }

    /// True if an error waits to be told.
    var isNew: Bool { code.load(ordering: .relaxed) != 0 && !isTold.load(ordering: .relaxed) }

    /// Tells the error, unless that has been done.
    func tell(of node: AudioNode) {
        let status = code.load(ordering: .relaxed)
        guard status != 0, !isTold.exchange(true, ordering: .relaxed) else { return }
        report(node.name, status)
    }
}
