// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The spectrogram: levels as colours, with their scale. Main thread.

import Drawing
import Glibc

struct SpectrogramPlot {
    private static let (floor, ceiling) = (-120.0, 0.0)
    private let sound: HeardSound
    private let spectra: Spectra
    private let axis: PlotAxis

    /// Makes the plot; nil without spectra.
    init?(_ sound: HeardSound) {
        guard let spectra = sound.spectra else { return nil }
        (self.sound, self.spectra) = (sound, spectra)
        axis = SpectrumPlot.frequencies(sound.facts.sampleRate)
    }

    func draw(on canvas: Canvas, _ box: Box) throws(DrawingError) {
        let frame = PlotFrame(canvas: canvas, box: box)
        let (width, height) = (Int(box.width), Int(box.height))
        try canvas.image(width: width, height: height, pixels: pixels(width, height), in: box)
        frame.title("Spectrogram")
        frame.vertical(axis, "Frequency (Hz)", most: 10, isGridDrawn: false)
        frame.horizontal(PlotFrame.time(sound.facts), "Time (s)", isGridDrawn: false)
        frame.outline()
        try drawScale(canvas, Box(x: box.right + 16, y: box.y, width: 16, height: box.height))
    }

    /// The colours of the pixels as 0xRRGGBB, row by row.
    private func pixels(_ width: Int, _ height: Int) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: width * height)
        let hertzPerBin = sound.facts.sampleRate / Double(spectra.size)
        let edges = (0...height).map { SpectrumPlot.frequency(at: Double(height - $0) / Double(height), axis) }
        for x in 0..<width {
            let powers = spectra.powers(ofColumn: x).map(Double.init)
            for y in 0..<height {
                let power = SpectrumPlot.power(powers, from: edges[y + 1], to: edges[y], hertzPerBin: hertzPerBin)
                pixels[y * width + x] = Self.colour(ofLevel: Decibels.of(power: power) ?? Self.floor)
            }
        }
        return pixels
    }

    private func drawScale(_ canvas: Canvas, _ box: Box) throws(DrawingError) {
        let height = Int(box.height)
        let levels = (0..<height).map { Self.ceiling + (Self.floor - Self.ceiling) * Double($0) / Double(height) }
        try canvas.image(width: 1, height: height, pixels: levels.map(Self.colour), in: box)
        for level in stride(from: Self.ceiling, through: Self.floor, by: -20) {
            let y = box.y + (Self.ceiling - level) / (Self.ceiling - Self.floor) * box.height
            canvas.stroke([Point(box.right, y), Point(box.right + 4, y)], .ink)
            canvas.text(PlotAxis.label(level), at: Point(box.right + 8, y + 4), size: 11)
        }
        canvas.text("dBFS", at: Point(box.x, box.y - 12), size: 11)
    }

    /// The colour of a level; brightness rises from black through violet and orange to pale yellow.
    static func colour(ofLevel level: Double) -> UInt32 {
        let stops: [(Double, Double, Double)] = [
            (0, 0, 8), (28, 16, 88), (98, 22, 110), (168, 46, 92), (226, 90, 46), (250, 160, 24), (252, 240, 170),
        ]
        let share = min(1, max(0, (level - floor) / (ceiling - floor))) * Double(stops.count - 1)
        let index = min(stops.count - 2, Int(share))
        let (low, high, part) = (stops[index], stops[index + 1], share - Double(index))
        // Cannot trap: between two parts of colours, 0 to 255.
        let mix = { (a: Double, b: Double) in UInt32((a + (b - a) * part).rounded()) }
        return mix(low.0, high.0) << 16 | mix(low.1, high.1) << 8 | mix(low.2, high.2)
    }
}
