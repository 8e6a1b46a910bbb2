// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a player, with its queue's core and the program's orders. Render thread.

import Rendering

/// The render side of a player.
final class PlayerSource: RenderNode {
    // SAFETY: only the render thread uses the core; the orders consist of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<PlayerCore>
    nonisolated(unsafe) let orders: UnsafeMutablePointer<PlayerOrders>

    init(first: PlayerCore.Item) {
        orders = .allocate(capacity: 1)
        orders.initialize(to: PlayerOrders())
        core = .allocate(capacity: 1)
        core.initialize(to: PlayerCore(orders: orders, first: first))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        orders.deinitialize(count: 1)
        orders.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            PlayerSource.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: PlayerCore.self).pointee.render(
            &call.outputs.pointee, call.cycle)
    }
}
