// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plots of few rows and of many, and their axes. Any thread.

import Drawing
import Foundation
import FoundationXML
import Testing

@testable import Measuring

@Suite struct MeasurePlotTests {
    private func data(rowCount: Int, ways: Int = 5) -> PlotData {
        let rows = (0..<rowCount).map { index in
            let time = UInt32(5000 + 700 * index % 90_000)
            return PlotData.Row(
                way: index % ways, effectCount: 1 << (index / ways % 11), frameCount: 32 << (index / ways / 11 % 8),
                times: Distribution((0..<200).map { time + $0 * $0 }), costOfEach: index % ways == 0 ? nil : Double(time) / 1000,
                isNoisy: index % 7 == 0)
        }
        return PlotData(
            title: "Gain", remarks: [String(repeating: "a remark that is long ", count: 20)],
            ways: (0..<ways).map { "way number \($0), with a name" },
            floors: [PlotData.Floor(name: "floor", times: Distribution([4000, 4100, 9000]))], rows: rows)
    }

    private func size(_ png: [UInt8]) -> [Int] { [16, 20].map { png[$0..<($0 + 4)].reduce(0) { $0 << 8 | Int($1) } } }

    @Test(arguments: [1, 2, 30, 200]) func aPictureIsAsLongAsItHasRows(rowCount: Int) throws {
        let png = try MeasurePlot(data(rowCount: rowCount)).draw(as: .png)
        let size = size(png)
        #expect(size[0] == 1200 && size[1] >= 30 * rowCount)
    }

    @Test func moreRowsThanAPictureHasPixelsForBecomeLower() throws {
        let png = try MeasurePlot(data(rowCount: 3000, ways: 24)).draw(as: .png)
        #expect(size(png)[1] <= Canvas.longestSide)
    }

    @Test func anSVGOfManyRowsCanBeParsed() throws {
        #expect(XMLParser(data: Data(try MeasurePlot(data(rowCount: 200)).draw(as: .svg))).parse())
    }

    @Test func nothingMeasuredIsDrawnAllTheSame() throws {
        let empty = PlotData(title: "", remarks: [], ways: ["in-process"], floors: [], rows: [])
        #expect(try MeasurePlot(empty).draw(as: .png).count > 100)
    }

    @Test(arguments: [(0.5, 3.0), (4.7, 4.8), (1, 90_000), (7, 7)]) func ticksLieOnTheAxis(low: Double, high: Double) {
        for isLogarithmic in [true, false] {
            let axis = PlotAxis(holding: [low, high], isLogarithmic: isLogarithmic)
            #expect(axis.low <= low && high <= axis.high)
            let ticks = axis.ticks(atMost: 9)
            #expect((1...9).contains(ticks.count), "\(ticks)")
            #expect(ticks.allSatisfy { (axis.low...axis.high).contains($0) } && ticks == ticks.sorted())
            #expect(axis.position(axis.low) == 0 && axis.position(axis.high) == 1)
        }
    }

    @Test func aCostBelowNothingIsOnTheAxisToo() {
        let axis = PlotAxis(holding: [-3, 10], isLogarithmic: false)
        #expect(axis.low < -3 && axis.position(0) > 0.2)
    }

    @Test(arguments: [(0.1 + 0.2, "0.3"), (5000, "5000"), (-2, "-2"), (1.5, "1.5")])
    func labelsSayNoMoreThanTheyHaveTo(value: Double, label: String) { #expect(PlotAxis.label(value) == label) }
}
