// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A loaded LADSPA library and the plug-ins in it. Control thread.

import CLADSPA
import Glibc
import PluginSDK

/// The contents of a library.
///
/// The library stays loaded, because few plug-ins survive being unloaded.
struct Library {
    let plugins: [Plugin]
    /// A sentence about each unusable plug-in.
    let defects: [String]

    /// More plug-ins than any library has; a library that counts further is broken.
    static let maximumPluginCount: UInt = 1024

    /// Loads the library at `path`, which runs its constructors.
    init(path: String) throws(UnitError) {
        _ = Self.mathsLibrary
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw .failed(String(cString: dlerror())) }
        guard let symbol = dlsym(handle, "ladspa_descriptor") else {
            throw .failed("it does not export \"ladspa_descriptor\"")
        }
        let entry = unsafeBitCast(symbol, to: LADSPA_Descriptor_Function.self)
        let name = Self.name(of: path)
        var plugins: [Plugin] = []
        var defects: [String] = []
        var index: UInt = 0
        while let descriptor = entry(index) {
            guard index < Self.maximumPluginCount else {
                throw .failed("it names more than \(Self.maximumPluginCount) plug-ins")
            }
            do throws(UnitError) {
                let plugin = try Plugin(descriptor, library: name, path: path)
                guard !plugins.contains(where: { $0.label == plugin.label }) else {
                    throw .failed("two plug-ins have the label \"\(plugin.label)\"")
                }
                plugins.append(plugin)
            } catch {
                defects.append("Plug-in \(index): \(error).")
            }
            index += 1
        }
        guard index > 0 else { throw .failed("it names no plug-in") }
        self.plugins = plugins
        self.defects = defects
    }

    /// Loads libm: some old plug-ins use it without linking it, because the hosts of their time had it.
    private static let mathsLibrary = dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL) != nil

    /// The file's name without `.so`: the library's part of an identifier.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".so") ? String(file.dropLast(3)) : file
    }
}
