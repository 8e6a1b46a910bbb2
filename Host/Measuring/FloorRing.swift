// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The other processes of the floor: this same program, which only passes turns on. Control thread.

import Confinement
import Console
import Glibc
import LinuxSystem
import PluginHosting

/// Processes that pass a turn on to each other and back to the measuring process.
///
/// One process is the floor. A ring with one process for each effect is the least cost of a chain. The processes end with this
/// object.
package final class FloorRing: Sendable {
    /// The command line that makes this program a peer.
    ///
    /// A measuring program replies to it with `serve()`.
    package static let command = "measure"
    package static let option = "--floor-peer"
    private static let patienceMilliseconds: Int32 = 5000

    let state: FloorSharedState
    private let memory: SharedMemory
    private let peers: [Peer]

    private struct Peer: Sendable {
        let child: ChildProcess
        /// The peer lives as long as this end is open.
        let control: ControlSocket
    }

    /// Starts `peerCount` processes, at most `FloorSharedState.mostPeers`, and waits until their threads run.
    init(of peerCount: Int) throws {
        memory = try SharedMemory(name: "floor", byteCount: FloorSharedState.byteCount)
        state = FloorSharedState(unsafeBase: memory.base, peerCount: peerCount)
        var peers: [Peer] = []
        let quickSwitches = ChildProcess.quickSwitches
        for index in 0..<peerCount {
            try Interruption.check()
            let (own, theirs) = try ControlSocket.pair()
            let child = try ChildProcess(
                path: "/proc/self/exe", arguments: [Self.command, Self.option],
                environment: ["SWIFT_BACKTRACE": "enable=no", quickSwitches.name: quickSwitches.value], control: theirs,
                isQuiet: true)
            try own.send(head: [UInt8(index), UInt8(peerCount)], body: [], descriptors: [memory.descriptor])
            peers.append(Peer(child: child, control: own))
        }
        self.peers = peers
        for index in 0..<peerCount { try waitUntilThere(index) }
    }

    private func waitUntilThere(_ index: Int) throws(MeasurementError) {
        for _ in 0..<Self.patienceMilliseconds {
            if thread(index) != 0 { return }
            if peers[index].child.poll() != nil { break }
            Futex.pause(microseconds: 1000)
        }
        if thread(index) == 0 { throw .floorNotStarted }
    }

    /// The kernel's thread identifiers, in the order of the ring.
    var threads: [Int32] { peers.indices.map(thread) }

    private func thread(_ index: Int) -> Int32 { state.answeringThread(index).pointee.load(ordering: .acquiring) }

    /// Runs this process as a peer until the measuring process closes its end or is gone.
    package static func serve() throws -> Never {
        // The Swift runtime may have opened another file as number 3.
        var status = stat()
        guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw MeasurementError.notAPeer
        }
        let control = ControlSocket(owning: Descriptor(owning: 3))
        let received = try control.receive(limit: 16, timeoutMilliseconds: patienceMilliseconds)
        guard let number = received.descriptors.first, received.bytes.count >= 2 else { exit(1) }
        let (index, peerCount) = (Int(received.bytes[0]), Int(received.bytes[1]))
        guard index < peerCount, peerCount <= FloorSharedState.mostPeers else { exit(1) }
        let memory = try SharedMemory(mapping: Descriptor(owning: number), name: "floor", isWritable: true)
        guard memory.byteCount >= FloorSharedState.byteCount else { exit(1) }
        let state = FloorSharedState(unsafeBase: memory.base, peerCount: peerCount)
        _ = try LinuxSystem.Thread(name: "floor") {
            state.answeringThread(index).pointee.store(Scheduling.currentThread, ordering: .releasing)
            state.answer(as: index)
        }
        _ = try? control.receive(limit: 16, timeoutMilliseconds: -1)
        _exit(0)
    }
}
