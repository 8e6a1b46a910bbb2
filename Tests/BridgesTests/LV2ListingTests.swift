// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The listings of LV2 bundles: of those that keep to the rules, and of those that do not. Test thread.

import AudioUnits
import Foundation
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct LV2ListingTests {
    @Test func aBundleTellsItsPluginsAndWhatItCannotOffer() throws {
        let listing = try Bridges.list(LV2.honest, .lv2)
        let names = listing.units.map { $0.description.identifier.dropFirst("lv2:urn:bulkhead:test:".count) }
        #expect(
            Set(names) == [
                "keeper", "fixed", "echo", "ports", "controlled", "swap", "late", "plainRestore", "safeRestore", "tardy", "filed",
                "misnamed", "deaf", "drawer",
            ])
        #expect(listing.units.allSatisfy { $0.locator.last == LV2.honest })
        #expect(
            listing.defects == [
                "urn:bulkhead:test:stubborn: it requires the feature urn:bulkhead:test:unheardOf, which Bulkhead does not offer."
            ])
        #expect(listing.extends.isEmpty)
    }

    @Test func aDescriptionSaysWhatTheBundleSays() throws {
        let units = try Bridges.list(LV2.honest, .lv2).units.map(\.description)
        func unit(_ name: String) throws -> UnitDescription { try #require(units.first { $0.name == name }) }
        let swap = try unit("Swap")
        #expect(swap.component.type == ComponentType.effect.code && swap.component.manufacturer == "lv2 ")
        #expect(swap.version == UnitVersion(3, 5, 0) && swap.manufacturerName == "Bulkhead Tests" && swap.tags == ["Spatial"])
        #expect(swap.inputs.map(\.defaultFormat.channelCount) == [2])
        let echo = try unit("Echo")
        #expect(echo.component.type == ComponentType.midiProcessor.code && echo.flags.contains([.midiInput, .midiOutput]))
        let ports = try unit("Ports")
        #expect(ports.tags == ["Parametric EQ", "EQ", "Filter"])
        #expect(
            ports.inputs.map(\.name) == ["Input", "Side chain", "CV"] && ports.inputs.map(\.isOptional) == [false, true, true])
        #expect(ports.outputs.map(\.name) == ["Output", "CV"])
        #expect(Set(units.map(\.component.subtype)).count == units.count)
    }

    @Test func aBundleOfPresetsSaysWhomItExtends() throws {
        let listing = try Bridges.list(LV2.folder + "/extension.lv2", .lv2)
        #expect(listing.units.isEmpty && listing.defects.isEmpty && listing.extends == ["lv2:urn:bulkhead:test:keeper"])
    }

    /// A confined process usually has a /tmp of its own.
    ///
    /// The folders that it may read are put together there.
    @Test func whatLiesInTheFolderOfTemporaryFilesIsReadWhereThatIsAPlaceForPlugIns() throws {
        let folder = "/tmp/bulkhead-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: LV2.honest, toPath: folder)
        #expect(try Bridges.list(folder, .lv2, reading: "/tmp").units.count == 14)
    }

    @Test func aFolderWithoutAManifestIsRefused() {
        #expect(throws: TestFailure("it holds no \"manifest.ttl\"")) { try Bridges.list("/tmp", .lv2) }
        #expect(throws: TestFailure("it holds no \"manifest.ttl\"")) { try Bridges.list("/nowhere", .lv2) }
    }

    @Test(arguments: [
        ("missing", "gone.so\" cannot be read: No such file or directory."),
        ("symbolless", "urn:bulkhead:test:fixed: its port 0 has no symbol."),
        ("unknown", "honest.so\" does not know it."),
        ("textual", "manifest.ttl\" is no ELF file."),
        ("old", "its port \"in\" takes events of the old kind, which Bulkhead does not offer."),
        ("twice", "urn:bulkhead:test:swap: two plug-ins have this URI."),
        ("wordless", "honest.so\" does not export \"lv2_dyn_manifest_open\"."),
    ])
    func whatIsWrongIsSaidInOneSentence(bundle: String, ending: String) throws {
        let listing = try LV2.broken(bundle)
        #expect(listing.units.isEmpty)
        #expect(listing.defects.count == 1 && listing.defects.allSatisfy { $0.hasSuffix(ending) }, "\(listing.defects)")
    }

    @Test(.enabled(if: Machine.givesFolders, "without mount namespaces a confined process has no /tmp"))
    func aLibraryMayWriteTheManifestOfItsBundle() throws {
        let listing = try Bridges.list(LV2.folder + "/dynamic.lv2", .lv2)
        let names = listing.units.map(\.description.name)
        guard !LV2.callsManifestWriters else {
            return #expect(names == ["Dynamic"] && listing.defects.isEmpty, "\(listing.defects)")
        }
        // lilv leaves its plug-ins out without a word.
        #expect(names.isEmpty && listing.defects.count == 1)
        #expect(
            listing.defects.first?.hasSuffix("describes plug-ins, which the lilv of this system ignores.") == true,
            "\(listing.defects)")
    }

    @Test func whatIsNotTurtleIsNamedWithItsLine() throws {
        let listing = try LV2.broken("hostile")
        #expect(listing.units.isEmpty)
        #expect(listing.defects.first?.hasPrefix("\"manifest.ttl\" is not Turtle, line 8: ") == true, "\(listing.defects)")
    }

    @Test func filesThatReferToEachOtherForEverAreReadOnce() throws {
        let listing = try LV2.broken("cyclic")
        #expect(listing.units.map(\.description.name) == ["Cyclic"] && listing.defects.isEmpty, "\(listing.defects)")
    }
}
