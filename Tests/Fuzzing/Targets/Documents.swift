// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files in JSON: the manifest of a bundle, saved chains, the user's decisions. The fuzzer's thread.

import AudioUnits
import FoundationEssentials
import Glibc

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
        precondition(again.units == chain.units && again.isOwn, "not sealed")
        // Only what the host wrote brings rights with it, whatever a document says of itself.
        precondition(!chain.isOwn || ownChains.contains(chain.units), "rights without a word")
        guard !chain.isOwn, (try? chain.check(Allowances(), in: Hideout.registry, name: "fuzzed")) != nil else { return }
        for unit in chain.units where unit.id == Hideout.id {
            precondition(unit.isolation != .inProcess, "in the host without a word")
            precondition(unit.texts?.values.contains(Hideout.secret) != true, "a file without a word")
        }
    }

    /// A folder with one plug-in, and a file of the user's that it must not read.
    private enum Hideout {
        static let folder = "/tmp/bulkhead-fuzzing-\(getpid())"
        static let secret = "/etc/hostname"
        static let id = "aufx:gain:blkh"
        static let registry: ComponentRegistry = {
            let bundle = "\(folder)/Gain.bulkhead"
            try? FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            let manifest = Manifest(
                component: Specimens.component, name: "Gain", manufacturerName: "Bulkhead", version: UnitVersion(1, 2, 3),
                tags: [], executable: "run", library: nil, consentsToInProcess: true)
            try? ReadableJSON.encode(manifest).write(to: URL(fileURLWithPath: "\(bundle)/manifest.json"))
            try? Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: "\(bundle)/run"))
            chmod("\(bundle)/run", 0o755)
            return ComponentRegistry(searchPath: [folder])
        }()
    }

    /// The units of the chains that this process has sealed: the seeds.
    private static let ownChains = (try? chainSeeds())?.compactMap { try? SavedChain(encoded: Data($0)).units } ?? []

    static let settings = FuzzTarget("settings", seeds: try settingsSeeds()) { bytes in
        guard let settings = try? PluginSettings.read(FuzzedFile.path(holding: bytes)) else { return }
        precondition(settings.blocked.allSatisfy { settings.blocks($0) && !$0.isEmpty })
        precondition(
            settings.rights.values.allSatisfy { $0.code.path.hasPrefix("/") && $0.granted.keys.allSatisfy { $0.hasPrefix("/") } })
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
            plain + #""parameters": {}, "texts": {"file": "/etc/hostname"}, "custom": "AQID","#
            + #""automation": [{"parameter": "gain", "points": [{"seconds": 0.5, "value": 1}]}]}"#
        return try [[poor], [poor, rich]].map { units in
            let text = #"{"chain": 1, "units": [\#(units.joined(separator: ","))]}"#
            return Array(try SavedChain(encoded: Data(text.utf8)).encoded())
        }
    }

    private static func settingsSeeds() throws -> [[UInt8]] {
        let current = try FuzzedFile.contents { path in
            _ = try PluginSettings.change(path, isStopped: { false }) { settings in
                let code = PluginCode(path: "/a.lv2", digest: "1", stamp: "2")
                return settings.block("aufx:gain:blkh") && settings.trust("lv2:urn:a", code)
                    && settings.grant("lv2:urn:a", code, reading: "/srv")
            }
        }
        return [current, Array(#"{"version": 1, "blocked": [], "trusted": ["lv2:urn:a"]}"#.utf8)]
    }
}
