// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The functions that a plan calls to render a row. Render thread.

import Realtime
import Rendering

extension UnitRow {
    /// The address of the render thread's state.
    package var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that renders a cycle, or the rest of one that has begun.
    package var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitRow.render(context, call)
        }
    }

    /// The function that takes the input and starts the units.
    package var beginFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitRow.begin(context, call)
        }
    }

    /// The function that waits for the units.
    package var awaitFunction: Function {
        { context, call in
            guard let context, let call else { return }
            UnitRow.awaitUnits(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: RowCore.self).pointee.render(call.assumingMemoryBound(to: NodeCall.self).pointee)
    }

    @_noLocks
    private static func begin(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: RowCore.self).pointee.begin(call.assumingMemoryBound(to: NodeCall.self).pointee)
    }

    @_noLocks
    private static func awaitUnits(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        context.assumingMemoryBound(to: RowCore.self).pointee.awaitUnits(call.assumingMemoryBound(to: NodeCall.self).pointee)
    }
}
