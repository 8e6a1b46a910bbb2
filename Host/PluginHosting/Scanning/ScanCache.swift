// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The results of earlier scans, as bytes. Any thread.

import AudioUnits
import ControlMessages
import Wire

/// The results of earlier scans.
///
/// | bytes | |
/// | ---: | --- |
/// | 8 | `BLKHSCAN` |
/// | 4 | version |
/// | 8 | bytes of the body |
/// | 8 | checksum of the body |
/// | | the body: locations, one after the other |
struct ScanCache: Hashable, Sendable {
    static let magic = Array("BLKHSCAN".utf8)
    /// The version of this layout; a cache of another version is replaced.
    static let version: UInt32 = 2
    static let headerByteCount = 28
    /// The most bytes of a cache that is written or read.
    static let maximumByteCount = 64 << 20

    var locations: [ScannedLocation] = []

    /// The number of bytes of an encoded outcome.
    static func byteCount(of outcome: ScanOutcome) -> Int {
        var writer = PayloadWriter()
        writer.write(outcome)
        return writer.bytes.count
    }

    /// The bytes of the whole file.
    ///
    /// Locations beyond the size limit are left out.
    var bytes: [UInt8] {
        var body = PayloadWriter()
        for location in locations {
            var writer = PayloadWriter()
            writer.write(location)
            guard body.bytes.count + writer.bytes.count <= Self.maximumByteCount - Self.headerByteCount else { break }
            body.append(writer)
        }
        return Self.file(of: body.bytes)
    }

    /// Puts a header before a body.
    static func file(of body: [UInt8]) -> [UInt8] {
        var header = PayloadWriter()
        for byte in magic { header.write(byte) }
        header.write(version)
        header.write(UInt64(body.count))
        header.write(Checksum.of(body[...]))
        return header.bytes + body
    }

    init(locations: [ScannedLocation] = []) { self.locations = locations }

    /// Reads a file; the thrown reason follows a colon.
    init(bytes: [UInt8]) throws(WireViolation) {
        var reader = PayloadReader(bytes)
        guard bytes.count >= Self.headerByteCount, Array(bytes[..<Self.magic.count]) == Self.magic else {
            throw WireViolation("it is no list of plug-ins")
        }
        _ = try reader.read(UInt64.self)
        guard try reader.read(UInt32.self) == Self.version else { throw WireViolation("another version of Bulkhead wrote it") }
        let byteCount = try reader.read(UInt64.self)
        guard byteCount == UInt64(bytes.count - Self.headerByteCount) else { throw WireViolation("it is not whole") }
        guard try reader.read(UInt64.self) == Checksum.of(bytes[Self.headerByteCount...]) else {
            throw WireViolation("it is damaged")
        }
        while reader.remainingByteCount > 0 { locations.append(try reader.readScannedLocation()) }
    }
}

private enum OutcomeKind: UInt8 {
    case listing = 0
    case failure = 1
}

extension PayloadWriter {
    fileprivate mutating func write(_ location: ScannedLocation) {
        write(location.location.format.rawValue)
        write(location.location.path)
        write(location.location.bridgePath)
        write(location.stamp)
        write(location.bridgeStamp)
        write(location.outcome)
    }

    private mutating func write(_ stamp: FileStamp) {
        write(stamp.byteCount)
        write(stamp.modifiedNanoseconds)
        write(stamp.digest)
    }

    fileprivate mutating func write(_ outcome: ScanOutcome) {
        switch outcome {
        case .listing(let listing):
            write(OutcomeKind.listing.rawValue)
            listing.write(to: &self)
        case .failure(let reason), .unasked(let reason):
            write(OutcomeKind.failure.rawValue)
            write(reason)
        }
    }
}

extension PayloadReader {
    fileprivate mutating func readScannedLocation() throws(WireViolation) -> ScannedLocation {
        guard let format = PluginFormat(rawValue: try readString()), format != .native else {
            throw WireViolation("it names an unknown format")
        }
        let location = ScanLocation(format: format, path: try readString(), bridgePath: try readString())
        return ScannedLocation(
            location: location, stamp: try readStamp(), bridgeStamp: try readStamp(), outcome: try readOutcome(of: location))
    }

    private mutating func readStamp() throws(WireViolation) -> FileStamp {
        FileStamp(
            byteCount: try read(UInt64.self), modifiedNanoseconds: try read(Int64.self), digest: try read(UInt64.self))
    }

    private mutating func readOutcome(of location: ScanLocation) throws(WireViolation) -> ScanOutcome {
        switch OutcomeKind(rawValue: try read(UInt8.self)) {
        case .listing:
            let listing = try UnitListing(from: &self)
            guard ListingCheck.isPlausible(listing, of: location) else {
                throw WireViolation("it lists a plug-in that no scan would")
            }
            return .listing(listing)
        case .failure: return .failure(try readString())
        case nil: throw WireViolation("it holds an unknown kind of outcome")
        }
    }
}
