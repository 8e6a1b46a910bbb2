// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The progress of a long task, in place on a terminal. Main thread.

import Glibc
import LinuxSystem
import Printing
import Synchronization

/// A line with a bar, on a terminal only.
package final class ProgressLine {
    private let title: String
    private let descriptor: Int32
    private let isTerminal: Bool
    /// The time at which the line appears, in nanoseconds.
    ///
    /// Short work needs no line.
    private let start: UInt64
    private var lastPercent = -1
    private static let shownCount = Atomic<Int>(0)

    /// `[any]` True if the cursor is after such a line.
    package static var isShown: Bool { shownCount.load(ordering: .relaxed) > 0 }

    /// Makes a line that appears after `milliseconds` of work.
    ///
    /// `descriptor` is standard output, or standard error if another program reads the output.
    package init(_ title: String, on descriptor: Int32 = STDOUT_FILENO, after milliseconds: UInt64 = 0) {
        self.title = PrintableText.shown(title)
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        start = MonotonicClock.now() + milliseconds * 1_000_000
    }

    /// `share` runs from 0 to 1.
    package func show(_ share: Double) {
        let percent = Int(max(0, min(1, share)) * 100)
        guard isTerminal, percent != lastPercent, MonotonicClock.now() >= start else { return }
        if lastPercent < 0 { Self.shownCount.add(1, ordering: .relaxed) }
        lastPercent = percent
        let bar = String(repeating: "█", count: percent * 40 / 100) + String(repeating: "░", count: 40 - percent * 40 / 100)
        Terminal.send("\r\(title) \(bar) \(percent) %\u{1B}[K", to: descriptor)
    }

    /// Removes the line, so that other text can be written; the next `show` draws it again.
    package func finish() {
        guard lastPercent >= 0 else { return }
        Terminal.send("\r\u{1B}[K", to: descriptor)
        lastPercent = -1
        Self.shownCount.subtract(1, ordering: .relaxed)
    }
}
