// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The socket that a host listens on, which lets in clients of this user alone. Control thread.

import Glibc
import LinuxSystem

/// A listening socket, which ends with the object.
final class ControlListener: Sendable {
    let address: ControlAddress
    let descriptor: Int32
    /// The host holds it as long as it lives; the kernel releases it at any end of the host.
    private let lock: Int32
    /// True if a service manager made the socket, and listens there again after the host.
    private let isActivated: Bool
    private static let mostWaiting: Int32 = 64

    /// Listens under a name; a number follows it if another host has the name.
    init(name: String) throws(SystemError) {
        var number = 1
        while true {
            let address = try ControlAddress(number == 1 ? name : "\(name)-\(number)")
            let lock = open("\(address.path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard lock >= 0 else { throw SystemError("listen at \"\(address.path)\"") }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 {
                do throws(SystemError) {
                    let activated = ActivatedSocket.take(address.path)
                    isActivated = activated != nil
                    if let activated { descriptor = activated } else { descriptor = try Self.listen(address) }
                } catch {
                    close(lock)
                    throw error
                }
                (self.address, self.lock) = (address, lock)
                return
            }
            close(lock)
            number += 1
            guard number <= 100 else { throw SystemError("listen as \"\(name)\": 100 hosts have that name", code: EADDRINUSE) }
        }
    }

    private static func listen(_ address: ControlAddress) throws(SystemError) -> Int32 {
        let act = "listen at \"\(address.path)\""
        // Under the lock, a socket at the path belongs to a host that has ended.
        unlink(address.path)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw SystemError(act) }
        let bound = try address.withSocketAddress { bind(number, $0, $1) }
        guard bound == 0, chmod(address.path, 0o600) == 0, Glibc.listen(number, mostWaiting) == 0 else {
            let error = SystemError(act)
            close(number)
            throw error
        }
        return number
    }

    deinit {
        if !isActivated { unlink(address.path) }
        close(descriptor)
        // The file of the lock stays, because another host may be about to lock it.
        close(lock)
    }

    /// The next client, and whether it belongs to this user; nil if none waits.
    ///
    /// Throws while there is no descriptor for it.
    func accept() throws(SystemError) -> (descriptor: Int32, isOwn: Bool)? {
        guard let number = try UnixSocket.accept(descriptor) else { return nil }
        return (number, UnixSocket.peerUser(of: number) == geteuid())
    }
}
