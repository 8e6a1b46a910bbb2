// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a scan stores, for how long, and what happens to a cache that is torn, foreign or cannot be written.

import AudioUnits
import FoundationEssentials
import Glibc
import Testing
import Wire

@testable import PluginHosting

@Suite struct ScanCacheTests {
    private func bench() throws -> ScanBench {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono\nunit stereo")
        try bench.library("bad", "crash")
        try bench.bundle("verb", "unit hall\nextends lv2:http://example.org/other\ndefect No other.")
        return bench
    }

    private func bytes(_ bench: ScanBench) throws -> [UInt8] {
        Array(try SmallFile.read(bench.cacheFile, maximumByteCount: 1 << 24))
    }

    @Test func whatIsKnownIsNotAskedAgainFailuresIncluded() throws {
        let bench = try bench()
        let first = try bench.scan()
        #expect(first.report.scannedCount == 3 && first.report.newFailureCount == 1)
        let second = try bench.scan()
        #expect(second.report.scannedCount == 0 && second.report.newFailureCount == 0)
        #expect(second.components == first.components && second.report.failures == first.report.failures)
        #expect(second.report.defects.map(\.reason) == ["No other."])
        let third = try bench.scan(scope: .everything)
        #expect(third.report.scannedCount == 3 && third.components == first.components)
    }

    @Test func aChangedPlaceIsAskedAgainAndNoOther() throws {
        let bench = try bench()
        _ = try bench.scan()
        try bench.library("bad", "unit good")
        let registry = try bench.scan()
        #expect(registry.report.scannedCount == 1 && registry.report.failures.isEmpty)
        #expect(registry.components.contains { $0.id == "ladspa:bad:good" })
    }

    /// Each change alters one thing that only the stamp can show.
    @Test(arguments: ["time", "inode", "size", "inner", "new"])
    func aBundleIsStampedOverAllItsFiles(_ change: String) throws {
        let bench = try bench()
        try bench.makeFolder("lv2/verb.lv2/inner")
        try bench.write([1, 2, 3], to: "lv2/verb.lv2/inner/file")
        _ = try bench.scan()
        #expect(try bench.scan().report.scannedCount == 0)
        let file = bench.path("lv2/verb.lv2/inner/file")
        switch change {
        case "time": utimes(file, [timeval(tv_sec: 5, tv_usec: 1), timeval(tv_sec: 5, tv_usec: 1)])
        case "size": try bench.write([1, 2], to: "lv2/verb.lv2/inner/file")
        case "new": try bench.write([], to: "lv2/verb.lv2/another")
        case "inode":
            var status = stat()
            #expect(stat(file, &status) == 0)
            try bench.write([1, 2, 3], to: "other")
            let times = [status.st_mtim, status.st_mtim]
            #expect(rename(bench.path("other"), file) == 0 && utimensat(AT_FDCWD, file, times, 0) == 0)
        default: #expect(unlink(file) == 0)
        }
        #expect(try bench.scan().report.scannedCount == 1)
    }

    @Test func aNewBridgeIsAskedAboutEverythingOfItsFormat() throws {
        let bench = try bench()
        _ = try bench.scan()
        utimes(
            bench.path("bundles/LADSPA.bulkhead/ScriptedBridge"), [timeval(tv_sec: 5, tv_usec: 0), timeval(tv_sec: 5, tv_usec: 0)])
        #expect(try bench.scan().report.scannedCount == 2)
    }

    @Test func newDescriptionsAreReadWhateverTheyDescribe() throws {
        let bench = try bench()
        try bench.makeFolder("rdf")
        let outer = ProcessInfo.processInfo.environment["LADSPA_RDF_PATH"]
        setenv("LADSPA_RDF_PATH", bench.path("rdf"), 1)
        defer { if let outer { setenv("LADSPA_RDF_PATH", outer, 1) } else { unsetenv("LADSPA_RDF_PATH") } }
        _ = try bench.scan()
        #expect(try bench.scan().report.scannedCount == 0)
        try bench.write([1, 2, 3], to: "rdf/new.rdf")
        #expect(try bench.scan().report.scannedCount == 2, "both LADSPA libraries, and no bundle")
        #expect(try bench.scan().report.scannedCount == 0)
        try bench.write([1, 2], to: "rdf/new.rdf")
        #expect(try bench.scan().report.scannedCount == 2)
    }

    @Test func whatAnotherCommandLooksAtStaysRemembered() throws {
        let bench = try bench()
        _ = try bench.scan()
        var other = bench.installation
        other.classicFolders = [.ladspa: [bench.path("elsewhere")]]
        try bench.makeFolder("elsewhere")
        try bench.library("amp", "unit mono", in: "elsewhere")
        #expect(try other.registry().report.scannedCount == 1)
        #expect(try bench.scan().report.scannedCount == 0)
        // A plug-in file that was removed is forgotten.
        #expect(unlink(bench.path("elsewhere/amp.so")) == 0)
        try bench.library("new", "unit x")
        _ = try bench.scan()
        #expect(try ScanCache(bytes: try bytes(bench)).locations.count == 4)
    }

    @Test func failuresAreAskedAgainByWhomeverWantsThatAndNothingElseIs() throws {
        let bench = try bench()
        try bench.write([1, 2, 3], to: "ladspa/none.so")
        // The first scan has little patience, as if the machine were too busy.
        try bench.library("slow", "sleep 1500\nunit late")
        let first = try bench.scan(timeout: 700)
        #expect(first.report.reason("slow.so") == "the process that loads it did not answer within 700 ms")
        #expect(try bench.scan().report.scannedCount == 0)
        let again = try bench.scan(scope: .failures)
        #expect(again.report.scannedCount == 2 && again.components.contains { $0.id == "ladspa:slow:late" })
        #expect(again.report.reason("bad.so") != nil && again.report.reason("none.so") == "it is not a library (ELF)")
        #expect(try bench.scan().components == again.components)
    }

    @Test func aPlaceThatHasGoneIsForgottenThoughNothingIsNew() throws {
        let bench = try bench()
        _ = try bench.scan()
        #expect(unlink(bench.path("ladspa/bad.so")) == 0)
        #expect(try bench.scan().report.scannedCount == 0)
        #expect(try ScanCache(bytes: try bytes(bench)).locations.count == 2)
    }

    @Test func aListingOfAnotherPlaceIsNotRead() throws {
        let bench = try bench()
        _ = try bench.scan()
        var cache = try ScanCache(bytes: try bytes(bench))
        let index = try #require(cache.locations.firstIndex { $0.location.path.hasSuffix("/amp.so") })
        cache.locations[index].location = ScanLocation(
            format: .ladspa, path: bench.path("ladspa/evil.so"), bridgePath: cache.locations[index].location.bridgePath)
        #expect(throws: WireViolation("it lists a plug-in that no scan would")) { try ScanCache(bytes: cache.bytes) }
    }

    @Test func whatIsWrittenIsRead() throws {
        let bench = try bench()
        _ = try bench.scan()
        let bytes = try bytes(bench)
        let cache = try ScanCache(bytes: bytes)
        #expect(cache.locations.count == 3 && cache.bytes == bytes)
    }

    @Test func everyFlippedBitAndEveryTornEndIsFound() throws {
        let bench = try bench()
        _ = try bench.scan()
        let bytes = try bytes(bench)
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1 << UInt8(index % 8)
            #expect(throws: WireViolation.self) { try ScanCache(bytes: flipped) }
            #expect(throws: WireViolation.self) { try ScanCache(bytes: Array(bytes[..<index])) }
        }
        #expect(throws: WireViolation.self) { try ScanCache(bytes: bytes + [0]) }
    }

    /// Bytes with a right checksum that no scan would have written.
    @Test func aBodyThatLiesIsFoundThoughItsChecksumIsRight() throws {
        let bench = try bench()
        _ = try bench.scan()
        var cache = try ScanCache(bytes: try bytes(bench))
        #expect((try? ScanCache(bytes: cache.bytes)) == cache)
        let native = UnitDescription(
            ComponentDescription(.effect, "gain", "blkh"), name: "x", manufacturerName: "", version: UnitVersion(1, 0, 0))
        cache.locations[0].outcome = .listing(UnitListing(units: [ListedUnit(locator: ["x"], description: native)]))
        #expect(throws: WireViolation("it lists a plug-in that no scan would")) { try ScanCache(bytes: cache.bytes) }
    }

    private static let damages: [(contents: [UInt8], reason: String)] = [
        ([], "it is empty"), (Array("BLKHSCAN".utf8), "it is no list of plug-ins"),
        (Array(repeating: 0x41, count: 100), "it is no list of plug-ins"),
        (ScanCache.magic + [9, 0, 0, 0] + [UInt8](repeating: 0, count: 16), "another version of Bulkhead wrote it"),
        (ScanCache.magic + [2, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 16), "it is not whole"),
        (ScanCache.magic + [2, 0, 0, 0] + [UInt8](repeating: 0, count: 16), "it is damaged"),
    ]

    @Test(arguments: damages)
    func aCacheThatCannotBeUsedIsMadeAnewAndThatIsSaid(_ contents: [UInt8], _ reason: String) throws {
        let bench = try bench()
        let first = try bench.scan()
        try Data(contents).write(to: URL(fileURLWithPath: bench.cacheFile))
        let second = try bench.scan()
        #expect(second.report.warnings == ["The list of scanned plug-ins \"\(bench.cacheFile)\" is written anew: \(reason)."])
        #expect(second.components == first.components && second.report.scannedCount == 3)
        let third = try bench.scan()
        #expect(third.report.warnings.isEmpty && third.report.scannedCount == 0)
    }

    @Test func anOversizedCacheIsNotRead() throws {
        let bench = try bench()
        _ = try bench.scan()
        #expect(truncate(bench.cacheFile, ScanCache.maximumByteCount + 1) == 0)
        let registry = try bench.scan()
        #expect(registry.report.warnings.count == 1 && registry.report.warnings[0].contains("it has more than"))
        #expect(try bytes(bench).count < 10_000)
    }

    @Test func aFolderOrAPipeInTheCachesPlaceIsNamedAndTheScanGoesOn() throws {
        let bench = try bench()
        try bench.makeFolder(".cache/bulkhead/scan.cache/inner")
        let registry = try bench.scan()
        #expect(registry.components.count == 3)
        #expect(registry.report.warnings.count == 2 && registry.report.warnings[0].contains("it is not a file"))
        #expect(registry.report.warnings[1].hasPrefix("Couldn't write \"\(bench.cacheFile)\""))
        let other = try self.bench()
        try other.makeFolder(".cache/bulkhead")
        #expect(mkfifo(other.cacheFile, 0o600) == 0)
        #expect(try other.scan().report.warnings.count == 1)
        #expect(try other.scan().report.warnings.isEmpty)
    }

    @Test func nothingIsLeftBesideTheCache() throws {
        let bench = try bench()
        for _ in 0..<3 { _ = try bench.scan(scope: .everything) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path(".cache/bulkhead")) == ["scan.cache"])
    }

    @Test func commandsThatScanAtOnceDoEachOtherNoHarm() async throws {
        let bench = try bench()
        let expected = try bench.scan().components
        try await withThrowingTaskGroup(of: [Component].self) { group in
            for index in 0..<4 {
                group.addTask {
                    for _ in 0..<3 { _ = try bench.scan(scope: index % 2 == 0 ? .everything : .changed) }
                    return try bench.scan().components
                }
            }
            for try await components in group { #expect(components == expected) }
        }
        let last = try bench.scan()
        #expect(last.report.warnings.isEmpty && last.report.scannedCount == 0)
    }
}
