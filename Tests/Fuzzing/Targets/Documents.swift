// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files in JSON: the manifest of a bundle, saved chains, the user's decisions. The fuzzer's thread.

import AudioUnits
import FoundationEssentials

@testable import PluginHosting

extension FuzzTarget {
    static let manifest = FuzzTarget("manifest", seeds: try manifestSeeds()) { bytes in
        guard let manifest = try? Manifest.read(path: FuzzedFile.path(holding: bytes)) else { return }
        precondition(ComponentDescription(manifest.component) != nil && UnitVersion(manifest.version) != nil)
        precondition(!manifest.executable.contains("/") && manifest.library?.contains("/") != true, "a file outside")
        guard let data = try? ReadableJSON.encode(manifest),
            let again = try? Manifest.read(path: FuzzedFile.path(holding: Array(data)))
        else { fatalError("not readable twice") }
        precondition(again == manifest)
    }

    static let chain = FuzzTarget("chain", seeds: try chainSeeds()) { bytes in
        guard let chain = try? SavedChain(encoded: Data(bytes)) else { return }
        precondition(!chain.units.isEmpty && chain.units.count <= SavedChain.maximumUnitCount)
        guard let data = try? chain.encoded(), let again = try? SavedChain(encoded: data) else {
            fatalError("not readable twice")
        }
        precondition(again == chain)
    }

    static let settings = FuzzTarget("settings", seeds: try settingsSeeds()) { bytes in
        guard let settings = try? PluginSettings.read(FuzzedFile.path(holding: bytes)) else { return }
        precondition(settings.blocked.allSatisfy { settings.blocks($0) && !$0.isEmpty })
        precondition(settings.trusted.allSatisfy { settings.trusts($0, at: $1) && $1.hasPrefix("/") })
    }

    private static func manifestSeeds() throws -> [[UInt8]] {
        try [nil, "libGain.so"].map { library in
            let manifest = Manifest(
                component: Specimens.component, name: "Gain", manufacturerName: "Bulkhead", version: UnitVersion(1, 2, 3),
                tags: ["Utility"], executable: "Gain", library: library, consentsToInProcess: library != nil)
            return Array(try ReadableJSON.encode(manifest))
        }
    }

    private static func chainSeeds() throws -> [[UInt8]] {
        let plain =
            #"{"id": "aufx:gain:blkh", "name": "Gain", "version": "1.2.3", "isolation": "\#(Isolation.outOfProcess.rawValue)","#
        let poor = plain + #""parameters": {"gain": -6.5}}"#
        let rich =
            plain + #""parameters": {}, "texts": {"file": "/x.wav"}, "custom": "AQID","#
            + #""automation": [{"parameter": "gain", "points": [{"seconds": 0.5, "value": 1}]}]}"#
        return try [[poor], [poor, rich]].map { units in
            let text = #"{"chain": 1, "units": [\#(units.joined(separator: ","))]}"#
            return Array(try SavedChain(encoded: Data(text.utf8)).encoded())
        }
    }

    private static func settingsSeeds() throws -> [[UInt8]] {
        let current = try FuzzedFile.contents { path in
            _ = try PluginSettings.change(path, isStopped: { false }) { settings in
                settings.block("aufx:gain:blkh") && settings.trust("lv2:urn:a", at: "/a.lv2")
            }
        }
        return [current, Array(#"{"version": 1, "blocked": [], "trusted": ["lv2:urn:a"]}"#.utf8)]
    }
}
