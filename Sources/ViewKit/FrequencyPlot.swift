// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Levels over frequency: the grid, curves in dots, a spectrum behind them, and points to drag. The view's thread.

import Cells
import DSP
import Glibc

/// A picture of levels in decibels over frequency, logarithmic from 20 Hz to 20 kHz.
public struct FrequencyPlot: Hashable, Sendable {
    /// The cells of the picture.
    public let part: CellRectangle
    /// The levels of the lower and the upper edge, in decibels.
    public let decibels: ClosedRange<Double>
    /// The frequencies of the left and the right edge, in hertz.
    public let hertz: ClosedRange<Double>

    /// Makes a plot in a part of a view.
    public init(_ part: CellRectangle, decibels: ClosedRange<Double>, hertz: ClosedRange<Double> = 20...20_000) {
        (self.part, self.decibels, self.hertz) = (part, decibels, hertz)
    }

    // MARK: Places

    /// The frequency in hertz in the middle of a column; columns count from the left of the view.
    public func frequency(atColumn column: Double) -> Double { frequency(at: (column + 0.5 - Double(part.column)) / width) }

    /// The column of a frequency, which may lie outside; NaN lies left of the plot.
    public func column(of frequency: Double) -> Int {
        let column = (position(of: frequency) * width).rounded(.down)
        return part.column + (column.isNaN ? -1 : Int(max(-1e6, min(1e6, column))))
    }

    /// The level in decibels in the middle of a row; rows count from the top of the view.
    public func level(atRow row: Double) -> Double {
        decibels.upperBound - (row + 0.5 - Double(part.row)) / height * (decibels.upperBound - decibels.lowerBound)
    }

    /// The row of a level; levels outside get the nearest row, and NaN the lowest.
    public func row(of level: Double) -> Int {
        let row = (depth(of: level) * height).rounded(.down)
        let last = Double(max(0, part.rowCount - 1))
        return part.row + Int(row.isNaN ? last : max(0, min(last, row)))
    }

    private var width: Double { Double(max(1, part.columnCount)) }
    private var height: Double { Double(max(1, part.rowCount)) }

    /// The position of a frequency: 0 at the left edge, 1 at the right edge.
    private func position(of frequency: Double) -> Double {
        log(max(1e-3, frequency) / hertz.lowerBound) / log(hertz.upperBound / hertz.lowerBound)
    }

    private func frequency(at place: Double) -> Double {
        hertz.lowerBound * pow(hertz.upperBound / hertz.lowerBound, place)
    }

    /// The position of a level: 0 at the upper edge, 1 at the lower edge.
    private func depth(of level: Double) -> Double {
        (decibels.upperBound - level) / (decibels.upperBound - decibels.lowerBound)
    }

    // MARK: Drawing

    /// Draws lines at 100 Hz, 1 kHz and 10 kHz, and one every `step` decibels; the numbers stand above, where few spectra
    /// reach.
    public func drawGrid(into grid: inout CellGrid, step: Double = 12) {
        let faint = CellStyle([.dim])
        for frequency in [100.0, 1000, 10_000] where hertz.contains(frequency) {
            grid.verticalLine(column: column(of: frequency), row: part.row, part.rowCount, faint)
            let name = frequency >= 1000 ? "\(Int(frequency / 1000))k" : "\(Int(frequency))"
            grid.put(name, column: column(of: frequency) + 1, row: part.row, faint)
        }
        var level = (decibels.lowerBound / step).rounded(.up) * step
        var lastRow = Int.max
        while level <= decibels.upperBound {
            let row = row(of: level)
            // If there is little room, some lines are omitted.
            if lastRow - row > 1 {
                for column in part.column..<part.endColumn where grid[column, row].codePoint == 0x20 {
                    grid[column, row] = Cell(level == 0 ? "─" : "┄", faint)
                }
                grid.put("\(Int(level))", column: part.column, row: row, faint, width: 4)
                lastRow = row
            }
            level += step
        }
    }

    /// Draws a curve in dots: the level in decibels at each frequency in hertz.
    public func draw(into grid: inout CellGrid, _ style: CellStyle = .plain, curve: (Double) -> Double) {
        var plot = BraillePlot(columnCount: part.columnCount, rowCount: part.rowCount)
        var last: Int?
        for x in 0..<plot.width {
            let level = curve(frequency(at: (Double(x) + 0.5) / Double(plot.width)))
            guard level.isFinite else {
                last = nil
                continue
            }
            let y = Int((depth(of: max(-1000, min(1000, level))) * Double(plot.height)).rounded(.down))
            plot.setColumn(x: x, from: last.map { $0 + (y > $0 ? 1 : y < $0 ? -1 : 0) } ?? y, to: y)
            last = y
        }
        plot.draw(into: &grid, column: part.column, row: part.row, style)
    }

    /// Draws a spectrum from the lower edge upwards, a bar for each column; its own scale begins at −84 dBFS.
    public func draw(_ spectrum: Spectrum, into grid: inout CellGrid, _ style: CellStyle = CellStyle([.dim])) {
        for column in part.column..<part.endColumn {
            let edges = frequency(atColumn: Double(column) - 0.5)...frequency(atColumn: Double(column) + 0.5)
            let level = spectrum.level(in: edges)
            let eighths = Int(max(0, min(1, 1 + level / 84)) * height * 8)
            for rise in 0..<part.rowCount {
                let filled = eighths - 8 * rise
                guard filled > 0 else { break }
                // U+2581 is an eighth from below, and U+2588 a full block.
                grid[column, part.endRow - 1 - rise] = Cell(Unicode.Scalar(0x2580 + UInt32(min(8, filled))) ?? "█", style)
            }
        }
    }

    /// Draws a point to drag.
    public func drawPoint(
        into grid: inout CellGrid, at frequency: Double, _ level: Double, _ mark: Unicode.Scalar, _ style: CellStyle
    ) {
        let column = max(part.column, min(part.endColumn - 1, column(of: frequency)))
        grid.overlay(mark, column: column, row: row(of: level), style)
    }
}
