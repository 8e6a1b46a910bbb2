// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every LV2 plug-in of this machine starts, renders noise for a second, and ends. Test thread.

import Testing

@Suite struct InstalledLV2Tests {
    /// Bundles with plug-ins in them; others specify LV2 itself.
    static func bundles() throws -> [String] { try InstalledPlugins.places(in: "/usr/lib/lv2", ending: ".lv2") }

    @Test func everyPluginRendersNoise() throws {
        let count = try InstalledPlugins.renderNoise(Self.bundles(), .lv2)
        print("\(count) LV2 plug-ins rendered noise.")
        #expect(count >= 20, "swh-lv2 and mda-lv2 are there at least")
    }
}
