// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every LADSPA plug-in of this machine is started, renders noise for a second, and leaves.

import AudioUnits
import Foundation
import Testing

@testable import PluginHosting

@Suite struct InstalledLADSPATests {
    static let folder = "/usr/lib/ladspa"

    static func libraries() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".so") }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    @Test func everyPluginRendersNoise() throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2).map { _ in (0..<48_000).map { _ in Float.random(in: -0.5...0.5, using: &random) } }
        let bridge = try Bridges.component(of: .ladspa)
        var count = 0
        for library in try Self.libraries() {
            let listing = try Bridges.list(library, .ladspa)
            #expect(listing.defects.isEmpty, "\(library): \(listing.defects)")
            for listed in listing.units {
                let id = listed.description.identifier
                let component = Component(listed, format: .ladspa, bridge: bridge, consentsToInProcess: false)
                #expect(throws: Never.self, "\(id)") {
                    let output = try Rendering().render(HostedUnit(component), noise)
                    #expect(output.allSatisfy { $0.count == 48_000 })
                }
                count += 1
            }
        }
        #expect(count >= 8, "the sample plug-ins of ladspa-sdk are there at least")
    }
}
