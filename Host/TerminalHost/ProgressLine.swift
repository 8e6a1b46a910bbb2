// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How far a long piece of work has got, in place on a terminal. Main thread.

import Glibc

/// A line with a bar. Nothing is shown where its descriptor is no terminal.
final class ProgressLine {
    private let title: String
    private let descriptor: Int32
    private let isShown: Bool
    private var lastPercent = -1

    init(_ title: String, on descriptor: Int32 = STDOUT_FILENO) {
        self.title = title
        self.descriptor = descriptor
        isShown = isatty(descriptor) == 1
    }

    /// `share` runs from 0 to 1.
    func show(_ share: Double) {
        let percent = Int(max(0, min(1, share)) * 100)
        guard isShown, percent != lastPercent else { return }
        lastPercent = percent
        let bar = String(repeating: "█", count: percent * 40 / 100) + String(repeating: "░", count: 40 - percent * 40 / 100)
        Terminal.write("\r\(title) \(bar) \(percent) %\u{1B}[K", to: descriptor)
    }

    /// Takes the line away, so that something else can be written; the next `show` brings it back.
    func finish() {
        if isShown, lastPercent >= 0 { Terminal.write("\r\u{1B}[K", to: descriptor) }
        lastPercent = -1
    }
}
