// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit in the host's process, by consent of both: its library, loaded and asked through the C interface. Control threads.

import CWireLayout
import Confinement
import ControlMessages
import Glibc
import LinuxSystem
import Realtime
import Synchronization
import Wire

/// A plug-in's library and one instance of its unit.
///
/// Libraries are never unloaded: a Swift runtime cannot be.
final class InProcessConnection: UnitConnection {
    // SAFETY: the table is constant. One control thread at a time uses the instance, under the lock. The render thread also uses
    // it, through `render`, which the interface allows.
    nonisolated(unsafe) let table: UnsafePointer<CPluginInterface_Table>
    nonisolated(unsafe) let unit: UnsafeMutableRawPointer
    private let lock = Mutex<UInt32>(0)
    private let chosenVersion = Atomic<UInt32>(0)

    var process: ChildProcess? { nil }
    var protocolVersion: UInt32 { chosenVersion.load(ordering: .relaxed) }

    /// Loads `library`; throws the reason if it cannot be used.
    init(library: String) throws(SystemSentence) {
        // A library that was linked with -ffast-math changes the mode of the thread that loads it. Numbers below 1e-308 would be
        // 0 there.
        let mode = FloatingPointMode.current()
        defer { mode.restore() }
        FileCache.readInLargePieces(path: library)
        guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else {
            throw SystemSentence(String(cString: dlerror()))
        }
        guard let symbol = dlsym(handle, "bulkhead_plugin") else {
            throw SystemSentence("\"\(library)\" does not export \"bulkhead_plugin\"")
        }
        typealias Entry = @convention(c) () -> UnsafePointer<CPluginInterface_Table>?
        guard let table = unsafeBitCast(symbol, to: Entry.self)(), table.pointee.magic == UInt32(CWireLayout_magic) else {
            throw SystemSentence("\"\(library)\" returns no interface")
        }
        let own = VersionRange(
            minimum: UInt32(CPluginInterface_minimumVersion), maximum: UInt32(CPluginInterface_maximumVersion))
        let theirs = VersionRange(minimum: table.pointee.minimumVersion, maximum: table.pointee.maximumVersion)
        guard own.common(with: theirs) != nil else {
            throw SystemSentence("its library speaks interface \(theirs), and this host \(own)")
        }
        guard let unit = table.pointee.create() else { throw SystemSentence("it makes no instance") }
        self.table = table
        self.unit = unit
    }

    deinit { table.pointee.destroy(unit) }

    /// `[control]` Gives the unit the addresses of its memory, before `allocate`.
    func attach(_ attachment: CPluginInterface_Attachment) {
        withUnsafePointer(to: attachment) { table.pointee.attach(unit, $0) }
    }

    func ask(
        _ message: HostMessage, descriptors: [Int32], timeoutMilliseconds: Int32
    ) throws(PluginFault) -> PluginMessage {
        // A bridge loads further libraries.
        let mode = FloatingPointMode.current()
        defer { mode.restore() }
        let bytes = lock.withLock { serial -> [UInt8] in
            serial &+= 1
            let frame = MessageFrame(kind: message.kind, serial: serial, body: message.body)
            var answer: [UInt8] = []
            withUnsafeMutablePointer(to: &answer) { answer in
                table.pointee.handle(
                    unit, frame.bytes, frame.bytes.count,
                    { context, message, byteCount in
                        guard let message else { return }
                        let bytes = Array(UnsafeBufferPointer(start: message, count: byteCount))
                        context?.assumingMemoryBound(to: [UInt8].self).pointee = bytes
                    }, answer)
            }
            return answer
        }
        do throws(WireViolation) {
            let frame = try MessageFrame(bytes)
            let answer = try PluginMessage(kind: frame.kind, body: frame.body)
            if case .welcome(let welcome) = answer { chosenVersion.store(welcome.version, ordering: .relaxed) }
            return answer
        } catch {
            throw .protocolViolation(error.description)
        }
    }
}

/// A reason, as the end of a sentence.
struct SystemSentence: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
