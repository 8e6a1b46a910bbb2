// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A private PipeWire session, with a sink that plays to no device. Control thread.

import CPipeWireShims
import Glibc

/// D-Bus, PipeWire, WirePlumber and a null sink in a temporary folder, as long as the object lives.
///
/// `[control]`, one thread at a time. It needs the Debian packages dbus-daemon, pipewire and wireplumber. Nothing is left
/// behind, even if this process is killed.
public final class PrivatePipeWire {
    /// The milliseconds in which each of the three daemons must answer.
    private static let readyMilliseconds = 10_000
    /// The name of the null sink.
    public let sinkName: String
    /// The path of the daemon's socket, for `PipeWireConfiguration.socketPath`.
    public let socketPath: String
    /// The environment for child processes: this process's, with the variables for the session.
    public let environment: [String: String]
    private let files: PrivateSessionFiles
    private let children: ChildProcesses
    /// The process id of PipeWire's daemon.
    public private(set) var daemon: pid_t = 0
    /// The environment's values before `activate()`.
    private var inherited: [(name: String, value: String?)] = []

    /// Starts the session, and returns once the sink is its default.
    ///
    /// `rate` is in hertz and `quantum` in frames, nil for PipeWire's 1024. Throws a `PipeWireError`.
    public init(
        sinkName: String = "bulkhead-sink", channels: Int = 2, rate: Int = 48000, quantum: Int? = nil
    ) throws {
        CPipeWireShims_raiseLimits()
        files = try PrivateSessionFiles()
        self.sinkName = sinkName
        socketPath = files.socketPath
        let variables = Self.variables(files)
        environment = Self.withoutSession(currentEnvironment()).merging(variables) { $1 }
        let configured = environment.merging(Self.configurationVariables(files)) { $1 }
        do {
            children = try ChildProcesses(environment: configured, removing: files.folder)
        } catch {
            rmdir(files.folder)
            throw error
        }
        try files.write(sinkName: sinkName, channels: channels, rate: rate, quantum: quantum)
        try startDaemons()
    }

    deinit { close() }

    /// True if the daemon still runs.
    public var isRunning: Bool { !children.hasEnded(daemon) }

    /// Makes this process use the session until `close()`.
    ///
    /// It changes the environment, which is not safe while other threads read it.
    public func activate() {
        guard inherited.isEmpty else { return }
        for (name, value) in Self.variables(files) {
            inherited.append((name, getenv(name).map { String(cString: $0) }))
            setenv(name, value, 1)
        }
    }

    /// Kills the daemon as a crash would, for tests.
    public func killDaemon() { children.end(daemon, with: SIGKILL) }

    /// Starts the daemons again after `killDaemon`, for tests.
    ///
    /// Throws a `PipeWireError`.
    public func reviveDaemon() throws(PipeWireError) { try startPipeWire() }

    /// Ends the session and removes its folder.
    ///
    /// It may be called several times.
    public func close() {
        for (name, value) in inherited {
            if let value { setenv(name, value, 1) } else { unsetenv(name) }
        }
        inherited = []
        children.close()
    }

    private func startDaemons() throws(PipeWireError) {
        let bus = ["--config-file=\(files.busConfiguration)", "--nofork", "--nopidfile"]
        try startDaemon("dbus-daemon", bus, package: "dbus-daemon") { access(files.busPath, F_OK) == 0 }
        try startPipeWire()
    }

    private func startPipeWire() throws(PipeWireError) {
        daemon = try startDaemon("pipewire", package: "pipewire") {
            PipeWireDaemon.isReachable(socketPath: files.socketPath)
        }
        try startDaemon("wireplumber", package: "wireplumber") {
            PipeWireDaemon.hasDefaultSink(sinkName, socketPath: files.socketPath)
        }
    }

    @discardableResult
    private func startDaemon(
        _ program: String, _ arguments: [String] = [], package: String, isReady: () -> Bool
    ) throws(PipeWireError) -> pid_t {
        let child = try children.spawn(program, arguments, package: package, log: files.log(of: program))
        var hasEnded = false
        let isSettled = waitUntil(milliseconds: Self.readyMilliseconds) {
            hasEnded = children.hasEnded(child)
            return hasEnded || isReady()
        }
        guard isSettled, !hasEnded else { throw .childFailed(name: program, reason: reason(program, hasEnded)) }
        return child
    }

    private func reason(_ program: String, _ hasEnded: Bool) -> String {
        let what = hasEnded ? "it ended at once" : "it wasn't ready within \(Self.readyMilliseconds / 1000) s"
        return lastLine(of: files.log(of: program)).map { "\(what); its last words: \($0)" } ?? what
    }
}

extension PrivatePipeWire {
    /// The environment variables of a client of the session.
    private static func variables(_ files: PrivateSessionFiles) -> [String: String] {
        [
            "XDG_RUNTIME_DIR": files.folder, "PIPEWIRE_RUNTIME_DIR": files.folder, "PIPEWIRE_REMOTE": "pipewire-0",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(files.busPath)",
        ]
    }

    /// The environment variables that keep the daemons away from the user's settings and state.
    private static func configurationVariables(_ files: PrivateSessionFiles) -> [String: String] {
        [
            "XDG_CONFIG_HOME": "\(files.folder)/config", "XDG_STATE_HOME": "\(files.folder)/state",
            "XDG_CACHE_HOME": "\(files.folder)/cache",
        ]
    }

    private static func withoutSession(_ environment: [String: String]) -> [String: String] {
        environment.filter { !$0.key.hasPrefix("PIPEWIRE_") && !$0.key.hasPrefix("WIREPLUMBER_") }
    }
}

/// The last line of a small text file, or nil if it has none.
func lastLine(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").last.map(String.init)
}
