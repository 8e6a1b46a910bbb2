// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the messages between the host and the extensions into a file. Control threads.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Synchronization

/// A file with one line for each message: text, or JSON if its name ends in `.json`.
final class TraceFile: Sendable {
    private let file: Mutex<Descriptor>
    private let isJSON: Bool
    private let start = MonotonicClock.now()

    /// Creates or empties the file; throws `SystemError`.
    init(path: String) throws(SystemError) {
        isJSON = path.hasSuffix(".json")
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        file = Mutex(Descriptor(owning: try SystemError.check(number, "write \"\(path)\"")))
    }

    /// Writes to a second descriptor of an open file; throws `SystemError`.
    init(descriptor: CInt, isJSON: Bool) throws(SystemError) {
        self.isJSON = isJSON
        file = Mutex(Descriptor(owning: try SystemError.check(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), "write the trace")))
    }

    /// Writes every later message of this process.
    func begin() { HostConfiguration.current.messageTrace = { self.write($0) } }

    private func write(_ message: TracedMessage) {
        let line = isJSON ? Self.json(message) : message.line(since: start)
        let bytes = Array((line + "\n").utf8)
        file.withLock { file in
            // A full disk ends the trace, but not the sound.
            try? Descriptor.write(bytes, to: file.number, "write the trace")
        }
    }

    private static func json(_ message: TracedMessage) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
