// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Libraries whose instances disturb each other; each instance gets its own copy. Control thread.

import CLADSPA
import PluginSDK

/// A plug-in's descriptor for one instance, and the copy of the library that holds it.
struct LibraryImage {
    let descriptor: UnsafePointer<LADSPA_Descriptor>
    /// Nil for the library that all instances share.
    private let copy: UnsafeMutableRawPointer?

    /// Libraries that keep an instance's state in static variables, by name.
    ///
    /// Of 400 plug-ins in Debian's packages, only one changes its sound when a second instance is made.
    private static let separated: Set<String> = ["imp_1199"]

    /// Takes a copy if the library needs one; a process has at most fifteen.
    init(for plugin: Plugin) throws(UnitError) {
        guard Self.separated.contains(plugin.library) else {
            (descriptor, copy) = (plugin.descriptor, nil)
            return
        }
        var library: UnsafeMutableRawPointer?
        guard let descriptor = CLADSPA_takeCopy(plugin.path, plugin.label, &library) else {
            throw .formatRefused("so many channels: each needs a copy of its library, and no more can be loaded")
        }
        (self.descriptor, copy) = (descriptor, library)
    }

    /// Returns the copy; the instance must have been cleaned up.
    func close() {
        if let copy { CLADSPA_giveCopyBack(copy) }
    }
}
