// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The second process of the floor: this same command, which does nothing but hand turns back. Control thread.

import Glibc
import LinuxSystem

/// The peer as the measuring process holds it. Dropping it ends the process.
final class FloorPeer: Sendable {
    /// The hidden argument that makes the command the peer.
    static let argument = "--floor-peer"
    private static let patienceMilliseconds: Int32 = 5000

    let words: FloorWords
    private let memory: SharedMemory
    private let child: ChildProcess
    /// The peer lives for as long as this end is open.
    private let control: ControlSocket

    /// Starts the peer and waits until its thread is there.
    init() throws {
        let (own, theirs) = try ControlSocket.pair()
        memory = try SharedMemory(name: "floor", byteCount: FloorWords.byteCount)
        words = FloorWords(unsafeBase: memory.base)
        control = own
        child = try ChildProcess(
            path: "/proc/self/exe", arguments: [MeasureCommand.name, Self.argument],
            environment: ["SWIFT_BACKTRACE": "enable=no"], control: theirs)
        try control.send(head: [0], body: [], descriptors: [memory.descriptor])
        try waitUntilThere()
    }

    private func waitUntilThere() throws(CommandError) {
        for _ in 0..<Self.patienceMilliseconds {
            if thread != 0 { return }
            if child.poll() != nil { break }
            Futex.pause(microseconds: 1000)
        }
        if thread == 0 { throw .failed("Couldn't start the second process that the floor is measured with.") }
    }

    /// The kernel's id of the thread that answers.
    var thread: Int32 { words.answeringThread.pointee.load(ordering: .acquiring) }

    /// The peer's own life: until the measuring process closes its end, or is gone.
    static func serve() throws -> Never {
        // Whatever the runtime has opened as number 3 is no socket.
        var status = stat()
        guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw CommandError.usage("\(argument) is for the command's own use.", command: MeasureCommand.name)
        }
        let control = ControlSocket(owning: Descriptor(owning: 3))
        let received = try control.receive(limit: 16, timeoutMilliseconds: patienceMilliseconds)
        guard let number = received.descriptors.first else { exit(1) }
        let memory = try SharedMemory(mapping: Descriptor(owning: number), name: "floor", isWritable: true)
        let words = FloorWords(unsafeBase: memory.base)
        _ = try LinuxSystem.Thread(name: "floor") {
            words.answeringThread.pointee.store(Scheduling.currentThread, ordering: .releasing)
            words.answer()
        }
        _ = try? control.receive(limit: 16, timeoutMilliseconds: -1)
        _exit(0)
    }
}
