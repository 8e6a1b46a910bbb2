// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writing to the terminal. Any thread.

import Glibc
import LinuxSystem
import Printing
import Synchronization

/// Standard output and error.
///
/// All text is written here, and it cannot control the terminal: control characters, and characters that change their
/// neighbours, become U+FFFD. Colours come from `StyledText`.
package enum Terminal {
    package static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// True if the user wants no colours: `NO_COLOR` is set, and not empty.
    package static let isColourless = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false

    /// The columns of the terminal; 80 if they are unknown.
    package static var width: Int {
        size.map { Int($0.ws_col) } ?? 80
    }

    /// The rows of the terminal; 24 if they are unknown.
    package static var height: Int { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } ?? 24 }

    private static var size: winsize? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? size : nil
    }

    /// One line on standard error, after the program's name.
    package static func printError(_ sentence: String) {
        send("\(errorPrefix)\(PrintableText.shown(sentence))\n", to: STDERR_FILENO)
    }

    /// The prefix of a line on standard error.
    package static let errorPrefix = "bulkhead: "

    /// Writes text and a line feed to standard output at once.
    ///
    /// The text may have several lines, and tabs.
    package static func print(_ text: String) { send(PrintableText.shown(text, keeping: ["\n", "\t"]) + "\n") }

    /// Writes lines to standard output at once, each of which stays one line.
    package static func print(lines: [StyledText]) { send(lines.map { $0.escaped + "\n" }.joined()) }

    /// The errno of the first failed write to standard output; 0 without a failure.
    private static let loss = Atomic<Int32>(0)

    /// Throws if some of the output could not be written.
    ///
    /// A reader must not take a part for the whole.
    package static func checkOutput() throws(OutputError) {
        switch loss.load(ordering: .relaxed) {
        case 0: return
        case EPIPE: throw .unread
        case let code: throw .failed(SystemError("write to standard output", code: code))
        }
    }

    /// Notes that some of the output could not be written, for `checkOutput`; the first errno counts.
    package static func noteLoss(_ code: Int32) { _ = loss.compareExchange(expected: 0, desired: code, ordering: .relaxed) }

    /// Writes text unchanged, including escape sequences.
    ///
    /// Text that cannot be written is lost; `checkOutput` reports it.
    static func send(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { SystemCall.write($0, to: descriptor) }
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else {
                let code = count < 0 ? errno : EIO
                if descriptor == STDOUT_FILENO { noteLoss(code) }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
