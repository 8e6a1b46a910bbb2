// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Round numbers of milliseconds along the lower edge of a picture. Control thread.

import Glibc

/// Ticks at 1, 2 or 5 times a power of ten milliseconds.
struct TimeAxis {
    struct Tick: Equatable {
        let milliseconds: Double
        /// The position on the axis, from 0 to 1.
        let position: Double

        var label: String { Self.text(milliseconds) }

        private static func text(_ value: Double) -> String {
            Int(exactly: value).map(String.init) ?? DecimalText.text(value, places: 3)
        }
    }

    let ticks: [Tick]

    /// At most `limit` ticks over `frameCount` frames at `sampleRate` hertz, the first at zero.
    init(frameCount: Int, sampleRate: Double, limit: Int) {
        let length = sampleRate > 0 ? Double(frameCount) / sampleRate * 1000 : 0
        guard length > 0, length.isFinite, limit > 0 else {
            ticks = [Tick(milliseconds: 0, position: 0)]
            return
        }
        let step = Self.step(atLeast: length / Double(limit))
        // Cannot trap: the step is at least the length divided by the limit, or a microsecond, and the length is finite.
        let count = Int((length / step).rounded(.up))
        ticks = (0..<count).map { Tick(milliseconds: Double($0) * step, position: Double($0) * step / length) }
    }

    private static func step(atLeast value: Double) -> Double {
        let power = max(0.001, pow(10, log10(value).rounded(.down)))
        for factor in [1.0, 2, 5] where factor * power >= value * 0.999_999 { return factor * power }
        return 10 * power
    }
}

/// Decimal numbers as text, with a decimal point in every locale.
enum DecimalText {
    /// `value` with at most `places` digits after the point, and no trailing zeros.
    static func text(_ value: Double, places: Int) -> String {
        let factor = pow(10, Double(places))
        guard let scaled = Int(exactly: (value * factor).rounded()) else { return "0" }
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        return sign + padded.dropLast(places) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
