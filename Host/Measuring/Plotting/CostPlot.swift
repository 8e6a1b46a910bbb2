// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Two plots side by side: the time of a cycle, and the cost of each effect, over the number of effects. Control thread.

import Drawing

/// The cost over the number of effects, if chains of several lengths were measured.
struct CostPlot {
    static let height = 380.0
    private static let gap = 90.0
    let data: PlotData

    func draw(on canvas: Canvas, top: Double) {
        let width = (canvas.width - 2 * PlotStyle.margin - 2 * 44 - Self.gap + 44) / 2
        let box = Box(x: PlotStyle.margin + 48, y: top + 34, width: width, height: Self.height - 34 - 52)
        let totals = lines { Double($0.times.percentile(0.5)) / 1000 }
        draw(
            totals, "Median of a cycle", unit: "µs, logarithmic",
            PlotAxis(holding: totals.flatMap(\.points).map(\.value), isLogarithmic: true), canvas, box)
        let costs = lines(\.costOfEach)
        let floors = data.floors.map { Double($0.times.percentile(0.5)) / 1000 }
        let axis = PlotAxis(holding: costs.flatMap(\.points).map(\.value) + floors, isLogarithmic: false)
        var right = box
        right.x = box.right + Self.gap
        draw(costs, "Cost of each effect over in process", unit: "µs", axis, canvas, right)
        for (index, floor) in floors.enumerated() {
            let y = right.bottom - axis.position(floor) * right.height
            canvas.stroke(
                [Point(right.x, y), Point(right.right, y)], PlotStyle.floorColour, width: 1.4, dash: PlotStyle.floorDash(index))
        }
    }

    /// The rows of one variant at one frame count.
    private struct Line {
        let way, frameIndex: Int
        let points: [(effectCount: Int, value: Double, isNoisy: Bool)]
    }

    private func lines(_ value: (PlotData.Row) -> Double?) -> [Line] {
        data.ways.indices.flatMap { way in
            data.frameCounts.enumerated().compactMap { frameIndex, frameCount in
                let points = data.rows.filter { $0.way == way && $0.frameCount == frameCount }
                    .compactMap { row in value(row).map { (row.effectCount, $0, row.isNoisy) } }
                    .sorted { $0.0 < $1.0 }
                return points.isEmpty ? nil : Line(way: way, frameIndex: frameIndex, points: points)
            }
        }
    }

    private func draw(_ lines: [Line], _ title: String, unit: String, _ axis: PlotAxis, _ canvas: Canvas, _ box: Box) {
        let counts = PlotAxis(holding: data.effectCounts.map(Double.init), isLogarithmic: true)
        canvas.text(title, at: Point(box.x, box.y - 12), size: 14, isBold: true)
        drawGrid(axis, counts, canvas, box)
        canvas.uprightText("\(title) (\(unit))", at: Point(box.x - 50, box.y + box.height / 2), size: 12)
        canvas.text(
            "Effects in the chain (logarithmic)", at: Point(box.x + box.width / 2, box.bottom + 40), size: 12, .ink, .middle)
        for line in lines {
            let colour = PlotStyle.colour(ofWay: line.way)
            let points = line.points.map { count, value, _ in
                Point(box.x + counts.position(Double(count)) * box.width, box.bottom - axis.position(value) * box.height)
            }
            canvas.stroke(points, colour, width: 1.8, dash: PlotStyle.dash(ofFrameCount: line.frameIndex))
            for (point, isNoisy) in zip(points, line.points.map(\.isNoisy)) {
                canvas.disc(at: point, radius: isNoisy ? 4 : 3, colour)
                if isNoisy { canvas.disc(at: point, radius: 2.4, .white) }
            }
        }
    }

    private func drawGrid(_ axis: PlotAxis, _ counts: PlotAxis, _ canvas: Canvas, _ box: Box) {
        for tick in axis.ticks(atMost: 9) {
            let y = box.bottom - axis.position(tick) * box.height
            canvas.stroke([Point(box.x, y), Point(box.right, y)], .pale)
            canvas.text(PlotAxis.label(tick), at: Point(box.x - 7, y + 4), size: 11, .ink, .end)
        }
        var end = -Double.infinity
        for count in data.effectCounts {
            let x = box.x + counts.position(Double(count)) * box.width
            canvas.stroke([Point(x, box.y), Point(x, box.bottom)], .pale)
            let half = canvas.width(of: "\(count)", size: 11) / 2
            guard x - half > end + 6 else { continue }
            canvas.text("\(count)", at: Point(x, box.bottom + 17), size: 11, .ink, .middle)
            end = x + half
        }
        canvas.stroke([Point(box.x, box.y), Point(box.x, box.bottom), Point(box.right, box.bottom)], .ink)
    }
}
