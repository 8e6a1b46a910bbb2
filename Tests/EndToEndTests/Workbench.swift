// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder to run the command in, and an environment in which its processes can be found again.

import Foundation
import PipeWireIO
import Testing

/// A temporary folder that is the command's working directory and home.
///
/// No PipeWire unless a session is given, and none of the machine's own plug-ins.
final class Workbench: Sendable {
    let folder: String
    let environment: [String: String]

    init(_ session: PrivatePipeWire? = nil, adding added: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bulkhead-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let own = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("XDG_") && !$0.key.hasPrefix("PIPEWIRE_") && !$0.key.hasPrefix("BULKHEAD_")
        }
        var environment = session?.environment ?? own.merging(["XDG_RUNTIME_DIR": folder]) { $1 }
        // The home is handed on to every child, plug-ins included: that is how they are found.
        environment["HOME"] = folder
        environment["XDG_DATA_HOME"] = nil
        // What is remembered of scans lies beside the folder, whose contents tests look at.
        environment["XDG_CACHE_HOME"] = "\(folder)-cache"
        environment["XDG_CONFIG_HOME"] = "\(folder)-config"
        environment["LADSPA_PATH"] = "\(folder)/ladspa"
        environment["LV2_PATH"] = "\(folder)/lv2"
        self.environment = environment.merging(added) { $1 }
    }

    deinit { for name in ["", "-cache", "-config"] { try? FileManager.default.removeItem(atPath: folder + name) } }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func bytes(_ name: String) -> Data { FileManager.default.contents(atPath: path(name)) ?? Data() }

    /// Everything in the folder but what the tests put there themselves, hidden files included.
    func names(except known: Set<String> = []) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.filter { !known.contains($0) && !$0.hasSuffix(".stream") }.sorted()
    }

    func report(_ name: String = "report.json") throws -> RunReport {
        try JSONDecoder().decode(RunReport.self, from: bytes(name))
    }

    /// Lets these plug-ins run in the host's process.
    func trust(_ plugins: String...) throws { for plugin in plugins { try run("trust", plugin).expectSuccess() } }

    /// Makes a bundle, bundles/Teller.bulkhead, whose program is a shell script; returns its folder.
    func makeTeller(_ script: String) throws -> String {
        let bundle = path("bundles/Teller.bulkhead")
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        let manifest = """
            {"manifest": 1, "component": "aufx:tell:test", "name": "Teller", "manufacturerName": "Nobody", "version": "1.0.0",
            "tags": [], "executable": "run", "consentsToInProcess": false}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: "\(bundle)/manifest.json"))
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: "\(bundle)/run"))
        chmod("\(bundle)/run", 0o755)
        return bundle
    }

    /// Runs the command to its end.
    ///
    /// `shell` is a script that ends in `exec "$@"`.
    func run(_ arguments: [String], seconds: Double = 30, shell: String? = nil) throws -> Outcome {
        try start(arguments, shell: shell).wait(seconds: seconds)
    }

    func run(_ arguments: String..., seconds: Double = 30) throws -> Outcome { try run(arguments, seconds: seconds) }

    func start(_ arguments: [String], shell: String? = nil) throws -> RunningCommand {
        try RunningCommand(arguments, shell: shell, in: self)
    }

    func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }
}

/// The command's report, as a script reads it.
struct RunReport: Decodable {
    struct Finding: Decodable {
        let kind: String
        let description: String
    }

    let sampleRate: Double
    let driverXruns: Int
    struct Fault: Decodable {
        let kind: String
        let cycle: Int
        let recoveredAfterCycles: Int?
        let wentDownTogetherWith: [String]
    }

    struct Unit: Decodable {
        let id: String
        let pid: Int?
        let isolation: String
        let restarts: Int
        let isBypassed: Bool
        let replacedBlocks: Int
        let faults: [Fault]
    }

    let quantum: Int
    let cycles: Int
    let missedDeadlines: Int
    let latencyFrames: Int
    let missedWhileMachineStoodStill: Int?
    /// Missed deadlines that nothing but the host explains.
    var ownMisses: Int { missedDeadlines - (missedWhileMachineStoodStill ?? 0) }
    struct LeftOut: Decodable {
        let id: String
        let sampleRate: Double?
    }

    let units: [Unit]
    let leftOut: [LeftOut]?
    let findings: [Finding]
}
