// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How far a long piece of work has got, in place on a terminal. Main thread.

import Glibc
import LinuxSystem

/// A line with a bar. Nothing is shown where there is no terminal.
final class ProgressLine {
    private let title: String
    private let descriptor: Int32
    private let isTerminal: Bool
    /// When the line appears: work that is over in a moment needs none.
    private let start: UInt64
    private var lastPercent = -1

    /// - Parameters:
    ///   - descriptor: standard output, or standard error where the output is for somebody else.
    ///   - milliseconds: how long the work may take without a line.
    init(_ title: String, on descriptor: Int32 = STDOUT_FILENO, after milliseconds: UInt64 = 0) {
        self.title = title
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        start = MonotonicClock.now() + milliseconds * 1_000_000
    }

    /// `share` runs from 0 to 1.
    func show(_ share: Double) {
        let percent = Int(max(0, min(1, share)) * 100)
        guard isTerminal, percent != lastPercent, MonotonicClock.now() >= start else { return }
        lastPercent = percent
        let bar = String(repeating: "█", count: percent * 40 / 100) + String(repeating: "░", count: 40 - percent * 40 / 100)
        Terminal.write("\r\(title) \(bar) \(percent) %\u{1B}[K", to: descriptor)
    }

    /// Takes the line away, so that something else can be written; the next `show` brings it back.
    func finish() {
        if lastPercent >= 0 { Terminal.write("\r\u{1B}[K", to: descriptor) }
        lastPercent = -1
    }
}
