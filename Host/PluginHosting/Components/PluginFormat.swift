// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-in formats that the host supports. Any thread.

import AudioUnits

/// The format of a plug-in.
public enum PluginFormat: String, CaseIterable, Sendable {
    /// An extension, in Bulkhead's own format.
    case native
    /// LADSPA.
    case ladspa
    /// LV2.
    case lv2

    /// The format's usual name.
    public var name: String {
        switch self {
        case .native: "native"
        case .ladspa: "LADSPA"
        case .lv2: "LV2"
        }
    }

    /// The possible formats of plug-ins with these names; the ID of a classic plug-in begins with its format.
    ///
    /// Returns all formats if a name is no such ID, or if there are no names.
    static func named(by names: [String]) -> [PluginFormat] {
        let formats = names.map { name in
            allCases.first { $0 != .native && name.hasPrefix("\($0.rawValue):") }
        }
        guard !formats.isEmpty, !formats.contains(nil) else { return allCases }
        return formats.compactMap { $0 }
    }

    /// The bridge that makes units of this format's plug-ins; nil for native ones.
    var bridge: ComponentDescription? {
        switch self {
        case .native: nil
        case .ladspa: ComponentDescription(.bridge, "ldsp", "blkh")
        case .lv2: ComponentDescription(.bridge, "lv2 ", "blkh")
        }
    }
}
