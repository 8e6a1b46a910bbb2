// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A test's own installation: bridges that obey a script in the scanned file, plug-in folders, cache and settings. Test thread.

import AudioUnits
import FoundationEssentials
import Glibc

@testable import PluginHosting

/// Folders with an installation, which are removed after the test.
final class ScanBench: Sendable {
    let folder: TemporaryFolder
    private static let script = Build.testPluginFolder + "/ScriptedBridge.bulkhead"

    init() throws {
        folder = try TemporaryFolder()
        for (name, component) in [("LADSPA", "brdg:ldsp:blkh"), ("LV2", "brdg:lv2 :blkh")] {
            try Self.copyBridge(to: "\(folder.path)/bundles/\(name).bulkhead", component: component)
        }
        for name in ["ladspa", "lv2"] { try makeFolder(name) }
    }

    /// Copies the scripted bridge under another component.
    ///
    /// Its large library is hard-linked where possible. A symbolic link would lead out of the bundle, where the bridge may not
    /// read.
    private static func copyBridge(to bundle: String, component: String) throws {
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(script)/ScriptedBridge", toPath: "\(bundle)/ScriptedBridge")
        let library = "libScriptedBridge.so"
        if link("\(script)/\(library)", "\(bundle)/\(library)") != 0 {
            try FileManager.default.copyItem(atPath: "\(script)/\(library)", toPath: "\(bundle)/\(library)")
        }
        let manifest = String(decoding: FileManager.default.contents(atPath: "\(script)/manifest.json") ?? Data(), as: UTF8.self)
        try Data(manifest.replacing("brdg:scrp:test", with: component).utf8)
            .write(to: URL(fileURLWithPath: "\(bundle)/manifest.json"))
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// The first bytes of a shared library for this processor or another one, and zeros up to its end.
    static func header(machine: UInt8? = nil, type: UInt8 = 3, elfClass: UInt8 = 2) -> [UInt8] {
        #if arch(arm64)
            let own: UInt8 = 183
        #else
            let own: UInt8 = 62
        #endif
        let start: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, elfClass, 1, 1] + [UInt8](repeating: 0, count: 9)
        let bytes = start + [type, 0, machine ?? own, 0]
        return bytes + [UInt8](repeating: 0, count: 64 - bytes.count)
    }

    /// Writes a library with a good header, from which the bridge reads its script.
    func library(_ name: String, _ script: String, in folder: String = "ladspa") throws {
        try write(Self.header() + Array(script.utf8), to: "\(folder)/\(name).so")
    }

    func bundle(_ name: String, _ script: String, in folder: String = "lv2") throws {
        try makeFolder("\(folder)/\(name).lv2")
        try write(Array(script.utf8), to: "\(folder)/\(name).lv2/manifest.ttl")
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    }

    /// The installation, with two folders for each format.
    var installation: Installation {
        var installation = Installation(environment: ["HOME": folder.path])
        installation.bundleFolders = [path("bundles")]
        installation.classicFolders = [
            .ladspa: [path("ladspa"), path("ladspa-2")], .lv2: [path("lv2"), path("lv2-2")],
        ]
        installation.scanTimeoutMilliseconds = 5000
        return installation
    }

    var cacheFile: String { path(".cache/bulkhead/scan.cache") }
    var settingsFile: String { path(".config/bulkhead/plugins.json") }

    /// Scans; a hang is given up after `timeout` milliseconds.
    func scan(scope: ScanScope = .changed, timeout: Int32 = 5000) throws -> ComponentRegistry {
        var installation = installation
        installation.scanTimeoutMilliseconds = timeout
        return try installation.registry(scope: scope)
    }
}

extension ScanReport {
    /// Why a file or folder failed, by its name.
    func reason(_ name: String) -> String? { failures.first { FilePath.name(of: $0.path) == name }?.reason }

    /// The sentences about single plug-ins.
    var sentences: [String] { defects.map(\.reason) }
}
