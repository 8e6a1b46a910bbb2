// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen of a playing command, a client in a process of its own. Main thread.

import Console
import Control
import Glibc
import LinuxSystem
import Screen

/// A process that shows this host on the terminal.
///
/// It draws and waits for the terminal, so that the host never does. While it runs, the host's messages are kept.
/// After any end of either process, the terminal is as before.
final class ScreenProcess {
    private let process: pid_t
    /// The copies of standard output and error, as far as they were the terminal.
    private var terminals: [(number: Int32, copy: Int32)] = []
    private let output: Int32
    private var rest: [UInt8] = []
    private var status: Int32?

    /// Starts the screen of a host; nil without a terminal that can show it, or in the background.
    init?(of host: String) {
        guard isatty(STDIN_FILENO) == 1, Terminal.isInteractive, tcgetpgrp(STDIN_FILENO) == getpgrp(),
            case .success = TerminalKind.current(of: STDOUT_FILENO)
        else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        // The host never waits for room in the pipe.
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        guard let process = Self.spawn(["bulkhead", AttachCommand.name, host, "--stop"]) else {
            ends.forEach { close($0) }
            return nil
        }
        (self.process, output) = (process, ends[0])
        for number in [STDOUT_FILENO, STDERR_FILENO] where isatty(number) == 1 {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { continue }
            terminals.append((number, copy))
            dup2(ends[1], number)
        }
        close(ends[1])
    }

    deinit {
        restore()
        close(output)
    }

    private static func spawn(_ words: [String]) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        return posix_spawn(&process, "/proc/self/exe", nil, &attributes, &arguments, environ) == 0 ? process : nil
    }

    /// True once the screen has ended.
    var hasEnded: Bool {
        var told: Int32 = 0
        if status == nil, waitpid(process, &told, WNOHANG) == process { status = told }
        return status != nil
    }

    /// True if it ended by an error or a signal instead of a wish.
    var hasFailed: Bool { hasEnded && status != 0 }

    /// Takes the lines that the host has printed since the last call.
    func takeLines() -> [String] {
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = piece.withUnsafeMutableBytes({ SystemCall.read(output, into: $0) }), count > 0 {
            rest += piece[..<count]
        }
        var lines: [String] = []
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            lines.append(line.hasPrefix(Terminal.errorPrefix) ? String(line.dropFirst(Terminal.errorPrefix.count)) : line)
            rest.removeFirst(end + 1)
        }
        return lines
    }

    /// Waits for the screen, which ends with the host, and prints on the terminal again.
    func end() {
        for round in 0..<400 where !hasEnded {
            // It had two seconds to notice the end of the host. Now it gets a request, and later a kill.
            if round == 200 { kill(process, SIGTERM) }
            if round == 399 { kill(process, SIGKILL) }
            usleep(10_000)
        }
        if !hasEnded { waitpid(process, nil, 0) }
        restore()
    }

    /// Ends a screen that has failed; the music continues.
    func abandon() {
        end()
        Terminal.printError("The screen has ended by an error; bulkhead attach shows it again.")
    }

    private func restore() {
        for (number, copy) in terminals {
            dup2(copy, number)
            close(copy)
        }
        terminals = []
    }
}

extension ScreenProcess {
    /// Starts the screen of a session; nil without a terminal for it, or if clients cannot reach the session.
    convenience init?(for session: Session) {
        guard session.controlFailure == nil else { return nil }
        self.init(of: session.name)
    }
}
