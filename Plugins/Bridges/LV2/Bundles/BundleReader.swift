// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The contents and the defects of a bundle. Control thread of a process that the bundle may crash.

import CLV2Shims
import CLilv
import Glibc
import PluginSDK

/// Reads one bundle and no other.
struct BundleReader {
    private let path: String
    private let world: World

    init(_ place: String) throws(UnitError) {
        path = place.hasSuffix("/") ? String(place.dropLast()) : place
        guard FileBytes.kind("\(path)/manifest.ttl") == S_IFREG || access("\(path)/manifest.ttl", R_OK) == 0 else {
            throw .failed("it holds no \"manifest.ttl\"")
        }
        world = try World()
        Self.quietly { [world, path] in world.load(bundle: path) }
    }

    func listing() -> UnitListing {
        var listing = UnitListing()
        var checked: Set<String> = []
        check(path + "/manifest.ttl", &checked, &listing)
        checkManifestWriters(&listing)
        var libraries: [String: Result<Set<String>, UnitError>] = [:]
        for plugin in Self.quietly({ world.plugins }) {
            let uri = String(cString: lilv_node_as_uri(lilv_plugin_get_uri(plugin)))
            for file in world.borrowedNodes(lilv_plugin_get_data_uris(plugin).map { UnsafeRawPointer($0) }) {
                if let path = file.path { check(path, &checked, &listing) }
            }
            do throws(UnitError) {
                let read = try Self.quietly { () throws(UnitError) in try Plugin(plugin, in: world) }
                try checkLibrary(read, &libraries)
                listing.units.append(ListedUnit(locator: [uri, path], description: read.description))
            } catch {
                listing.defects.append("\(uri): \(error).")
            }
        }
        listing.extends = extended(beside: Set(listing.units.map { $0.description.identifier }))
        return listing
    }

    /// Reports a file of the bundle that is not Turtle.
    ///
    /// The bundle is not responsible for files elsewhere.
    private func check(_ file: String, _ checked: inout Set<String>, _ listing: inout UnitListing) {
        guard file.hasPrefix(path + "/"), checked.insert(file).inserted else { return }
        let name = file.dropFirst(path.count + 1)
        guard access(file, R_OK) == 0 else {
            return listing.defects.append("\"\(name)\" cannot be read: \(String(cString: strerror(errno))).")
        }
        var reason = [CChar](repeating: 0, count: 256)
        guard !CLV2Shims_checkTurtle(file, &reason, reason.count) else { return }
        let words = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        listing.defects.append("\"\(name)\" is not Turtle, \(words).")
    }

    /// Reports a library that should write the manifest but cannot or may not, and the reason.
    ///
    /// lilv silently omits such a library. A lilv that is built without this extension, as in Debian 13, omits every one.
    private func checkManifestWriters(_ listing: inout UnitListing) {
        for writer in world.subjects(Names.type, Names.dynamicManifest) {
            do throws(UnitError) {
                guard let file = world.value(writer, Names.core + "binary")?.path else { throw .failed("it names no library") }
                // lilv keeps a library that it has called.
                let isCalled = LibraryCheck.isLoaded(file)
                try LibraryCheck.checkManifestWriter(file)
                guard isCalled else {
                    throw .failed("its library \"\(file)\" describes plug-ins, which the lilv of this system ignores")
                }
            } catch {
                listing.defects.append("\(writer.text): \(error).")
            }
        }
    }

    private func checkLibrary(_ plugin: Plugin, _ libraries: inout [String: Result<Set<String>, UnitError>]) throws(UnitError) {
        guard let file = plugin.libraryPath else { throw .failed("it names no library") }
        let known = libraries[file] ?? Result { () throws(UnitError) in try LibraryCheck.plugins(in: file, bundle: path) }
        libraries[file] = known
        guard try known.get().contains(plugin.uri) else {
            throw .failed("its library \"\(file)\" does not know it")
        }
    }

    /// The plug-ins of other bundles for which this bundle has presets.
    private func extended(beside own: Set<String>) -> [String] {
        var identifiers: Set<String> = []
        for preset in world.subjects(Names.type, Names.presets + "Preset") {
            for plugin in world.values(preset, Names.core + "appliesTo") { identifiers.insert("lv2:\(plugin.text)") }
        }
        return identifiers.subtracting(own).sorted()
    }

    /// Runs `body` without standard error: lilv prints its complaints there, and the listing reports them better.
    private static func quietly<Value, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let terminal = dup(2)
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        if nowhere >= 0 { dup2(nowhere, 2) }
        defer {
            if terminal >= 0 {
                dup2(terminal, 2)
                close(terminal)
            }
            if nowhere >= 0 { close(nowhere) }
        }
        return try body()
    }
}
