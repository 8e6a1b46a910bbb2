// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A terminal that is a test: it sees each byte that the command writes, and answers as it likes. Test thread.

import Foundation
import TestSupport
import Testing

/// The command on a terminal of the test's own; it lives as long as the object.
final class PseudoTerminal {
    private let keyboard: Int32
    private let process = Process()
    /// All that the command has written.
    private(set) var output: [UInt8] = []

    /// Starts the command on a terminal of 80 × 24 cells, which tells their size in pixels if there is one.
    init(_ bench: Workbench, _ arguments: [String], cell: (width: Int, height: Int)? = nil) throws {
        var (keyboard, terminal): (Int32, Int32) = (-1, -1)
        var size = Self.size(columns: 80, rows: 24, cell)
        try #require(openpty(&keyboard, &terminal, nil, nil, &size) == 0)
        self.keyboard = keyboard
        _ = fcntl(keyboard, F_SETFL, O_NONBLOCK)
        _ = fcntl(keyboard, F_SETFD, FD_CLOEXEC)
        let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: RunningCommand.executable)
        process.arguments = arguments
        process.environment = bench.environment.merging(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: bench.folder)
        (process.standardInput, process.standardOutput, process.standardError) = (handle, handle, handle)
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(keyboard)
    }

    private static func size(columns: Int, rows: Int, _ cell: (width: Int, height: Int)?) -> winsize {
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
        if let cell { (size.ws_xpixel, size.ws_ypixel) = (UInt16(columns * cell.width), UInt16(rows * cell.height)) }
        return size
    }

    /// Makes the terminal's window another one.
    func resize(columns: Int, rows: Int, cell: (width: Int, height: Int)) {
        var size = Self.size(columns: columns, rows: rows, cell)
        #expect(ioctl(keyboard, UInt(TIOCSWINSZ), &size) == 0)
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) } }

    private func readAll() {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(keyboard, &piece, piece.count), count > 0 { output += piece[..<count] }
    }

    /// Reads on until a condition holds; see ``Patience``.
    func reads(until condition: (PseudoTerminal) -> Bool) -> Bool {
        eventually(within: 10) {
            readAll()
            return condition(self)
        }
    }

    /// Reads on for so many milliseconds.
    func reads(milliseconds: Int) {
        _ = Patience.never(milliseconds: milliseconds) {
            readAll()
            return false
        }
    }

    /// Presses Ctrl-C and returns the exit status; nil if the command does not end.
    func leave() -> Int32? {
        type("\u{3}")
        guard reads(until: { !$0.process.isRunning }) else { return nil }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
