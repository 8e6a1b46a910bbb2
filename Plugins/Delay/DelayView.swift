// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The view of Delay: its repeats in time, as bars that fall with the feedback. The view's thread.

import PluginSDK
import ViewKit

/// The sound and its repeats: to the right is later, up is louder.
struct DelayView: View {
    static var preferredSizes: [ViewSize] { [ViewSize(columnCount: 60, rowCount: 12), ViewSize(columnCount: 36, rowCount: 16)] }

    private static let (time, feedback, mix, pingPong, sync): (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 1, 3, 4, 5)
    /// The lowest level that is drawn, in decibels.
    private static let floor = -48.0

    /// The seconds from the left to the right edge, while the mouse holds the first repeat.
    private var heldAxis: Double?

    init(_ context: ViewContext) {}

    /// Four times the shortest power of two of a second that holds the delay.
    private func axis(_ context: ViewContext) -> Double {
        if let heldAxis { return heldAxis }
        let time = context[Self.time]
        var length = 0.0625
        while length < time, length < 8 { length *= 2 }
        return 4 * length
    }

    mutating func handle(_ event: ViewEvent, _ context: ViewContext) {
        switch event {
        case .mouse(.release, _, _, _): heldAxis = nil
        case .mouse(.press, let column, let row, _):
            heldAxis = axis(context)
            drag(column, row, context)
        case .mouse(.drag, let column, let row, _): if heldAxis != nil { drag(column, row, context) }
        case .mouse(.wheelUp, _, _, _): context.set(Self.mix, to: context[Self.mix] + 2)
        case .mouse(.wheelDown, _, _, _): context.set(Self.mix, to: context[Self.mix] - 2)
        case .key(let key, let modifiers): step(key, isFine: modifiers.contains(.shift), context)
        default: break
        }
    }

    /// Moves the first repeat to the mouse: its column sets the time, its row the feedback.
    private func drag(_ column: Int, _ row: Int, _ context: ViewContext) {
        let width = Double(max(1, context.size.columnCount - 1))
        context.set(Self.sync, to: 0)
        context.set(Self.time, to: max(0.001, Double(column) / width * axis(context)))
        let height = Double(max(1, context.size.rowCount - 3))
        context.set(Self.feedback, to: max(0, min(100, 100 * (1 - Double(row) / height))))
    }

    private func step(_ key: ViewKey, isFine: Bool, _ context: ViewContext) {
        switch key {
        case .left, .right: context.set(Self.time, to: context[Self.time] + (key == .right ? 1 : -1) * (isFine ? 0.001 : 0.01))
        case .up, .down: context.set(Self.feedback, to: context[Self.feedback] + (key == .up ? 1 : -1) * (isFine ? 0.5 : 5))
        case .character("p"): context.set(Self.pingPong, to: context[Self.pingPong] > 0.5 ? 0 : 1)
        case .delete, .home: for address in [Self.time, Self.feedback] { context.restore(address) }
        default: break
        }
    }

    mutating func draw(into grid: inout CellGrid, _ context: ViewContext) {
        let (columns, rows) = (grid.columnCount, grid.rowCount - 2)
        let isSynced = context[Self.sync] >= 1
        // The axis assumes 120 quarter notes a minute, because the view does not know the song.
        let time = isSynced ? (Delay.beats(ofNote: Int(context[Self.sync])) ?? 1) * 0.5 : context[Self.time]
        let axis = isSynced ? max(axis(context), 4 * time) : axis(context)
        let sides = context[Self.pingPong] > 0.5 ? 2 : 1
        let height = max(1, rows / sides)
        let mix = context[Self.mix] / 100
        bar(&grid, column: 0, sides: 0..<sides, height, level: 1 - mix, CellStyle([.dim]))
        var (level, number) = (mix, 1)
        while level > 0.004, time > 0, Double(number) * time <= axis, number < 500 {
            let column = Int(Double(number) * time / axis * Double(max(1, columns - 1)) + 0.5)
            let side = (number - 1) % sides
            let style = CellStyle(foreground: number == 1 ? .yellow : .cyan, number == 1 ? .bold : [])
            bar(&grid, column: column, sides: side..<side + 1, height, level: level, style)
            level *= abs(context[Self.feedback]) / 100
            number += 1
        }
        grid.horizontalLine(column: 0, row: grid.rowCount - 2, columns, CellStyle([.dim]))
        for quarter in 1..<4 {
            let milliseconds = Int(axis * 250 * Double(quarter))
            grid.put(" \(milliseconds) ms ", column: columns * quarter / 4 - 3, row: grid.rowCount - 2, CellStyle([.dim]))
        }
        let told = [isSynced ? Self.sync : Self.time, Self.feedback, Self.mix, Self.pingPong]
        grid.put(context.text(of: told), column: 0, row: grid.rowCount - 1, CellStyle([.bold]))
    }

    /// A bar for a level, on one side or on both.
    private func bar(_ grid: inout CellGrid, column: Int, sides: Range<Int>, _ height: Int, level: Double, _ style: CellStyle) {
        let decibels = 20 * Maths.log(max(1e-6, level)) / Maths.log(10.0)
        let eighths = Int(max(0, min(1, 1 - decibels / Self.floor)) * Double(8 * height))
        for side in sides {
            for rise in 0..<height where eighths > 8 * rise {
                let filled = min(8, eighths - 8 * rise)
                grid[column, (side + 1) * height - 1 - rise] = Cell(Unicode.Scalar(0x2580 + UInt32(filled)) ?? "█", style)
            }
        }
    }
}
