// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every LADSPA plug-in of this machine starts, renders noise for a second, and ends. Test thread.

import Testing

@Suite struct InstalledLADSPATests {
    static let folder = "/usr/lib/ladspa"

    @Test func everyPluginRendersNoise() throws {
        let libraries = try InstalledPlugins.places(in: Self.folder, ending: ".so")
        let count = try InstalledPlugins.renderNoise(libraries, .ladspa)
        print("\(count) LADSPA plug-ins rendered noise.")
        #expect(count >= 8, "the sample plug-ins of ladspa-sdk are there at least")
    }
}
