// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A server of ssh for tests: for this user alone, on a port of this machine, with keys of its own. Test thread.

import Foundation
import TestSupport
import Testing

/// A server of ssh whose files lie in a bench; it ends with the object.
///
/// Who logs in there has the environment of the bench. Outside of the bench, a server of root wants the empty folder /run/sshd, and notes
/// who has logged in where the system does so.
final class SSHServer {
    let port: UInt16
    private let process: pid_t

    private static let program = "/usr/sbin/sshd"
    private static let emptyFolder = "/run/sshd"

    /// Why no server can run here; nil where one can.
    static let obstacle: String? = {
        guard Machine.hasTerminals else { return "no terminal can be made here" }
        guard access(program, X_OK) == 0 else { return "openssh-server is not installed" }
        guard getuid() == 0 || makesTerminalsOfGroup else {
            return "a server of this user gives no terminals, because /dev/pts is not mounted with the group tty"
        }
        guard let user = getpwuid(getuid()), access(user.pointee.pw_shell, X_OK) == 0 else { return "this user has no shell" }
        // Only root can read this. The server of another user cannot either, and lets the user in.
        let accounts = (try? String(contentsOfFile: "/etc/shadow", encoding: .utf8)) ?? ""
        let isLocked = "\n\(accounts)".contains("\n\(String(cString: user.pointee.pw_name)):!")
        return isLocked ? "the account of this user is locked" : nil
    }()

    /// Whether terminals belong to the group tty from the beginning: a server that is not root's cannot give them to it.
    private static var makesTerminalsOfGroup: Bool {
        var (keyboard, terminal): (Int32, Int32) = (-1, -1)
        guard openpty(&keyboard, &terminal, nil, nil, nil) == 0 else { return false }
        defer { for end in [keyboard, terminal] { close(end) } }
        var status = stat()
        guard fstat(terminal, &status) == 0, let group = getgrnam("tty") else { return false }
        return status.st_gid == group.pointee.gr_gid
    }

    /// Starts a server, and writes what the client needs into the bench: `ssh -F ssh/client bench` logs in.
    init(_ bench: Workbench) throws {
        let folder = bench.path("ssh")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for key in ["host", "user"] { try Self.makeKey("\(folder)/\(key)") }
        if getuid() == 0, mkdir(Self.emptyFolder, 0o755) != 0 {
            try #require(errno == EEXIST, "\(Self.emptyFolder) cannot be made: \(String(cString: strerror(errno)))")
        }
        // Another program may take a free port before the server does.
        var started: (pid_t, UInt16)?
        for _ in 0..<5 where started == nil {
            let port = try Self.freePort()
            try Self.write(Self.serverLines(folder, port, bench.environment), to: "\(folder)/server")
            started = Self.start(folder, port).map { ($0, port) }
        }
        (process, port) = try #require(started, "no server: \(String(decoding: bench.bytes("ssh/log"), as: UTF8.self))")
        try Self.write(Self.clientLines(folder, port), to: "\(folder)/client")
        let key = String(decoding: bench.bytes("ssh/host.pub"), as: UTF8.self)
        try Self.write(["bench \(key)"], to: "\(folder)/known")
    }

    deinit { Self.end(process) }

    /// The processes of the one session that belong to the server itself: one, or two where it gives up rights.
    var session: [pid_t] {
        let line = sequence(first: process) { ProcessTable.child(of: $0) }.dropFirst()
        // Since OpenSSH 9.8 a session has a program of its own, "sshd-session".
        return line.prefix { (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8))?.hasPrefix("sshd") == true }
    }

    private static func serverLines(_ folder: String, _ port: UInt16, _ environment: [String: String]) -> [String] {
        let names = ["HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LADSPA_PATH", "LV2_PATH", "LD_LIBRARY_PATH"]
        let variables = names.compactMap { name in environment[name].map { "\"\(name)=\($0)\"" } }
        return [
            "ListenAddress 127.0.0.1", "Port \(port)", "HostKey \(folder)/host", "AuthorizedKeysFile \(folder)/user.pub",
            // The folder of temporary files is everybody's.
            "StrictModes no", "PidFile none", "UsePAM no", "PasswordAuthentication no", "KbdInteractiveAuthentication no",
            "AcceptEnv LC_ALL NO_COLOR", "SetEnv \(variables.joined(separator: " "))",
        ]
    }

    private static func clientLines(_ folder: String, _ port: UInt16) throws -> [String] {
        let user = try #require(getpwuid(getuid()))
        return [
            "Host bench", "HostName 127.0.0.1", "HostKeyAlias bench", "Port \(port)",
            "User \(String(cString: user.pointee.pw_name))",
            "IdentityFile \(folder)/user", "IdentitiesOnly yes", "IdentityAgent none", "BatchMode yes", "ControlPath none",
            "UserKnownHostsFile \(folder)/known", "GlobalKnownHostsFile none", "StrictHostKeyChecking yes",
            "SendEnv LC_ALL NO_COLOR", "LogLevel ERROR",
            // Since 9.5, ssh hides keystrokes among others that it makes up, and their echoes alone would fill a slow line.
            "IgnoreUnknown ObscureKeystrokeTiming", "ObscureKeystrokeTiming no",
        ]
    }

    private static func write(_ lines: [String], to path: String) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    }

    private static func makeKey(_ path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-keygen")
        process.arguments = ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "ssh-keygen makes no key")
    }

    /// Starts a server; nil if it ends at once.
    private static func start(_ folder: String, _ port: UInt16) -> pid_t? {
        // With the home of the bench it would count as a process that the command has left behind.
        let process = Spawn.start(
            program, ["-D", "-f", "\(folder)/server", "-E", "\(folder)/log"], environment: ["PATH": "/usr/bin:/bin"],
            output: "/dev/null")
        guard let process else { return nil }
        var hasEnded = false
        let listening = "Server listening on 127.0.0.1 port \(port)"
        let isListening = eventually(within: 10) {
            let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
            hasEnded = Spawn.hasEnded(process)
            return log.contains(listening) || hasEnded
        }
        if hasEnded { return nil }
        if isListening { return process }
        end(process)
        return nil
    }

    private static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        if eventually(within: 5, { Spawn.hasEnded(process) }) { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// A port that nobody has at the moment.
    private static func freePort() throws -> UInt16 {
        let socket = try LocalPort()
        return socket.number
    }
}
