// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Numbers in a form for people. Any thread.

extension Double {
    /// The number with `count` digits after the point.
    package func digits(_ count: Int) -> String {
        let unit = (0..<count).reduce(1) { product, _ in product * 10 }
        let scaled = Int((magnitude * Double(unit)).rounded())
        let fraction = String(scaled % unit)
        let zeros = String(repeating: "0", count: max(0, count - fraction.count))
        return (self < 0 && scaled > 0 ? "-" : "") + "\(scaled / unit)" + (count > 0 ? ".\(zeros)\(fraction)" : "")
    }
}
