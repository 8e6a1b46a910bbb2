// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a child gets when this process has no input, no room or no /dev/null. Each test in a process of its own.

import CConfinementShims
import CLinuxShims
import Confinement
import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite struct ScarceDescriptorTests {
    /// The first descriptor that is opened gets the number of the input.
    @Test func itReadsNothingAlsoWhereThisProcessHasNoInput() async {
        await #expect(processExitsWith: .success) {
            let (own, peer) = try ControlSocket.pair()
            close(0)
            let child = try ChildProcess(path: TestChild.path, arguments: ["links"], environment: [:], control: peer)
            let links = try own.receive(limit: 4096, timeoutMilliseconds: 5000, peerPidfd: child.pidfd).bytes
            #expect(links.starts(with: "/dev/null ".utf8))
        }
    }

    /// Otherwise it would read this process's input, even a terminal.
    @Test(.enabled(if: geteuid() == 0, "Only root hides the machine's devices from itself."))
    func itDoesNotStartWhereThereIsNothingForItToRead() async {
        await #expect(processExitsWith: .success) {
            let (_, peer) = try ControlSocket.pair()
            if try !Self.hideDevices() { try Test.cancel("root may not mount anything in this container") }
            let error = #expect(throws: SystemError.self) {
                _ = try ChildProcess(path: TestChild.path, arguments: ["sleep"], environment: [:], control: peer)
            }
            #expect(error?.code == ENOENT)
        }
    }

    @Test func aTableWithoutRoomIsSaidToBeOne() async {
        await #expect(processExitsWith: .success) {
            let (_, peer) = try ControlSocket.pair()
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            while dup(peer.descriptor) >= 0 {}
            let error = #expect(throws: SystemError.self) {
                _ = try ChildProcess(path: TestChild.path, arguments: ["sleep"], environment: [:], control: peer)
            }
            #expect(error?.code == EMFILE)
        }
    }

    /// Hides /dev/null from the calling thread, in a mount namespace of its own; false where even root may not.
    private static func hideDevices() throws -> Bool {
        typealias Unshare = @convention(c) (Int32) -> Int32
        let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
        guard unshare(CConfinementShims_mountNamespace) == 0 else { return false }
        let (recursively, privately): (UInt, UInt) = (1 << 14, 1 << 18)
        try #require(mount(nil, "/", nil, recursively | privately, nil) == 0)
        return mount("none", "/dev", "tmpfs", 0, nil) == 0
    }
}
