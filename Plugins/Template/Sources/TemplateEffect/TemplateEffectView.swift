// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view: the wave of the volume, drawn in characters, with rate and depth to drag.

import PluginSDK

/// One second of the volume: a point further right is faster, a lower one is deeper.
///
/// A thread of its own runs it, which may allocate and wait. It must adapt to every size, and it never reads the kernel.
public struct TemplateEffectView: View {
    /// The sizes that the view prefers, the best first.
    public static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 48, rowCount: 10)] }

    private static let (rate, depth) = (TemplateEffect.Address.rate.rawValue, TemplateEffect.Address.depth.rawValue)
    private var isHeld = false

    /// Opens the view; the context has the values of the parameters.
    public init(_ context: ViewContext) {}

    /// Handles a key or the mouse.
    public mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(.press, _, _, _): isHeld = true
        case .mouse(.release, _, _, _): isHeld = false
        case .mouse(.drag, let column, let row, _):
            guard isHeld else { return }
            context.set(Self.rate, toPosition: Double(column) / Double(max(1, context.size.columnCount - 1)))
            context.set(Self.depth, toPosition: Double(row) / Double(max(1, context.size.rowCount - 2)))
        case .key(.left, _): context.move(Self.rate, by: -0.02)
        case .key(.right, _): context.move(Self.rate, by: 0.02)
        case .key(.up, _): context.move(Self.depth, by: -0.02)
        case .key(.down, _): context.move(Self.depth, by: 0.02)
        case .key(.delete, _): for address in [Self.rate, Self.depth] { context.restore(address) }
        default: break
        }
    }

    /// Draws the whole picture; only changes are sent to the host.
    public mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        var dots = BraillePlot(columnCount: grid.columnCount, rowCount: grid.rowCount - 1)
        for x in 0..<dots.width {
            let turns = context[Self.rate] * Double(x) / Double(dots.width)
            let fall = context[Self.depth] / 100 * (0.5 - 0.5 * Maths.cos(2 * Double.pi * turns))
            dots.setColumn(x: x, from: Int(fall * Double(dots.height)), to: dots.height - 1)
        }
        dots.draw(into: &grid, column: 0, row: 0, CellStyle(foreground: .cyan))
        grid.put(context.text(of: [Self.rate, Self.depth]), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }
}
