// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The LV2 plug-ins that were built for tests. Test thread.

import AudioUnits
import ControlMessages
import Foundation
import Glibc
import TestSupport

@testable import PluginHosting

enum LV2 {
    static let folder = Build.testPluginFolder + "/LV2"
    static let honest = folder + "/honest.lv2"

    /// Whether the lilv of this system asks libraries to describe their plug-ins: that of Debian 12 does, and that of 13 does not.
    static let callsManifestWriters: Bool = {
        let libraries = Folder.entries(of: "/usr/lib").compactMap {
            FileManager.default.contents(atPath: "/usr/lib/\($0)/liblilv-0.so.0")
        }
        // Its text names the function that it would call.
        return libraries.contains { $0.range(of: Data("lv2_dyn_manifest_open".utf8)) != nil }
    }()

    static func component(_ name: String, extendedBy bundles: [String] = []) throws -> Component {
        let listing = try Bridges.list(honest, .lv2)
        guard let unit = listing.units.first(where: { $0.description.identifier == "lv2:urn:bulkhead:test:\(name)" }) else {
            throw TestFailure("\(honest) holds no \(name): \(listing)")
        }
        var component = Component(unit, format: .lv2, bridge: try Bridges.component(of: .lv2), locationPath: honest).trusted
        component.extensionPaths = bundles
        return component
    }

    static func unit(_ name: String, inProcess: Bool = false, extendedBy bundles: [String] = []) throws -> HostedUnit {
        try HostedUnit(component(name, extendedBy: bundles), inProcess: inProcess)
    }

    static func broken(_ name: String) throws -> UnitListing { try Bridges.list("\(folder)/broken/\(name).lv2", .lv2) }

    /// A constant signal.
    static func constant(_ value: Float, frames: Int = 2048, channels: Int = 1) -> [[Float]] {
        [[Float]](repeating: [Float](repeating: value, count: frames), count: channels)
    }

    /// A file with a number in it, removed with the object.
    final class NumberFile {
        let path = "/tmp/bulkhead-test-number-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"

        init(_ text: String) {
            guard let file = fopen(path, "w") else { return }
            fputs(text, file)
            fclose(file)
        }

        deinit { unlink(path) }
    }
}
