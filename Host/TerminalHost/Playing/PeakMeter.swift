// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Draws a level as a bar. Any thread.

import Console
import Realtime

/// A level as a bar.
enum PeakMeter {
    /// A line with a bar from −60 dB to 0 dB, and room for a number behind it.
    static func line(_ name: String, _ peak: Float, columns: Int) -> StyledText {
        let width = max(8, min(48, columns - 16))
        let level = Maths.decibels(fromGain: peak)
        // Cannot trap: max comes last, and makes 0 of NaN.
        let filled = Int(max(0, min(1, (level + 60) / 60)) * Float(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let number = level < -99 ? "-inf" : Decimal.text(Double(level), 1)
        return "  \(name) \(level > -0.1 ? StyledText.red(bar) : StyledText.green(bar)) \(number.padded(toRight: 5)) dB"
    }
}
