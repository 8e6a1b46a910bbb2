// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bridge's listing of a location, and the cache file that remembers it. The fuzzer's thread.

import AudioUnits
import ControlMessages
import Wire

@testable import PluginHosting

extension FuzzTarget {
    /// A byte for the format, and a listing.
    static let listing = FuzzTarget(
        "listing", seeds: [[0] + written(Specimens.lv2Listing), [1] + written(Specimens.ladspaListing)]
    ) { bytes in
        guard let format = bytes.first else { return }
        let location = format & 1 == 0 ? lv2Location : ladspaLocation
        var reader = PayloadReader(Array(bytes.dropFirst()))
        guard let listing = try? UnitListing(from: &reader) else { return }
        let checked = ListingCheck.checked(listing, of: location)
        precondition(checked.units.count <= listing.units.count && checked.defects.count <= UnitListing.maximumCount)
        // What is left must be accepted when it is read back, or every scan would start over.
        let scanned = ScannedLocation(location: location, stamp: stamp, bridgeStamp: stamp, outcome: .listing(checked))
        let cache = ScanCache(locations: [scanned])
        guard let again = try? ScanCache(bytes: cache.bytes) else { fatalError("what was checked is not plausible") }
        precondition(again == cache)
    }

    /// The locations of a cache without its header, because no fuzzer guesses a checksum.
    static let scanCache = FuzzTarget("scan-cache", seeds: cacheSeeds) { bytes in
        _ = try? ScanCache(bytes: bytes)
        guard let cache = try? ScanCache(bytes: ScanCache.file(of: bytes)) else { return }
        guard let again = try? ScanCache(bytes: cache.bytes) else { fatalError("not readable twice") }
        precondition(again == cache)
        for case .listing(let listing) in cache.locations.map(\.outcome) {
            precondition(listing.units.allSatisfy { $0.description.identifier.contains(":") && $0.locator.count >= 2 })
        }
    }

    private static let lv2Location = ScanLocation(format: .lv2, path: "/a.lv2", bridgePath: "/b")
    private static let ladspaLocation = ScanLocation(format: .ladspa, path: "/a.so", bridgePath: "/b")
    private static let stamp = FileStamp(byteCount: 1, modifiedNanoseconds: 2, digest: 3)

    private static func written(_ listing: UnitListing) -> [UInt8] {
        var writer = PayloadWriter()
        listing.write(to: &writer)
        return writer.bytes
    }

    private static var cacheSeeds: [[UInt8]] {
        let outcomes: [(ScanLocation, ScanOutcome)] = [
            (lv2Location, .listing(Specimens.lv2Listing)), (ladspaLocation, .listing(Specimens.ladspaListing)),
            (lv2Location, .failure("no")),
        ]
        let locations = outcomes.map { ScannedLocation(location: $0, stamp: stamp, bridgeStamp: stamp, outcome: $1) }
        let cache = ScanCache(locations: locations)
        return [Array(cache.bytes.dropFirst(ScanCache.headerByteCount)), cache.bytes]
    }
}
