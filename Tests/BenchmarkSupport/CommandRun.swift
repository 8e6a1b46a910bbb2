// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A command from start to end: its output and its exit status. Control thread.

import Glibc

/// A program with its arguments.
package struct BenchmarkCommand: Equatable, Sendable {
    /// The program's path, then its arguments.
    package let words: [String]
    /// The folder in which it runs; nil for this process's own.
    package let folder: String?

    /// Makes a command without running it.
    package init(_ words: [String], in folder: String? = nil) { (self.words, self.folder) = (words, folder) }

    /// The command as a user types it, with only the name of the program.
    package var text: String {
        let program = words.first?.split(separator: "/").last.map(String.init) ?? ""
        return ([program] + words.dropFirst().map(Self.quoted)).joined(separator: " ")
    }

    /// Runs it to its end and returns its standard output.
    ///
    /// Its standard error goes to this process's own. Throws a sentence if the command fails. `running` is called once the
    /// command has started.
    package func output(while running: () -> Void = {}) throws(BenchmarkError) -> String {
        let (text, status) = run(while: running)
        guard let text else { throw BenchmarkError("Couldn't start `\(self.text)`.") }
        guard status == 0 else { throw BenchmarkError("`\(self.text)` failed with status \(status).") }
        return text
    }

    /// Runs it to its end and returns its standard output and exit status.
    ///
    /// `running` is called once the command has started. The output is nil if it cannot start.
    package func run(while running: () -> Void = {}) -> (output: String?, status: Int32) {
        let place = folder.map { "cd \(Self.quoted($0)) && " } ?? ""
        let line = place + "exec " + words.map(Self.quoted).joined(separator: " ")
        guard let stream = popen(line, "re") else { return (nil, -1) }
        running()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, stream)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        let status = pclose(stream)
        return (String(decoding: bytes, as: UTF8.self), status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/-_.,:=".contains($0)) }
        return isPlain ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
