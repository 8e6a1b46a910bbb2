// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The spectrum of the latest sound, which rises at once and falls slowly. The view's thread.

import Cells
import DSP
import Glibc

/// Levels of a sound over frequency.
///
/// It uses a Hann window of 4096 samples; a sine wave of full scale has 0 dB.
public final class Spectrum {
    private static let exponent = 12
    private static let fallPerPicture = 1.5

    private let transform = Box(FourierTransform(exponent: Spectrum.exponent))
    private let window: [Float]
    private var levels: [Double]
    private var sampleRate = 48_000.0

    private final class Box {
        let value: FourierTransform
        init(_ value: consuming FourierTransform) { self.value = value }
    }

    /// Makes an empty spectrum.
    public init() {
        let size = 1 << Self.exponent
        window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(size))) }
        levels = [Double](repeating: -200, count: size / 2)
    }

    /// The number of samples that `update` needs.
    public static let frameCount = 1 << exponent

    /// The style of the bars on a screen of `colorCount` colours, so that curves stay readable over them.
    public static func style(colorCount: Int) -> CellStyle {
        colorCount >= 256 ? CellStyle(foreground: .palette(240)) : CellStyle([.dim])
    }

    /// Takes the latest sound at a sample rate in hertz; missing samples count as earlier silence.
    public func update(_ samples: [Float], sampleRate: Double) {
        self.sampleRate = sampleRate
        let size = Self.frameCount
        let missing = max(0, size - samples.count)
        for index in 0..<size {
            transform.value.real[index] = index < missing ? 0 : samples[samples.count - size + index] * window[index]
            transform.value.imaginary[index] = 0
        }
        transform.value.run()
        for bin in 0..<size / 2 {
            let (real, imaginary) = (Double(transform.value.real[bin]), Double(transform.value.imaginary[bin]))
            // The window halves the level, and half of the level lies at the negative frequency.
            let power = (real * real + imaginary * imaginary) * 16 / Double(size * size)
            let level = 10 * log10(max(1e-20, power))
            levels[bin] = max(level, levels[bin] - Self.fallPerPicture)
        }
    }

    /// The highest level in decibels between two frequencies in hertz.
    public func level(in hertz: ClosedRange<Double>) -> Double {
        let width = sampleRate / Double(Self.frameCount)
        let first = hertz.lowerBound / width
        let last = hertz.upperBound / width
        guard last < Double(levels.count), first >= 0 else { return -200 }
        if last - first < 1 {
            // A narrow column may lie between two bins.
            let place = (first + last) / 2
            let low = min(levels.count - 2, Int(place))
            let share = place - Double(low)
            return levels[low] * (1 - share) + levels[low + 1] * share
        }
        return levels[Int(first.rounded(.up))...min(levels.count - 1, Int(last))].max() ?? -200
    }
}
