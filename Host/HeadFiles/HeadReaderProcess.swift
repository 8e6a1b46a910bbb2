// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets a confined process read a file of a head, and takes its numbers. Control thread.

import Confinement
import Glibc
import LinuxSystem

/// The numbers that a process has read, as many as its header says.
struct HeadFileTable {
    let header: HeadReaderHeader
    private let numbers: [HeadReaderHeader.Field: [Float]]

    init(_ header: HeadReaderHeader, _ numbers: [HeadReaderHeader.Field: [Float]]) {
        (self.header, self.numbers) = (header, numbers)
    }

    subscript(field: HeadReaderHeader.Field) -> [Float] { numbers[field] ?? [] }
}

/// The reason why a process has read nothing.
enum HeadReaderFault: Error {
    /// The reader is not installed; these places were searched.
    case missing([String])
    /// The machine could not start or hear the process.
    case system(SystemError)
    /// The process ended, broke off or broke its protocol.
    case broken
    /// It has not finished in this number of seconds.
    case late(seconds: Int)
    /// It has more numbers than a head may have.
    case tooLarge
}

/// A process that reads one file, and ends.
enum HeadReaderProcess {
    private static let programName = "bulkhead-head-reader"
    private static let seconds = 20
    private static let nanoseconds: UInt64 = 20_000_000_000
    /// The most numbers of all arrays: a gigabyte.
    private static let mostNumbers = 256 << 20

    /// Reads a file that is open for reading.
    static func read(_ file: borrowing Descriptor) throws(HeadReaderFault) -> HeadFileTable {
        let places = ConfinementOffer.defaultSupportFolders.map { "\($0)/\(programName)" }
        guard let program = places.first(where: { access($0, X_OK) == 0 }) else { throw .missing(places) }
        let result: Result<HeadFileTable, HeadReaderFault>
        do throws(SystemError) {
            let (own, childs) = try ControlSocket.pair()
            let child = try ChildProcess(
                path: program, arguments: [], environment: [:], control: childs, lending: file.number, isQuiet: true,
                confinement: confinement(of: program))
            defer { _ = child.kill() }
            result = try table(from: own, child)
        } catch {
            throw error.code == ETIMEDOUT ? .late(seconds: seconds) : error.code == ECONNRESET ? .broken : .system(error)
        }
        return try result.get()
    }

    /// It reads the libraries that load it, and the one open file.
    private static func confinement(of program: String) -> Confinement {
        Confinement(
            paths: LoadingPaths.all + [Confinement.NamedPath(program, [.read, .run])], temporaryByteCount: 0,
            hasOwnProcesses: false,
            systemCalls: .few,
            limits: ResourceLimits(memoryByteCount: 3 << 30, fileByteCount: 1 << 20, descriptorCount: 16, threadCount: 8))
    }

    private static func table(
        from socket: ControlSocket, _ child: ChildProcess
    ) throws(SystemError) -> Result<HeadFileTable, HeadReaderFault> {
        let deadline = MonotonicClock.now() + nanoseconds
        func receive(_ limit: Int) throws(SystemError) -> [UInt8] {
            let now = MonotonicClock.now()
            let left = Int32(truncatingIfNeeded: (max(deadline, now) - now) / 1_000_000)
            let received = try socket.receive(limit: limit, timeoutMilliseconds: left, peerPidfd: child.pidfd)
            for descriptor in received.descriptors { close(descriptor) }
            return received.bytes
        }
        guard let header = HeadReaderHeader(try receive(HeadReaderHeader.byteCount + 1)) else { return .failure(.broken) }
        guard !header.isRefusal else { return .success(HeadFileTable(header, [:])) }
        let total = HeadReaderHeader.Field.allCases.reduce(0) { $0 + header.count($1) }
        guard total <= mostNumbers else { return .failure(.tooLarge) }
        var numbers: [HeadReaderHeader.Field: [Float]] = [:]
        for field in HeadReaderHeader.Field.allCases {
            var values: [Float] = []
            while values.count < header.count(field) {
                let piece = try receive(HeadReaderHeader.pieceByteCount)
                guard !piece.isEmpty, piece.count % 4 == 0, values.count + piece.count / 4 <= header.count(field) else {
                    return .failure(.broken)
                }
                piece.withUnsafeBytes { bytes in
                    for offset in stride(from: 0, to: bytes.count, by: 4) {
                        values.append(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
                    }
                }
            }
            numbers[field] = values
        }
        return .success(HeadFileTable(header, numbers))
    }
}
