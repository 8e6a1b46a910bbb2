// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the messages between the host and the extensions into a file. Control threads.

import Console
import Glibc
import LinuxSystem
import PluginHosting
import Synchronization

/// A file with one line for each message: text, or JSON if its name ends in `.json`.
final class TraceFile: Sendable {
    private struct State: ~Copyable {
        let file: Descriptor
        /// True once a message is missing and the user has been told.
        var hasFailed = false
    }

    private let state: Mutex<State>
    private let isJSON: Bool
    /// True if the trace is the output of the command.
    private let isOutput: Bool
    private let start = MonotonicClock.now()

    /// Creates or empties the file; throws `SystemError`.
    init(path: String) throws(SystemError) {
        (isJSON, isOutput) = (path.hasSuffix(".json"), false)
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        state = Mutex(State(file: Descriptor(owning: try SystemError.check(number, "write \"\(path)\""))))
    }

    /// Writes to standard output, by a second descriptor; throws `SystemError`.
    init(isJSON: Bool) throws(SystemError) {
        (self.isJSON, isOutput) = (isJSON, true)
        state = Mutex(
            State(file: Descriptor(owning: try SystemError.check(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), "write the trace"))))
    }

    /// Writes every later message of this process.
    func begin() { HostConfiguration.current.messageTrace = { self.write($0) } }

    private func write(_ message: TracedMessage) {
        // Any message can be written: it holds texts and whole numbers.
        let line = isJSON ? (try? ReadableJSON.text(message)) ?? "{}" : message.line(since: start)
        let bytes = Array((line + "\n").utf8)
        state.withLock { state in
            do throws(SystemError) {
                try Descriptor.write(bytes, to: state.file.number, "write the trace")
            } catch {
                // A full disk ends the trace, but not the sound. A reader that has gone wants no more of it.
                if isOutput, error.code == EPIPE { Terminal.noteLoss(EPIPE) }
                guard error.code != EPIPE, !state.hasFailed else { return }
                state.hasFailed = true
                Terminal.printError("\(error) Some messages are missing in it.")
            }
        }
    }
}
