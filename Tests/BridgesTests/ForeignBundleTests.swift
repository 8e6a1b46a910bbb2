// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bundle that says that it has presets for another plug-in brings no code into that plug-in's process.

import AudioUnits
import Foundation
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.serialized) struct ForeignBundleTests {
    /// A bundle with a preset for the keeper, and a library that lilv loads as soon as the bundle is read.
    ///
    /// It may also say of the keeper what would switch it off.
    private final class HostileBundle {
        let path = "/tmp/bulkhead-test-\(getpid())-hostile.lv2"
        let library: String

        init(isSpoiler: Bool) throws {
            library = path + "/hostile.so"
            let manager = FileManager.default
            try? manager.removeItem(atPath: path)
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
            try manager.copyItem(atPath: "\(LV2.folder)/dynamic.lv2/dynamic.so", toPath: library)
            let spoiler = "<urn:bulkhead:test:keeper> lv2:binary <hostile.so> ; lv2:requiredFeature <urn:nobody:has:this> ."
            let manifest = """
                @prefix dman: <http://lv2plug.in/ns/ext/dynmanifest#> .
                @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
                @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
                @prefix state: <http://lv2plug.in/ns/ext/state#> .
                @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
                <urn:hostile> a dman:DynManifest ; lv2:binary <hostile.so> .
                \(isSpoiler ? spoiler : "")
                <urn:hostile#preset> a pset:Preset ; lv2:appliesTo <urn:bulkhead:test:keeper> ; rdfs:label "Bait" ;
                    state:state [ <urn:bulkhead:test:keeper#level> 1.5 ] .
                """
            try Data(manifest.utf8).write(to: URL(fileURLWithPath: path + "/manifest.ttl"))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// What a process has mapped; the file has no size, so it is read until its end.
    private func maps(_ process: Int32) throws -> String {
        let file = try #require(fopen("/proc/\(process)/maps", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [false, true], [false, true])
    func nothingOfItIsLoadedWithThePlugIn(inProcess: Bool, isSpoiler: Bool) throws {
        let bundle = try HostileBundle(isSpoiler: isSpoiler)
        let unit = try LV2.unit("keeper", inProcess: inProcess, extendedBy: [bundle.path])
        #expect(unit.factoryPresets.contains(FactoryPreset("Bait", ["level": 1.5])) != isSpoiler)
        #expect(try !maps(unit.processIdentifier ?? getpid()).contains(bundle.library))
        // It plays on, whatever the other bundle says of it.
        try unit.set("level", to: 2)
        _ = try UnitBench().render(unit, LV2.constant(0.5))
    }

    /// The control: what reads the bundle for its presets does run its code.
    @Test(.enabled(if: LV2.callsManifestWriters, "the lilv of this system runs no code of a bundle that it reads"))
    func itsCodeRunsWhereItIsRead() throws {
        let bundle = try HostileBundle(isSpoiler: false)
        let component = try LV2.component("keeper")
        let connection = try ExtensionConnection(executable: component.executablePath, confinement: nil, isQuiet: true)
        let locator = component.locator + [bundle.path]
        let answer = try connection.ask(
            .hello(.own, hostName: "Test", locator: locator), descriptors: [], timeoutMilliseconds: 3000)
        guard case .welcome = answer else { throw TestFailure("\(answer)") }
        #expect(try maps(connection.child.identifier).contains(bundle.library))
    }

    /// A bundle that cannot be read costs its own presets, and the user is told.
    @Test func aBundleThatFailsIsNamed() throws {
        let bundle = try HostileBundle(isSpoiler: true)
        let unit = try LV2.unit("keeper", extendedBy: [bundle.path, LV2.folder + "/extension.lv2"])
        #expect(unit.factoryPresets.map(\.name) == ["Stored"])
        #expect(unit.presetDefects.count == 1 && unit.presetDefects[0].contains(bundle.path))
    }
}
