// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every LV2 plug-in of two packages is started, renders noise for a second, and leaves.

import Testing

@Suite struct InstalledLV2Tests {
    static func bundles() throws -> [String] { try InstalledPlugins.locations(of: ["swh-lv2", "mda-lv2"], ending: ".lv2") }

    // Some 150 plug-ins, each in a process of its own.
    @Test func everyPluginRendersNoise() throws {
        let count = try InstalledPlugins.renderNoise(Self.bundles(), .lv2)
        print("\(count) LV2 plug-ins rendered noise.")
        #expect(count > 100)
    }
}
