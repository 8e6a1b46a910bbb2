// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How far a long piece of work has got, in place on a terminal. Main thread.

/// A line with a bar. Nothing is shown when standard output is not a terminal.
final class ProgressLine {
    private let title: String
    private let isShown = Terminal.isInteractive
    private var lastPercent = -1

    init(_ title: String) { self.title = title }

    /// `share` runs from 0 to 1.
    func show(_ share: Double) {
        let percent = Int(max(0, min(1, share)) * 100)
        guard isShown, percent != lastPercent else { return }
        lastPercent = percent
        let bar = String(repeating: "█", count: percent * 40 / 100) + String(repeating: "░", count: 40 - percent * 40 / 100)
        Terminal.write("\r\(title) \(bar) \(percent) %\u{1B}[K")
    }

    func finish() {
        if isShown { Terminal.write("\r\u{1B}[K") }
    }
}
