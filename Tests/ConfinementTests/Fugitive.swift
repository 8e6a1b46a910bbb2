// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that tries to break out of a profile's confinement, and the things it tries to reach. Test thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

/// The result of an attempt.
enum Outcome: Equatable, CustomStringConvertible {
    case gotThrough
    case refused(Int32)
    /// The process has ended.
    case ended(ProcessEnd)

    /// Whether the kernel refused, by an error or by ending the process.
    ///
    /// A process that ended otherwise has tried nothing.
    var isRefusal: Bool {
        switch self {
        case .refused, .ended(.signalled(SIGSYS)): true
        default: false
        }
    }

    var description: String {
        switch self {
        case .gotThrough: "got through"
        case .refused(let code): String(cString: strerror(code))
        case .ended(.signalled(SIGSYS)): "ended by SIGSYS"
        case .ended(let end): "ended, \(end)"
        }
    }
}

/// Things that do not belong to a fugitive: a folder with a secret, listening sockets, memory.
final class Treasury {
    let folder: String
    let socketName: String
    let memory: SharedMemory
    let value = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    private let listeners: [Int32]

    init() throws {
        // Not in /tmp: a fugitive may have its own there.
        var template = Array("\(Self.parent)/bulkhead-treasury-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        socketName = "bulkhead-treasury-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        for name in ["secret", "victim"] { try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        memory = try SharedMemory(name: "treasury", byteCount: 4096)
        value.pointee = 42
        listeners = [
            try Self.listen("\(folder)/socket", isAbstract: false), try Self.listen(socketName, isAbstract: true),
            try Self.listen("\(socketName)-datagrams", isAbstract: true, kind: SOCK_DGRAM),
        ]
    }

    deinit {
        listeners.forEach { close($0) }
        value.deallocate()
        for path in [folder, "\(folder)-bundles"] { try? FileManager.default.removeItem(atPath: path) }
    }

    private static var parent: String { access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp" }

    private static func listen(_ name: String, isAbstract: Bool, kind: __socket_type = SOCK_STREAM) throws -> Int32 {
        let number = socket(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.dropFirst(isAbstract ? 1 : 0).copyBytes(from: name.utf8) }
        let size = MemoryLayout<sa_family_t>.size + name.utf8.count + 1
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, socklen_t(size)) == 0 }
        }
        try #require(isBound && (kind == SOCK_DGRAM || Glibc.listen(number, 64) == 0))
        return number
    }
}

/// A process that makes one attempt after another.
struct Fugitive {
    let process: ChildProcess
    private let control: ControlSocket

    /// Starts it from a bundle of its own in `folder`.
    ///
    /// With `withoutInput` this process closes its own standard input before. With `memoryByteCount` it may use less memory than its
    /// profile says.
    init(
        _ profile: ConfinementProfile, _ treasury: Treasury, lending lent: Int32? = nil,
        granting granted: [String] = [], offer: ConfinementOffer = .current, withoutInput: Bool = false,
        memoryByteCount: UInt64? = nil
    ) throws {
        let bundle = "\(treasury.folder)-bundles/Fugitive.bulkhead"
        if !FileManager.default.fileExists(atPath: bundle) {
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Build.folder + "/BreakOut", toPath: "\(bundle)/BreakOut")
        }
        let path = "\(bundle)/BreakOut"
        let (own, peer) = try ControlSocket.pair()
        control = own
        let readOnly = try treasury.memory.readOnlyDescriptor()
        if withoutInput { close(0) }
        let paths = Component.paths(ofExecutable: path) + granted.map { Confinement.NamedPath($0, .read) }
        var confinement = Confinement(profile, paths: paths)
        if let memoryByteCount { confinement?.limits.memoryByteCount = memoryByteCount }
        process = try ChildProcess(
            path: path, arguments: [], environment: [:], control: peer, lending: lent ?? readOnly.number,
            confinement: confinement, offer: offer)
    }

    /// Makes it attempt something on this process, or on `victim`.
    func attempt(_ name: String, _ treasury: Treasury, upon victim: Int32 = getpid()) throws -> Outcome {
        let address = String(UInt(bitPattern: treasury.value), radix: 16)
        let question = "\(name) \(victim) 0x\(address) \(treasury.folder) \(treasury.socketName)"
        try control.send(head: Array(question.utf8), body: [], descriptors: [])
        let answer = try? control.receive(limit: 64, timeoutMilliseconds: 10_000, peerPidfd: process.pidfd)
        answer?.descriptors.forEach { close($0) }
        guard let bytes = answer?.bytes, !bytes.isEmpty else { return .ended(process.kill()) }
        let code = try #require(Int32(String(decoding: bytes, as: UTF8.self)))
        try #require(code >= 0, "there is no attempt \"\(name)\"")
        return code == 0 ? .gotThrough : .refused(code)
    }

    /// Makes one attempt in a new process.
    static func outcome(
        of name: String, _ profile: ConfinementProfile, upon victim: Int32 = getpid(), lending lent: Int32? = nil,
        offer: ConfinementOffer = .current
    ) throws -> Outcome {
        let treasury = try Treasury()
        let fugitive = try Fugitive(profile, treasury, lending: lent, offer: offer)
        let outcome = try fugitive.attempt(name, treasury, upon: victim)
        #expect(profile == .off || treasury.value.pointee == 42, "\(name) has changed the host's memory")
        return outcome
    }
}
