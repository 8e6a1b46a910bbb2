// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The LV2 bridge: finds LV2 plug-ins and makes units of them. Control thread.
//
// Bundles/     the description of plug-ins in a bundle, and its defects
// Parameters/  ports and properties under the names that hosts record
// Instances/   the objects that live as long as the render resources, and the ways between the two threads
// Rendering/   the code of the render thread
// Views/       the picture that a plug-in draws of itself, in characters
// State/       the state that a plug-in stores, and its files

import CLilv
import PluginSDK

/// The bridge.
///
/// `place` is the folder of a bundle. A locator is a plug-in's URI and the folder of its bundle. A process that only reads
/// presets also gets the folder of another bundle, which has presets for the plug-in.
enum LV2Bridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "lv2 ", "blkh"), name: "LV2 bridge", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at place: String) throws(UnitError) -> UnitListing { try BundleReader(place).listing() }

    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit {
        guard locator.count >= 2 else { throw .failed("an LV2 plug-in is found by a URI and the folder of its bundle") }
        let world = try World()
        for bundle in locator.dropFirst() { world.load(bundle: bundle) }
        let found = world.plugins.first { String(cString: lilv_node_as_uri(lilv_plugin_get_uri($0))) == locator[0] }
        guard let found else { throw .failed("\"\(locator[1])\" holds no plug-in \(locator[0])") }
        return ClassicUnit(try Plugin(found, in: world))
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { LV2Bridge.exported }
