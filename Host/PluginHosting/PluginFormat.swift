// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The formats of plug-ins that the host knows. Any thread.

import AudioUnits

/// How a plug-in was written.
public enum PluginFormat: String, CaseIterable, Sendable {
    /// An extension of this host's own kind.
    case native
    case ladspa
    case lv2

    /// What people call it.
    public var name: String {
        switch self {
        case .native: "native"
        case .ladspa: "LADSPA"
        case .lv2: "LV2"
        }
    }

    /// What a process of this format finds in its environment beside the usual.
    ///
    /// Not a few classic plug-ins read what they have never written: they sound another way with each instance, or of NaN,
    /// or crash. The C library fills what they allocate with the complement of this byte, which is zero; the small store
    /// that each thread keeps of freed memory would pass it on as it is.
    var environment: [String: String] {
        self == .native ? [:] : ["GLIBC_TUNABLES": "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0"]
    }

    /// The component of the bridge that makes units of this format's plug-ins; nil for native ones, which need none.
    var bridge: ComponentDescription? {
        switch self {
        case .native: nil
        case .ladspa: ComponentDescription(.bridge, "ldsp", "blkh")
        case .lv2: ComponentDescription(.bridge, "lv2 ", "blkh")
        }
    }
}
