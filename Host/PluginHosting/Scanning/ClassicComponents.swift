// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes components from the results of a scan, and finds hidden ones. Control thread.

import AudioUnits

/// The usable classic plug-ins.
struct ClassicComponents {
    private(set) var components: [Component] = []
    private var pathsByIdentifier: [String: String] = [:]

    /// The most bundles that are read for the presets of one plug-in.
    private static let maximumExtensionCount = 64

    /// Makes the components of scanned locations; earlier locations hide later ones.
    ///
    /// Failures, defects and hidden plug-ins go into the report.
    init(_ locations: [ScannedLocation], bridges: [PluginFormat: Component], report: inout ScanReport) {
        let extensions = Self.extensions(locations)
        for scanned in locations {
            let format = scanned.location.format
            switch scanned.outcome {
            case .failure(let reason), .unasked(let reason):
                report.failures.append(ScanReport.Failure(format: format, path: scanned.location.path, reason: reason))
            case .listing(let listing):
                report.defects += listing.defects.map {
                    ScanReport.Failure(format: format, path: scanned.location.path, reason: $0)
                }
                guard let bridge = bridges[format] else { continue }
                for unit in listing.units { add(unit, scanned.location, bridge, extensions, &report) }
            }
        }
    }

    private mutating func add(
        _ unit: ListedUnit, _ location: ScanLocation, _ bridge: Component, _ extensions: [String: [String]],
        _ report: inout ScanReport
    ) {
        let id = unit.description.identifier
        if let hidingPath = pathsByIdentifier[id] {
            return report.hidden.append(ScanReport.HiddenUnit(id: id, path: location.path, hidingPath: hidingPath))
        }
        pathsByIdentifier[id] = location.path
        var component = Component(unit, format: location.format, bridge: bridge, locationPath: location.path)
        let others = (extensions[id] ?? []).filter { $0 != location.path }
        component.extensionPaths = Array(others.prefix(Self.maximumExtensionCount))
        components.append(component)
    }

    /// The locations that add something, such as presets, to plug-ins elsewhere, by the plug-ins' identifiers.
    private static func extensions(_ locations: [ScannedLocation]) -> [String: [String]] {
        var extensions: [String: [String]] = [:]
        for scanned in locations {
            guard case .listing(let listing) = scanned.outcome else { continue }
            for identifier in listing.extends { extensions[identifier, default: []].append(scanned.location.path) }
        }
        return extensions
    }
}
