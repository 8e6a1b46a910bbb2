// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The library of another plug-in, loaded into this process with a Swift runtime of its own. Control thread.

import AudioUnits
import CWireLayout
import Glibc

/// A library that can run units in a shared process.
///
/// It is never unloaded.
struct SharingLibrary: Sendable {
    /// Runs one unit on a control socket until the host hangs up.
    ///
    /// The function owns the socket from the call on.
    let runUnit: @convention(c) (Int32) -> Void

    /// Loads the library at an absolute path.
    ///
    /// Throws `UnitError.failed` with the reason if the library cannot be used.
    init(path: String) throws(UnitError) {
        guard path.hasPrefix("/") else { throw .failed("\"\(path)\" is no absolute path of a library") }
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw .failed(dlerror().map { String(cString: $0) } ?? "\"\(path)\" cannot be loaded")
        }
        guard let symbol = dlsym(handle, "bulkhead_plugin") else {
            throw .failed("\"\(path)\" does not export \"bulkhead_plugin\"")
        }
        typealias Entry = @convention(c) () -> UnsafeRawPointer?
        guard let address = unsafeBitCast(symbol, to: Entry.self)() else { throw .failed("\"\(path)\" returns no interface") }
        let table = address.assumingMemoryBound(to: CPluginInterface_Table.self).pointee
        guard table.magic == UInt32(CWireLayout_magic), table.maximumVersion >= Self.version,
            table.minimumVersion <= UInt32(CPluginInterface_maximumVersion)
        else { throw .failed("the interface of \"\(path)\" is not of a version that could share a process") }
        guard let runUnit = address.assumingMemoryBound(to: CPluginInterface_Table2.self).pointee.runUnit else {
            throw .failed("\"\(path)\" cannot share a process")
        }
        self.runUnit = runUnit
        guard table.maximumVersion >= Self.versionWithResidents else { return }
        // A render thread of either library can then go on to render units of the other.
        address.assumingMemoryBound(to: CPluginInterface_Table3.self).pointee.joinResidents?(Residents.ofProcess.list)
    }

    /// The first version of the interface with `runUnit`.
    private static let version: UInt32 = 2
    /// The first version with `joinResidents`.
    private static let versionWithResidents: UInt32 = 3
}
