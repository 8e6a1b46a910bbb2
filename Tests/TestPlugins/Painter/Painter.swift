// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An effect whose view does what a parameter orders: draws, hangs, floods, or draws nonsense. Render thread and the view's thread.

import Glibc
import PluginSDK

/// Passes sound on at a level; its view misbehaves by order.
struct Painter: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "pntr", "test"), name: "Painter", manufacturerName: "Bulkhead", version: UnitVersion(1, 0, 0))

    static let parameters = ParameterTree(
        Parameter("level", name: "Level", address: 0, range: 0...1, default: 1, flags: [.canRamp]),
        Parameter(
            "order", name: "Order", address: 1,
            choices: ["draw", "hang", "flood", "nonsense", "crash", "compute", "too large", "pixels"]),
        Parameter("peak", name: "Peak", address: 2, range: 0...1, default: 0, flags: [.meter]))

    static var view: (any View.Type)? { PainterView.self }

    private var level: Float = 1

    init(_ setup: RenderSetup) {}

    @_noLocks mutating func apply(_ change: ParameterChange) { if change.address == 0 { level = Float(change.value) } }

    @_noLocks mutating func render(_ block: RenderBlock) {
        block.output.silence()
        block.output.add(block.input, gain: level)
        if block.output.frameCount > 0 { block.emitParameter(2, value: Double(min(1, max(0, block.output[0][0])))) }
    }

    @_noLocks mutating func reset() {}
}

/// A slider that fills the upper row, and in the second row what the view knows.
struct PainterView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 20, rowCount: 3), ViewSize(columnCount: 10, rowCount: 9)] }

    private var keys = ""
    private var isDragging = false

    init(_ context: ViewContext) {}

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .key(.character(let character), _): keys.unicodeScalars.append(character)
        case .mouse(let action, let column, _, _):
            if action == .press { context.touch(0, isHeld: true) }
            if action == .release { context.touch(0, isHeld: false) }
            if action == .press || action == .drag {
                context.set(0, to: Double(column) / Double(max(1, context.size.columnCount - 1)))
            }
        case .value(1, let order): obey(Int(order), context)
        default: break
        }
    }

    private func obey(_ order: Int, _ context: ViewContext) {
        switch order {
        case 1: sleep(3600)
        case 2: for count in 0..<1_000_000 { context.set(0, to: Double(count % 100) / 99) }
        case 4: fatalError("as ordered")
        case 5:
            var state: UInt64 = 1
            while state != 0 { state = state &* 6_364_136_223_846_793_005 | 1 }
        default: break
        }
    }

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        if context[1] == 3 { return scribble(into: &grid) }
        if context[1] == 6 { grid = CellGrid(columnCount: 1000, rowCount: 1000) }
        if context[1] == 7 { drawPixels(into: &grid, context) }
        grid.bar(context[0], column: 0, row: 0, width: context.size.columnCount)
        grid.put("\(context[0]) \(keys)", column: 0, row: 1)
        grid.put("\(context.input.frameCount > 0 ? "sound" : "silence") \(context.size.columnCount)", column: 0, row: 2)
    }

    /// A picture over the left half, as wide as the level says.
    private func drawPixels(into grid: inout CellGrid, _ context: ViewContext) {
        let part = CellRectangle(column: 0, row: 0, columnCount: max(1, grid.columnCount / 2), rowCount: max(1, grid.rowCount - 1))
        let width = max(1, Int(context[0] * Double(part.columnCount * context.cell.width)))
        let size = PixelSize(width: width, height: part.rowCount * context.cell.height)
        grid.pixels = CellPixels(part: part, size: size, pixels: Array(repeating: 0xFF00_8040, count: size.width * size.height))
    }

    /// Escapes, controls, halves of characters, numbers that are no characters, and marks upon marks.
    private func scribble(into grid: inout CellGrid) {
        let codePoints: [UInt32] = [
            0x1B, 0x07, 0x9B, 0, 0xD800, 0x110000, .max, 0x202E, 0x200D, 0xFE0F, 0x4E00, 0x0A, 0x7F, 0xE000,
        ]
        for row in 0..<grid.rowCount {
            for column in 0..<grid.columnCount {
                var cell = Cell()
                cell.codePoint = codePoints[(row &* 7 &+ column) % codePoints.count]
                cell.foreground = CellColor(rawValue: .max)
                cell.attributes = CellAttributes(rawValue: .max)
                cell.mark = 0x1B
                grid[column, row] = cell
            }
        }
    }
}

/// The library's one exported symbol.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Painter.exported }
