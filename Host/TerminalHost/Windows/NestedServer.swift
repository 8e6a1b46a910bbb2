// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An X server in a window, for one plug-in's window alone. Main thread.

import Confinement
import Glibc
import LinuxSystem

/// Xephyr, and the display that it serves.
///
/// A window in it sees no other windows and gets no other keys. Its process is confined, so that it finds no other display. Xephyr
/// itself is not: so it offers little, and takes no more memory than a window needs.
final class NestedServer {
    private let child: ChildProcess
    /// The server writes its display here once it is ready.
    ///
    /// Closing this end early would end the server.
    private let socket: ControlSocket
    /// What its clients have to know: no other user of the machine gets in.
    private let authority: ServerAuthority
    /// The display, such as `:1`.
    let display: String

    private static let program = "Xephyr"
    private static let size = "1280x800"
    /// Extensions that windows do without: memory of other programs, keys of a robot, recorded keys, and other screens.
    private static let leftOut = ["MIT-SHM", "XTEST", "RECORD", "DPMS", "XINERAMA"].flatMap { ["-extension", $0] }
    /// The most memory that clients can make it take.
    private static let mostBytes: UInt64 = 2 << 30
    /// It and its clients have less of a processor than the user's own programs.
    static let niceness: Int32 = 10
    /// The milliseconds that the server has to begin.
    private static let patience: Int32 = 10_000

    /// Starts the server on the display of the environment.
    init(_ environment: [String: String], title: String) throws {
        let folders = (environment["PATH"] ?? "/usr/bin").split(separator: ":").map(String.init)
        let paths: [String] = folders.map { "\($0)/\(Self.program)" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandError.failed(
                "Couldn't start a nested X server: \(Self.program) is not installed. Debian has it in xserver-xephyr.")
        }
        let (own, peer) = try ControlSocket.pair()
        socket = own
        authority = try ServerAuthority()
        // It writes the number of its display to descriptor 3.
        child = try ChildProcess(
            path: path,
            // It ends with its last client, so that nothing of it stays if this process is killed.
            arguments: [
                "-displayfd", "3", "-screen", Self.size, "-resizeable", "-title", title, "-nolisten", "tcp", "-terminate", "-auth",
                authority.path, "-no-host-grab", "-noxv",
            ] + Self.leftOut,
            environment: environment, control: peer, isQuiet: true)
        try child.limit(memory: Self.mostBytes, niceness: Self.niceness)
        // What fails here is that the server ends or is silent, which is said below.
        let told = try? own.receive(limit: 64, timeoutMilliseconds: Self.patience, peerPidfd: child.pidfd)
        guard let number = told.flatMap({ Int(String(decoding: $0.bytes.prefix { $0 != 0x0A }, as: UTF8.self)) }) else {
            throw CommandError.failed("Couldn't start a nested X server: \(Self.program) did not begin. Is DISPLAY right?")
        }
        display = ":\(number)"
    }

    /// Ends the server in order, so that it leaves no lock behind.
    deinit {
        child.send(signal: SIGTERM)
        _ = child.wait(milliseconds: 1000)
    }

    /// Readable once the server has ended.
    var descriptor: Int32 { child.pidfd }

    /// Whether the server has ended: its window was closed.
    var hasEnded: Bool { child.poll() != nil }

    /// Where it listens.
    var socketPath: String { "/tmp/.X11-unix/X\(display.dropFirst())" }

    /// The number of its process.
    var process: pid_t { child.identifier }

    /// The file with the cookie that its clients need.
    var authorityPath: String { authority.path }

    /// The environment of a confined client: what a locale, the libraries and the X server need, and nothing about the session.
    func environment(ofConfined own: [String: String]) -> [String: String] {
        let names: Set = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "HOME", "LD_LIBRARY_PATH", "LV2_PATH"]
        return environment(own.filter { names.contains($0.key) })
    }

    /// The environment of its clients.
    func environment(_ own: [String: String]) -> [String: String] {
        own.filter { $0.key != "WAYLAND_DISPLAY" }.merging(["DISPLAY": display, "XAUTHORITY": authority.path]) { $1 }
    }
}
