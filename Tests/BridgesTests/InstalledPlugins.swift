// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The classic plug-ins of some Debian packages, which `make test` installs. Others that the machine has are left alone. Test thread.

import Foundation
import Testing

@testable import PluginHosting

enum InstalledPlugins {
    /// What these packages have installed whose name ends so.
    static func locations(of packages: [String], ending: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dpkg-query")
        process.arguments = ["--listfiles"] + packages
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "one of \(packages) is missing: .ci/install-dependencies test")
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.filter { $0.hasSuffix(ending) }.sorted()
    }

    /// Starts every plug-in, renders a second of noise with it, and ends it; returns how many there were.
    static func renderNoise(_ locations: [String], _ format: PluginFormat) throws -> Int {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<2).map { _ in (0..<48_000).map { _ in Float.random(in: -0.5...0.5, using: &random) } }
        let bridge = try Bridges.component(of: format)
        var count = 0
        for location in locations {
            let listing = try Bridges.list(location, format, timeoutMilliseconds: 60_000)
            #expect(listing.defects.isEmpty, "\(location): \(listing.defects)")
            for listed in listing.units {
                let component = Component(listed, format: format, bridge: bridge)
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
