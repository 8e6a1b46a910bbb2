// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The C interface that a plug-in's library exports, for the launcher and for a host that loads it in process.

import CWireLayout
import ControlMessages
import LinuxSystem
import Synchronization
import Wire

extension Kernel where Self: ~Copyable {
    /// The interface of this unit, which the library's one exported symbol returns.
    ///
    ///     @c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { MyKernel.exported }
    ///
    /// `[any]` A library exports one unit, and holds its own copy of this runtime.
    public static var exported: UnsafeRawPointer { ExportedLibrary.export(.unit(UnitDefinition(Self.self))) }
}

extension NativeUnit {
    /// The interface of this unit, which the library's one exported symbol returns.
    ///
    /// `[any]` A library exports one unit, and holds its own copy of this runtime.
    public static var exported: UnsafeRawPointer { ExportedLibrary.export(.native(Self.self)) }
}

extension Bridge {
    /// The interface of this bridge, which the library's one exported symbol returns.
    ///
    /// `[any]` A library exports one bridge, and holds its own copy of this runtime.
    public static var exported: UnsafeRawPointer { ExportedLibrary.export(.bridge(Self.self)) }
}

/// The unit or bridge of this library.
private enum ExportedLibrary {
    // SAFETY: both are written once, under the lock of the first call of the exported function, before any other use.
    nonisolated(unsafe) static private(set) var library: UnitLibrary?
    nonisolated(unsafe) private static let table = UnsafeMutablePointer<CPluginInterface_Table3>.allocate(capacity: 1)
    private static let isMade = Mutex(false)

    /// `[any]` A host that makes several units at once may call this on several threads at once.
    static func export(_ exported: UnitLibrary) -> UnsafeRawPointer {
        isMade.withLock { isMade in
            guard !isMade else { return }
            isMade = true
            library = exported
            let second = CPluginInterface_Table2(first: makeTable(), runUnit: { ExportedLibrary.run($0) })
            table.initialize(
                to: CPluginInterface_Table3(second: second, joinResidents: { if let list = $0 { Residents.join(list) } }))
        }
        return UnsafeRawPointer(table)
    }

    /// Runs one more unit until its host hangs up.
    private static func run(_ descriptor: Int32) {
        guard let library else { return }
        ExtensionUnit(library, control: Descriptor(owning: descriptor)).run()
    }

    private static func makeTable() -> CPluginInterface_Table {
        CPluginInterface_Table(
            magic: UInt32(CWireLayout_magic), minimumVersion: UInt32(CPluginInterface_minimumVersion),
            maximumVersion: UInt32(CPluginInterface_maximumVersion), reserved: 0,
            create: { ExportedLibrary.library.map { Unmanaged.passRetained(UnitInstance($0)).toOpaque() } },
            destroy: { unit in if let unit { Unmanaged<UnitInstance>.fromOpaque(unit).release() } },
            handle: { unit, message, byteCount, answer, context in
                guard let unit, let message, let answer else { return }
                let bytes = Array(UnsafeBufferPointer(start: message, count: byteCount))
                let reply = UnitInstance.at(unit).handle(bytes)
                reply.withUnsafeBufferPointer { answer(context, $0.baseAddress, $0.count) }
            },
            attach: { unit, attachment in
                guard let unit, let attachment else { return }
                UnitInstance.at(unit).attach(attachment.pointee)
            },
            render: { unit, sequence in
                guard let unit else { return }
                Unmanaged<UnitInstance>.fromOpaque(unit)._withUnsafeGuaranteedRef { $0.render(sequence) }
            },
            runExtension: { descriptor in
                guard let library = ExportedLibrary.library else { return 1 }
                ExtensionProcess(library, control: Descriptor(owning: descriptor)).run()
            })
    }
}

extension UnitInstance {
    fileprivate static func at(_ address: UnsafeMutableRawPointer) -> UnitInstance {
        Unmanaged<UnitInstance>.fromOpaque(address).takeUnretainedValue()
    }

    /// Answers a message in bytes, header and body.
    fileprivate func handle(_ bytes: [UInt8]) -> [UInt8] {
        var serial: UInt32 = 0
        var answer: PluginMessage
        do throws(WireViolation) {
            let frame = try MessageFrame(bytes)
            serial = frame.serial
            answer = handle(try HostMessage(kind: frame.kind, body: frame.body))
        } catch {
            answer = .refused(error.description)
        }
        return MessageFrame(kind: answer.kind, serial: serial, body: answer.body).bytes
    }

    fileprivate func attach(_ attachment: CPluginInterface_Attachment) {
        guard let base = attachment.region, let output = attachment.output else { return }
        let byteCount = Int(base.load(as: RegionHeader.self).byteCount)
        guard let region = try? Region(unsafeBase: base, byteCount: byteCount) else { return }
        let list = attachment.inputs
        let inputs = [list.0, list.1, list.2, list.3, list.4, list.5, list.6, list.7].map(UnsafeMutablePointer.init(mutating:))
        self.attachment = Attachment(
            region: region, output: output, inputs: Array(inputs.prefix(Int(region.header.inputBusCount))))
    }

    /// `[render]` Renders a request in process; the host's render thread calls it.
    @_noLocks
    fileprivate func render(_ sequence: UInt64) {
        guard let core else { return }
        core.pointee.render(sequence)
    }
}
