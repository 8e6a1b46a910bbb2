// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writing to the terminal. Any thread.

import Glibc
import PluginHosting

/// Standard output and error.
enum Terminal {
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal; 80 when it does not say.
    static var width: Int {
        size.map { Int($0.ws_col) } ?? 80
    }

    /// Rows of the terminal; 24 when it does not say.
    static var height: Int { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } ?? 24 }

    private static var size: winsize? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? size : nil
    }

    /// One line on standard error, after the program's name.
    static func printError(_ sentence: String) { write("bulkhead: \(sentence)\n", to: STDERR_FILENO) }

    /// Text on standard output at once, without a line feed of its own.
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Encodes as JSON with sorted keys.
    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try ReadableJSON.encode(value), as: UTF8.self)
    }
}
