// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The colours of the variants, and the dashes of the frame counts. Control thread.

import Drawing

/// Entries in lines as wide as the plot.
struct PlotLegend {
    private enum Mark {
        case swatch(Colour)
        case line(Colour, [Double])
        case ring
    }

    private static let lineHeight = 20.0
    private static let textSize = 12.0
    private static let markWidth = 26.0
    private let entries: [(mark: Mark, text: String)]

    init(_ data: PlotData, showsFrameCounts: Bool) {
        var entries = data.ways.enumerated().map { (Mark.swatch(PlotStyle.colour(ofWay: $0)), $1) }
        for (index, floor) in data.floors.enumerated() {
            entries.append((.line(PlotStyle.floorColour, PlotStyle.floorDash(index)), "\(floor.name), median"))
        }
        if showsFrameCounts, data.frameCounts.count > 1 {
            for (index, count) in data.frameCounts.enumerated() {
                entries.append((.line(.ink, PlotStyle.dash(ofFrameCount: index)), "\(count) frames"))
            }
        }
        if showsFrameCounts, data.rows.contains(where: \.isNoisy) { entries.append((Mark.ring, "noisy, not to be trusted")) }
        self.entries = entries
    }

    /// Draws from `top` on, if `isDrawn`; returns the height.
    func draw(on canvas: Canvas, top: Double, isDrawn: Bool = true) -> Double {
        var (x, y) = (PlotStyle.margin, top)
        for entry in entries {
            let width = Self.markWidth + canvas.width(of: entry.text, size: Self.textSize) + 22
            if x > PlotStyle.margin, x + width > canvas.width - PlotStyle.margin {
                (x, y) = (PlotStyle.margin, y + Self.lineHeight)
            }
            if isDrawn { draw(entry.mark, entry.text, at: Point(x, y), canvas) }
            x += width
        }
        return y + Self.lineHeight - top
    }

    private func draw(_ mark: Mark, _ text: String, at point: Point, _ canvas: Canvas) {
        switch mark {
        case .swatch(let colour): canvas.fill(Box(x: point.x, y: point.y + 4, width: 18, height: 11), colour)
        case .ring:
            canvas.disc(at: Point(point.x + 12, point.y + 9.5), radius: 4, .ink)
            canvas.disc(at: Point(point.x + 12, point.y + 9.5), radius: 2.4, .white)
        case .line(let colour, let dash):
            canvas.stroke([Point(point.x, point.y + 9.5), Point(point.x + 20, point.y + 9.5)], colour, width: 1.6, dash: dash)
        }
        canvas.text(text, at: Point(point.x + Self.markWidth, point.y + 14), size: Self.textSize)
    }
}

/// The style that all parts of a plot share.
enum PlotStyle {
    static let width = 1200
    static let margin = 28.0
    static let floorColour = Colour.grey

    static func colour(ofWay index: Int) -> Colour { index == 0 ? Colour(0x444444) : .distinct(index - 1) }

    static func dash(ofFrameCount index: Int) -> [Double] {
        [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [14, 4], [1, 2], [9, 3, 2, 3, 2, 3]][index % 8]
    }

    static func floorDash(_ index: Int) -> [Double] { [[4, 3], [1.5, 2.5]][index % 2] }
}
