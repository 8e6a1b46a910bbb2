// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A terminal that tests look at: tmux without a window.

import Foundation
import Testing

/// A terminal of tmux in which a shell runs one line; it lives as long as the object.
final class TmuxTerminal {
    private let bench: Workbench
    private let socket: String
    /// The server of tmux, and the shell in the terminal.
    private var processes: [pid_t] = []

    /// Starts a terminal of that size; the line runs in the bench's folder.
    ///
    /// Afterwards the file "status" has the exit status, "before" and "after" the settings of the terminal.
    init(_ bench: Workbench, _ line: String, columns: Int = 80, rows: Int = 24, adding: [String: String] = [:]) throws {
        self.bench = bench
        // A path of a socket has at most 107 bytes.
        socket = "/tmp/bulkhead-\(UUID().uuidString.prefix(13))"
        // Another terminal of the same bench may have been there.
        for name in ["status", "after"] { try? FileManager.default.removeItem(atPath: bench.path(name)) }
        let file = bench.path("tmux.conf")
        let settings = "set -g default-terminal tmux-256color\nset -g status off\nset -s escape-time 0\nset -g remain-on-exit on\n"
        try Data(settings.utf8).write(to: URL(fileURLWithPath: file))
        let script =
            "trap : INT; stty -g > before; \(line.replacing("bulkhead", with: RunningCommand.executable)); printf %s $? > status; stty -g > after"
        let locale = ["LC_ALL": "C.UTF-8"].merging(adding) { $1 }
        try tmux(
            ["-f", file, "-u", "new-session", "-d", "-s", "s", "-x", "\(columns)", "-y", "\(rows)", "-c", bench.folder]
                + ["/bin/sh", "-c", "\(script); sleep 1000"], environment: locale)
        let numbers = try tmux(["display-message", "-p", "-t", "s", "#{pid} #{pane_pid}"])
        processes = numbers.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    }

    deinit { close() }

    /// Ends the terminal, and all that runs in it.
    func close() {
        guard !processes.isEmpty else { return }
        _ = try? tmux(["kill-server"])
        // A shell that ignores SIGHUP would keep the server.
        for process in processes.reversed() {
            kill(-process, SIGKILL)
            kill(process, SIGKILL)
        }
        processes = []
        try? FileManager.default.removeItem(atPath: socket)
    }

    @discardableResult
    private func tmux(_ words: [String], environment: [String: String] = ["LC_ALL": "C.UTF-8"]) throws -> String {
        let all = bench.environment.merging(environment) { $1 }.merging(["TERM": "xterm-256color"]) { $1 }
        let process = try #require(
            Spawn.start("/usr/bin/tmux", ["-S", socket, "-u"] + words, environment: all, output: bench.path("tmux.stream")))
        let hasEnded = eventually(within: 10) { Spawn.hasEnded(process) }
        #expect(hasEnded, "tmux does not answer to \(words[0])")
        if !hasEnded { kill(process, SIGKILL) }
        return String(decoding: bench.bytes("tmux.stream"), as: UTF8.self)
    }

    /// Presses keys by tmux's names, such as "Down" and "C-c".
    func press(_ keys: String...) throws { try tmux(["send-keys", "-t", "s"] + keys) }

    /// Types text as it is.
    func type(_ text: String) throws { try tmux(["send-keys", "-t", "s", "-l", text]) }

    /// Sends bytes as the terminal would.
    func send(_ bytes: [UInt8]) throws {
        try tmux(["send-keys", "-t", "s", "-H"] + bytes.map { String($0, radix: 16) })
    }

    func resize(columns: Int, rows: Int) throws { try tmux(["resize-window", "-t", "s", "-x", "\(columns)", "-y", "\(rows)"]) }

    /// What the terminal shows; with `hasColors` as escape sequences.
    func text(hasColors: Bool = false) throws -> String {
        try tmux(["capture-pane", "-p", "-t", "s"] + (hasColors ? ["-e"] : []))
    }

    /// What a program can change of a terminal and leave behind.
    func modes() throws -> String {
        try tmux([
            "display-message", "-p", "-t", "s",
            "alternate #{alternate_on} cursor #{cursor_flag} wrap #{wrap_flag} mouse #{mouse_any_flag} #{mouse_sgr_flag} "
                + "insert #{insert_flag} keypad #{keypad_flag} #{keypad_cursor_flag} origin #{origin_flag}",
        ])
    }

    /// The modes of a terminal that no program has changed.
    static let usualModes = "alternate 0 cursor 1 wrap 1 mouse 0 0 insert 0 keypad 0 0 origin 0\n"

    /// Waits until the terminal shows a text, or shows it no longer.
    ///
    /// After a failure the log has what it shows instead.
    func awaits(_ text: String, isThere: Bool = true, seconds: Double = 20) -> Bool {
        let isAsWanted = eventually(within: seconds) { (try? self.text().contains(text)) == isThere }
        if !isAsWanted { print("The terminal shows:\n\((try? self.text()) ?? "nothing")") }
        return isAsWanted
    }

    /// Waits for the end of the line and returns its exit status.
    func awaitEnd(seconds: Double = 10) -> String {
        _ = eventually(within: seconds) { bench.exists("after") && !bench.bytes("after").isEmpty }
        return String(decoding: bench.bytes("status"), as: UTF8.self)
    }

    /// The settings of the terminal at present, as `stty -g` tells them.
    private func settings() throws -> Data {
        let terminal = try tmux(["display-message", "-p", "-t", "s", "#{pane_tty}"]).split(separator: "\n").map(String.init)
        let process = try #require(
            Spawn.start(
                "/usr/bin/stty", ["-g", "-F"] + terminal, environment: bench.environment, output: bench.path("stty.stream")))
        #expect(eventually(within: 10) { Spawn.hasEnded(process) })
        return bench.bytes("stty.stream")
    }

    /// Whether the terminal is as it was before the line, and shows nothing but these lines.
    ///
    /// `isKilled` says that the command was killed: then another process sets the terminal right, a moment after the end.
    func expectRestored(showing lines: [String], isKilled: Bool = false, _ location: SourceLocation = #_sourceLocation) throws {
        let before = bench.bytes("before")
        let isSet = try before == bench.bytes("after") || isKilled && eventually(within: 3) { try settings() == before }
        #expect(!before.isEmpty && isSet, "the settings are others", sourceLocation: location)
        #expect(try eventually(within: 3) { try self.modes() == Self.usualModes }, "the modes are others", sourceLocation: location)
        let shown = try text().split(separator: "\n").map(String.init)
        #expect(shown == lines, sourceLocation: location)
    }
}
