// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts the helper process that is built beside the tests. Test thread.

import Confinement
import Glibc
import LinuxSystem

/// The helper process, and the socket to it.
package struct TestChild: Sendable {
    /// The process.
    package let process: ChildProcess
    /// The test's end of the socket.
    package let control: ControlSocket

    /// Starts the helper; the first argument chooses its action.
    ///
    /// `isQuiet` is passed on to `ChildProcess`. Throws if the socket or the process cannot be made.
    package init(_ arguments: String..., environment: [String: String] = Self.sanitizerOptions, isQuiet: Bool = false) throws {
        let (own, peer) = try ControlSocket.pair()
        control = own
        process = try ChildProcess(
            path: Self.path, arguments: arguments, environment: environment, control: peer, isQuiet: isQuiet)
    }

    /// The options of the sanitizer that watches the tests, so that it also watches the child.
    package static let sanitizerOptions = ["TSAN_OPTIONS", "ASAN_OPTIONS"].reduce(into: [String: String]()) { options, name in
        options[name] = getenv(name).map { String(cString: $0) }
    }

    /// The child's next message; throws when none comes; see ``Patience``.
    package func hear() throws -> String {
        String(
            decoding: try control.receive(limit: 4096, timeoutMilliseconds: Int32(1000 * Patience.seconds())).bytes, as: UTF8.self)
    }

    /// The helper's path.
    package static let path = Build.folder + "/TestChildProcess"
}

/// The page that tests share with a child; see `PageOffset` there.
package struct SharedPage: Sendable {
    /// The page's memory.
    package let memory: SharedMemory

    /// Allocates a page of zeros.
    package init() throws { memory = try SharedMemory(name: "page", byteCount: 4096) }

    private func word(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
        (memory.base + offset).assumingMemoryBound(to: UInt32.self)
    }
    /// The word at which a host sleeps.
    package var doorbell: UnsafeMutablePointer<UInt32> { word(0) }
    /// The word of the child's lifeline.
    package var lifeline: UnsafeMutablePointer<UInt32> { word(64) }
    /// The word at which the child sleeps.
    package var peer: UnsafeMutablePointer<UInt32> { word(128) }

    /// Sends the page to a child.
    package func pass(to child: TestChild) throws {
        try child.control.send(head: [1], body: [], descriptors: [memory.descriptor])
    }
}
