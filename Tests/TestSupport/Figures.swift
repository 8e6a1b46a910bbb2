// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keeps what tests measure, for a page that shows it: see `make spatial`. Any thread.

import Glibc

/// Figures that tests have measured.
public enum Figures {
    /// Adds a row to the file that BULKHEAD_FIGURES names, if it names one: what was measured, how much, and what was wanted.
    public static func note(_ what: String, _ value: Double, _ unit: String, wanted: String) {
        guard let path = getenv("BULKHEAD_FIGURES"), let file = fopen(path, "a") else { return }
        let digits = abs(value) >= 1 ? 1 : 3
        let scale = pow(10, Double(digits))
        let isTiny = abs(value) < 0.0005 && value != 0
        let power = isTiny ? Int(floor(log10(abs(value)))) : 0
        let shown =
            isTiny ? "\((value / pow(10, Double(power)) * 10).rounded() / 10)e\(power)" : "\((value * scale).rounded() / scale)"
        fputs("| \(what) | \(shown) \(unit) | \(wanted) |\n", file)
        fclose(file)
    }
}
