// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Momentary and short-term loudness over time, and the integrated loudness as a line. Main thread.

import Drawing

struct LoudnessPlot {
    private static let floor = -60.0
    private let sound: HeardSound

    init(_ sound: HeardSound) { self.sound = sound }

    func draw(on canvas: Canvas, _ box: Box) {
        let frame = PlotFrame(canvas: canvas, box: box)
        let loudest = max(sound.loudness.greatestMomentary, 0)
        let axis = PlotAxis(low: Self.floor, high: (loudest / 10).rounded(.up) * 10, isLogarithmic: false)
        frame.title("Loudness")
        frame.vertical(axis, "LUFS")
        frame.horizontal(PlotFrame.time(sound.facts), "Time (s)")
        curve(sound.loudness.momentary, Colour(0x56B4E9), 1, axis, frame)
        curve(sound.loudness.shortTerm, Colour(0x0072B2), 1.8, axis, frame)
        frame.legend("momentary", Colour(0x56B4E9), index: 2)
        frame.legend("short-term", Colour(0x0072B2), index: 1)
        if let integrated = sound.facts.integratedLUFS {
            let y = frame.y(integrated, axis)
            canvas.stroke([Point(box.x, y), Point(box.right, y)], Colour(0xD55E00), width: 1.2, dash: [6, 4])
            frame.legend("integrated", Colour(0xD55E00), index: 0)
        }
        frame.outline()
    }

    /// Draws a line from column to column; columns without a value are skipped.
    private func curve(_ values: [Double], _ colour: Colour, _ width: Double, _ axis: PlotAxis, _ frame: PlotFrame) {
        let step = frame.box.width / Double(max(1, values.count))
        let points = values.enumerated().filter { $0.element > -.infinity }.map { index, value in
            Point(frame.box.x + (Double(index) + 0.5) * step, frame.y(value, axis))
        }
        if points.count > 1 { frame.canvas.stroke(points, colour, width: width) }
    }
}
