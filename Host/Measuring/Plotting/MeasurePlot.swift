// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The picture of a run: its title, the costs over the number of effects, and the distribution of each row. Control thread.

import Drawing

/// Several plots below each other, one page wide, and as high as the rows need.
struct MeasurePlot {
    private static let remarkHeight = 17.0
    private let data: PlotData

    init(_ data: PlotData) { self.data = data }

    /// The contents of a file.
    func draw(as format: PictureFormat) throws(DrawingError) -> [UInt8] {
        let trial = try Canvas(width: PlotStyle.width, height: 1, format: format)
        let height = layOut(on: trial, isDrawn: false)
        let canvas = try Canvas(width: PlotStyle.width, height: Int(height.rounded(.up)), format: format)
        _ = layOut(on: canvas, isDrawn: true)
        return try canvas.finish()
    }

    /// Lays out all plots, and draws them if `isDrawn`; returns the height.
    private func layOut(on canvas: Canvas, isDrawn: Bool) -> Double {
        let showsCosts = data.effectCounts.count > 1
        var y = PlotStyle.margin + 14
        if isDrawn { canvas.text(data.title, at: Point(PlotStyle.margin, y), size: 18, isBold: true) }
        y += 8
        for line in data.remarks.flatMap({ Self.lines(of: $0, canvas) }) {
            y += Self.remarkHeight
            if isDrawn { canvas.text(line, at: Point(PlotStyle.margin, y), size: 12, .grey) }
        }
        y += 14
        y += PlotLegend(data, showsFrameCounts: showsCosts).draw(on: canvas, top: y, isDrawn: isDrawn) + 12
        if showsCosts {
            if isDrawn { CostPlot(data: data).draw(on: canvas, top: y) }
            y += CostPlot.height + 14
        }
        let distributions = DistributionPlot(data, most: Double(Canvas.longestSide) - y - PlotStyle.margin)
        if isDrawn { distributions.draw(on: canvas, top: y) }
        return y + distributions.height
    }

    /// Splits a text into lines that are not wider than the picture.
    private static func lines(of text: String, _ canvas: Canvas) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let longer = lines.last.map { "\($0) \(word)" } ?? "\(word)"
            if !lines.isEmpty, canvas.width(of: longer, size: 12) <= canvas.width - 2 * PlotStyle.margin {
                lines[lines.count - 1] = longer
            } else {
                lines.append("\(word)")
            }
        }
        return lines
    }
}
