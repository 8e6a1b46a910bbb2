// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A workbench with classic plug-ins whose behaviour is written in their files, and bridges that read them.

import Foundation
import TestSupport

extension Workbench {
    /// A workbench where the bridge of tests stands in for both bridges; tests add the plug-ins.
    static func withScriptedBridges(adding added: [String: String] = [:]) throws -> Workbench {
        let bench = try Workbench(adding: added.merging(["BULKHEAD_PATH": "bundles", "BULKHEAD_BRIDGES": "bundles"]) { $1 })
        let script = "\(Build.testPluginFolder)/ScriptedBridge.bulkhead"
        for (name, component) in [("LADSPA", "brdg:ldsp:blkh"), ("LV2", "brdg:lv2 :blkh")] {
            let bundle = bench.path("bundles/\(name).bulkhead")
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: "\(script)/ScriptedBridge", toPath: "\(bundle)/ScriptedBridge")
            let library = "libScriptedBridge.so"
            // A second name where that can be had, the library being large; a symbolic link would lead out of the bundle.
            if link("\(script)/\(library)", "\(bundle)/\(library)") != 0 {
                try FileManager.default.copyItem(atPath: "\(script)/\(library)", toPath: "\(bundle)/\(library)")
            }
            let manifest = try String(contentsOfFile: "\(script)/manifest.json", encoding: .utf8)
            try Data(manifest.replacing("brdg:scrp:test", with: component).utf8)
                .write(to: URL(fileURLWithPath: "\(bundle)/manifest.json"))
        }
        return bench
    }

    /// A library whose header is good and that the bridge reads its script from.
    func library(_ name: String, _ script: String) throws {
        // The beginning of the test runner itself is that of a shared library for this processor.
        let runner = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/exe"))
        let header = try runner.read(upToCount: 64) ?? Data()
        try write(header + Data(script.utf8), to: "ladspa/\(name).so")
    }

    func bundle(_ name: String, _ script: String) throws { try write(Data(script.utf8), to: "lv2/\(name).lv2/manifest.ttl") }

    private func write(_ data: Data, to name: String) throws {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}
