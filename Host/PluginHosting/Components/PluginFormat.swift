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

    /// The component of the bridge that makes units of this format's plug-ins; nil for native ones, which need none.
    var bridge: ComponentDescription? {
        switch self {
        case .native: nil
        case .ladspa: ComponentDescription(.bridge, "ldsp", "blkh")
        case .lv2: ComponentDescription(.bridge, "lv2 ", "blkh")
        }
    }
}
