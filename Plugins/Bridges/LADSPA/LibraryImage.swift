// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Libraries whose instances spoil each other, each instance with a copy of its own. Control thread.

import CLADSPA
import PluginSDK

/// A plug-in's descriptor for one instance, and the copy of the library that it is in.
struct LibraryImage {
    let descriptor: UnsafePointer<LADSPA_Descriptor>
    /// Nil for the library that all instances share.
    private let copy: UnsafeMutableRawPointer?

    /// Libraries that keep in static variables what belongs to an instance, by name.
    ///
    /// Of 400 plug-ins in Debian's packages only one sounds otherwise once a second instance has been made.
    private static let separated: Set<String> = ["imp_1199"]

    /// Takes a copy where the library needs one; there are fifteen in a process at most.
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

    /// Gives the copy back; the instance must have been cleaned up.
    func close() {
        if let copy { CLADSPA_giveCopyBack(copy) }
    }
}
