// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every LADSPA plug-in of four packages is started, renders noise for a second, and leaves.

import Testing

@Suite struct InstalledLADSPATests {
    static let folder = "/usr/lib/ladspa"

    private static let packages = ["ladspa-sdk", "swh-plugins", "cmt", "tap-plugins"]

    // Some 240 plug-ins, each in a process of its own.
    @Test func everyPluginRendersNoise() throws {
        let libraries = try InstalledPlugins.locations(of: Self.packages, ending: ".so").filter { $0.hasPrefix(Self.folder) }
        let count = try InstalledPlugins.renderNoise(libraries, .ladspa)
        print("\(count) LADSPA plug-ins rendered noise.")
        #expect(count > 200)
    }
}
