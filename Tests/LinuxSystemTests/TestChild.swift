// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts the helper process that was built beside the tests. Test thread.

import Glibc
import LinuxSystem
import Testing

struct TestChild {
    let process: ChildProcess
    let control: ControlSocket

    init(_ arguments: String..., environment: [String: String] = Self.sanitizerOptions, isQuiet: Bool = false) throws {
        let (own, peer) = try ControlSocket.pair()
        control = own
        process = try ChildProcess(
            path: Self.path, arguments: arguments, environment: environment, control: peer, isQuiet: isQuiet)
    }

    /// What a sanitizer that watches the tests has been told: it watches the child too.
    static let sanitizerOptions = ["TSAN_OPTIONS", "ASAN_OPTIONS"].reduce(into: [String: String]()) { options, name in
        options[name] = getenv(name).map { String(cString: $0) }
    }

    /// What it says next.
    func hear() throws -> String {
        String(decoding: try control.receive(limit: 4096, timeoutMilliseconds: 5000).bytes, as: UTF8.self)
    }

    static var path: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let executable = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/LinuxSystemChild"
    }
}

/// The page that tests share with a child; see `Place` there.
struct SharedPage {
    let memory: SharedMemory

    init() throws { memory = try SharedMemory(name: "page", byteCount: 4096) }

    private func word(_ offset: Int) -> UnsafeMutablePointer<UInt32> {
        (memory.base + offset).assumingMemoryBound(to: UInt32.self)
    }
    var doorbell: UnsafeMutablePointer<UInt32> { word(0) }
    var lifeline: UnsafeMutablePointer<UInt32> { word(64) }
    var peer: UnsafeMutablePointer<UInt32> { word(128) }

    func pass(to child: TestChild) throws {
        try child.control.send(head: [1], body: [], descriptors: [memory.descriptor])
    }
}
