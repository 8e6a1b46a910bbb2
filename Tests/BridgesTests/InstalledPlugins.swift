// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The classic plug-ins that are installed on this machine. Test thread.

import Foundation
import Testing

@testable import PluginHosting

enum InstalledPlugins {
    /// The entries of a folder whose names have an ending.
    static func places(in folder: String, ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    /// Starts every plug-in, renders a second of noise with it, and ends it; returns how many there were.
    static func renderNoise(_ places: [String], _ format: PluginFormat) throws -> Int {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2).map { _ in (0..<48_000).map { _ in Float.random(in: -0.5...0.5, using: &random) } }
        let bridge = try Bridges.component(of: format)
        var count = 0
        for place in places {
            let listing = try Bridges.list(place, format, timeoutMilliseconds: 60_000)
            #expect(listing.defects.isEmpty, "\(place): \(listing.defects)")
            for listed in listing.units {
                let component = Component(listed, format: format, bridge: bridge, consentsToInProcess: false)
                #expect(throws: Never.self, "\(component.id)") {
                    let output = try UnitBench().render(HostedUnit(component), noise)
                    #expect(output.allSatisfy { $0.count == 48_000 })
                }
                count += 1
            }
        }
        return count
    }
}
