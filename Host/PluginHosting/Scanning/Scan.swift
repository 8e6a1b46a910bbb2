// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One scan of all classic plug-ins: known locations come from the cache, bridges are asked about the others. Control thread.

import AudioUnits
import FoundationEssentials
import Glibc
import LinuxSystem

/// A scan of all classic plug-ins.
struct Scan {
    /// The bridges, by the format that they understand.
    let bridges: [PluginFormat: Component]
    /// Folders by format, in their order.
    let folders: [PluginFormat: [String]]
    /// The cache's file; nil remembers nothing.
    let cacheFile: ScanCacheFile?
    let timeoutMilliseconds: Int32
    let processCount: Int
    var scope: ScanScope = .changed

    /// Every location with what it holds; earlier ones hide later ones.
    ///
    /// When `progress` throws, what was found before is remembered.
    func run(progress: (ScanProgress) throws -> Void) throws -> (places: [ScannedLocation], report: ScanReport) {
        var report = ScanReport()
        var places = find(&report)
        report.placeCount = places.count
        let known = readCache(&report)
        let open = places.indices.filter { index in
            guard let old = known[places[index].place], old.stamp == places[index].stamp,
                old.bridgeStamp == places[index].bridgeStamp, !scope.asksAgain(old.outcome)
            else { return true }
            places[index].outcome = old.outcome
            return false
        }
        // A file that is no library is recognised without a process.
        let asked = open.filter { index in
            guard let reason = Self.defect(of: places[index].place) else { return true }
            places[index].outcome = .failure(reason)
            return false
        }
        report.scannedCount = asked.count
        let result = Result { try ask(asked, &places, progress) }
        let others = others(than: places, among: known)
        let hasLost = others.count + places.count { known[$0.place] != nil } < known.count
        if !open.isEmpty || hasLost || !report.warnings.isEmpty { remember(places, others, &report) }
        try result.get()
        report.newFailureCount = open.count { if case .listing = places[$0].outcome { false } else { true } }
        return (places, report)
    }

    /// The locations that exist, before any bridge is asked.
    private func find(_ report: inout ScanReport) -> [ScannedLocation] {
        var found: [ScannedLocation] = []
        for format in PluginFormat.allCases {
            guard let bridge = bridges[format], let folders = folders[format] else { continue }
            let search = LocationSearch(format: format, bridgePath: bridge.executablePath, folders: folders)
            report.failures += search.failures
            let files = [bridge.executablePath] + [bridge.libraryPath].compactMap { $0 }
            let descriptions = format.descriptionFolders(ProcessInfo.processInfo.environment)
            guard let bridgeStamp = try? FileStamp(files: files, folders: descriptions) else { continue }
            for place in search.places {
                do throws(SystemError) {
                    let stamp = format == .lv2 ? try FileStamp(folder: place.path) : try FileStamp(files: [place.path])
                    found.append(
                        ScannedLocation(place: place, stamp: stamp, bridgeStamp: bridgeStamp, outcome: .unasked("it was not asked"))
                    )
                } catch {
                    report.failures.append(
                        ScanReport.Failure(format: format, path: place.path, reason: "it cannot be read: \(error.reason)"))
                }
            }
        }
        return found
    }

    private static func defect(of place: ScanLocation) -> String? {
        place.format == .ladspa ? LibraryHeader.defect(ofFile: place.path) : nil
    }

    private func ask(
        _ indices: [Int], _ places: inout [ScannedLocation], _ progress: (ScanProgress) throws -> Void
    ) throws {
        guard !indices.isEmpty else { return }
        let pool = ScanPool(
            indices.map { places[$0].place }, scanner: LocationScanner(timeoutMilliseconds: timeoutMilliseconds))
        defer { for (position, outcome) in pool.outcomes { places[indices[position]].outcome = outcome } }
        try pool.run(processCount: processCount, progress: progress)
    }

    private func readCache(_ report: inout ScanReport) -> [ScanLocation: ScannedLocation] {
        guard let (cache, warning) = cacheFile?.read() else { return [:] }
        if let warning { report.warnings.append(warning) }
        return Dictionary(cache.places.map { ($0.place, $0) }) { _, last in last }
    }

    /// Writes what is known now, and what was known of locations outside this scan.
    private func remember(_ places: [ScannedLocation], _ others: [ScannedLocation], _ report: inout ScanReport) {
        guard let cacheFile else { return }
        let kept = places.filter { if case .unasked = $0.outcome { false } else { true } }
        let sorted = others.sorted { ($0.place.path, $0.place.bridgePath) < ($1.place.path, $1.place.bridgePath) }
        if let warning = cacheFile.write(ScanCache(places: kept + sorted)) { report.warnings.append(warning) }
    }

    /// Known locations outside this scan that still exist.
    private func others(than places: [ScannedLocation], among known: [ScanLocation: ScannedLocation]) -> [ScannedLocation] {
        let own = Set(places.map(\.place))
        return known.values.filter { other in
            !own.contains(other.place) && access(other.place.path, F_OK) == 0 && access(other.place.bridgePath, F_OK) == 0
        }
    }
}
