// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long a listing of units may be, and that longer ones are refused before they take memory. Test thread.

import AudioUnits
import ControlMessages
import Testing
import Wire

@Suite struct ListingTests {
    private func unit(_ label: String) -> ListedUnit {
        ListedUnit(
            locator: [label],
            description: UnitDescription(
                ComponentDescription(.effect, "list", "test"), classicIdentifier: "lv2:urn:\(label)", name: label,
                manufacturerName: "",
                version: UnitVersion(1, 0, 0)))
    }

    private func read(_ listing: UnitListing) throws(WireViolation) -> PluginMessage {
        let message = PluginMessage.units(listing)
        return try PluginMessage(kind: message.kind, body: message.body)
    }

    @Test func asManyAsTheProtocolAllowsAreRead() throws {
        let words = (0..<UnitListing.maximumCount).map { "lv2:urn:\($0)" }
        let listing = UnitListing(units: words.map(unit), extends: words, defects: words)
        #expect(try read(listing) == .units(listing))
    }

    @Test(arguments: [
        (1025, 0, 0, "a listing of more than 1024 units"), (0, 1025, 0, "a listing of more than 1024 extended units"),
        (0, 0, 1025, "a listing of more than 1024 defects"),
    ])
    func oneMoreIsRefused(units: Int, extends: Int, defects: Int, reason: String) {
        func words(_ count: Int) -> [String] { (0..<count).map { "\($0)" } }
        let listing = UnitListing(units: words(units).map(unit), extends: words(extends), defects: words(defects))
        #expect(throws: WireViolation(reason)) { try read(listing) }
    }

    @Test func aListingIsShorterThanOtherMessagesMayBe() {
        let listing = UnitListing(defects: [String(repeating: "x", count: WireLimits.listingByteCount)])
        #expect(throws: WireViolation("a listing of \(WireLimits.listingByteCount + 16) bytes")) { try read(listing) }
    }
}
