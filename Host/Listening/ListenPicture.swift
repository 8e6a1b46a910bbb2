// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The picture of a sound: waveform, spectrum, spectrogram and loudness below each other. Main thread.

import Drawing

/// A part of the picture of a sound.
package enum SoundPlot: String, CaseIterable, Sendable {
    /// Peaks and levels over time, of each channel.
    case waveform
    /// Levels by frequency, averaged over all of the sound.
    case spectrum
    /// Levels by frequency and time, as colours.
    case spectrogram
    /// Momentary and short-term loudness over time.
    case loudness
}

/// Draws a heard sound.
package struct ListenPicture {
    static let width = 1200
    private static let (left, right) = (78.0, 94.0)
    private static let (top, gap, bottom) = (56.0, 66.0, 48.0)
    /// The number of columns of all plots over time: one a pixel.
    package static let columnCount = width - Int(left + right)

    private let sound: HeardSound
    private let title: String
    private let plots: [SoundPlot]

    /// Makes a picture of the plots in the given order.
    package init(_ sound: HeardSound, title: String, plots: [SoundPlot]) {
        (self.sound, self.title, self.plots) = (sound, title, plots)
    }

    /// The contents of a file.
    package func draw(as format: PictureFormat) throws(DrawingError) -> [UInt8] {
        let heights = plots.map(height)
        let total = Self.top + heights.reduce(0) { $0 + $1 + Self.gap } - Self.gap + Self.bottom
        let canvas = try Canvas(width: Self.width, height: Int(total), format: format)
        canvas.text(title, at: Point(Self.left, 24), size: 16, isBold: true)
        var y = Self.top
        for (plot, height) in zip(plots, heights) {
            let box = Box(x: Self.left, y: y, width: Double(Self.columnCount), height: height)
            try draw(plot, on: canvas, box)
            y += height + Self.gap
        }
        return try canvas.finish()
    }

    private func height(of plot: SoundPlot) -> Double {
        switch plot {
        case .waveform: Double(sound.facts.channels.count) * (sound.facts.channels.count > 4 ? 60 : 120)
        case .spectrum: 280
        case .spectrogram: 320
        case .loudness: 220
        }
    }

    private func draw(_ plot: SoundPlot, on canvas: Canvas, _ box: Box) throws(DrawingError) {
        switch plot {
        case .waveform: WaveformPlot(sound).draw(on: canvas, box)
        case .spectrum: SpectrumPlot(sound)?.draw(on: canvas, box)
        case .spectrogram: try SpectrogramPlot(sound)?.draw(on: canvas, box)
        case .loudness: LoudnessPlot(sound).draw(on: canvas, box)
        }
    }
}
