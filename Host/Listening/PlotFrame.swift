// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The common parts of a sound's plots: a title, axes with numbers, a grid. Main thread.

import Drawing

/// The frame of a plot.
struct PlotFrame {
    private static let textSize = 11.0
    let canvas: Canvas
    let box: Box

    func title(_ text: String) { canvas.text(text, at: Point(box.x, box.y - 12), size: 13, isBold: true) }

    /// Names a curve in its colour; `index` counts from the right.
    func legend(_ text: String, _ colour: Colour, index: Int) {
        canvas.text(text, at: Point(box.right - 130 * Double(index), box.y - 12), size: Self.textSize, colour, .end)
    }

    /// The vertical position of a value.
    func y(_ value: Double, _ axis: PlotAxis) -> Double { box.bottom - axis.position(value) * box.height }

    /// Draws numbers at the left, and lines through the plot.
    func vertical(_ axis: PlotAxis, _ unit: String, most: Int = 8, isGridDrawn: Bool = true) {
        for tick in axis.ticks(atMost: most) {
            let y = y(tick, axis)
            if isGridDrawn { canvas.stroke([Point(box.x, y), Point(box.right, y)], .pale) }
            canvas.stroke([Point(box.x - 4, y), Point(box.x, y)], .ink)
            canvas.text(PlotAxis.label(tick), at: Point(box.x - 8, y + 4), size: Self.textSize, .ink, .end)
        }
        canvas.uprightText(unit, at: Point(box.x - 54, box.y + box.height / 2), size: Self.textSize)
    }

    /// Draws numbers below, and lines through the plot.
    func horizontal(_ axis: PlotAxis, _ unit: String, most: Int = 12, isGridDrawn: Bool = true) {
        for tick in axis.ticks(atMost: most) {
            let x = box.x + axis.position(tick) * box.width
            if isGridDrawn { canvas.stroke([Point(x, box.y), Point(x, box.bottom)], .pale) }
            canvas.stroke([Point(x, box.bottom), Point(x, box.bottom + 4)], .ink)
            canvas.text(PlotAxis.label(tick), at: Point(x, box.bottom + 17), size: Self.textSize, .ink, .middle)
        }
        canvas.text(unit, at: Point(box.x + box.width / 2, box.bottom + 34), size: Self.textSize, .ink, .middle)
    }

    func outline() {
        canvas.stroke(
            [
                Point(box.x, box.y), Point(box.x, box.bottom), Point(box.right, box.bottom), Point(box.right, box.y),
                Point(box.x, box.y),
            ],
            .ink)
    }

    /// The axis in seconds, from the start to the end.
    static func time(_ facts: SoundFacts) -> PlotAxis { PlotAxis(low: 0, high: max(1e-6, facts.seconds), isLogarithmic: false) }
}
