// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Numbers with a fixed number of decimals. Any thread.

import Glibc

/// Numbers as text.
package enum Decimal {
    package static func text(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
        let scale = pow(10, Double(places))
        // Cannot trap: below 1e12 times the digits.
        let scaled = Int((abs(value) * scale).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % Int(scale))
        return "\(sign)\(scaled / Int(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }

    /// A whole number without a fraction, and any other number as Swift prints it.
    package static func shortest(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

extension Double {
    /// The number with `count` digits after the point.
    package func digits(_ count: Int) -> String { Decimal.text(self, count) }
}
