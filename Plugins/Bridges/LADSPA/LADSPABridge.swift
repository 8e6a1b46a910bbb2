// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The LADSPA bridge: finds LADSPA plug-ins and makes units of them. Control thread.

import PluginSDK

enum LADSPABridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "ldsp", "blkh"), name: "LADSPA bridge", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at place: String) throws(UnitError) -> UnitListing {
        throw .failed("\"\(place)\" cannot be read yet")
    }

    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit {
        throw .failed("no plug-in can be loaded yet")
    }
}

@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { LADSPABridge.exported }
