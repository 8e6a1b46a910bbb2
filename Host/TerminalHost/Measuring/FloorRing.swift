// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The other processes of the floor: this same command, which does nothing but hand turns on. Control thread.

import Confinement
import Glibc
import LinuxSystem
import PluginHosting

/// Processes that hand a turn on to each other and at last back, as the measuring process holds them; one of them is the floor, as
/// many as a chain has effects are what no chain can do without. Dropping it ends them.
final class FloorRing: Sendable {
    /// The hidden argument that makes the command one of them.
    static let argument = "--floor-peer"
    private static let patienceMilliseconds: Int32 = 5000

    let words: FloorWords
    private let memory: SharedMemory
    private let peers: [Peer]

    private struct Peer: Sendable {
        let child: ChildProcess
        /// The peer lives for as long as this end is open.
        let control: ControlSocket
    }

    /// Starts `peerCount` of them, `FloorWords.mostPeers` at most, and waits until their threads are there.
    init(of peerCount: Int) throws {
        memory = try SharedMemory(name: "floor", byteCount: FloorWords.byteCount)
        words = FloorWords(unsafeBase: memory.base, peerCount: peerCount)
        var peers: [Peer] = []
        let quickSwitches = ChildProcess.quickSwitches
        for index in 0..<peerCount {
            try Interruption.check()
            let (own, theirs) = try ControlSocket.pair()
            let child = try ChildProcess(
                path: "/proc/self/exe", arguments: [MeasureCommand.name, Self.argument],
                environment: ["SWIFT_BACKTRACE": "enable=no", quickSwitches.name: quickSwitches.value], control: theirs)
            try own.send(head: [UInt8(index), UInt8(peerCount)], body: [], descriptors: [memory.descriptor])
            peers.append(Peer(child: child, control: own))
        }
        self.peers = peers
        for index in 0..<peerCount { try waitUntilThere(index) }
    }

    private func waitUntilThere(_ index: Int) throws(CommandError) {
        for _ in 0..<Self.patienceMilliseconds {
            if thread(index) != 0 { return }
            if peers[index].child.poll() != nil { break }
            Futex.pause(microseconds: 1000)
        }
        if thread(index) == 0 { throw .failed("Couldn't start the other processes that the floor is measured with.") }
    }

    /// The kernel's ids of the threads that answer, in the order of the ring.
    var threads: [Int32] { peers.indices.map(thread) }

    private func thread(_ index: Int) -> Int32 { words.answeringThread(index).pointee.load(ordering: .acquiring) }

    /// A peer's own life: until the measuring process closes its end, or is gone.
    static func serve() throws -> Never {
        // Whatever the runtime has opened as number 3 is no socket.
        var status = stat()
        guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw CommandError.usage("\(argument) is for the command's own use.", command: MeasureCommand.name)
        }
        let control = ControlSocket(owning: Descriptor(owning: 3))
        let received = try control.receive(limit: 16, timeoutMilliseconds: patienceMilliseconds)
        guard let number = received.descriptors.first, received.bytes.count >= 2 else { exit(1) }
        let (index, peerCount) = (Int(received.bytes[0]), Int(received.bytes[1]))
        guard index < peerCount, peerCount <= FloorWords.mostPeers else { exit(1) }
        let memory = try SharedMemory(mapping: Descriptor(owning: number), name: "floor", isWritable: true)
        guard memory.byteCount >= FloorWords.byteCount else { exit(1) }
        let words = FloorWords(unsafeBase: memory.base, peerCount: peerCount)
        _ = try LinuxSystem.Thread(name: "floor") {
            words.answeringThread(index).pointee.store(Scheduling.currentThread, ordering: .releasing)
            words.answer(as: index)
        }
        _ = try? control.receive(limit: 16, timeoutMilliseconds: -1)
        _exit(0)
    }
}
