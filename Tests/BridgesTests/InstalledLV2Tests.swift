// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every LV2 plug-in of this machine is started, renders noise for a second, and leaves.

import AudioUnits
import Foundation
import Testing

@testable import PluginHosting

@Suite struct InstalledLV2Tests {
    static let folder = "/usr/lib/lv2"

    /// Bundles with plug-ins in them; others specify LV2 itself.
    static func bundles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".lv2") }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    @Test func everyPluginRendersNoise() throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2).map { _ in (0..<48_000).map { _ in Float.random(in: -0.5...0.5, using: &random) } }
        let bridge = try Bridges.component(of: .lv2)
        var count = 0
        for bundle in try Self.bundles() {
            let listing = try Bridges.list(bundle, .lv2, timeoutMilliseconds: 60_000)
            #expect(listing.defects.isEmpty, "\(bundle): \(listing.defects)")
            for listed in listing.units {
                let id = listed.description.identifier
                let component = Component(listed, format: .lv2, bridge: bridge, consentsToInProcess: false)
                #expect(throws: Never.self, "\(id)") {
                    let output = try Rendering().render(HostedUnit(component), noise)
                    #expect(output.allSatisfy { $0.count == 48_000 })
                }
                count += 1
            }
        }
        print("\(count) LV2 plug-ins rendered noise.")
    }
}
