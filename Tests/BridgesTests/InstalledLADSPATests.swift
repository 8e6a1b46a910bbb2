// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LADSPA plug-ins of four packages are started, render noise for a second, and leave: a third of the libraries, or all in `make deep`.

import TestSupport
import Testing

@Suite struct InstalledLADSPATests {
    static let folder = "/usr/lib/ladspa"

    private static let packages = ["ladspa-sdk", "swh-plugins", "cmt", "tap-plugins"]

    // Some 240 plug-ins, each in a process of its own.
    @Test func everyPluginRendersNoise() throws {
        let libraries = try InstalledPlugins.locations(of: Self.packages, ending: ".so").filter { $0.hasPrefix(Self.folder) }
        let count = try InstalledPlugins.renderNoise(Sample.of(libraries, oneIn: 3), .ladspa)
        print("\(count) LADSPA plug-ins rendered noise.")
        #expect(count > (Sample.isWhole ? 200 : 40))
    }
}
