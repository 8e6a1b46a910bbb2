// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins of two packages are started, render noise for a second, and leave: a third of the bundles, or all in `make deep`.

import TestSupport
import Testing

@Suite struct InstalledLV2Tests {
    static func bundles() throws -> [String] { try InstalledPlugins.locations(of: ["swh-lv2", "mda-lv2"], ending: ".lv2") }

    // Some 150 plug-ins, each in a process of its own.
    @Test func everyPluginRendersNoise() throws {
        let count = try InstalledPlugins.renderNoise(Sample.of(Self.bundles(), oneIn: 3), .lv2)
        print("\(count) LV2 plug-ins rendered noise.")
        #expect(count > (Sample.isWhole ? 100 : 25))
    }
}
