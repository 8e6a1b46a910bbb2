// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts the helper process that was built beside the tests. Test thread.

import Confinement
import Glibc
import LinuxSystem

/// The helper process, and the socket to it.
public struct TestChild: Sendable {
    public let process: ChildProcess
    public let control: ControlSocket

    public init(_ arguments: String..., environment: [String: String] = Self.sanitizerOptions, isQuiet: Bool = false) throws {
        let (own, peer) = try ControlSocket.pair()
        control = own
        process = try ChildProcess(
            path: Self.path, arguments: arguments, environment: environment, control: peer, isQuiet: isQuiet)
    }

    /// What a sanitizer that watches the tests has been told: it watches the child too.
    public static let sanitizerOptions = ["TSAN_OPTIONS", "ASAN_OPTIONS"].reduce(into: [String: String]()) { options, name in
        options[name] = getenv(name).map { String(cString: $0) }
    }

    /// What it says next.
    public func hear() throws -> String {
        String(decoding: try control.receive(limit: 4096, timeoutMilliseconds: 5000).bytes, as: UTF8.self)
    }

    public static let path = Build.folder + "/TestChildProcess"
}

/// The page that tests share with a child; see `PageOffset` there.
public struct SharedPage: Sendable {
    public let memory: SharedMemory

    public init() throws { memory = try SharedMemory(name: "page", byteCount: 4096) }

    private func word(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
        (memory.base + offset).assumingMemoryBound(to: UInt32.self)
    }
    public var doorbell: UnsafeMutablePointer<UInt32> { word(0) }
    public var lifeline: UnsafeMutablePointer<UInt32> { word(64) }
    public var peer: UnsafeMutablePointer<UInt32> { word(128) }

    public func pass(to child: TestChild) throws {
        try child.control.send(head: [1], body: [], descriptors: [memory.descriptor])
    }
}
