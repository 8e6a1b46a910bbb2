// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The LV2 bridge: finds LV2 plug-ins and makes units of them. Control thread.

import PluginSDK

enum LV2Bridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "lv2 ", "blkh"), name: "LV2 bridge", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at place: String) throws(UnitError) -> UnitListing {
        throw .failed("\"\(place)\" cannot be read yet")
    }

    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit {
        throw .failed("no plug-in can be loaded yet")
    }
}

@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { LV2Bridge.exported }
