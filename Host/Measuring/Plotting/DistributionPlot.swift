// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distribution of each row's times, one strip below the other on one logarithmic axis. Control thread.

import Console
import Drawing

/// The strips of all rows; more rows make it higher.
struct DistributionPlot {
    private static let binCount = 220
    private static let head = 58.0, foot = 58.0
    private static let valueWidth = 76.0
    private static let textSize = 11.0

    private struct Strip {
        let text: String
        let times: Distribution
        let colour: Colour
        /// True if a line is drawn above it, because another length or frame count begins.
        let isFirst: Bool
    }

    private let data: PlotData
    private let rowHeight: Double
    private let strips: [Strip]
    private let axis: PlotAxis

    /// Lays out the strips; rows become lower so that the whole is at most `most` high.
    init(_ data: PlotData, most: Double) {
        self.data = data
        let floors = data.floors.map { Strip(text: $0.name, times: $0.times, colour: PlotStyle.floorColour, isFirst: false) }
        var last: PlotData.Row?
        strips =
            floors
            + data.rows.map { row in
                defer { last = row }
                return Strip(
                    text: Self.text(row, data), times: row.times, colour: PlotStyle.colour(ofWay: row.way),
                    isFirst: last.map { $0.effectCount != row.effectCount || $0.frameCount != row.frameCount } ?? true)
            }
        rowHeight = min(30, (most - Self.head - Self.foot) / Double(max(1, strips.count)))
        let all = strips.map(\.times)
        axis = PlotAxis(
            holding: all.map { Double($0.percentile(0.001)) / 1000 } + all.map { Double($0.percentile(0.999)) / 1000 },
            isLogarithmic: true)
    }

    private static func text(_ row: PlotData.Row, _ data: PlotData) -> String {
        let effects = row.effectCount == 1 ? "1 effect" : "\(row.effectCount) effects"
        return "\(effects), \(row.frameCount) frames, \(data.ways[row.way])\(row.isNoisy ? " (noisy)" : "")"
    }

    var height: Double { Self.head + Double(strips.count) * rowHeight + Self.foot }

    func draw(on canvas: Canvas, top: Double) {
        let names = isReadable ? strips.map { canvas.width(of: $0.text, size: Self.textSize) }.max() ?? 0 : 0
        let left = PlotStyle.margin + min(names, canvas.width / 2) + 12
        let box = Box(
            x: left, y: top + Self.head, width: canvas.width - PlotStyle.margin - Self.valueWidth - left,
            height: Double(strips.count) * rowHeight)
        canvas.text("Distribution of the cycles of each row", at: Point(PlotStyle.margin, top + 20), size: 14, isBold: true)
        drawGrid(canvas, box)
        for (index, strip) in strips.enumerated() { draw(strip, canvas, box, bottom: box.y + Double(index + 1) * rowHeight) }
        for (index, floor) in data.floors.enumerated() {
            let x = x(Double(floor.times.percentile(0.5)) / 1000, box)
            canvas.stroke(
                [Point(x, box.y), Point(x, box.bottom)], PlotStyle.floorColour, width: 1.4, dash: PlotStyle.floorDash(index))
        }
    }

    private var isReadable: Bool { rowHeight >= Self.textSize }

    private func x(_ microseconds: Double, _ box: Box) -> Double { box.x + axis.position(microseconds) * box.width }

    private func drawGrid(_ canvas: Canvas, _ box: Box) {
        for tick in axis.ticks(atMost: 12) {
            let x = x(tick, box)
            canvas.stroke([Point(x, box.y), Point(x, box.bottom)], .pale)
            canvas.text(PlotAxis.label(tick), at: Point(x, box.bottom + 17), size: Self.textSize, .ink, .middle)
            canvas.text(PlotAxis.label(tick), at: Point(x, box.y - 7), size: Self.textSize, .ink, .middle)
        }
        canvas.stroke([Point(box.x, box.bottom), Point(box.right, box.bottom)], .ink)
        canvas.text(
            "Time of a cycle (µs, logarithmic). Height: square root of the share of cycles. Strokes: median and 99th percentile.",
            at: Point(PlotStyle.margin, box.bottom + 42), size: 12)
        canvas.text("median", at: Point(box.right + 10, box.y - 7), size: Self.textSize, isBold: true)
    }

    private func draw(_ strip: Strip, _ canvas: Canvas, _ box: Box, bottom: Double) {
        if strip.isFirst {
            canvas.stroke(
                [Point(PlotStyle.margin, bottom - rowHeight), Point(box.right, bottom - rowHeight)], Colour(0xBBBBBB), width: 0.7)
        }
        let bins = strip.times.histogram(from: axis.low * 1000, to: axis.high * 1000, binCount: Self.binCount)
        let highest = Double(bins.max() ?? 1)
        let step = box.width / Double(Self.binCount)
        var outline = [Point(box.x, bottom)]
        for (index, count) in bins.enumerated() {
            let y = bottom - (Double(count) / max(1, highest)).squareRoot() * rowHeight * 0.88
            outline += [Point(box.x + Double(index) * step, y), Point(box.x + Double(index + 1) * step, y)]
        }
        canvas.fill(outline + [Point(box.right, bottom)], strip.colour.faded(to: 0.75))
        let median = Double(strip.times.percentile(0.5)) / 1000
        for (value, width) in [(median, 2.0), (Double(strip.times.percentile(0.99)) / 1000, 1.0)] {
            let x = x(value, box)
            canvas.stroke([Point(x, bottom - rowHeight * 0.88), Point(x, bottom)], .ink, width: width)
        }
        guard isReadable else { return }
        let line = bottom - (rowHeight - Self.textSize) / 2 - 1
        canvas.text(strip.text, at: Point(box.x - 10, line), size: Self.textSize, .ink, .end)
        canvas.text("\(median.digits(median < 100 ? 2 : 0)) µs", at: Point(box.right + 10, line), size: Self.textSize)
    }
}
