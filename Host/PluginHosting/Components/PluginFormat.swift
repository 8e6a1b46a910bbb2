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

    /// The formats that plug-ins of these names can be of: an ID of a classic plug-in begins with its format. All of them where a
    /// name may be anything, or there is none.
    static func named(by names: [String]) -> [PluginFormat] {
        let formats = names.map { name in
            allCases.first { $0 != .native && name.hasPrefix("\($0.rawValue):") }
        }
        guard !formats.isEmpty, !formats.contains(nil) else { return allCases }
        return formats.compactMap { $0 }
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
