// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where levels and frequencies lie in a plot, and numbers that lie nowhere. Test thread.

import Cells
import Testing
import ViewKit

@Suite struct FrequencyPlotTests {
    private let plot = FrequencyPlot(CellRectangle(column: 4, row: 1, columnCount: 60, rowCount: 10), decibels: -24...24)

    @Test func aPlaceIsTheMiddleOfItsCell() {
        for column in 4..<64 { #expect(plot.column(of: plot.frequency(atColumn: Double(column))) == column) }
        for row in 1..<11 { #expect(plot.row(of: plot.level(atRow: Double(row))) == row) }
    }

    @Test func whatLiesNowhereDoesNoHarm() {
        #expect(plot.row(of: .infinity) == 1 && plot.row(of: -.infinity) == 10 && plot.row(of: .nan) == 10)
        #expect(plot.column(of: .nan) < 4 && plot.column(of: .infinity) > 64 && plot.column(of: -.infinity) < 4)
        var grid = CellGrid(columnCount: 70, rowCount: 12)
        for number in [Double.nan, .infinity, -.infinity, 1e300] {
            plot.drawPoint(into: &grid, at: number, number, "●", .plain)
            plot.draw(into: &grid) { _ in number }
        }
        #expect(grid.text.contains("●"))
    }
}
