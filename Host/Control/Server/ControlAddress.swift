// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The addresses of hosts: sockets in a folder that belongs to the user alone. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// The socket of a host.
public struct ControlAddress: Hashable, Sendable {
    /// The host's name.
    public let name: String
    /// The path of the socket.
    public let path: String

    /// The address of a host of that name; throws if this user has no folder for sockets.
    public init(_ name: String) throws(SystemError) {
        self.init(name, in: try Self.folder())
    }

    init(_ name: String, in folder: String) { (self.name, path) = (name, "\(folder)/\(name).sock") }

    /// The folder of all sockets of this user, which is made if it is missing.
    ///
    /// Throws if it belongs to another user, or if others may enter it.
    static func folder() throws(SystemError) -> String {
        let environment = ProcessInfo.processInfo.environment
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(geteuid())"
        let path = access(runtime, W_OK) == 0 ? "\(runtime)/bulkhead" : "/tmp/bulkhead-\(geteuid())"
        let act = "use the folder \"\(path)\" for control sockets"
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError(act) }
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SystemError(act) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw SystemError("\(act), which others may enter", code: EACCES)
        }
        return path
    }

    /// The hosts that run now, in the order of their names.
    public static func running() throws(SystemError) -> [ControlAddress] {
        let folder = try folder()
        let names = (FolderEntries.names(in: folder) ?? []).filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }
        // A service manager may listen for a host that does not run; a connection would start it.
        return names.sorted().map { ControlAddress($0, in: folder) }.filter {
            FileLock.isHeld("\($0.path).lock") && ControlSocket.isAnswered(path: $0.path)
        }
    }

    /// The address of that name if a host answers there; a service then starts its host.
    public static func answered(_ name: String) throws(SystemError) -> ControlAddress? {
        let address = try ControlAddress(name)
        return ControlSocket.isAnswered(path: address.path) ? address : nil
    }

    /// The address in the form of the kernel.
    package func withSocketAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) throws(SystemError) -> Value {
        try UnixSocket.withAddress(of: path, body)
    }
}
