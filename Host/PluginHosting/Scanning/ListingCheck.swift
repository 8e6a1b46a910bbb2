// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks a bridge's listing of a location, and removes impossible units. Control threads.

import AudioUnits
import ControlMessages
import Printing

/// The rules for listings, which a hostile library may have written.
enum ListingCheck {
    static let maximumIdentifierByteCount = 512
    static let maximumNameByteCount = 256
    /// The most bytes of an encoded unit: locator, buses and tags included.
    static let maximumUnitByteCount = 16_384

    /// Removes the unusable units from a listing; each of them becomes a defect.
    static func checked(_ listing: UnitListing, of location: ScanLocation) -> UnitListing {
        var checked = UnitListing(
            extends: listing.extends.filter { isIdentifier($0, of: location.format) },
            defects: listing.defects.map { PrintableText.cleaned($0) })
        var seen: Set<String> = []
        for unit in listing.units {
            let reason =
                defect(of: unit, location) ?? sizeDefect(of: unit)
                ?? (seen.insert(unit.description.identifier).inserted ? nil : "is listed twice")
            if let reason {
                checked.defects.append("\"\(PrintableText.cleaned(unit.description.identifier, limit: 80))\" \(reason).")
            } else {
                checked.units.append(unit)
            }
        }
        checked.defects.removeSubrange(min(checked.defects.count, UnitListing.maximumCount)...)
        return checked
    }

    /// True if a scan can have produced this listing: for listings from the cache, whose file limits the lengths.
    static func isPlausible(_ listing: UnitListing, of location: ScanLocation) -> Bool {
        listing.extends.allSatisfy { isIdentifier($0, of: location.format) }
            && listing.units.allSatisfy { defect(of: $0, location) == nil }
    }

    /// The defect of a unit, to follow its name; nil without one.
    private static func defect(of unit: ListedUnit, _ location: ScanLocation) -> String? {
        let description = unit.description
        guard let identifier = description.classicIdentifier, isIdentifier(identifier, of: location.format) else {
            return "has no identifier of this format"
        }
        guard isName(description.name) else { return "has no name that can be shown" }
        guard description.manufacturerName.isEmpty || isName(description.manufacturerName), description.tags.allSatisfy(isName)
        else {
            return "has a maker or a tag that cannot be shown"
        }
        guard description.component.type != ComponentType.bridge.code else { return "claims to be a bridge" }
        return originDefect(of: unit, identifier, location)
    }

    /// The reason why a unit cannot belong to this location; nil if it can.
    ///
    /// A library that took another one's ID or path would also take over the user's decisions about it.
    private static func originDefect(of unit: ListedUnit, _ identifier: String, _ location: ScanLocation) -> String? {
        // A LADSPA bridge appends the files beside the library that describe a plug-in.
        guard location.format == .ladspa ? unit.locator.count >= 2 : unit.locator.count == 2 else { return "cannot be found again" }
        let isOwn: Bool
        let kind: String
        switch location.format {
        case .native: return "is no classic plug-in"
        case .ladspa:
            let prefix = "ladspa:\(FilePath.stem(of: location.path, dropping: ".so")):"
            isOwn = identifier.hasPrefix(prefix) && identifier.utf8.count > prefix.utf8.count
            kind = unit.locator[0]
        case .lv2:
            isOwn = identifier == "lv2:\(unit.locator[0])"
            kind = unit.locator[1]
        }
        guard isOwn else { return "has an ID that is not of this \(location.format == .lv2 ? "plug-in" : "library")" }
        // Compared byte by byte: two texts may be equal and name two files.
        return kind.utf8.elementsEqual(location.path.utf8) ? nil : "leads to another location than the one it was found at"
    }

    private static func sizeDefect(of unit: ListedUnit) -> String? {
        byteCount(of: unit) <= maximumUnitByteCount ? nil : "says more than \(maximumUnitByteCount) bytes of itself"
    }

    private static func isIdentifier(_ text: String, of format: PluginFormat) -> Bool {
        let prefix = "\(format.rawValue):"
        return text.hasPrefix(prefix) && text.utf8.count > prefix.utf8.count && text.utf8.count <= maximumIdentifierByteCount
            && PrintableText.isPrintable(text)
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumNameByteCount && PrintableText.isPrintable(text)
    }

    private static func byteCount(of unit: ListedUnit) -> Int {
        var writer = PayloadWriter()
        UnitListing(units: [unit]).write(to: &writer)
        return writer.bytes.count
    }
}
