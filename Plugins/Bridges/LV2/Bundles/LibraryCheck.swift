// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks that a file is a library of LV2 plug-ins for this machine, and lists them. Control thread of a process that may crash.

import CLilv
import Glibc
import LinuxSystem
import PluginSDK

enum LibraryCheck {
    /// More plug-ins than any library has; a library that counts further is broken.
    private static let maximumPluginCount = 4096

    /// The URIs of the plug-ins in a library.
    static func plugins(in file: String, bundle: String) throws(UnitError) -> Set<String> {
        let library = try load(file)
        if let symbol = dlsym(library, "lv2_lib_descriptor") { return try newStyle(symbol, bundle) }
        guard let symbol = dlsym(library, "lv2_descriptor") else {
            throw .failed("its library \"\(file)\" does not export \"lv2_descriptor\"")
        }
        let entry = unsafeBitCast(symbol, to: LV2_Descriptor_Function.self)
        return try uris { entry(UInt32($0)) }
    }

    /// Throws unless a library can write the manifest of its bundle.
    static func checkManifestWriter(_ file: String) throws(UnitError) {
        let library = try load(file)
        for name in ["open", "get_subjects", "get_data", "close"].map({ "lv2_dyn_manifest_\($0)" })
        where dlsym(library, name) == nil {
            throw .failed("its library \"\(file)\" does not export \"\(name)\"")
        }
    }

    /// Whether this process has loaded a library.
    static func isLoaded(_ file: String) -> Bool {
        guard let library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD) else { return false }
        dlclose(library)
        return true
    }

    private static func load(_ file: String) throws(UnitError) -> UnsafeMutableRawPointer {
        try checkHeader(file)
        switch LentLibraries.open(file) {
        case .success(let library): return library
        case .failure(let refusal): throw .failed("its library cannot be loaded: \(refusal.reason)")
        }
    }

    private static func newStyle(_ symbol: UnsafeMutableRawPointer, _ bundle: String) throws(UnitError) -> Set<String> {
        let entry = unsafeBitCast(symbol, to: LV2_Lib_Descriptor_Function.self)
        let found = Features.with(Features.common) { entry(bundle + "/", $0) }
        guard let descriptor = found, let plugin = descriptor.pointee.get_plugin else {
            throw .failed("its library names no plug-in")
        }
        return try uris { plugin(descriptor.pointee.handle, UInt32($0)) }
    }

    private static func uris(_ descriptor: (Int) -> UnsafePointer<LV2_Descriptor>?) throws(UnitError) -> Set<String> {
        var uris: Set<String> = []
        var index = 0
        while let found = descriptor(index) {
            guard index < maximumPluginCount else {
                throw .failed("its library names more than \(maximumPluginCount) plug-ins")
            }
            if let uri = found.pointee.URI { uris.insert(String(cString: uri)) }
            index += 1
        }
        return uris
    }

    /// Throws if a file is no ELF file for this processor; the loader's own messages are hard to understand.
    private static func checkHeader(_ file: String) throws(UnitError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .failed("its library \"\(file)\" cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let header = Descriptor.head(of: descriptor, byteCount: 20)
        guard header.count == 20, header[..<4] == [0x7F, 0x45, 0x4C, 0x46] else {
            throw .failed("its library \"\(file)\" is no ELF file")
        }
        let machine = UInt16(header[18]) | UInt16(header[19]) << 8
        guard header[4] == 2, machine == ownMachine else {
            throw .failed("its library \"\(file)\" is for another processor")
        }
    }

    /// The number of this build's processor in ELF.
    private static var ownMachine: UInt16 {
        #if arch(x86_64)
            62
        #else
            183
        #endif
    }
}
