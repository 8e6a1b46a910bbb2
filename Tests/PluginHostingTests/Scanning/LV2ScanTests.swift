// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The real LV2 bridge with real bundles: honest ones, one that extends another, and broken ones.

import Printing
import Testing

@testable import PluginHosting

@Suite struct LV2ScanTests {
    private func scan(_ folder: String) throws -> ComponentRegistry {
        let home = try TemporaryFolder()
        var installation = Installation(environment: ["HOME": home.path])
        installation.bundleFolders = [Build.folder]
        installation.classicFolders = [.lv2: [folder]]
        return try installation.registry()
    }

    @Test(.enabled(if: Machine.givesFolders, "without mount namespaces a confined process has no /tmp"))
    func aPresetOfAnotherBundleReachesThePlugInThatItIsFor() throws {
        let folder = "\(Build.testPluginFolder)/LV2"
        let registry = try scan(folder)
        #expect(registry.report.failures.isEmpty, "\(registry.report)")
        let keeper = try registry.component(named: "urn:bulkhead:test:keeper")
        #expect(keeper.extensionPaths == ["\(folder)/extension.lv2"] && keeper.locationPath == "\(folder)/honest.lv2")
        let unit = try HostedUnit(keeper)
        #expect(unit.description.identifier == "lv2:urn:bulkhead:test:keeper")
        #expect(!unit.factoryPresets.isEmpty)
    }

    @Test func brokenBundlesYieldNoPlugInsAndReasonsInstead() throws {
        let registry = try scan("\(Build.testPluginFolder)/LV2/broken")
        #expect(registry.report.failures.count + registry.report.defects.count >= 3, "\(registry.report)")
        for component in registry.components where component.format == .lv2 {
            #expect(component.id.hasPrefix("lv2:") && PrintableText.isPrintable(component.name))
        }
        #expect(Census.children.isEmpty)
    }
}
