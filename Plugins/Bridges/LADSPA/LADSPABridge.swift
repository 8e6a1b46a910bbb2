// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The LADSPA bridge: finds LADSPA plug-ins and makes units of them. Control thread.

import PluginSDK

/// The bridge.
///
/// `place` is the path of a library. A locator is that path, a label, and metadata from beside the library.
enum LADSPABridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "ldsp", "blkh"), name: "LADSPA bridge", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at place: String) throws(UnitError) -> UnitListing {
        let library = try Library(path: place)
        let store = RDFStore(mentioning: library.plugins.map(\.number))
        var listing = UnitListing(defects: library.defects + [store.defect].compactMap { $0 })
        for plugin in library.plugins {
            let metadata = store.metadata(of: plugin)
            let unit = ClassicUnit(plugin, metadata)
            listing.units.append(ListedUnit(locator: [place, plugin.label] + metadata.words, description: unit.description))
        }
        return listing
    }

    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit {
        guard locator.count >= 2 else { throw .failed("a LADSPA plug-in is found by a library and a label") }
        let library = try Library(path: locator[0])
        guard let plugin = library.plugins.first(where: { $0.label == locator[1] }) else {
            throw .failed("\"\(locator[0])\" holds no plug-in \"\(locator[1])\"")
        }
        return ClassicUnit(plugin, Metadata(words: locator.dropFirst(2)))
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { LADSPABridge.exported }
