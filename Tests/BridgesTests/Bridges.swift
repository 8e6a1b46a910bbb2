// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The bridges that were built beside the tests, called as the host calls them. Test thread.

import AudioUnits
import ControlMessages
import TestSupport

@testable import PluginHosting

enum Bridges {
    static func component(of format: PluginFormat) throws -> Component {
        let bridges = ComponentRegistry(searchPath: [Build.folder]).bridges
        guard let bridge = bridges.first(where: { $0.description == format.bridge }) else {
            throw TestFailure("There is no bridge for \(format) in \"\(Build.folder)\": run make debug.")
        }
        return bridge
    }

    /// The units that a bridge finds at a location, in a process of its own.
    static func list(
        _ location: String, _ format: PluginFormat, reading folder: String? = nil, timeoutMilliseconds: Int32 = 10_000
    ) throws -> UnitListing {
        let bridge = try component(of: format).executablePath
        // The fixtures use each other's libraries, as plug-ins of one folder may.
        let readable = folder ?? (location.hasPrefix(Build.testPluginFolder) ? Build.testPluginFolder : location)
        let connection = try ExtensionConnection(
            executable: bridge, confinement: Component.confinement(ofBridge: bridge, scanning: readable, format: format))
        let answer = try connection.ask(
            .listUnits(location: location), descriptors: [], timeoutMilliseconds: timeoutMilliseconds)
        switch answer {
        case .units(let listing): return listing
        case .refused(let reason): throw TestFailure(reason)
        default: throw TestFailure("The bridge answered with something else.")
        }
    }

    /// A classic plug-in as a component.
    static func component(_ identifier: String, at location: String, _ format: PluginFormat) throws -> Component {
        let listing = try list(location, format)
        guard let unit = listing.units.first(where: { $0.description.identifier == identifier }) else {
            throw TestFailure("\(location) holds no \(identifier): \(listing.units.map(\.description.identifier))")
        }
        return Component(unit, format: format, bridge: try component(of: format), locationPath: location).trusted
    }
}
