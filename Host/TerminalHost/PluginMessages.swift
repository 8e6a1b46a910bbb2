// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The output of plug-ins, between the lines of a command. Any thread; the display takes it on the main thread.

import Console
import Glibc
import LinuxSystem
import PluginHosting
import Printing
import Synchronization

/// The lines that plug-ins print.
///
/// They go to standard error at once. While a display is redrawn on the same terminal, the display takes them and writes them
/// above itself.
enum PluginMessages {
    /// The most lines that wait for the display, whose thread waits while the user has stopped the terminal.
    private static let mostWaiting = 1000

    private struct Waiting {
        let wakeUp: EventDescriptor
        var lines: [String] = []
        var leftOutCount = 0
    }

    private static let waiting = Mutex<Waiting?>(nil)
    private static let errors = OfferedLines(prefix: Terminal.errorPrefix)

    /// Starts to collect the output of the host's plug-ins.
    static func begin() {
        HostConfiguration.current.pluginOutput = { show($0) }
    }

    private static func show(_ output: PluginOutput) {
        let line = "\(output)"
        let isWaiting = waiting.withLock { waiting in
            guard waiting != nil else { return false }
            if waiting?.lines.count ?? 0 < mostWaiting { waiting?.lines.append(line) } else { waiting?.leftOutCount += 1 }
            waiting?.wakeUp.ring()
            return true
        }
        if !isWaiting { errors.offer(line, erasing: ProgressLine.isShown && isatty(STDERR_FILENO) == 1) }
    }

    /// Keeps lines from now on for a display on standard output, which sleeps until `wakeUp` rings.
    ///
    /// Does nothing unless standard error leads to the same terminal.
    static func keep(ringing wakeUp: EventDescriptor) {
        guard Terminal.isInteractive, isatty(STDERR_FILENO) == 1 else { return }
        waiting.withLock { $0 = $0 ?? Waiting(wakeUp: wakeUp) }
    }

    /// Takes the lines since the last call.
    static func take() -> [String] {
        waiting.withLock { waiting in
            guard let kept = waiting else { return [] }
            waiting = Waiting(wakeUp: kept.wakeUp)
            let count = kept.leftOutCount
            return kept.lines + (count == 0 ? [] : ["\(count) more lines of plug-ins are left out."])
        }
    }

    /// Ends the effect of `keep`, and returns the lines since the last `take`.
    static func release() -> [String] {
        let last = take()
        waiting.withLock { $0 = nil }
        return last
    }

    /// Waits until all output of plug-ins so far has been shown or kept.
    static func settle() { OutputReader.shared.settle() }
}
