// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One filter of the chain, in a process of its own: this same program. Main threads of both.

import CPipeWireFilter
import Confinement
import Glibc
import LinuxSystem

/// The filter as the measuring process holds it.
///
/// The filter's process ends with this object.
final class FilterProcess {
    /// The hidden argument that makes the program a filter.
    static let argument = "--client"
    private static let patienceMilliseconds: Int32 = 10_000

    private let page: SharedMemory
    private let child: ChildProcess
    /// The filter lives for as long as this end is open.
    private let control: ControlSocket

    /// The gain of the filter at an index of the chain; all differ, so that none can replace another.
    static func gain(ofIndex index: Int) -> Float { Float(index + 3) / Float(index + 2) }

    /// Starts the filter at an index of the chain; a sabotaged one passes its input on.
    init(index: Int, isSabotaged: Bool, environment: [String: String]) throws {
        let gain = isSabotaged ? 1 : Self.gain(ofIndex: index)
        let (own, theirs) = try ControlSocket.pair()
        page = try SharedMemory(name: "filter", byteCount: CPipeWireFilter_pageSize)
        control = own
        child = try ChildProcess(
            path: "/proc/self/exe", arguments: [Self.argument, "filter-\(index)", "\(gain)"],
            environment: environment, control: theirs, isQuiet: true)
        try control.send(head: [0], body: [], descriptors: [page.descriptor])
    }

    /// The daemon's number for it; waits until it has one.
    func node() throws -> UInt32 {
        for _ in 0..<Self.patienceMilliseconds {
            let node = CPipeWireFilter_node(page.base)
            if node != 0 { return node }
            if child.poll() != nil { break }
            Futex.pause(microseconds: 1000)
        }
        throw ChainError("Couldn't start a filter: its process did not become a node of PipeWire's.")
    }

    /// The kernel's number of the thread that processes; 0 until it has processed.
    var dataThread: pid_t { CPipeWireFilter_dataThread(page.base) }
    var cycleCount: UInt64 { CPipeWireFilter_cycleCount(page.base) }

    /// Runs the filter until the measuring process closes its end or dies.
    static func serve(_ words: ArraySlice<String>) throws -> Never {
        var status = stat()
        guard fstat(3, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, words.count == 2,
            let name = words.first, let gain = words.last.flatMap({ Float($0) })
        else { throw ChainError.usage("\(argument) is for the program's own use.") }
        let control = ControlSocket(owning: Descriptor(owning: 3))
        let received = try control.receive(limit: 16, timeoutMilliseconds: patienceMilliseconds)
        guard let number = received.descriptors.first else { exit(1) }
        let page = try SharedMemory(mapping: Descriptor(owning: number), name: "filter", isWritable: true)
        let client = try FilterClient()
        try client.check(CPipeWireFilter_addGain(client.handle, name, gain, page.base))
        _ = try? control.receive(limit: 16, timeoutMilliseconds: -1)
        _exit(0)
    }
}

/// A connection to the daemon that the environment names.
final class FilterClient {
    let handle: OpaquePointer

    init() throws(ChainError) {
        var text = [CChar](repeating: 0, count: 256)
        guard let client = CPipeWireFilter_connect(&text, UInt32(text.count)) else {
            let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw ChainError("Couldn't reach the private PipeWire: \(reason).")
        }
        handle = client
    }

    deinit { CPipeWireFilter_close(handle) }

    /// Throws the reason when something could not be done.
    func check(_ isDone: Bool) throws(ChainError) {
        guard !isDone else { return }
        let reason = CPipeWireFilter_failure(handle).map { String(cString: $0) } ?? "it does not say why"
        throw ChainError("PipeWire refused: \(reason).")
    }
}
