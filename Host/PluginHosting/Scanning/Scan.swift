// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One scan of all classic plug-ins: the cache has the known locations, and bridges list the others. Control thread.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem

/// A scan of all classic plug-ins.
struct Scan {
    /// The bridges, by their formats.
    let bridges: [PluginFormat: Component]
    /// Folders by format, in their order.
    let folders: [PluginFormat: [String]]
    /// The cache's file; nil keeps no results.
    let cacheFile: ScanCacheFile?
    let timeoutMilliseconds: Int32
    let processCount: Int
    var scope: ScanScope = .changed

    /// Returns every location with its outcome; earlier locations hide later ones.
    ///
    /// If `progress` throws, the cache keeps the outcomes so far.
    func run(progress: (ScanProgress) throws -> Void) throws -> (locations: [ScannedLocation], report: ScanReport) {
        var report = ScanReport()
        var locations = find(&report)
        report.locationCount = locations.count
        let known = readCache(&report)
        let open = locations.indices.filter { index in
            guard let old = known[locations[index].location], old.stamp == locations[index].stamp,
                old.bridgeStamp == locations[index].bridgeStamp, !scope.asksAgain(old.outcome)
            else { return true }
            locations[index].outcome = old.outcome
            return false
        }
        // A file that is no library is recognised without a process.
        let asked = open.filter { index in
            guard let reason = Self.defect(of: locations[index].location) else { return true }
            locations[index].outcome = .failure(reason)
            return false
        }
        report.scannedCount = asked.count
        let result = Result { try ask(asked, &locations, progress) }
        let others = others(than: locations, among: known)
        let hasLost = others.count + locations.count { known[$0.location] != nil } < known.count
        if !open.isEmpty || hasLost || !report.warnings.isEmpty { remember(locations, others, &report) }
        try result.get()
        report.newFailureCount = open.count { if case .listing = locations[$0].outcome { false } else { true } }
        return (locations, report)
    }

    /// Finds the existing locations, before any bridge is asked.
    private func find(_ report: inout ScanReport) -> [ScannedLocation] {
        var found: [ScannedLocation] = []
        for format in PluginFormat.allCases {
            guard let bridge = bridges[format], let folders = folders[format] else { continue }
            let search = LocationSearch(format: format, bridgePath: bridge.executablePath, folders: folders)
            report.failures += search.failures
            let files = [bridge.executablePath] + [bridge.libraryPath].compactMap { $0 }
            let descriptions = format.descriptionFolders(ProcessInfo.processInfo.environment)
            guard let bridgeStamp = try? FileStamp(files: files, folders: descriptions) else { continue }
            for location in search.locations {
                do throws(SystemError) {
                    let stamp = format == .lv2 ? try FileStamp(folder: location.path) : try FileStamp(files: [location.path])
                    found.append(
                        ScannedLocation(
                            location: location, stamp: stamp, bridgeStamp: bridgeStamp, outcome: .unasked("it was not asked"))
                    )
                } catch {
                    report.failures.append(
                        ScanReport.Failure(format: format, path: location.path, reason: "it cannot be read: \(error.reason)"))
                }
            }
        }
        return found
    }

    private static func defect(of location: ScanLocation) -> String? {
        location.format == .ladspa ? LibraryHeader.defect(ofFile: location.path) : nil
    }

    private func ask(
        _ indices: [Int], _ locations: inout [ScannedLocation], _ progress: (ScanProgress) throws -> Void
    ) throws {
        guard !indices.isEmpty else { return }
        let pool = ScanPool(
            indices.map { locations[$0].location }, scanner: LocationScanner(timeoutMilliseconds: timeoutMilliseconds))
        defer { for (position, outcome) in pool.outcomes { locations[indices[position]].outcome = outcome } }
        try pool.run(processCount: processCount, progress: progress)
    }

    private func readCache(_ report: inout ScanReport) -> [ScanLocation: ScannedLocation] {
        guard let (cache, warning) = cacheFile?.read() else { return [:] }
        if let warning { report.warnings.append(warning) }
        return Dictionary(cache.locations.map { ($0.location, $0) }) { _, last in last }
    }

    /// Writes the present outcomes, and the known outcomes of locations outside this scan.
    private func remember(_ locations: [ScannedLocation], _ others: [ScannedLocation], _ report: inout ScanReport) {
        guard let cacheFile else { return }
        let kept = locations.filter { if case .unasked = $0.outcome { false } else { true } }
        let sorted = others.sorted { ($0.location.path, $0.location.bridgePath) < ($1.location.path, $1.location.bridgePath) }
        if let warning = cacheFile.write(ScanCache(locations: kept + sorted)) { report.warnings.append(warning) }
    }

    /// The known locations outside this scan that still exist.
    private func others(than locations: [ScannedLocation], among known: [ScanLocation: ScannedLocation]) -> [ScannedLocation] {
        let own = Set(locations.map(\.location))
        return known.values.filter { other in
            !own.contains(other.location) && access(other.location.path, F_OK) == 0 && access(other.location.bridgePath, F_OK) == 0
        }
    }
}
