// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A view without a host around it, for the module PluginTesting. One thread.

import AudioUnits
import Cells
import ControlMessages
import ViewChannel

/// A view that takes events and draws on the caller's thread.
package final class BareView {
    private var view: any View
    private let context: ViewContext

    /// `[view]` Makes the view of a kernel type; nil if it has none.
    package init?<K: Kernel & ~Copyable>(_ kernel: K.Type, size: ViewSize) {
        guard let type = K.view else { return nil }
        context = ViewContext(
            parameters: K.parameters, scopes: Scopes(), opening: ViewOpening(size: size, colorCount: 256), notify: { _ in })
        view = type.init(context)
    }

    /// `[view]` Takes an event, as from a host.
    package func handle(_ event: ViewEvent) {
        context.take(event)
        view.handle(event, context)
    }

    /// `[view]` The value of a parameter, as the view has it.
    package func value(of address: UInt64) -> Double { context[address] }

    /// `[view]` Draws a picture.
    package func draw() -> CellGrid {
        context.pictureCount += 1
        var grid = CellGrid(columnCount: context.size.columnCount, rowCount: context.size.rowCount)
        view.draw(into: &grid, context)
        return grid
    }
}
