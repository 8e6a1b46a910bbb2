// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What units print while an object lives. Any thread.

import Synchronization

@testable import PluginHosting

/// Collects the lines that units print, in place of showing them.
final class PrintedLines: Sendable {
    private let lines = Mutex<[String]>([])
    private let before = HostConfiguration.current.pluginOutput

    init() {
        HostConfiguration.current.pluginOutput = { [weak self] output in self?.lines.withLock { $0.append("\(output)") } }
    }

    deinit { HostConfiguration.current.pluginOutput = before }

    /// The lines so far, those on their way included.
    var settled: [String] {
        OutputReader.shared.settle()
        return lines.withLock { $0 }
    }
}
