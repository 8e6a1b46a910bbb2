// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An X server for the window of one plug-in. Main thread.

import Confinement
import Glibc
import LinuxSystem

/// Xephyr, and the display that it serves.
///
/// A window in it sees no other windows and gets no keys meant for them. The window's process is confined, so that it finds no other
/// display. Xephyr itself is not confined: so it has few extensions, and a limit on its memory.
final class NestedServer {
    private let child: ChildProcess
    /// The socket to which the server writes its display once it is ready.
    ///
    /// Closing this end early would end the server.
    private let socket: ControlSocket
    /// The cookie for its clients, which keeps other users of the machine out.
    private let authority: ServerAuthority
    /// The display, such as `:1`.
    let display: String

    private static let program = "Xephyr"
    private static let size = "1280x800"
    /// Extensions that windows do not need: memory of other programs, simulated keys, recorded keys, and other screens.
    private static let leftOut = ["MIT-SHM", "XTEST", "RECORD", "DPMS", "XINERAMA"].flatMap { ["-extension", $0] }
    /// The most memory that clients can make it use.
    private static let mostBytes: UInt64 = 2 << 30
    /// The niceness, which gives the server and its clients less of a processor than the user's own programs.
    static let niceness: Int32 = 10
    /// The time that the server has to start, in milliseconds.
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
        // The server writes the number of its display to descriptor 3.
        child = try ChildProcess(
            path: path,
            // It ends with its last client, so that it does not outlive a killed process of ours.
            arguments: [
                "-displayfd", "3", "-screen", Self.size, "-resizeable", "-title", title, "-nolisten", "tcp", "-terminate", "-auth",
                authority.path, "-no-host-grab", "-noxv",
            ] + Self.leftOut,
            environment: environment, control: peer, isQuiet: true)
        try child.limit(memory: Self.mostBytes, niceness: Self.niceness)
        let told = try? own.receive(limit: 64, timeoutMilliseconds: Self.patience, peerPidfd: child.pidfd)
        guard let number = told.flatMap({ Int(String(decoding: $0.bytes.prefix { $0 != 0x0A }, as: UTF8.self)) }) else {
            throw CommandError.failed("Couldn't start a nested X server: \(Self.program) did not begin. Is DISPLAY right?")
        }
        display = ":\(number)"
    }

    /// Ends the server by a request, so that it leaves no lock behind.
    deinit {
        child.send(signal: SIGTERM)
        _ = child.wait(milliseconds: 1000)
    }

    /// A descriptor that is readable once the server has ended.
    var descriptor: Int32 { child.pidfd }

    /// True once the server has ended, because its window was closed.
    var hasEnded: Bool { child.poll() != nil }

    /// The path of its socket.
    var socketPath: String { "/tmp/.X11-unix/X\(display.dropFirst())" }

    /// The number of its process.
    var process: pid_t { child.identifier }

    /// The file with the cookie that its clients need.
    var authorityPath: String { authority.path }

    /// The environment of a confined client: the variables for the locale, the libraries and the X server, and none about the session.
    func environment(ofConfined own: [String: String]) -> [String: String] {
        let names: Set = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "HOME", "LD_LIBRARY_PATH", "LV2_PATH"]
        return environment(own.filter { names.contains($0.key) })
    }

    /// The environment of its clients.
    func environment(_ own: [String: String]) -> [String: String] {
        own.filter { $0.key != "WAYLAND_DISPLAY" }.merging(["DISPLAY": display, "XAUTHORITY": authority.path]) { $1 }
    }
}
