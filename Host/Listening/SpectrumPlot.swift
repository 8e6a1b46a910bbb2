// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The averaged spectrum as a curve, over a logarithmic axis of frequencies. Main thread.

import Drawing
import Glibc

struct SpectrumPlot {
    static let floor = -140.0
    private let powers: [Double]
    private let axis: PlotAxis
    private let hertzPerBin: Double

    /// Makes the plot; nil without spectra.
    init?(_ sound: HeardSound) {
        guard let spectra = sound.spectra else { return nil }
        powers = spectra.average
        axis = Self.frequencies(sound.facts.sampleRate)
        hertzPerBin = sound.facts.sampleRate / Double(spectra.size)
    }

    /// The axis from 20 Hz to half the sample rate.
    static func frequencies(_ sampleRate: Double) -> PlotAxis { PlotAxis(low: 20, high: sampleRate / 2, isLogarithmic: true) }

    /// The greatest power between two frequencies; between two bins, the interpolated power.
    static func power(_ powers: some RandomAccessCollection<Double>, from low: Double, to high: Double, hertzPerBin: Double)
        -> Double
    {
        let (first, last) = (low / hertzPerBin, high / hertzPerBin)
        func at(_ offset: Int) -> Double {
            powers[powers.index(powers.startIndex, offsetBy: min(max(0, offset), powers.count - 1))]
        }
        // Cannot trap: bins of a spectrum, between 20 Hz and half the rate.
        let (from, to) = (Int(first.rounded(.up)), Int(last.rounded(.down)))
        if from <= to { return (from...to).reduce(0) { max($0, at($1)) } }
        let middle = (first + last) / 2
        let (bin, share) = (Int(middle), middle - middle.rounded(.down))
        return at(bin) * (1 - share) + at(bin + 1) * share
    }

    /// The frequency at a position on the axis, from 0 to 1.
    static func frequency(at position: Double, _ axis: PlotAxis) -> Double { axis.low * pow(axis.high / axis.low, position) }

    func draw(on canvas: Canvas, _ box: Box) {
        let frame = PlotFrame(canvas: canvas, box: box)
        let count = Int(box.width)
        let levels = (0..<count).map { level(Double($0) / Double(count), Double($0 + 1) / Double(count)) }
        let highest = max(0, ((levels.max() ?? 0) / 10).rounded(.up) * 10)
        let levelAxis = PlotAxis(low: Self.floor, high: highest, isLogarithmic: false)
        frame.title("Spectrum, averaged")
        frame.vertical(levelAxis, "Level (dBFS of a sine)")
        frame.horizontal(axis, "Frequency (Hz)", most: 24)
        let points = levels.enumerated().map { index, level in
            Point(box.x + (Double(index) + 0.5) * box.width / Double(count), frame.y(level, levelAxis))
        }
        canvas.fill([Point(box.x, box.bottom)] + points + [Point(box.right, box.bottom)], Colour(0x0072B2).faded(to: 0.15))
        canvas.stroke(points, Colour(0x0072B2), width: 1.3)
        frame.outline()
    }

    private func level(_ low: Double, _ high: Double) -> Double {
        let power = Self.power(
            powers, from: Self.frequency(at: low, axis), to: Self.frequency(at: high, axis), hertzPerBin: hertzPerBin)
        return max(Self.floor, Decibels.of(power: power) ?? Self.floor)
    }
}
